"""What a server tells of itself, as values to compare: from ours, or from a real one.

`recorded.json` holds the hashes of what kube-apiserver tells, so that the everyday tests can hold ours against it. It
is written again by

    .venv/bin/python -m tests.cluster.discovery.record
"""

import http.client
import inspect
import json
import subprocess
from asyncio import run
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from tests.cluster.discovery.definitions import DEFINITIONS

from kubewright import clock
from kubewright.cluster.discovery.answer import Discovery
from kubewright.cluster.wire.status import Failure
from kubewright.http import Headers, Request, Response
from kubewright.testing.real import RealCluster

RECORDED = Path(__file__).with_name("recorded.json")
AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
#: Served by the real one, and not by ours yet.
OIDC = ("openid/v1/jwks", ".well-known/openid-configuration")
CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
GROUPS = {crd["spec"]["group"] for crd in DEFINITIONS}

Ask = Callable[..., bytes]


def ask(discovery: Discovery, target: str, method: str = "GET", **headers: str) -> Response:
    """Ours, asked; an answer that nobody gave is a 404."""
    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    request = Request(method, target, Headers(pairs))
    try:
        answer = discovery.answer(request, request.path)
    except Failure as failure:
        return Response(failure.code, Headers(), json.dumps(failure.document).encode())
    if inspect.iscoroutine(answer):
        answer = run(answer)
    assert isinstance(answer, Response | None)
    return answer or Response(404)


def content(discovery: Discovery) -> Ask:
    """Ours, as `tellings` asks."""

    def get(target: str, **headers: str) -> bytes:
        response = ask(discovery, target, **headers)
        assert response.status == 200, target
        assert isinstance(response.body, bytes)
        return response.body

    return get


def tellings(get: Ask) -> Iterator[tuple[str, Any]]:
    """Everything that is told, by its address; of CRDs, those of `DEFINITIONS` alone."""
    groups = [group for group in json.loads(get("/apis"))["groups"] if _is_ours(group["name"])]
    yield "/apis", groups
    yield "/api/v1", json.loads(get("/api/v1"))
    for group in groups:
        yield f"/apis/{group['name']}", json.loads(get(f"/apis/{group['name']}"))
        for version in group["versions"]:
            yield f"/apis/{version['groupVersion']}", _resources(get(f"/apis/{version['groupVersion']}"))
    for root in ("/api", "/apis"):
        told = json.loads(get(root, Accept=AGGREGATED))
        yield (
            f"{root} aggregated",
            [_aggregated(item) for item in told["items"] if _is_ours(item["metadata"].get("name", ""))],
        )
    names = sorted(name for name in json.loads(get("/openapi/v3"))["paths"] if _is_shared(name))
    yield "/openapi/v3", names
    for name in names:
        yield f"/openapi/v3/{name}", undescribed(json.loads(get(f"/openapi/v3/{name}")))
    yield "/openapi/v2", _whole(json.loads(get("/openapi/v2")))


def _is_ours(group: str) -> bool:
    return group in GROUPS or "." not in group or group.endswith(".k8s.io")


def _is_shared(name: str) -> bool:
    head, _, rest = name.partition("/")
    return name not in OIDC and (head != "apis" or _is_ours(rest.partition("/")[0]))


def _resources(body: bytes) -> Any:
    """A list of resources; in which order a real server tells those of CRDs is chance."""
    told = json.loads(body)
    told["resources"].sort(key=lambda resource: resource["name"].partition("/")[0])
    return told


def _aggregated(item: Any) -> Any:
    for version in item["versions"]:
        version["resources"].sort(key=lambda resource: resource["resource"])
    return item


def _whole(document: Any) -> Any:
    """OpenAPI v2, every parameter where it is used: what shared ones are called is the server's own business."""
    shared = document.pop("parameters")

    def resolved(parameters: list[Any]) -> list[Any]:
        return [shared[each["$ref"].rpartition("/")[2]] if "$ref" in each else each for each in parameters]

    paths = {}
    for path, item in document["paths"].items():
        if not _is_shared(path.strip("/")):
            continue
        for part in [item, *(operation for name, operation in item.items() if name != "parameters")]:
            if "parameters" in part:
                part["parameters"] = resolved(part["parameters"])
        paths[path] = item
    document["paths"] = paths
    foreign = [name for name in document["definitions"] if not _is_ours_model(name)]
    for name in foreign:
        del document["definitions"][name]
    return undescribed(document)


def _is_ours_model(name: str) -> bool:
    group = ".".join(reversed(name.split(".")[:-2]))
    return name.startswith("io.k8s.") or group in GROUPS


def undescribed(value: Any) -> Any:
    """A document without its descriptions."""
    if isinstance(value, list):
        return [undescribed(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: undescribed(each) for key, each in value.items() if not (key == "description" and isinstance(each, str))
    }


def hashed(told: Any) -> str:
    return sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:24]


@contextmanager
def published(cluster: RealCluster) -> Iterator[Ask]:
    """A real server with the CRDs of `DEFINITIONS`, asked through `kubectl proxy`."""
    command = [str(cluster.program), f"--kubeconfig={cluster.kubeconfig}", "proxy", "--port=0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as proxy:
        assert proxy.stdout is not None
        address = proxy.stdout.readline().rsplit(" ", 1)[1].strip()
        try:
            with closing(http.client.HTTPConnection(address, timeout=30)) as connection:
                yield from _with_definitions(_asking(connection), cluster)
        finally:
            proxy.terminate()


def _asking(connection: http.client.HTTPConnection) -> Ask:
    def get(target: str, **headers: str) -> bytes:
        connection.request("GET", target, headers=headers)
        response = connection.getresponse()
        body = response.read()
        assert response.status == 200, (target, body)
        return body

    return get


def _with_definitions(get: Ask, cluster: RealCluster) -> Iterator[Ask]:
    names = [crd["metadata"]["name"] for crd in DEFINITIONS]
    try:
        for crd in DEFINITIONS:
            made = cluster.kubectl("create", "--filename=-", input=json.dumps(crd))
            assert not made.returncode, made.stderr
        deadline = clock.monotonic() + 60
        while not _all_published(get):
            assert clock.monotonic() < deadline, "the CRDs were not published in a minute"
        yield get
    finally:
        cluster.kubectl("delete", "crd", *names, "--ignore-not-found")


def _all_published(get: Ask) -> bool:
    names = [
        f"apis/{crd['spec']['group']}/{version['name']}"
        for crd in DEFINITIONS
        for version in crd["spec"]["versions"]
        if version["served"]
    ]
    index = json.loads(get("/openapi/v3"))["paths"]
    if not all(name in index for name in names):
        return False
    told = b"".join(get(f"/openapi/v3/{name}") for name in names) + get("/apis", Accept=AGGREGATED)
    whole = json.loads(get("/openapi/v2"))["paths"]
    return all(
        f'"{crd["spec"]["names"]["kind"]}"'.encode() in told
        and f"/apis/{crd['spec']['group']}/{version['name']}/{crd['spec']['names']['plural']}" in whole
        for crd in DEFINITIONS
        for version in crd["spec"]["versions"]
        if version["served"]
    )


def main() -> None:
    with RealCluster.start() as cluster, published(cluster) as get:
        found = {address: hashed(told) for address, told in tellings(get)}
    RECORDED.write_text(json.dumps(found, indent=0) + "\n")
    print(RECORDED)


if __name__ == "__main__":
    main()
