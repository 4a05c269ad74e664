"""Kubernetes' own Go client on the embedded cluster sees what it sees on a real one.

`real/client` is a program with stories: typed clients that speak protobuf, informers, leader election, events, apply.
Each is run on both clusters, in a namespace of its own, and prints what it saw; that must be the same.
"""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from kubewright.cluster import Cluster
from kubewright.testing.beside import beside
from kubewright.testing.kubectl import run_kubectl
from kubewright.testing.real import RealCluster
from kubewright.testing.sandbox import in_namespace

pytestmark = pytest.mark.real

SOURCES = Path(__file__).parents[2] / "real"
STORIES = [
    "apply",
    "election",
    "events",
    "informers",
    "metadata",
    "objects",
    "only",
    "options",
    "reviews",
    "workloads",
]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Go program, built of the same modules as the servers."""
    made = tmp_path_factory.mktemp("go") / "client"
    built = _run("go", "build", "-o", made, "./client", directory=SOURCES)
    assert built.returncode == 0, built.stderr
    return made


@pytest.fixture(scope="module")
def places(full_cluster: RealCluster) -> Iterator[dict[str, Path]]:
    """The kubeconfigs of both."""
    with beside(Cluster()) as embedded:
        yield {"embedded": embedded.kubeconfig, "real": full_cluster.kubeconfig}


@pytest.mark.parametrize("story", STORIES)
def test_a_story_goes_the_same_way_on_both(
    story: str, program: Path, places: dict[str, Path], full_cluster: RealCluster, tmp_path: Path
) -> None:
    namespace = f"go-{story}"
    said = {}
    for name, kubeconfig in places.items():
        own = tmp_path / name
        in_namespace(kubeconfig, namespace, own)
        made = run_kubectl(full_cluster.program, own, tmp_path / "cache", ["create", "namespace", namespace], None)
        assert made.returncode == 0, made.stderr
        done = _run(program, own, story)
        said[name] = done.stdout + (done.stderr if done.returncode else "")
    assert said["embedded"] == said["real"]
    assert done.returncode == 0


def _run(*words: str | Path, directory: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, check=False, cwd=directory, capture_output=True, text=True, timeout=300)
