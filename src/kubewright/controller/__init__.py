"""What makes the world as an object says: keys, in what order and how often, and who may work on them.

    @kw.controller(WebServer, owns=[Deployment, Service])
    async def web_server(web: WebServer, ctx: kw.Context) -> kw.Requeue | None: ...

| module        | what it does                                                                 |
|---------------|------------------------------------------------------------------------------|
| `declaration` | `@kw.controller`: what a controller is, and what is wrong with one            |
| `source`      | what makes it look, besides its own objects: watches, timers, streams         |
| `wants`       | which objects of each kind it wants, and what for                            |
| `predicate`   | which changes count                                                          |
| `runner`      | a controller at work: sources, queue, workers                                |
| `rover`       | work that is for no kind, on kinds that are known at run time                |
| `workers`     | those who take keys from a queue, for both                                   |
| `reconcile`   | one reconcile of one object: finalizer, function, status                      |
| `bare`        | what a map sees of a kind of which metadata alone is kept                     |
| `outcome`     | how it ends, and what follows: `Requeue`, `Retry`, `Terminal`                 |
| `context`     | what a reconciler has in hand: `ctx.apply`, `ctx.get`, `ctx.event`            |
| `bridge`      | synchronous functions beside the loop, and in simulated time in turns with it |
| `children`    | children as they are sent: whose, where, and whether they may be touched      |
| `apply`       | server-side apply, sent only if it would change something                     |
| `unchanged`   | whether it would                                                             |
| `emptied`     | what an apply empties, and cannot by itself                                  |
| `status`      | what of a status is written                                                  |
| `finalizer`   | the patches that add and remove one                                          |
| `event`       | which Events are told and which are counted                                  |
| `news`        | the two ways in which they are written down                                  |
| `recorder`    | sends them                                                                   |
| `circles`     | whether an object is brought back by its own reconcile, again and again       |
| `writes`      | the client that tells the caches what it wrote                               |
| `backoff`     | how long a key that fails has to wait                                        |
| `schedule`    | which key is worked on next: the queue without waiting, on explicit time      |
| `queue`       | the work queue: workers wait for keys, failed keys come back                 |
| `candidacy`   | who leads: leader election without waiting, as a state machine on a Lease     |
| `election`    | leader election: acquires and renews the Lease, runs and cancels led work     |
| `fence`       | the gate that every write passes: shut unless the lease is surely still ours  |
"""

import sys
from types import ModuleType
from typing import Any


class _Package(ModuleType):
    """`kw.controller` is a decorator, and it is this package: whoever imports it puts it there. So it can be called."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        """See `declaration.controller`."""
        from kubewright.controller.declaration import controller

        return controller(*args, **options)


sys.modules[__name__].__class__ = _Package
