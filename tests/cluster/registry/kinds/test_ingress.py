from typing import Any

import pytest
from tests.cluster.stage import Stage, play

INGRESSES = "/apis/networking.k8s.io/v1/namespaces/default/ingresses"
CLASSES = "/apis/networking.k8s.io/v1/ingressclasses"
MERGE = {"content-type": "application/merge-patch+json"}
BACKEND = {"service": {"name": "s", "port": {"number": 80}}}


def refusals(path: str, spec: dict[str, Any]) -> set[str]:
    async def story(stage: Stage) -> set[str]:
        _, status = await stage.ask("POST", path, {"metadata": {"name": "a"}, "spec": spec})
        return {cause["field"] for cause in status.get("details", {}).get("causes", [])}

    return play(story)


def http(path: str = "/", kind: str | None = "Prefix", backend: Any = None) -> dict[str, Any]:
    said = {"pathType": kind} if kind else {}
    return {"rules": [{"http": {"paths": [{"path": path, **said, "backend": backend or BACKEND}]}}]}


PATH = "spec.rules[0].http.paths[0]"


@pytest.mark.parametrize(
    ("spec", "fields"),
    [
        (http(), set()),
        ({"defaultBackend": BACKEND}, set()),
        ({}, {"spec"}),
        (http(kind=None), {f"{PATH}.pathType"}),
        (http(kind="x"), {f"{PATH}.pathType"}),
        (http("x"), {f"{PATH}.path"}),
        (http("/a//b"), {f"{PATH}.path"}),
        (http("/a/.."), {f"{PATH}.path"}),
        (http("/a//b", "ImplementationSpecific"), set()),
        (http("", "ImplementationSpecific"), set()),
        (http(backend={"service": {"name": "s", "port": {}}}), {f"{PATH}.backend"}),
        (http(backend={"service": {"name": "s", "port": {"name": "a", "number": 1}}}), {f"{PATH}.backend"}),
        (http(backend={"service": {"name": "", "port": {"number": 1}}}), {f"{PATH}.backend.service.name"}),
        (http(backend={"service": {"name": "s", "port": {"number": -1}}}), {f"{PATH}.backend.service.port.number"}),
        (http(backend=BACKEND | {"resource": {"kind": "K", "name": "n"}}), {f"{PATH}.backend"}),
        (http(backend={"resource": {"kind": "", "name": "n"}}), {f"{PATH}.backend.resource.kind"}),
        ({"rules": [{"host": "1.2.3.4"}]}, {"spec.rules[0].host"}),
        ({"rules": [{"host": "*.example.com"}]}, set()),
        ({"rules": [{"host": "a.*.com"}]}, {"spec.rules[0].host"}),
        (
            {"rules": [{"host": "a"}], "tls": [{"hosts": ["A"], "secretName": "A"}]},
            {"spec.tls[0].hosts[0]", "spec.tls[0].secretName"},
        ),
        ({"rules": [{"host": "a"}], "ingressClassName": "A"}, {"spec.ingressClassName"}),
    ],
)
def test_what_is_wrong_with_an_ingress(spec: dict[str, Any], fields: set[str]) -> None:
    assert refusals(INGRESSES, spec) == fields


@pytest.mark.parametrize(
    ("spec", "fields"),
    [
        ({"controller": "example.com/c"}, set()),
        ({"controller": ""}, {"spec.controller"}),
        ({"controller": "x"}, {"spec.controller"}),
        ({"controller": "example.com/a b"}, {"spec.controller"}),
        ({"controller": f"example.com/{'a' * 250}"}, {"spec.controller"}),
        ({"controller": "example.com/c", "parameters": {"kind": "K", "name": "n"}}, set()),
        (
            {"controller": "example.com/c", "parameters": {"kind": "K", "name": "n", "scope": "Namespace"}},
            {"spec.parameters.namespace"},
        ),
        (
            {"controller": "example.com/c", "parameters": {"kind": "K", "name": "n", "namespace": "n"}},
            {"spec.parameters.namespace"},
        ),
        (
            {"controller": "example.com/c", "parameters": {"kind": "K", "name": "n", "scope": "x"}},
            {"spec.parameters.scope"},
        ),
    ],
)
def test_what_is_wrong_with_a_class(spec: dict[str, Any], fields: set[str]) -> None:
    assert refusals(CLASSES, spec) == fields


def test_the_controller_of_a_class_stays() -> None:
    async def story(stage: Stage) -> int:
        await stage.ask("POST", CLASSES, {"metadata": {"name": "a"}, "spec": {"controller": "example.com/c"}})
        code, _ = await stage.ask("PATCH", f"{CLASSES}/a", {"spec": {"controller": "example.com/d"}}, MERGE)
        return code

    assert play(story) == 422


def test_the_status_has_its_own_path_and_rules() -> None:
    async def story(stage: Stage) -> list[Any]:
        await stage.ask("POST", INGRESSES, {"metadata": {"name": "a"}, "spec": {"defaultBackend": BACKEND}})
        found: list[Any] = []
        for path, ingress in (("a", {"ip": "1.2.3.4"}), ("a/status", {"ip": "x"}), ("a/status", {"ip": "1.2.3.4"})):
            change = {"status": {"loadBalancer": {"ingress": [ingress]}}}
            code, obj = await stage.ask("PATCH", f"{INGRESSES}/{path}", change, MERGE)
            found.append(obj["status"]["loadBalancer"] if code == 200 else code)
        return found

    assert play(story) == [{}, 422, {"ingress": [{"ip": "1.2.3.4"}]}]
