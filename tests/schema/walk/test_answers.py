"""The walk, held against the answers of a real kube-apiserver.

`data/cases.yaml` says what is asked, `data/answers.json` what a real server answered. Every day our answers are
compared with those; where a real server is at hand it is asked again. To record the answers of another version:

    python tests/schema/walk/test_answers.py
"""

import copy
import functools
import http.client
import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.proxy import proxied

from kubewright.schema.walk import FieldError, MalformedError, Walk, compile_schema, invalid_status
from kubewright.schema.walk.golang import marshal
from kubewright.testing.real import RealCluster

DATA = Path(__file__).parent / "data"
GROUP, NAME = "walk.example.com", "x"
STORED = re.compile('(?<= )"x[0-9]+"')
# How often the recorder sends an object with several faults, to see whether the server has an order of its own. Where
# it has none, the order is Go's of the moment, which is the same seven times out of eight.
TIMES = 60


@dataclass(frozen=True)
class Case:
    """One object sent to one schema; `old` is the one it replaces, `status` says that only its status is."""

    group: str
    name: str
    new: dict[str, Any]
    old: dict[str, Any] | None = None
    status: bool = False

    @property
    def id(self) -> str:
        return f"{self.group}: {self.name}"

    @property
    def kind(self) -> str:
        return kind_of(self.group)


def kind_of(group: str) -> str:
    return group.title().replace(" ", "")


@functools.cache
def groups() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = yaml.load((DATA / "cases.yaml").read_text(), yaml.CSafeLoader)
    return found


def schema_of(group: dict[str, Any], fields: str = "spec") -> dict[str, Any]:
    if fields in group:
        return {"type": "object", "properties": {"spec": {"type": "object", "properties": group[fields]}}}
    schema: dict[str, Any] = group["schema"]
    return schema


