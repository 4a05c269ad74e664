"""`kw.Operator`: a name, its controllers, and how they are run.

    app = kw.Operator("web-operator", [web_server])

    await app.run()                              # until cancelled, on the cluster that a kubeconfig or the pod names
    async with app.running(api) as running: ...  # inside a program or a test

Like a controller it is a declaration: it may be run several times, and several at once, in one process. Nothing here
touches signals, logging or the garbage collector; that is `entry`'s, whose process it is.
"""

import inspect
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from kubewright.client import Client
from kubewright.client.api import Api
from kubewright.controller.candidacy import Durations
from kubewright.controller.declaration import Controller, WiringError
from kubewright.controller.news import SERIES, Form
from kubewright.controller.rover import Rover
from kubewright.controller.source import SourceError, read_namespaces
from kubewright.entropy import SYSTEM, Entropy
from kubewright.errors import called
from kubewright.observe import Registry, Tracer, no_tracing
from kubewright.observe.health import Check
from kubewright.observe.instruments import MetricError
from kubewright.observe.metrics import built_in
from kubewright.observe.server import AddressError, parse_address
from kubewright.operator.running import Running

__all__ = ["LeaderElection", "Operator"]

#: The operator's name is the value of a label, and the first part of its field managers' names.
_NAME: Final = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")


@dataclass(frozen=True)
class LeaderElection:
    """One of several replicas works, the others stand by with warm caches."""

    #: Of the Lease; by default the operator's name.
    name: str = ""
    #: Of the Lease; by default the one that the client is in.
    namespace: str = ""
    durations: Durations = field(default_factory=Durations)


