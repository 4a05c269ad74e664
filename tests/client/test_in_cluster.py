from pathlib import Path

import pytest

from kubewright.client.in_cluster import in_cluster, load_in_cluster
from kubewright.client.kubeconfig import KubeconfigError


@pytest.fixture
def pod(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1")
    monkeypatch.setenv("KUBERNETES_SERVICE_PORT", "443")
    for name, text in (("token", "secret\n"), ("ca.crt", "authority"), ("namespace", "web\n")):
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_pod_finds_the_api_in_its_files(pod: Path) -> None:
    assert in_cluster(pod)
    access = load_in_cluster(pod)
    assert (access.server, access.namespace, access.authority) == ("https://10.0.0.1:443", "web", b"authority")
    assert access.token_file == pod / "token"
    assert access.authority_file == pod / "ca.crt"
    assert access.token is None


def test_an_address_of_version_6_is_put_in_brackets(pod: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "fd00::1")
    assert load_in_cluster(pod).server == "https://[fd00::1]:443"


def test_what_is_missing_is_told(pod: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (pod / "ca.crt").unlink()
    with pytest.raises(KubeconfigError, match=r"ca\.crt of this pod's service account cannot be read"):
        load_in_cluster(pod)
    (pod / "token").unlink()
    assert not in_cluster(pod)
    with pytest.raises(KubeconfigError, match="its service account is not mounted"):
        load_in_cluster(pod)
    monkeypatch.delenv("KUBERNETES_SERVICE_PORT")
    with pytest.raises(KubeconfigError, match="this is no pod"):
        load_in_cluster(pod)
