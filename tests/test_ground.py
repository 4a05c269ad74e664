"""The repository itself: one version of Kubernetes, one place for what is built, pins without hosts."""

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from kubewright.testing.real import RealClusterError, find_binaries
from kubewright.version import KUBERNETES

ROOT = Path(__file__).parent.parent
GO_MOD = (ROOT / "real" / "go.mod").read_text()


def run(*command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )


def test_the_real_servers_are_of_the_version_we_speak() -> None:
    assert re.findall(r"k8s\.io/kubernetes (v\S+)", GO_MOD) == [f"v{KUBERNETES}"]


def test_every_part_of_the_real_servers_is_of_the_same_release() -> None:
    staging = re.findall(r"^\t(\S+) => (\S+) (\S+)$", GO_MOD, re.MULTILINE)
    release = KUBERNETES.partition(".")[2]
    assert staging
    assert {(path, replacement, version) for path, replacement, version in staging} == {
        (path, path, f"v0.{release}") for path, _, _ in staging
    }


@pytest.mark.parametrize(
    ("variable", "below"),
    [("KUBEWRIGHT_REAL", KUBERNETES), ("XDG_CACHE_HOME", f"kubewright/real/{KUBERNETES}")],
)
def test_servers_are_built_where_they_are_looked_for(
    variable: str, below: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KUBEBUILDER_ASSETS", raising=False)
    monkeypatch.delenv("KUBEWRIGHT_REAL", raising=False)
    monkeypatch.setenv(variable, str(tmp_path))
    where = run(ROOT / "real" / "build", "--where").stdout.strip()
    assert where == str(tmp_path / below)
    with pytest.raises(RealClusterError, match=re.escape(where)):
        find_binaries()


def test_building_without_go_says_what_to_do(tmp_path: Path) -> None:
    (tools := tmp_path / "tools").mkdir()
    for name in ("bash", "cat", "cksum", "dirname", "sed"):
        (tools / name).symlink_to(shutil.which(name) or "")
    built = run(ROOT / "real" / "build", KUBEBUILDER_ASSETS="", KUBEWRIGHT_REAL=str(tmp_path / "real"), PATH=str(tools))
    assert built.returncode == 1
    assert "needs Go 1." in built.stderr
    assert not (tmp_path / "real").exists()


def test_an_environment_without_a_new_enough_python_says_so(tmp_path: Path) -> None:
    for name in ("python3", "python3.11", "python3.12", "python3.13"):
        (tmp_path / name).write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    made = run(ROOT / "tools" / "environment", tmp_path / "venv", "dev", PATH=f"{tmp_path}:/usr/bin:/bin")
    assert made.returncode == 1
    assert made.stderr.startswith("kubewright needs Python 3.11 or newer")
    assert not (tmp_path / "venv").exists()


def test_constraints_are_exact_and_name_no_host() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    assert [line for line in lines if not re.fullmatch(r"#.*|[\w.-]+==[\w.]+", line)] == []


def test_everything_pyproject_asks_for_is_pinned() -> None:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = [pyproject["build-system"]["requires"], pyproject["project"]["dependencies"]]
    groups += pyproject["dependency-groups"].values()
    asked = {re.split(r"[^\w.-]", requirement)[0] for group in groups for requirement in group}
    pinned = {line.partition("==")[0] for line in (ROOT / "constraints.txt").read_text().splitlines()}
    assert {normal(name) for name in asked} - {normal(name) for name in pinned} == set()


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_make_alone_lists_the_targets() -> None:
    listed = run("make").stdout
    for target in ("test", "test-real", "test-deep", "lint", "real", "bench", "generate", "constraints"):
        assert re.search(rf"^  make {target} +\S", listed, re.MULTILINE), target


def test_continuous_integration_is_executable() -> None:
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
