"""The three operators, each of whose writes goes wrong once in every way."""

from functools import cache
from typing import Any

import pytest
from tests.examples.hazards import FAULTS, Deed, Fault, Step, Truth, tell

import kubewright as kw
import memcached
import myapp
import webserver
from kubewright.client import Client
from kubewright.client.errors import NotFound

DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"
SERVICES = "/api/v1/namespaces/default/services"
#: Nobody makes pods, so that what the operator does is all there is.
ALONE = "garbage-collector-controller"


def made(path: str, document: dict[str, Any]) -> Deed:
    return lambda client: client.create(path, document)


def changed(path: str, patch: dict[str, Any]) -> Deed:
    return lambda client: client.patch(path, "merge", patch)


def deleted(path: str) -> Deed:
    return lambda client: client.delete(path, {"propagationPolicy": "Background"})


def deployed(name: str, replicas: int, image: str) -> Truth:
    async def holds(client: Client) -> bool:
        spec = (await client.get(f"{DEPLOYMENTS}/{name}"))["spec"]
        return (spec["replicas"], spec["template"]["spec"]["containers"][0]["image"]) == (replicas, image)

    return holds


def served(name: str, node_port: int) -> Truth:
    async def holds(client: Client) -> bool:
        spec = (await client.get(f"{SERVICES}/{name}"))["spec"]
        port = spec["ports"][0]
        wanted = ("NodePort", {"app": "webserver", "webserver": "shop"}, 1, 80, node_port)
        return (spec["type"], spec["selector"], len(spec["ports"]), port["port"], port.get("nodePort")) == wanted

    return holds


def gone(*paths: str) -> Truth:
    async def holds(client: Client) -> bool:
        for path in paths:
            try:
                await client.get(path)
            except NotFound:
                continue
            return False
        return True

    return holds


def observed(path: str, then: Truth | None = None) -> Truth:
    """The status speaks of the spec as it is."""

    async def holds(client: Client) -> bool:
        found = await client.get(path)
        seen = found.get("status", {}).get("observedGeneration") == found["metadata"]["generation"]
        return bool(seen and (then is None or await then(client)))

    return holds


SHOP = "/apis/web.example.com/v1/namespaces/default/webservers/shop"
WEB = {
    "apiVersion": "web.example.com/v1",
    "kind": "WebServer",
    "metadata": {"name": "shop"},
    "spec": {"image": "nginx:1", "replicas": 3, "nodePort": 30010},
}
OTHER = {"type": "ClusterIP", "selector": {"app": "x"}, "ports": [{"name": "http", "port": 81}]}
WEB_STORY = [
    Step("a WebServer", made(SHOP.removesuffix("/shop"), WEB), observed(SHOP, deployed("shop", 3, "nginx:1"))),
    Step("its Service", changed(SHOP, {"metadata": {"labels": {"a": "b"}}}), served("shop-service", 30010)),
    Step("a fourth pod", changed(SHOP, {"spec": {"replicas": 4}}), observed(SHOP, deployed("shop", 4, "nginx:1"))),
    Step("another image", changed(SHOP, {"spec": {"image": "nginx:2"}}), deployed("shop", 4, "nginx:2")),
    Step("no Service", deleted(f"{SERVICES}/shop-service"), served("shop-service", 30010)),
    Step(
        "another Service",
        changed(f"{SERVICES}/shop-service", {"spec": OTHER}),
        served("shop-service", 30010),
    ),
    Step("other pods", changed(f"{DEPLOYMENTS}/shop", {"spec": {"replicas": 9}}), deployed("shop", 4, "nginx:2")),
    Step("no pods", deleted(f"{DEPLOYMENTS}/shop"), observed(SHOP, deployed("shop", 4, "nginx:2"))),
    Step("no WebServer", deleted(SHOP), gone(SHOP, f"{DEPLOYMENTS}/shop", f"{SERVICES}/shop-service")),
]

