"""The pytest plugin: which cluster a test runs on is a word on the command line.

Installed with the package, it adds the option `--cluster`, the marker `real` and the fixture `real_cluster`.
"""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from kubewright.testing.real import RealCluster

__all__ = ["real_cluster"]

#: Set where a test that finds no real cluster must fail, not be skipped: in continuous integration.
REQUIRE_REAL: Final = "KUBEWRIGHT_REQUIRE_REAL"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--cluster`."""
    parser.getgroup("kubewright").addoption(
        "--cluster",
        choices=["embedded", "real", "kubeconfig"],
        default="embedded",
        help="where tests marked `real` run: on Kubernetes' own servers, started on loopback (real); on the cluster "
        "of $KUBECONFIG (kubeconfig); nowhere, they are skipped (embedded, the default)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known, so that --strict-markers accepts it."""
    config.addinivalue_line("markers", "real: needs a real Kubernetes API; run with --cluster=real or =kubeconfig")


@pytest.fixture(scope="session")
def real_cluster(pytestconfig: pytest.Config) -> "Iterator[RealCluster]":
    """A real Kubernetes API with an administrator's kubeconfig, one for the whole session.

    Each pytest-xdist worker is a session and would start its own: run these tests in one process.
    """
    # Imported here: every pytest run on a machine with kubewright loads this plugin.
    from kubewright.testing.real import RealCluster, RealClusterError, find_binaries

    cluster: AbstractContextManager[RealCluster]
    try:
        match pytestconfig.getoption("cluster"):
            case "real":
                cluster = RealCluster.start(find_binaries())
            case "kubeconfig":
                cluster = nullcontext(RealCluster.existing(Path(os.environ.get("KUBECONFIG", ""))))
            case _:
                raise RealClusterError("this test needs a real Kubernetes API: run it with --cluster=real")
    except RealClusterError as reason:
        if os.environ.get(REQUIRE_REAL):
            pytest.fail(f"{reason} ({REQUIRE_REAL} is set)", pytrace=False)
        pytest.skip(str(reason))
    with cluster as running:
        yield running
