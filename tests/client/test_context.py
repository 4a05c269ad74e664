import stat
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest

from kubewright.client import KubeconfigError, load_kubeconfig
from kubewright.client.context import add_context, remove_context
from kubewright.model.yaml import load_yaml

add = partial(add_context, authority=b"ca", certificate=b"cert", key=b"key")

THEIRS = """
apiVersion: v1
kind: Config
clusters: [{name: theirs, cluster: {server: "https://theirs"}}]
users: [{name: theirs, user: {token: t}}]
contexts: [{name: theirs, context: {cluster: theirs, user: theirs}}]
current-context: theirs
extensions: [{name: x, extension: {a: 1}}]
"""


def read(path: Path) -> dict[str, Any]:
    return cast("dict[str, Any]", load_yaml(path.read_bytes(), str(path)))


def test_a_new_file_holds_one_context_and_is_private(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "kubeconfig"
    add(path, "mine", "https://here:1", namespace="web")
    access = load_kubeconfig(path)
    assert (access.server, access.namespace, access.certificate) == ("https://here:1", "web", b"cert")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_everything_else_in_a_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "kubeconfig"
    path.write_text(THEIRS)
    before = read(path)
    add(path, "mine", "https://one")
    add(path, "mine", "https://two")
    both = read(path)
    assert [each["name"] for each in both["clusters"]] == ["theirs", "mine"]
    assert both["current-context"] == "mine"
    assert both["extensions"] == before["extensions"]
    remove_context(path, "mine")
    assert read(path) == before


def test_the_context_before_it_is_current_again_even_after_one_that_could_not_clean_up(tmp_path: Path) -> None:
    path = tmp_path / "kubeconfig"
    path.write_text(THEIRS)
    add(path, "killed", "https://one")
    add(path, "killed", "https://two")
    add(path, "other", "https://three")
    remove_context(path, "killed")
    assert read(path)["current-context"] == "other"
    remove_context(path, "other")
    assert read(path) == load_yaml(THEIRS.encode(), "theirs")


def test_no_context_is_current_if_the_one_before_it_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "kubeconfig"
    path.write_text(THEIRS)
    add(path, "mine", "https://one")
    remove_context(path, "theirs")
    add(path, "other", "https://two")
    remove_context(path, "mine")
    remove_context(path, "other")
    assert not path.exists()
    path.write_text(THEIRS.replace("current-context: theirs", "current-context: none"))
    add(path, "mine", "https://one")
    remove_context(path, "mine")
    assert read(path)["current-context"] == ""


def test_a_file_with_nothing_else_goes_with_its_context(tmp_path: Path) -> None:
    path = tmp_path / "kubeconfig"
    add(path, "mine", "https://one")
    remove_context(path, "mine")
    assert list(tmp_path.iterdir()) == []
    remove_context(path, "mine")


def test_a_link_to_a_file_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text(THEIRS)
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "real")
    add(link, "mine", "https://one")
    assert link.is_symlink()
    assert load_kubeconfig(tmp_path / "real").server == "https://one"


@pytest.mark.parametrize("text", ["[1, 2]", "a: [", "clusters: 7"])
def test_a_file_that_is_no_kubeconfig_is_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "kubeconfig"
    path.write_text(text)
    with pytest.raises(KubeconfigError):
        add(path, "mine", "https://one")
    assert path.read_text() == text


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "dir").mkdir()
    with pytest.raises((KubeconfigError, IsADirectoryError)):
        add(tmp_path / "dir", "mine", "https://one")


def test_many_who_add_at_once_lose_nobody(tmp_path: Path) -> None:
    path = tmp_path / "kubeconfig"
    names = [f"c{number}" for number in range(20)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda name: add(path, name, "https://here:1"), names))
    assert sorted(each["name"] for each in read(path)["contexts"]) == sorted(names)
    assert [found.name for found in tmp_path.iterdir()] == ["kubeconfig"]


def test_a_lock_that_stays_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kubewright.client.context._PATIENCE", 0.0)
    (tmp_path / "kubeconfig.lock").touch()
    with pytest.raises(KubeconfigError, match=r"being changed by another program; if none is, remove .*\.lock"):
        add(tmp_path / "kubeconfig", "mine", "https://here:1")
