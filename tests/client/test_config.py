from pathlib import Path

import pytest

from kubewright.client import config
from kubewright.client.config import load_access
from kubewright.client.in_cluster import load_in_cluster
from kubewright.model.yaml import dump_yaml


def write(path: Path, server: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    contexts = [{"name": name, "context": {"cluster": name}} for name in ("here", "there")]
    clusters = [
        {"name": "here", "cluster": {"server": server}},
        {"name": "there", "cluster": {"server": "https://there"}},
    ]
    path.write_text(dump_yaml({"current-context": "here", "contexts": contexts, "clusters": clusters}))
    return path


def test_the_first_place_that_has_an_api_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = write(tmp_path / "named", "https://named")
    monkeypatch.setenv("KUBECONFIG", str(write(tmp_path / "env", "https://env")))
    monkeypatch.setenv("HOME", str(tmp_path))
    write(tmp_path / ".kube" / "config", "https://home")
    pod = tmp_path / "pod"
    pod.mkdir()
    for name in ("token", "ca.crt"):
        (pod / name).write_text("x")
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1")
    monkeypatch.setenv("KUBERNETES_SERVICE_PORT", "443")
    monkeypatch.setattr(config, "in_cluster", lambda: True)
    monkeypatch.setattr(config, "load_in_cluster", lambda: load_in_cluster(pod))

    assert load_access(named).server == "https://named"
    assert load_access().server == "https://env"
    assert load_access(context="there").server == "https://there"
    monkeypatch.delenv("KUBECONFIG")
    assert load_access().server == "https://10.0.0.1:443"
    assert load_access(context="here").server == "https://home"
    monkeypatch.setattr(config, "in_cluster", lambda: False)
    assert load_access().server == "https://home"
