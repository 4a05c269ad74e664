"""An operator beside kopf and controller-runtime, doing the same work on the same kind of real server, in one run.

    python -m bench operator
    python -m bench.operator 5000

The work: a WebServer becomes a Deployment and a Service by server-side apply with owner references, then its status is
written. Each operator has a fresh kube-apiserver and etcd to itself, one after the other: objects are created in five
bursts of a thousand and changed in such bursts, some of them one at a time; the operator is restarted with nothing
changed; everything is deleted. With 5000 there is one burst of so many. Either takes a quarter of an hour. Each works
on 32 objects at once, kopf by its connections.

What counts is the CPU time of the operator's process for each object, and what it asks of the server; then the memory
it holds; then the wall clock, which tells as much of the machine. Of an object that was changed one child changes: who
sends the others again sends too much. No controllers run in the cluster, so all that happens is the operator's own
doing, and the echoes of it.
"""

__all__ = ["main"]

_OBJECTS = 1_000


def main(count: int = _OBJECTS) -> None:
    """Print the table."""
    # Imported here: the operator that is measured is in this package, and shall not carry what measures it.
    from bench.operator.report import report

    report(count)
