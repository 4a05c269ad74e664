"""The pytest plugin: which cluster a test runs on is a word on the command line.

Installed with the package, it adds the option `--cluster`, the marker `real` and the fixtures `cluster`, `real_cluster`
and `real_binaries`.

    async def test_a_web_server_gets_a_deployment(cluster):
        async with cluster.client() as client:
            await client.create(f"/apis/web.example.com/v1/namespaces/{cluster.namespace}/webservers", ...)
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

import pytest

if TYPE_CHECKING:
    from kubewright.testing.real import RealCluster
    from kubewright.testing.sandbox import Sandbox

__all__ = ["cluster", "full_cluster", "real_binaries", "real_cluster"]

#: Set where a test that finds no real cluster must fail, not be skipped: in continuous integration.
REQUIRE_REAL: Final = "KUBEWRIGHT_REQUIRE_REAL"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--cluster`."""
    parser.getgroup("kubewright").addoption(
        "--cluster",
        choices=["embedded", "real", "kubeconfig"],
        default="embedded",
        help="where tests with the fixture `cluster` run: on the embedded control plane (the default), on Kubernetes' "
        "own servers, started on loopback (real), or on the cluster of $KUBECONFIG (kubeconfig); tests marked `real` "
        "run with the latter two alone",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known, so that --strict-markers accepts it."""
    config.addinivalue_line("markers", "real: needs a real Kubernetes API; run with --cluster=real or =kubeconfig")


@pytest.hookimpl(tryfirst=True)  # before those are left out that -m does not name
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On a real cluster every test with the fixture `cluster` is one that needs it."""
    if config.getoption("cluster") != "embedded":
        for item in items:
            if "cluster" in getattr(item, "fixturenames", ()):
                item.add_marker("real")


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
def kubectl() -> Path:
    """A kubectl: the one on the path, or that of `make real`. A test whose cluster is asked by it names this, too."""
    from kubewright.testing.real import RealClusterError, find_kubectl

    try:
        return find_kubectl()
    except RealClusterError as reason:
        unavailable(f"this test types kubectl commands, and there is no kubectl: {reason}")


@pytest.fixture(scope="session")
def real_cluster(request: pytest.FixtureRequest) -> "Iterator[RealCluster]":
    """A real Kubernetes API with an administrator's kubeconfig, one for the whole session.

    Each pytest-xdist worker is a session and would start its own: run these tests in one process.
    """
    from kubewright.testing.real import RealCluster, RealClusterError

    if request.config.getoption("cluster") == "kubeconfig":
        try:
            cluster = RealCluster.existing(Path(os.environ.get("KUBECONFIG") or Path.home() / ".kube" / "config"))
        except RealClusterError as reason:
            unavailable(str(reason))
        yield cluster
    else:
        with RealCluster.start(request.getfixturevalue("real_binaries")) as cluster:
            yield cluster


@pytest.fixture(scope="session")
def full_cluster(request: pytest.FixtureRequest) -> "Iterator[RealCluster]":
    """A real Kubernetes API with its controllers and a node of ours: what `cluster` is, when it is real.

    One for the whole session.
    """
    from kubewright.testing.beside import beside, node
    from kubewright.testing.real import RealCluster

    if request.config.getoption("cluster") == "kubeconfig":
        yield request.getfixturevalue("real_cluster")
    else:
        binaries = request.getfixturevalue("real_binaries")
        with RealCluster.start(binaries, controllers=True) as cluster, beside(node(cluster.kubeconfig)):
            yield cluster


@pytest.fixture
def cluster(request: pytest.FixtureRequest, tmp_path: Path) -> "Iterator[Sandbox]":
    """A Kubernetes cluster with a namespace of the test's own.

    Embedded, it is a fresh one for each test. A real one serves the whole session: the namespace and the cluster-scoped
    objects that the test made are deleted after it.
    """
    from kubewright.testing.sandbox import Sandbox, in_namespace, wait_for

    kubeconfig = tmp_path / "kubeconfig"
    if request.config.getoption("cluster") == "embedded":
        from kubewright.cluster import Cluster
        from kubewright.testing.beside import beside

        with beside(Cluster()) as embedded:
            in_namespace(embedded.kubeconfig, "default", kubeconfig)
            sandbox = Sandbox(kubeconfig, embedded.server, "default")
            sandbox = wait_for(_settle(sandbox))
            in_namespace(embedded.kubeconfig, sandbox.namespace, kubeconfig)
            yield sandbox
        return
    real: RealCluster = request.getfixturevalue("full_cluster")
    in_namespace(real.kubeconfig, "default", kubeconfig)
    sandbox = Sandbox(kubeconfig, real.server, "default")
    before = wait_for(_remember(sandbox))
    sandbox = wait_for(_settle(sandbox))
    in_namespace(real.kubeconfig, sandbox.namespace, kubeconfig)
    yield sandbox
    wait_for(_sweep(sandbox, before))


async def _settle(sandbox: "Sandbox") -> "Sandbox":
    """Give a test its namespace."""
    from dataclasses import replace

    async with sandbox.client() as client:
        made = await client.create("/api/v1/namespaces", {"metadata": {"generateName": "test-"}})
    return replace(sandbox, namespace=made["metadata"]["name"])


async def _remember(sandbox: "Sandbox") -> set[str]:
    from kubewright.testing.sweep import remember

    async with sandbox.client() as client:
        return await remember(client)


async def _sweep(sandbox: "Sandbox", before: set[str]) -> None:
    from kubewright.testing.sweep import sweep

    async with sandbox.client() as client:
        await sweep(client, before, sandbox.namespace)
