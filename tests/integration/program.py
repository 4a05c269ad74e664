"""An operator as a process, one of several: `program.py KUBECONFIG NAME SECONDS`, the seconds of a lease.

While it leads it writes a ConfigMap for every WebServer ten times a second, and who did it.
"""

import asyncio
import itertools
import sys
from pathlib import Path

from tests.operator.web import WebServer

import kubewright as kw
from kubewright.client.api import Api
from kubewright.controller.candidacy import Durations
from kubewright.k8s.core.v1 import ConfigMap


async def main(kubeconfig: str, name: str, seconds: str) -> None:
    lease = int(seconds)
    numbers = itertools.count(1)

    # What is just being sent when the process is stopped is sent: it shall hardly ever be sending.
    @kw.controller(WebServer, owns=[ConfigMap], name="web", gather=0.1)
    async def reconcile(web: WebServer, ctx: kw.Context) -> kw.Requeue:
        made = ConfigMap(metadata=kw.ObjectMeta(name=f"{web.metadata.name}-{name}"), data={"n": str(next(numbers))})
        await ctx.apply(made)
        return kw.Requeue(after=0.1)

    durations = Durations(lease, lease * 2 / 3, lease * 2 / 15)
    app = kw.Operator("program", [reconcile], leader_election=kw.LeaderElection(durations=durations))
    async with Api.connect(kubeconfig=Path(kubeconfig)) as api:
        await app.run(api, identity=name)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
