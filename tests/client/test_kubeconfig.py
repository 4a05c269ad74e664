import base64
from pathlib import Path
from typing import Any

import pytest

from kubewright.client.kubeconfig import Access, KubeconfigError, load_kubeconfig
from kubewright.client.plugin import ExecPlugin
from kubewright.model.yaml import dump_yaml


def config(**more: Any) -> dict[str, Any]:
    return {
        "current-context": "here",
        "contexts": [{"name": "here", "context": {"cluster": "c", "user": "u", "namespace": "web"}}],
        "clusters": [{"name": "c", "cluster": {"server": "https://127.0.0.1:6443/"}}],
        "users": [{"name": "u", "user": {"token": "secret"}}],
    } | more


def write(path: Path, value: Any) -> Path:
    path.write_text(dump_yaml(value))
    return path


def test_the_current_context_picks_server_user_and_namespace(tmp_path: Path) -> None:
    access = load_kubeconfig(write(tmp_path / "config", config()))
    assert (access.server, access.token, access.namespace) == ("https://127.0.0.1:6443", "secret", "web")
    assert access.context == "here"


def test_another_context_can_be_named(tmp_path: Path) -> None:
    contexts = [{"name": "other", "context": {"cluster": "c"}}, *config()["contexts"]]
    access = load_kubeconfig(write(tmp_path / "config", config(contexts=contexts)), context="other")
    assert (access.token, access.namespace) == (None, "default")


def test_files_of_the_environment_are_merged_and_the_first_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = write(tmp_path / "a", {"users": [{"name": "u", "user": {"token": "first"}}]})
    second = write(tmp_path / "b", config())
    monkeypatch.setenv("KUBECONFIG", f"{first}:{tmp_path / 'missing'}:{second}")
    assert load_kubeconfig().token == "first"


def test_the_home_directory_is_looked_at_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KUBECONFIG", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".kube").mkdir()
    write(tmp_path / ".kube" / "config", config())
    assert load_kubeconfig().token == "secret"


def test_files_are_found_from_where_the_kubeconfig_is_and_data_wins(tmp_path: Path) -> None:
    (tmp_path / "ca.crt").write_bytes(b"authority")
    cluster = {"server": "https://h", "certificate-authority": "ca.crt"}
    user = {
        "client-certificate": "missing.crt",
        "client-certificate-data": base64.b64encode(b"certificate").decode(),
        "client-key-data": base64.b64encode(b"key").decode(),
        "tokenFile": "token",
    }
    value = config(clusters=[{"name": "c", "cluster": cluster}], users=[{"name": "u", "user": user}])
    access = load_kubeconfig(write(tmp_path / "config", value))
    assert (access.authority, access.certificate) == (b"authority", b"certificate")
    assert access.token_file == tmp_path / "token"


TRUSTED = {"server": "https://h", "certificate-authority-data": base64.b64encode(b"authority").decode()}