class Operator:
    """Controllers that run together, on shared caches."""

    def __init__(
        self,
        name: str,
        controllers: Sequence[Controller[Any, Any] | Rover],
        *,
        namespaces: Sequence[str] = (),
        leader_election: LeaderElection | bool = False,
        metrics_address: str = "0",
        metrics_tls: tuple[Path | str, Path | str] | None = None,
        metrics_guarded: bool = False,
        metrics_detailed: bool = False,
        health_address: str = "0",
        metrics: Registry | None = None,
        ready: Mapping[str, Check] = {},
        alive: Mapping[str, Check] = {},
        grace: float = 30.0,
        tracer: Tracer = no_tracing,
        field_manager: str = "",
        events: Form = SERIES,
        watchdog: bool = True,
    ) -> None:
        """`namespaces`: where to look; by default in all, and what a controller says itself wins.

        `metrics_address`, `health_address`: where to serve them, as ":8080"; "0" is nowhere. `metrics_tls`: the files
        of a certificate and its key, to serve metrics over TLS alone. `metrics_guarded`: only to whom the cluster lets
        read them (see `observe.guard`). `metrics_detailed`: also how long requests to the server take, how big they
        are and how often they are repeated.
        `metrics`: counters and gauges of your own, told on the same page. `ready`, `alive`: checks of your own, by
        name: functions that say at once, in a sentence, what is wrong, or return None.
        `grace`: seconds that reconciles under way have to end when the operator stops.
        `field_manager`: under which `ctx.live` writes; by default each controller's own. `ctx.apply` always has that.
        `events`: how Events are written. `watchdog`: whether to say when something blocks the event loop.
        """
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise WiringError(
                f"operator {name!r}: its name is lower-case letters, digits and dashes, 63 at most; managers of fields "
                "are called by it, so choose one that stays."
            )
        if isinstance(controllers, Controller) or not isinstance(controllers, list | tuple):
            raise WiringError(f'operator {name!r}: controllers are a list, as in kw.Operator("{name}", [web_server]).')
        for each in controllers:
            if not isinstance(each, Controller | Rover):
                raise WiringError(
                    f"operator {name!r}: {called(each)} is no controller; decorate it with @kw.controller."
                )
        if not controllers:
            raise WiringError(f"operator {name!r} has no controllers, so it would do nothing; give it one.")
        try:
            self.namespaces = read_namespaces(namespaces)
        except SourceError as error:
            raise WiringError(f"operator {name!r}: {error}") from None
        if isinstance(metrics_tls, str | Path) or (metrics_tls is not None and len(metrics_tls) != 2):
            raise WiringError(
                f"operator {name!r}: metrics_tls is two files, a certificate and its key, as in "
                'metrics_tls=("tls.crt", "tls.key").'
            )
        if isinstance(grace, bool) or not isinstance(grace, int | float) or not (math.isfinite(grace) and grace >= 0):
            raise WiringError(f"operator {name!r}: grace={grace!r} must be seconds, 0 or more.")
        if metrics_guarded and metrics_tls is None:
            raise WiringError(
                f"operator {name!r}: metrics_guarded=True without metrics_tls=…: readers would send their tokens in "
                "the clear. Give it a certificate and its key."
            )
        if not callable(tracer):
            raise WiringError(
                f"operator {name!r}: tracer={tracer!r:.60} is no function from a Run to a context manager, as "
                "open_telemetry() makes it; leave it out to trace nothing."
            )
        if metrics is not None and not isinstance(metrics, Registry):
            raise WiringError(f"operator {name!r}: metrics={metrics!r:.60} is no kubewright.observe.Registry.")
        try:
            if metrics is not None:
                metrics.leave_out(built_in())
        except MetricError as error:
            raise WiringError(f"operator {name!r}: metrics: {error}") from None
        for argument, checks in (("ready", ready), ("alive", alive)):
            if not isinstance(checks, Mapping):
                raise WiringError(
                    f'operator {name!r}: {argument} is checks by their names, as in {argument}={{"database": check}}.'
                )
            for check, function in checks.items():
                if not callable(function) or inspect.iscoroutinefunction(function):
                    raise WiringError(
                        f"operator {name!r}: {argument}={{{check!r}: …}}: a check is a plain function without "
                        "arguments, which looks at what is known; a probe waits for nobody."
                    )
        for argument, address in (("metrics_address", metrics_address), ("health_address", health_address)):
            try:
                parse_address(address)
            except AddressError as error:
                raise WiringError(f"operator {name!r}: {argument}: {error}") from None
        if not isinstance(leader_election, LeaderElection | bool):
            raise WiringError(
                f"operator {name!r}: leader_election={leader_election!r:.60} is neither True nor a kw.LeaderElection."
            )
        if not isinstance(field_manager, str):
            raise WiringError(f"operator {name!r}: field_manager={field_manager!r:.60} is no name.")
        if isinstance(leader_election, LeaderElection):
            if not isinstance(leader_election.durations, Durations):
                given = leader_election.durations
                raise WiringError(f"operator {name!r}: the durations of its Lease are Durations(…), not {given!r:.60}.")
            for what, given in (("name", leader_election.name), ("namespace", leader_election.namespace)):
                labels = given.split(".") if isinstance(given, str) and what == "name" else [given]
                if given and not all(isinstance(each, str) and _NAME.fullmatch(each) for each in labels):
                    raise WiringError(
                        f"operator {name!r}: the {what} of its Lease cannot be {given!r:.60}: it is lower-case "
                        "letters, digits and dashes."
                    )
        names = [each.name for each in controllers]
        for each in names:
            if names.count(each) > 1:
                raise WiringError(
                    f"operator {name!r} has two controllers called {each!r}: they would take each other's fields. Give "
                    "one another name: @kw.controller(…, name=…)."
                )
        self.name = name
        self.controllers = tuple(each for each in controllers if isinstance(each, Controller))
        self._check_finalizers()
        #: Those that are bound to no kind.
        self.rovers = tuple(each for each in controllers if isinstance(each, Rover))
        self.leader_election = (
            leader_election
            if isinstance(leader_election, LeaderElection)
            else LeaderElection()
            if leader_election
            else None
        )
        self.metrics_address = metrics_address
        self.metrics_tls = None if metrics_tls is None else (Path(metrics_tls[0]), Path(metrics_tls[1]))
        self.metrics_guarded = metrics_guarded
        self.metrics_detailed = metrics_detailed
        self.health_address = health_address
        self.metrics = metrics
        self.ready, self.alive = dict(ready), dict(alive)
        self.grace = grace
        self.tracer = tracer
        self.field_manager = field_manager
        self.events = events
        self.watchdog = watchdog

    def _check_finalizers(self) -> None:
        """Who takes the finalizer of two away has cleaned up for one."""
        known: dict[tuple[str, str, str], Controller[Any, Any]] = {}
        for each in self.controllers:
            if each.finalize is None:
                continue
            other = known.setdefault((each.endpoint.group, each.endpoint.plural, each.finalizer_name), each)
            if other is not each:
                raise WiringError(
                    f"operator {self.name!r}: {other.where} and {each.where} have the same finalizer "
                    f"{each.finalizer_name}: the first that has cleaned up would let {each.endpoint.resource} go. Give "
                    "each a name of its own: @….finalizer(name=…)."
                )

    def running(self, api: Api | Client | None = None, *, identity: str = "", entropy: Entropy = SYSTEM) -> Running:
        """One run, as an async context manager: started when the block begins, stopped in good order at its end."""
        return Running(self, api, identity=identity, entropy=entropy)

    async def run(self, api: Api | Client | None = None, *, identity: str = "") -> None:
        """Run until cancelled; raises if the lease is lost, or if something fails that cannot be put right here."""
        async with self.running(api, identity=identity) as running:
            await running.wait()

    def __repr__(self) -> str:
        names = [each.name for each in self.controllers] + [each.name for each in self.rovers]
        return f"<kubewright operator {self.name!r}: {', '.join(names)}>"
