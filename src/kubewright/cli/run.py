"""`kubewright run web_operator.py`: an operator as a program, on the cluster of a kubeconfig, of its pod, or its own.

Which cluster that is, is said first. On a developer's machine what would only show in the log is told at once, and is
the end: nobody answers, the credentials are not good, a kind may not be read. In a pod all of it may pass by itself.
"""

import argparse
import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

from kubewright.cache import Selection
from kubewright.cli import place
from kubewright.cli.apps import load_operator, own_kinds
from kubewright.cli.sources import CommandError
from kubewright.client.api import Api
from kubewright.client.errors import NotFound
from kubewright.controller.wants import Wants, merge
from kubewright.observe import log
from kubewright.observe.server import AddressError, parse_address
from kubewright.operator.entry import run_operator
from kubewright.operator.operator import LeaderElection, Operator

__all__ = ["run"]

_NAMESPACE: Final = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")


def run(words: Sequence[str]) -> int:
    """Run an operator until it is told to stop."""
    given = _arguments(words)
    app = load_operator(given.target)
    if given.embedded and (given.kubeconfig or given.context):
        raise CommandError("--embedded brings a cluster of its own: leave out --kubeconfig and --context.")
    if given.namespace:
        app.namespaces = tuple(given.namespace)
    if given.metrics_address is not None:
        app.metrics_address = given.metrics_address
    if given.health_address is not None:
        app.health_address = given.health_address
    if given.leader_elect and app.leader_election is None:
        app.leader_election = LeaderElection()
    log.configure(given.log_level, given.log_format)
    run_operator(app, lambda: _cluster(app, given), lambda: print(f"{app.name} runs until Ctrl-C.", flush=True))
    return 0


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="kubewright run",
        description="Run an operator until a signal comes: it then ends what it has begun, and stops.",
        epilog="Exits with 2 if it cannot run, or has lost its lease.",
    )
    parser.add_argument(
        "target", metavar="MODULE[:NAME]", help="where the kw.Operator is: a .py file or a module; which, if it has two"
    )
    place.add_options(parser)
    parser.add_argument(
        "--embedded", action="store_true", help="on a cluster of its own, with its CRDs, for as long as it runs"
    )
    parser.add_argument(
        "--install-crds", action="store_true", help="install the CRDs of its kinds first, unless that breaks anything"
    )
    parser.add_argument(
        "--namespace", action="append", type=_namespace, metavar="N", help="look only there; may be given several times"
    )
    parser.add_argument(
        "--metrics-address", type=_address, metavar="ADDRESS", help="where to serve /metrics, as :8080; 0 is nowhere"
    )
    parser.add_argument(
        "--health-address",
        type=_address,
        metavar="ADDRESS",
        help="where to serve /healthz and /readyz, as :8081; 0 is nowhere",
    )
    parser.add_argument("--leader-elect", action="store_true", help="work only while holding a Lease")
    log.add_options(parser)
    return parser.parse_args(words)


def _namespace(text: str) -> str:
    if not _NAMESPACE.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no namespace: give lower-case letters, digits and -")
    return text


def _address(text: str) -> str:
    try:
        parse_address(text)
    except AddressError as error:
        raise argparse.ArgumentTypeError(str(error).rstrip(".")) from None
    return text


@asynccontextmanager
async def _cluster(app: Operator, given: argparse.Namespace) -> AsyncIterator[Api]:
    """The cluster that it shall run on, ready for it."""
    if given.embedded:
        # Imported here: who has a cluster does not wait for one to load.
        from kubewright.cluster import Cluster

        async with Cluster() as cluster:
            place.tell(cluster.name, cluster.server)
            print(f"  export KUBECONFIG={cluster.kubeconfig}", flush=True)
            api = Api(cluster.client())
            await _prepare(api, app, given)
            await _look(api, app)
            yield api
        return
    access = place.find(given)
    async with place.connect(access) as api:
        await _prepare(api, app, given)
        if access.context:
            await _look(api, app)
        yield api


async def _prepare(api: Api, app: Operator, given: argparse.Namespace) -> None:
    """Install the CRDs, if that is wanted."""
    if given.install_crds or given.embedded:
        # Imported here, too: what reads and writes CRDs takes longer to load than all the rest.
        from kubewright.cli.install import install_crds
        from kubewright.schema.crd import crds_of

        by = f"`kubewright install {given.target} --force`"
        await install_crds(api, crds_of(own_kinds(app)), forced_by=by)


async def _look(api: Api, app: Operator) -> None:
    """Whether what the controllers read may be read; a kind that is not there yet may come."""
    wanted = merge(*(Wants(each, app.namespaces).all() for each in app.controllers))
    found = await asyncio.gather(*(_served(api, each) for each in wanted.values()))
    for endpoint, served in zip(wanted, found, strict=True):
        if not served:
            print(f"{endpoint.resource} is not served yet: what needs it waits; --install-crds brings what is ours.")


async def _served(api: Api, wanted: Selection) -> bool:
    try:
        for namespace in wanted.namespaces or (None,):
            await api.raw.get(wanted.endpoint.path(namespace), limit=1)
    except NotFound:
        return False
    return True
