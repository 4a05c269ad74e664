"""The pytest plugin: which cluster a test runs on is a word on the command line.

Installed with the package, it adds the option `--cluster`, the marker `real` and the fixtures `real_cluster` and
`real_binaries`.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

import pytest

if TYPE_CHECKING:
    from kubewright.testing.real import RealCluster

__all__ = ["real_binaries", "real_cluster"]

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


def unavailable(reason: str) -> NoReturn:
    """End a test that cannot have what it needs: skipped where that may be, failed where it may not."""
    if os.environ.get(REQUIRE_REAL):
        pytest.fail(f"{reason} ({REQUIRE_REAL} is set)", pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def real_binaries(pytestconfig: pytest.Config) -> Path:
    """The directory of Kubernetes' own servers, for a test that starts them itself."""
    # Imported here, and below: every pytest run on a machine with kubewright loads this plugin.
    from kubewright.testing.real import RealClusterError, find_binaries

    if pytestconfig.getoption("cluster") != "real":
        unavailable("this test starts Kubernetes' own servers: run it with --cluster=real")
    try:
        return find_binaries()
    except RealClusterError as reason:
        unavailable(str(reason))


@pytest.fixture(scope="session")
def real_cluster(request: pytest.FixtureRequest) -> "Iterator[RealCluster]":
    """A real Kubernetes API with an administrator's kubeconfig, one for the whole session.

    Each pytest-xdist worker is a session and would start its own: run these tests in one process.
    """
    from kubewright.testing.real import RealCluster, RealClusterError

    if request.config.getoption("cluster") == "kubeconfig":
        try:
            cluster = RealCluster.existing(Path(os.environ.get("KUBECONFIG", "")))
        except RealClusterError as reason:
            unavailable(str(reason))
        yield cluster
    else:
        with RealCluster.start(request.getfixturevalue("real_binaries")) as cluster:
            yield cluster