CACHE = "/apis/cache.example.com/v1alpha1/namespaces/default/memcacheds/cache"
MEMCACHED = {
    "apiVersion": "cache.example.com/v1alpha1",
    "kind": "Memcached",
    "metadata": {"name": "cache"},
    "spec": {"size": 3},
}
CACHE_STORY = [
    Step(
        "a cache", made(CACHE.removesuffix("/cache"), MEMCACHED), observed(CACHE, deployed("cache", 3, memcached.IMAGE))
    ),
    Step("a larger one", changed(f"{CACHE}/scale", {"spec": {"replicas": 5}}), deployed("cache", 5, memcached.IMAGE)),
    Step("no Deployment", deleted(f"{DEPLOYMENTS}/cache"), observed(CACHE, deployed("cache", 5, memcached.IMAGE))),
    Step("no cache", deleted(CACHE), gone(CACHE, f"{DEPLOYMENTS}/cache")),
]

MINE = "/apis/example.com/v1alpha1/namespaces/default/myapps/mine"
APP = {
    "apiVersion": "example.com/v1alpha1",
    "kind": "MyApp",
    "metadata": {"name": "mine"},
    "spec": {"replicas": 3, "image": "myapp:1"},
}
APP_STORY = [
    Step("an app", made(MINE.removesuffix("/mine"), APP), deployed("mine", 3, "myapp:1")),
    Step("a larger one", changed(MINE, {"spec": {"replicas": 5}}), deployed("mine", 5, "myapp:1")),
    Step("another image", changed(MINE, {"spec": {"image": "myapp:2"}}), deployed("mine", 5, "myapp:2")),
    Step("no Deployment", deleted(f"{DEPLOYMENTS}/mine"), deployed("mine", 5, "myapp:2")),
    Step("no app", deleted(MINE), gone(MINE, f"{DEPLOYMENTS}/mine")),
]

STORIES = {
    "webserver": (webserver.app, WEB_STORY),
    "memcached": (memcached.app, CACHE_STORY),
    "myapp": (myapp.app, APP_STORY),
}


def running(name: str, replicas: int, path: str = "") -> Truth:
    """The pods run, and the status says so."""

    async def holds(client: Client) -> bool:
        status = (await client.get(f"{DEPLOYMENTS}/{name}")).get("status", {})
        if {status.get(each) for each in ("replicas", "updatedReplicas", "readyReplicas")} != {replicas}:
            return False
        found = (await client.get(path))["status"] if path else {}
        told = {each["type"]: each["status"] for each in found.get("conditions", ())}
        return told.get("Available", "True") == "True" and len(found.get("nodes", range(replicas))) == replicas

    return holds


async def nothing(client: Client) -> None: ...


RUNNING = {
    "webserver": running("shop", 4, SHOP),
    "memcached": running("cache", 5, CACHE),
    "myapp": running("mine", 5),
}


def with_pods(name: str) -> tuple[kw.Operator, list[Step]]:
    """The story of an operator, with what can be seen only where somebody runs the pods."""
    app, (*story, end) = STORIES[name]
    return app, [*story, Step("pods that run", nothing, RUNNING[name]), end]


@cache
def writes_of(name: str) -> int:
    """How often an operator writes if nothing goes wrong, and nobody but the garbage collector does anything."""
    return tell(*STORIES[name], controllers=ALONE)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", STORIES)
def test_every_write_may_go_wrong(name: str, fault: Fault) -> None:
    app, story = STORIES[name]
    writes = writes_of(name)
    assert writes >= len(story) - 1  # but for the last step, which is for the garbage collector
    for number in range(1, writes + 1):
        tell(app, story, fault, number, controllers=ALONE)


@pytest.mark.parametrize("name", STORIES)
def test_the_pods_come_and_run_and_go(name: str) -> None:
    tell(*with_pods(name))


@pytest.mark.deep
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", STORIES)
def test_every_write_may_go_wrong_while_pods_come_and_go(name: str, fault: Fault) -> None:
    app, story = with_pods(name)
    for number in range(1, tell(app, story) + 1):
        tell(app, story, fault, number)


def test_an_operator_that_does_not_mend_is_found_out() -> None:
    """The harness itself: a step that never comes true fails, and so does an operator that never rests."""

    @kw.controller(myapp.MyApp, name="idle")
    async def idle(my: myapp.MyApp, ctx: kw.Context) -> None: ...

    with pytest.raises(AssertionError, match="an app: that has not come true"):
        tell(kw.Operator("idle", [idle]), APP_STORY[:1])
