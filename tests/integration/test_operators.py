"""Operators on a cluster, embedded or real, when something is wrong: it is seen, and ends without a restart."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.http.certificates import Authority
from tests.integration.ground import Ground, Leash, on
from tests.observe.test_guard import allow
from tests.operator.web import WebServer, make

import kubewright as kw
from kubewright.client import Client, load_kubeconfig
from kubewright.client.api import Api
from kubewright.client.errors import Forbidden, Unauthorized
from kubewright.http import Headers, Origin, Pool, Request
from kubewright.k8s.core.v1 import ConfigMap
from kubewright.testing.sandbox import Sandbox

RBAC = "/apis/rbac.authorization.k8s.io/v1"


async def account(ground: Ground, name: str) -> str:
    """A service account that may do anything; its token."""
    path = f"/api/v1/namespaces/{ground.namespace}/serviceaccounts"
    await ground.client.create(path, {"metadata": {"name": name}})
    binding = {
        "metadata": {"name": f"{ground.namespace}-{name}"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"},
        "subjects": [{"kind": "ServiceAccount", "namespace": ground.namespace, "name": name}],
    }
    await ground.client.create(f"{RBAC}/clusterrolebindings", binding)
    made = await ground.client.create(f"{path}/{name}/token", {"spec": {"expirationSeconds": 600}})
    return str(made["status"]["token"])


def test_a_token_that_ends_under_way_is_seen_and_a_new_one_taken_without_a_restart(
    cluster: Sandbox, tmp_path: Path
) -> None:
    """In the middle of a watch the account is gone, and with it the token; then there is another one in its file."""
    file = tmp_path / "token"
    seen: list[str] = []

    @kw.controller(WebServer, status=False)
    async def sees(web: WebServer, ctx: kw.Context) -> None:
        seen.append(web.metadata.name)

    async def story(ground: Ground) -> dict[str, str]:
        file.write_text(await account(ground, "first"), encoding="utf-8")
        access = load_kubeconfig(cluster.kubeconfig)
        leash = Leash(cluster, replace(access, certificate=None, key=None, token=None, token_file=file))
        async with Client(leash) as client:
            await ground.until(lambda: _lets_in(client, ground.webs))
            async with kw.Operator("web-operator", [sees]).running(client) as running:
                await make(ground.client, "before", ground.namespace)
                await ground.until(lambda: _is("before" in seen))
                path = f"/api/v1/namespaces/{ground.namespace}/serviceaccounts/first"
                await ground.client.delete(path)
                await ground.until(lambda: _keeps_out(client, ground.webs))
                leash.cut.set()
                await asyncio.sleep(0.1)
                leash.cut.clear()
                await ground.until(lambda: _is(running.informers[0].state == "unauthorized"))
                problems = running.health.problems()
                await make(ground.client, "meanwhile", ground.namespace)
                file.write_text(await account(ground, "second"), encoding="utf-8")
                await ground.until(lambda: _is("meanwhile" in seen))
                await ground.until(lambda: _is(not running.health.problems()))
                return problems

    assert list(on(cluster, story)) == ["watch webservers.web.example.com"]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda piece: piece[: len(piece) // 2],
        lambda piece: b"\x00\xff not json\n",
        lambda piece: b'{"type":"ADDED","object":{"kind":"Status"}}\n',
        lambda piece: b'{"type":"MODIFIED"}\n',
    ],
    ids=["truncated", "garbage", "no-object", "no-event"],
)
def test_a_watch_that_is_spoilt_costs_no_event(cluster: Sandbox, spoil: Callable[[bytes], bytes]) -> None:
    seen: list[str] = []

    @kw.controller(WebServer, status=False)
    async def sees(web: WebServer, ctx: kw.Context) -> None:
        seen.append(web.metadata.name)

    async def story(ground: Ground) -> None:
        async with ground.running(sees) as running:
            await make(ground.client, "before", ground.namespace)
            await ground.until(lambda: _is("before" in seen))
            ground.leash.spoil = spoil
            for name in ("one", "two", "three"):
                await make(ground.client, name, ground.namespace)
            await ground.until(lambda: _is({"one", "two", "three"} <= set(seen)))
            await ground.until(lambda: _is(not running.health.problems()))

    on(cluster, story)


def test_objects_that_do_not_fit_their_type_are_reported_and_the_others_go_on(cluster: Sandbox) -> None:
    seen: list[str] = []

    class Strict(kw.Model):
        """What this program thinks that a WebServer is."""

        image: int

    class WebServers(kw.Resource, group="web.example.com", version="v1", kind="WebServer", plural="webservers"):
        """The same resource, of which another program says that the image is a number."""

        spec: Strict

    @kw.controller(WebServers)
    async def sees(web: WebServers, ctx: kw.Context) -> None:
        seen.append(web.metadata.name)

    @kw.controller(ConfigMap, namespaces=[cluster.namespace])
    async def others(config: ConfigMap, ctx: kw.Context) -> None:
        seen.append(config.metadata.name)

    async def story(ground: Ground) -> str:
        async with ground.running(sees, others) as running:
            await make(ground.client, "bad", ground.namespace)
            await ground.client.create(ground.path("configmaps", "")[:-1], {"metadata": {"name": "other"}})
            await ground.until(lambda: _is("other" in seen))
            informer = next(each for each in running.informers if each.endpoint.kind == "WebServer")
            [told] = (await ground.until(lambda: _is(informer.misfits))).values()
            return str(told)

    assert "spec.image" in on(cluster, story)
    assert "bad" not in seen


def test_metrics_of_an_operator_are_read_over_tls_by_who_may(cluster: Sandbox, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    pair = authority.issue("server")

    @kw.controller(WebServer, status=False)
    async def nothing(web: WebServer, ctx: kw.Context) -> None:
        """Nothing."""

    async def read(port: int, token: str) -> tuple[int, bytes]:
        headers = Headers([(b"Authorization", f"Bearer {token}".encode())])
        async with Pool() as pool:
            origin = Origin("localhost", port, authority.client())
            response = await pool.request(origin, Request("GET", "/metrics", headers))
            return response.status, bytes(await response.read())

    async def story(ground: Ground) -> Any:
        path = f"/api/v1/namespaces/{ground.namespace}/serviceaccounts"
        tokens = {}
        for name in ("ada", "eve"):
            await ground.client.create(path, {"metadata": {"name": name}})
            made = await ground.client.create(f"{path}/{name}/token", {"spec": {"expirationSeconds": 600}})
            tokens[name] = made["status"]["token"]
        await allow(ground.client, "ada", ground.namespace, f"{ground.namespace}-metrics-reader")
        await ground.until(lambda: _may_read(ground, "ada"))  # a real server hears of roles a moment late
        options: dict[str, Any] = {"metrics_tls": (pair, pair), "metrics_guarded": True}
        async with ground.running(nothing, metrics_address="127.0.0.1:0", **options) as running:
            port = running.metrics_port
            assert port is not None
            await running.synced()
            return [await read(port, token) for token in ("nobody's", tokens["eve"], tokens["ada"])]

    nobody, eve, ada = on(cluster, story)
    assert nobody[0] == 401
    assert eve[0] == 403
    assert ada[0] == 200
    assert b"controller_runtime_reconcile_total" in ada[1]
    assert b"kubewright_queue_waiting" in ada[1]


async def _is(value: Any) -> Any:
    return value


async def _lets_in(client: Client, path: str) -> bool:
    try:
        await Api(client).raw.get(path)
    except (Forbidden, Unauthorized):
        return False
    return True


async def _keeps_out(client: Client, path: str) -> bool:
    try:
        await client.get(path)
    except Unauthorized:
        return True
    return False


async def _may_read(ground: Ground, name: str) -> bool:
    review = {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SubjectAccessReview",
        "spec": {
            "user": f"system:serviceaccount:{ground.namespace}:{name}",
            "nonResourceAttributes": {"path": "/metrics", "verb": "get"},
        },
    }
    path = "/apis/authorization.k8s.io/v1/subjectaccessreviews"
    return bool((await ground.client.create(path, review))["status"]["allowed"])
