"""A real cluster's API without TLS or credentials, through kubectl's proxy: for tests that send many requests."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from kubewright.testing.real import RealCluster

__all__ = ["proxied"]


@contextmanager
def proxied(cluster: RealCluster) -> Iterator[str]:
    """The address, host and port, for as long as the block lasts."""
    command = [str(cluster.program), f"--kubeconfig={cluster.kubeconfig}", "proxy", "--port=0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as proxy:
        try:
            assert proxy.stdout is not None
            yield proxy.stdout.readline().rsplit(" ", 1)[1].strip()
        finally:
            proxy.terminate()
