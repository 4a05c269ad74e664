"""Reading built-in kinds, held against the answers of a real kube-apiserver.

`recorded/kinds.yaml` has a document for each kind. Everything in them is broken in turn: made null, of each wrong type,
out of range, joined by a field nobody knows. `recorded/texts.yaml` has what only a text can say. What a real server
answered stands in `recorded/answers.json`, for some of the mutations; where a real server is at hand it is asked for
all of them. To record the answers of another version:

    python tests/cluster/wire/test_answers.py
"""

import functools
import http.client
import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from tests.proxy import proxied

from kubewright.cluster.wire.body import decode
from kubewright.cluster.wire.builtin import builtin_codec
from kubewright.cluster.wire.codec import Undecodable
from kubewright.testing.real import RealCluster

DATA = Path(__file__).parent / "recorded"
WRONG = [None, 7, -1.5, 3_000_000_000, "x", "", True, {}, [], [None], {"zzz": 1}]
#: Of the mutations every so many are recorded; no multiple of the ways to be wrong, or it would always be the same one.
SPARSE = 13
#: What the server sets, whoever asks.
OWN = ("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "selfLink")


class Case(NamedTuple):
    """A text sent to where objects of a kind are created."""

    kind: str
    name: str
    body: str

    @property
    def id(self) -> str:
        return f"{self.kind} {self.name}"


@functools.cache
def kinds() -> dict[str, Any]:
    found: dict[str, Any] = yaml.load((DATA / "kinds.yaml").read_text(), Loader=Plain)
    return found


class Plain(yaml.CSafeLoader):
    """YAML in which times are texts."""


Plain.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}


def mutations(kind: str) -> Iterator[Case]:
    """Every member of the document replaced by everything, and joined by another."""
    document = kinds()[kind]["object"]
    yield Case(kind, "as it is", json.dumps(document))
    for path in paths(document):
        if path[-1] in ("apiVersion", "kind") and len(path) == 1:
            continue
        for value in WRONG:
            name = f"{'.'.join(map(str, path))}: {json.dumps(value)}"
            yield Case(kind, name, json.dumps(replaced(document, path, value)))


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from paths(item, (*path, key))


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """The value with another in one place; an object takes the members of an object as well."""
    if not path:
        return value | new if isinstance(value, dict) and isinstance(new, dict) and new else new
    copied = value.copy()
    copied[path[0]] = replaced(value[path[0]], path[1:], new)
    return copied


@functools.cache
def texts() -> list[Case]:
    found = yaml.safe_load((DATA / "texts.yaml").read_text())
    return [Case(kind, body, body) for kind, bodies in found.items() for body in bodies]


def recorded_cases(kind: str) -> list[Case]:
    return [*list(mutations(kind))[::SPARSE], *(case for case in texts() if case.kind == kind)]


@functools.cache
def answers() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DATA / "answers.json").read_bytes())
    return found


# Ours and theirs


def codec_of(kind: str) -> Any:
    document = kinds()[kind]["object"]
    group, _, version = document["apiVersion"].rpartition("/")
    return builtin_codec(group, version, document["kind"])


def our_answer(case: Case) -> dict[str, Any]:
    document, duplicates, _ = decode(case.body.encode(), "application/json")
    codec = codec_of(case.kind)
    try:
        obj, complaints, _ = codec.read(document, duplicates)
    except Undecodable as error:
        return {"error": str(error)}
    return {"complaints": complaints, "object": codec.write(obj).decode()}


def difference(case: Case, ours: dict[str, Any], theirs: dict[str, Any]) -> str:
    """What is wrong with our answer; empty if nothing is."""
    if "error" in ours or "error" in theirs:
        ours, theirs = {"error": ours.get("error")}, {"error": theirs.get("error")}
        return "" if ours == theirs else f"ours {ours}\ntheirs {theirs}"
    if ours["complaints"] != theirs["complaints"]:
        return f"ours {ours['complaints']}\ntheirs {theirs['complaints']}"
    if "object" not in theirs:
        return ""  # refused later, by a validation that is not ours
    mine, real = trimmed(ours["object"]), trimmed(theirs["object"])
    for path in kinds()[case.kind].get("filled", ()):
        forget(mine, path.split("."))
        forget(real, path.split("."))
    exact = kinds()[case.kind].get("exact")
    same = json.dumps(mine) == json.dumps(real) if exact else contains(real, mine)
    return "" if same else f"ours {json.dumps(mine)}\ntheirs {json.dumps(real)}"