def served_at(server: str) -> dict[str, Any]:
    return config(clusters=[{"name": "c", "cluster": {"server": server}}])


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([1], "is no kubeconfig"),
        ({}, "there is no context in it"),
        (config(**{"current-context": ""}), "no current-context"),
        (config(**{"current-context": "nope"}), "there is no context 'nope'; there are: here"),
        (config(clusters=[]), "there is no cluster 'c'; there are: none"),
        (config(users=[{"name": "x"}]), "there is no user 'u'; there are: x"),
        (config(clusters=[{"name": "c", "cluster": {}}]), "the cluster 'c' has no server"),
        (served_at("ftp://host"), "the cluster 'c' has the server 'ftp://host', which is no URL, as in https://"),
        (served_at("https://host:abc"), "the server 'https://host:abc', which is no URL"),
        (served_at("https://"), "the server 'https://', which is no URL"),
        (config(clusters=[{"cluster": {}}]), "an entry of clusters has no name"),
        (config(clusters=[{"name": ["a"], "cluster": {}}]), "an entry of clusters has no name"),
        (config(users=5), "users is 5, not a list"),
        ({**config(), "current-context": ["a"]}, "current-context is .*, not a string"),
        (config(clusters=[{"name": "a", "cluster": {"proxy-url": 5}}]), "cluster 'a': proxy-url must be a string"),
        (
            config(clusters=[{"name": "a", "cluster": {"insecure-skip-tls-verify": "yes"}}]),
            "insecure-skip-tls-verify must be true or false",
        ),
        (
            config(clusters=[{"name": "c", "cluster": {**TRUSTED, "insecure-skip-tls-verify": True}}]),
            "'c' has a certificate-authority and insecure-skip-tls-verify, which does not ask it",
        ),
        (config(users=[{"name": "a", "user": {"token": 12345}}]), "token must be a string, not of the type int"),
        (config(users=[{"name": "a", "user": {"as-groups": "admins"}}]), "as-groups must be a list"),
        (config(users=[{"name": "a", "user": {"as-user-extra": {"a": "b"}}}]), "as-user-extra has a list for each key"),
        (
            config(users=[{"name": "u", "user": {"exec": {"command": "x"}}}]),
            "exec has apiVersion None; this speaks client.authentication.k8s.io/v1 and",
        ),
        (config(users=[{"name": "u", "user": {"client-key-data": "%%"}}]), "client-key-data is not base64"),
        (
            config(users=[{"name": "u", "user": {"client-certificate-data": "YQ=="}}]),
            "the user 'u' has a client-certificate and no client-key",
        ),
        (config(users=[{"name": "u", "user": {"client-key": "gone"}}]), "cannot be read: No such file"),
        (config(users=[{"name": "u", "user": {"auth-provider": {"name": "gcp"}}}]), "has an auth-provider, which"),
        (config(users=[{"name": "u", "user": {"username": "me", "password": "x"}}]), "has a user name and password"),
        (
            config(users=[{"name": "u", "user": {"as-uid": "7"}}]),
            "the user 'u' has as-uid and no `as`: nobody to impersonate",
        ),
        (
            config(users=[{"name": "u", "user": {"as": "", "as-groups": ["viewers"], "as-user-extra": {"a": ["b"]}}}]),
            "the user 'u' has as-groups and as-user-extra and no `as`",
        ),
        (config(users=[{"name": "u", "user": 3}]), "user of 'u' is 3, not an object"),
    ],
)
def test_what_is_wrong_is_one_sentence(value: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(KubeconfigError, match=message):
        load_kubeconfig(write(tmp_path / "config", value))


def test_a_missing_or_broken_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(KubeconfigError, match=r"there is no kubeconfig at .*; name one, set KUBECONFIG, or have"):
        load_kubeconfig(tmp_path / "nope")
    (tmp_path / "broken").write_text("a: b: c")
    with pytest.raises(KubeconfigError, match="line 1, column 5: mapping values are not allowed"):
        load_kubeconfig(tmp_path / "broken")


def test_an_authority_that_cannot_be_used_is_told_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "ca.crt").write_bytes(b"nonsense")
    places = {
        "certificate-authority-data": base64.b64encode(b"nonsense").decode(),
        "certificate-authority": "ca.crt",
    }
    told = []
    for place, value in places.items():
        cluster = {"server": "https://h", place: value}
        access = load_kubeconfig(write(tmp_path / "config", config(clusters=[{"name": "c", "cluster": cluster}])))
        with pytest.raises(KubeconfigError) as raised:
            access.tls()
        told.append(str(raised.value))
    fault = "the certificates for https://h cannot be used: {} holds no certificate in PEM."
    assert told == [
        fault.format("certificate-authority-data"),
        fault.format(f"certificate-authority {tmp_path}/ca.crt"),
    ]


def test_a_client_certificate_that_cannot_be_used_is_told_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "own.crt").write_bytes(b"nonsense")
    user = {"client-certificate": "own.crt", "client-key-data": base64.b64encode(b"key").decode()}
    access = load_kubeconfig(write(tmp_path / "config", config(users=[{"name": "u", "user": user}])))
    with pytest.raises(KubeconfigError, match=rf"client-certificate {tmp_path}/own.crt holds no certificate in PEM"):
        access.tls()


def test_a_certificate_of_a_program_is_told_as_the_programs(tmp_path: Path) -> None:
    user = {"exec": {"command": "login", "apiVersion": "client.authentication.k8s.io/v1beta1"}}
    access = load_kubeconfig(write(tmp_path / "config", config(users=[{"name": "u", "user": user}])))
    with pytest.raises(KubeconfigError, match="clientCertificateData of the exec plugin login holds no certificate"):
        access.tls(b"nonsense", b"key")


def test_a_file_may_be_named_from_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    write(tmp_path / "mine", config())
    assert load_kubeconfig("~/mine").token == "secret"


@pytest.mark.parametrize("section", ["clusters", "users", "contexts"])
def test_a_name_that_is_there_twice_is_refused_as_kubectl_does(tmp_path: Path, section: str) -> None:
    twice = config()[section] * 2
    with pytest.raises(KubeconfigError, match=f"{section} has '.*' twice"):
        load_kubeconfig(write(tmp_path / "config", config(**{section: twice})))


@pytest.mark.parametrize("said", [{"apiVersion": "v1", "kind": "Nope"}, {"apiVersion": "v2", "kind": "Config"}])
def test_what_says_that_it_is_something_else_is_refused_as_kubectl_does(tmp_path: Path, said: dict[str, str]) -> None:
    with pytest.raises(KubeconfigError, match=r"is no kubeconfig: it is v. .*, not v1 Config"):
        load_kubeconfig(write(tmp_path / "config", config(**said)))
    assert load_kubeconfig(write(tmp_path / "config", config(kind="Config"))).token == "secret"


@pytest.mark.parametrize("key", ["proxy-url", "tls-server-name", "server"])
def test_an_address_with_a_nul_is_refused(tmp_path: Path, key: str) -> None:
    clusters = [{"name": "c", "cluster": {"server": "https://h", key: "x\0y"}}]
    with pytest.raises(KubeconfigError, match=f"{key} has a NUL"):
        load_kubeconfig(write(tmp_path / "config", config(clusters=clusters)))


def test_what_may_be_secret_is_not_shown() -> None:
    plugin = ExecPlugin("login", "v1", ("--secret=abc",), {"KEY": "abc"}, cluster={"server": "abc"})
    access = Access(server="https://h", proxy="http://me:abc@h", token="abc", key=b"abc", plugin=plugin)
    assert "abc" not in repr(access)