def resource(group: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
    head = {"apiVersion": f"{GROUP}/v1", "kind": kind_of(group["group"]), "metadata": {"name": NAME}}
    return head | copy.deepcopy(body)


def cases_of(group: dict[str, Any]) -> Iterator[Case]:
    name_of = group["group"]
    for name, content in group.get("create", {}).items():
        # The key `object` means the whole object, unless a field is called so.
        whole = isinstance(content, dict) and content.keys() == {"object"} and "object" not in group.get("spec", {})
        yield Case(name_of, name, resource(group, content["object"] if whole else {"spec": content}))
    for value in group.get("values", []):
        for name in group["spec"]:
            text = json.dumps(value, ensure_ascii=False)
            yield Case(name_of, f"{name} <- {text}", resource(group, {"spec": {name: value}}))
    for name, values in group.get("each", {}).items():
        for value in values:
            yield Case(name_of, f"{name} <- {json.dumps(value)}", resource(group, {"spec": {name: value}}))
    for name, (old, new) in group.get("update", {}).items():
        yield Case(name_of, name, resource(group, {"spec": new}), resource(group, {"spec": old}))
    for name, status in group.get("status", {}).items():
        yield Case(name_of, name, resource(group, {"status": status}), resource(group, {}), status=True)


CASES = [case for group in groups() for case in cases_of(group)]


@functools.cache
def walks() -> dict[str, Walk]:
    return {group["group"]: compile_schema(schema_of(group)) for group in groups()}


@functools.cache
def answers() -> dict[str, dict[str, Any]]:
    recorded: dict[str, dict[str, Any]] = json.loads((DATA / "answers.json").read_text())
    return recorded


def our_answer(case: Case) -> dict[str, Any]:
    walk = walks()[case.group]
    new = copy.deepcopy(case.new)
    try:
        unknown = walk.coerce(new)
    except MalformedError as error:
        return {"code": 400, "message": str(error)}
    walk.default(new)
    warnings = [f'unknown field "{path}"' for path in unknown]
    if case.status:
        assert case.old is not None
        old = copy.deepcopy(case.old)
        walk.default(old)
        errors = walk.validate_status(new, old)
    else:
        errors = walk.validate(new, case.old)
    if errors:
        status = invalid_status(case.kind, GROUP, new["metadata"]["name"], errors)
        details = status["details"]
        assert isinstance(details, dict)
        return {"code": 422, "message": status["message"], "causes": details["causes"], "warnings": warnings}
    del new["metadata"]
    return {"code": 200, "object": marshal(new), "warnings": warnings}


def assert_same(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Compare two answers; where the server has no order of its own, the causes are compared as a bag."""
    ours, theirs = dict(ours), dict(theirs)
    ordered = [answer.pop("ordered", True) for answer in (ours, theirs)]
    if not all(ordered):
        for answer in (ours, theirs):
            answer["causes"] = sorted(answer["causes"], key=lambda cause: sorted(cause.items()))
            del answer["message"]
    assert ours == theirs


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_we_answer_as_the_real_server_did(case: Case) -> None:
    assert_same(our_answer(case), answers()[case.id])


def test_every_recorded_answer_belongs_to_a_case() -> None:
    assert answers().keys() == {case.id for case in CASES}


def test_the_message_is_made_of_the_causes() -> None:
    for case in CASES:
        answer = answers()[case.id]
        if answer["code"] == 422:
            causes = [FieldError(cause["reason"], cause["field"], cause["message"]) for cause in answer["causes"]]
            name = case.new["metadata"]["name"]
            assert invalid_status(case.kind, GROUP, name, causes)["message"] == answer["message"]


@pytest.fixture(scope="module")
def server(real_cluster: RealCluster) -> Iterator["Server"]:
    with connect(real_cluster) as server, definitions(server):
        yield server


@pytest.mark.real
@pytest.mark.parametrize("group", groups(), ids=lambda group: group["group"])
def test_the_real_server_answers_as_recorded(group: dict[str, Any], server: "Server") -> None:
    for case, theirs in server.answers(group, times=0):
        assert_same(theirs, answers()[case.id])


# The recorder


class Server:
    """A real API behind `kubectl proxy`, which knows how to authenticate."""

    def __init__(self, address: str) -> None:
        self.connection = http.client.HTTPConnection(address, timeout=30)

    def ask(self, method: str, path: str, body: object = None) -> tuple[int, Any, list[str]]:
        """Return the code, the body as it came, and the warnings."""
        data = None if body is None else json.dumps(body).encode()
        self.connection.request(method, path, data, {"Content-Type": "application/json"})
        response = self.connection.getresponse()
        warnings = [json.loads(header.split(" ", 2)[2]) for header in response.headers.get_all("Warning", [])]
        return response.status, response.read(), warnings

    def must(self, method: str, path: str, body: object = None) -> Any:
        code, answer, _ = self.ask(method, path, body)
        assert code in (200, 201), answer
        return json.loads(answer)

    def answers(self, group: dict[str, Any], *, times: int) -> Iterator[tuple[Case, dict[str, Any]]]:
        """Ask everything of one group, whose CRD is there."""
        objects = f"/apis/{GROUP}/v1/{plural_of(group)}"
        cases = list(cases_of(group))
        stored = {}
        for index, case in enumerate(cases):
            if case.old is not None:
                old = copy.deepcopy(case.old)
                old["metadata"]["name"] = f"x{index}"
                stored[index] = self.must("POST", objects, old)["metadata"]
        if "before" in group:
            self.tighten(group, objects)
        for index, case in enumerate(cases):
            new = copy.deepcopy(case.new)
            if case.old is None:
                yield case, self.answer(case, "POST", objects, new, times)
            else:
                new["metadata"] = {key: stored[index][key] for key in ("name", "resourceVersion")}
                path = f"{objects}/x{index}" + ("/status" if case.status else "")
                yield case, self.answer(case, "PUT", path, new, times)

    def tighten(self, group: dict[str, Any], objects: str) -> None:
        """Replace the schema under which the old objects were stored."""
        path = f"{CRDS}/{plural_of(group)}.{GROUP}"
        crd = self.must("GET", path)
        crd["spec"] = definition(group, "spec")["spec"]
        self.must("PUT", path, crd)
        probe = resource(group, {"spec": group["probe"]})
        until(lambda: self.ask("POST", f"{objects}?dryRun=All", probe)[0] == 422, "in force")

    def answer(self, case: Case, method: str, path: str, body: object, times: int) -> dict[str, Any]:
        path = f"{path}?dryRun=All"
        refused = f'{case.kind} in version "v1" cannot be handled as a {case.kind}: '
        code, raw, warnings = self.ask(method, f"{path}&fieldValidation=Warn", body)
        status = json.loads(raw)
        if code == 400:
            return {"code": 400, "message": status["message"].removeprefix(refused)}
        if code == 422:
            causes = status["details"]["causes"]
            again = (json.loads(self.ask(method, path, body)[1])["details"]["causes"] for _ in range(times))
            ordered = len(causes) == 1 or all(others == causes for others in again)
            # The name under which the old object was stored is the recorder's, not the case's.
            message = STORED.sub(f'"{NAME}"', status["message"], count=1)
            return {"code": 422, "message": message, "causes": causes, "warnings": warnings, "ordered": ordered}
        assert code in (200, 201), raw
        # Our printing of JSON is Go's, to the byte.
        assert marshal(status) + "\n" == raw.decode()
        strict_code, strict, _ = self.ask(method, f"{path}&fieldValidation=Strict", body)
        if warnings:
            expected = f"{refused}strict decoding error: {', '.join(warnings)}"
            assert (strict_code, json.loads(strict)["message"]) == (400, expected)
        else:
            assert strict_code == code
        del status["metadata"]
        return {"code": 200, "object": marshal(status), "warnings": warnings}


CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


@contextmanager
def connect(cluster: RealCluster) -> Iterator[Server]:
    with proxied(cluster) as address:
        server = Server(address)
        with closing(server.connection):
            yield server


@contextmanager
def definitions(server: Server) -> Iterator[None]:
    """Have the CRDs of all groups: one after the other they would each make the server build its documents anew."""
    try:
        for group in groups():
            server.must("POST", CRDS, definition(group, "before" if "before" in group else "spec"))
        for group in groups():
            path = f"/apis/{GROUP}/v1/{plural_of(group)}"
            until(lambda path=path: server.ask("GET", path)[0] == 200, "served")  # type: ignore[misc]
        yield
    finally:
        for group in groups():
            server.ask("DELETE", f"{CRDS}/{plural_of(group)}.{GROUP}")


def plural_of(group: dict[str, Any]) -> str:
    return kind_of(group["group"]).lower()


def definition(group: dict[str, Any], fields: str) -> dict[str, Any]:
    plural, kind = plural_of(group), kind_of(group["group"])
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema_of(group, fields)}}
    if "status" in group:
        version["subresources"] = {"status": {}}
    names = {"plural": plural, "singular": plural, "kind": kind, "listKind": f"{kind}List"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{GROUP}"},
        "spec": {"group": GROUP, "scope": "Cluster", "names": names, "versions": [version]},
    }


def until(condition: Callable[[], bool], what: str) -> None:
    limit = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < limit, f"not {what} within 30 s"
        time.sleep(0.05)


def record() -> None:
    found = {}
    with RealCluster.start() as cluster, connect(cluster) as server, definitions(server):
        for group in groups():
            found.update({case.id: answer for case, answer in server.answers(group, times=TIMES)})
    # One case a line: what another version answers differently shows as such.
    lines = [f"{json.dumps(name)}: {json.dumps(found[name], ensure_ascii=False)}" for name in sorted(found)]
    (DATA / "answers.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    record()
