"""`kubewright run web_operator:app`: an operator as a program, on the cluster of a kubeconfig or of its own pod."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from kubewright.cli.sources import CommandError, load_object

__all__ = ["run"]


def run(words: Sequence[str]) -> int:
    """Run an operator until it is told to stop."""
    # Imported here: `--help` of other commands needs none of it.
    from kubewright.observe import log
    from kubewright.operator.entry import run_operator
    from kubewright.operator.operator import LeaderElection, Operator

    parser = argparse.ArgumentParser(
        prog="kubewright run", description="Run an operator until a signal comes. Exit status 1: it lost its lease."
    )
    parser.add_argument("target", metavar="MODULE:NAME", help="the kw.Operator to run; a .py file will do for MODULE")
    parser.add_argument("--kubeconfig", type=Path, help="by default $KUBECONFIG, the pod's own, or ~/.kube/config")
    parser.add_argument("--context", help="which context of it")
    parser.add_argument("--metrics-address", help="where to serve /metrics, as :8080; 0 is nowhere")
    parser.add_argument("--health-address", help="where to serve /healthz and /readyz, as :8081; 0 is nowhere")
    parser.add_argument("--leader-elect", action="store_true", help="work only while holding a Lease")
    log.add_options(parser)
    given = parser.parse_args(words)
    app = load_object(given.target)
    if not isinstance(app, Operator):
        raise CommandError(f"{given.target} is {app!r:.60}, which is no kw.Operator.")
    if given.metrics_address is not None:
        app.metrics_address = given.metrics_address
    if given.health_address is not None:
        app.health_address = given.health_address
    if given.leader_elect and app.leader_election is None:
        app.leader_election = LeaderElection()
    log.configure(given.log_level, given.log_format)
    run_operator(app, kubeconfig=given.kubeconfig, context=given.context)
    return 0
