"""A process that stands for election: `candidate.py KUBECONFIG NAME`. It tells its fate, a word a line, and while it
leads it makes ConfigMaps as fast as they are answered.
"""

import asyncio
import contextlib
import itertools
import sys
from pathlib import Path

from kubewright.client import Client, load_kubeconfig
from kubewright.controller.election import Durations, Election, LeadershipLost
from kubewright.controller.fence import NotLeading

DURATIONS = Durations(lease=3, renew=2.0, retry=0.5)


async def main(kubeconfig: str, name: str) -> None:
    async with Client.connect(load_kubeconfig(Path(kubeconfig))) as client:
        election = Election(client, "op", client.namespace, name, DURATIONS)
        led = client.but(gate=election.fence)
        numbers = itertools.count()

        async def work() -> None:
            print("leading", flush=True)
            while True:
                made = {"metadata": {"name": f"{name}-{next(numbers)}", "labels": {"by": name}}}
                with contextlib.suppress(NotLeading):
                    await led.create(f"/api/v1/namespaces/{client.namespace}/configmaps", made)
                await asyncio.sleep(0.05)

        while True:
            try:
                await election.lead(work)
            except LeadershipLost:
                print("lost", flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
