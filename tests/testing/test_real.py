import json
import os
import select
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from kubewright.testing.process import ChildError
from kubewright.testing.real import RealCluster, RealClusterError, find_binaries
from kubewright.version import KUBERNETES

CRD = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ships.fleet.example.com
spec:
  group: fleet.example.com
  scope: Namespaced
  names: {plural: ships, singular: ship, kind: Ship, listKind: ShipList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              masts: {type: integer}
"""

#: Starts a cluster, tells the directory its servers work in, and waits to be killed.
PROGRAM = """
import signal, sys
from pathlib import Path
from kubewright.testing.real import RealCluster
with RealCluster.start(Path(sys.argv[1])) as cluster:
    print(cluster.kubeconfig.parent, flush=True)
    signal.pause()
"""


def fake(directory: Path, **scripts: str) -> Path:
    """A directory of servers that are shell scripts."""
    for name in ("etcd", "kube-apiserver", "kubectl"):
        (directory / name).write_text("#!/bin/sh\n" + scripts.get(name.replace("-", "_"), "exit 0"))
        (directory / name).chmod(0o755)
    return directory


def servers_of(directory: str) -> dict[str, int]:
    """The pid of each process that has the directory among its arguments."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                program, *arguments = (entry / "cmdline").read_text().split("\0")
            except OSError:
                continue  # it ended while we looked
            if any(directory in argument for argument in arguments):
                found[Path(program).name] = int(entry.name)
    return found


def test_assets_are_taken_before_what_was_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(fake(tmp_path)))
    assert find_binaries() == tmp_path


def test_assets_that_lack_a_server_are_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(fake(tmp_path)))
    (tmp_path / "etcd").unlink()
    with pytest.raises(RealClusterError, match=f"no etcd in {tmp_path}: point KUBEBUILDER_ASSETS at"):
        find_binaries()


def test_a_server_that_fails_is_told_with_the_end_of_its_log_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (binaries := tmp_path / "binaries").mkdir()
    (state := tmp_path / "state").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(state))
    fake(binaries, etcd="echo disk on fire; exit 7")
    with pytest.raises(ChildError, match=r"etcd ended with status 7 .*\n.*disk on fire"), RealCluster.start(binaries):
        pass
    assert list(state.iterdir()) == []


def test_a_kubeconfig_without_a_context_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (kubeconfig := tmp_path / "kubeconfig").write_text("{}")
    fake(tmp_path, kubectl="echo nothing to show >&2; exit 1")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RealClusterError, match=r"has no current context with a server: nothing to show"):
        RealCluster.existing(kubeconfig)


@pytest.mark.real
def test_the_server_is_of_the_version_we_speak(real_cluster: RealCluster) -> None:
    answer = json.loads(real_cluster.kubectl("version", "--output=json").stdout)
    assert answer["clientVersion"]["gitVersion"] == f"v{KUBERNETES}"
    assert answer["serverVersion"]["gitVersion"] == f"v{KUBERNETES}"


@pytest.mark.real
def test_a_crd_can_be_created_with_strict_validation(real_cluster: RealCluster) -> None:
    created = real_cluster.kubectl("create", "--validate=strict", "--filename=-", input=CRD)
    assert created.stdout == "customresourcedefinition.apiextensions.k8s.io/ships.fleet.example.com created\n"


@pytest.mark.real
def test_what_the_schema_does_not_know_is_refused_by_strict_validation(real_cluster: RealCluster) -> None:
    created = real_cluster.kubectl("create", "--validate=strict", "--filename=-", input=CRD.replace("scope", "scop"))
    assert created.returncode == 1
    assert 'unknown field "spec.scop"' in created.stderr


@pytest.mark.real
def test_rbac_is_enforced(real_cluster: RealCluster) -> None:
    asked = real_cluster.kubectl("get", "secrets", "--as=nobody")
    assert 'User "nobody" cannot list resource "secrets"' in asked.stderr


@pytest.mark.real
def test_only_we_can_read_the_kubeconfig(real_cluster: RealCluster) -> None:
    assert stat.S_IMODE(real_cluster.kubeconfig.stat().st_mode) == 0o600


@pytest.mark.real
def test_a_running_cluster_is_reached_by_its_kubeconfig(real_cluster: RealCluster) -> None:
    existing = RealCluster.existing(real_cluster.kubeconfig)
    assert existing.server == real_cluster.server
    assert existing.kubectl("get", "--raw=/readyz").stdout == "ok"


@pytest.mark.real
def test_with_controllers_a_pod_can_be_created_and_stopping_leaves_no_process(real_binaries: Path) -> None:
    with RealCluster.start(real_binaries, controllers=True) as cluster:
        directory = str(cluster.kubeconfig.parent)
        assert set(servers_of(directory)) == {"etcd", "kube-apiserver", "kube-controller-manager"}
        created = cluster.kubectl("run", "ship", "--image=ship")
        assert created.stdout == "pod/ship created\n"
    assert servers_of(directory) == {}
    assert not Path(directory).exists()


@pytest.mark.real
def test_killing_the_program_leaves_no_process(real_binaries: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", PROGRAM, real_binaries], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        servers = servers_of(program.stdout.readline().strip())
        assert set(servers) == {"etcd", "kube-apiserver"}
        ends = [os.pidfd_open(pid) for pid in servers.values()]
        program.kill()
        for end in ends:
            assert select.select([end], [], [], 30)[0]
            os.close(end)