def trimmed(text: str) -> Any:
    document = json.loads(text)
    for name in OWN:
        document["metadata"].pop(name, None)
    document["metadata"].pop("namespace", None)
    document.pop("status", None)
    return document


def forget(document: Any, path: list[str]) -> None:
    """Take a member away."""
    *before, last = path
    for name in before:
        document = document[name]
    document.pop(last, None)


def contains(whole: Any, part: Any) -> bool:
    """Whether all of the part is in the whole, in its order."""
    if isinstance(whole, dict) and isinstance(part, dict):
        common = [name for name in whole if name in part]
        # What is empty may have been filled in.
        needed = [name for name in part if part[name] not in (None, "", 0, {}) or name in whole]
        return [name for name in common if name in needed] == needed and all(
            contains(whole[name], part[name]) for name in needed
        )
    if isinstance(whole, list) and isinstance(part, list):
        return len(whole) == len(part) and all(map(contains, whole, part))
    return part in (None, "", 0) or json.dumps(whole) == json.dumps(part)


@pytest.mark.parametrize("kind", kinds())
def test_we_read_and_write_as_the_real_server_did(kind: str) -> None:
    for case in recorded_cases(kind):
        assert not difference(case, our_answer(case), answers()[case.id]), case.body


def test_every_recorded_answer_belongs_to_a_case() -> None:
    assert answers().keys() == {case.id for kind in kinds() for case in recorded_cases(kind)}


@pytest.fixture(scope="module")
def server(real_cluster: RealCluster) -> Iterator["Server"]:
    with connect(real_cluster) as server:
        yield server


@pytest.mark.real
@pytest.mark.parametrize("kind", kinds())
def test_we_read_and_write_as_the_real_server_does(kind: str, server: "Server") -> None:
    for case in [*mutations(kind), *(case for case in texts() if case.kind == kind)]:
        assert not difference(case, our_answer(case), server.answer(case)), case.body


# The recorder


class Server:
    """A real API behind `kubectl proxy`, which knows how to authenticate."""

    def __init__(self, address: str) -> None:
        self.connection = http.client.HTTPConnection(address, timeout=30)

    def answer(self, case: Case) -> dict[str, Any]:
        """What the server makes of a case: an error, or what it complains of and the object if it is valid."""
        path = f"{kinds()[case.kind]['path']}?dryRun=All&fieldValidation="
        kind = kinds()[case.kind]["object"]["kind"]
        code, text = self.send("POST", path + "Warn", case.body)
        refused = f"cannot be handled as a {kind}: "
        if code == 400 and refused in text:
            return {"error": json.loads(text)["message"].partition(refused)[2]}
        _, strict = self.send("POST", path + "Strict", case.body)
        told = json.loads(strict).get("message", "").partition("strict decoding error: ")[2]
        answer: dict[str, Any] = {"complaints": told.split(", ") if told else []}
        return answer | {"object": text} if code == 201 else answer

    def send(self, method: str, path: str, body: str = "") -> tuple[int, str]:
        """The code and the text of the answer."""
        media = "application/strategic-merge-patch+json" if method == "PATCH" else "application/json"
        self.connection.request(method, path, body.encode(), {"Content-Type": media})
        response = self.connection.getresponse()
        return response.status, response.read().decode()


@contextmanager
def connect(cluster: RealCluster) -> Iterator[Server]:
    with proxied(cluster) as address:
        server = Server(address)
        with closing(server.connection):
            yield server


def record() -> None:
    found = {}
    with RealCluster.start(controllers=False) as cluster, connect(cluster) as server:
        for case in (case for kind in kinds() for case in recorded_cases(kind)):
            answer = server.answer(case)
            if "object" in answer and not kinds()[case.kind].get("exact") and case.name != "as it is":
                del answer["object"]  # it would show little more
            elif "object" in answer:
                answer["object"] = json.dumps(trimmed(answer["object"]), ensure_ascii=False)
            found[case.id] = answer
    # One case a line: what another version answers differently shows as such.
    lines = [f"{json.dumps(name)}: {json.dumps(found[name], ensure_ascii=False)}" for name in sorted(found)]
    (DATA / "answers.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    record()
