import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest

from kubewright.client import Client, LocalTransport
from kubewright.client.discovery import Discovery, UnaskedKind, UnknownKind
from kubewright.client.endpoint import EndpointError
from kubewright.http import Headers, Request, Response
from kubewright.model.resource import GroupVersionKind


def resource(plural: str, kind: str, scope: str = "Namespaced", *short: str) -> dict[str, Any]:
    return {
        "resource": plural,
        "responseKind": {"group": "", "version": "", "kind": kind},
        "scope": scope,
        "singularResource": kind.lower(),
        "shortNames": list(short),
        "verbs": ["get", "list"],
    }


def group(name: str, *versions: tuple[str, list[dict[str, Any]]]) -> dict[str, Any]:
    told = [{"version": version, "resources": resources} for version, resources in versions]
    return {"metadata": {"name": name}, "versions": told}


class Server:
    """A server with these groups; counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0
        self.core = [group("", ("v1", [resource("pods", "Pod", "Namespaced", "po"), resource("events", "Event")]))]
        self.groups = [
            group("apps", ("v1", [resource("deployments", "Deployment")])),
            group("events.k8s.io", ("v1", [resource("events", "Event")])),
            group(
                "web.example.com", ("v2", [resource("sites", "Site", "Cluster")]), ("v1", [resource("sites", "Site")])
            ),
        ]

    def __call__(self, request: Request) -> Response:
        self.asked += 1
        items = self.core if request.path == "/api" else self.groups
        return Response(200, Headers(), msgspec.json.encode({"kind": "APIGroupDiscoveryList", "items": items}))


def play(story: Callable[[Discovery, Server], Awaitable[None]]) -> None:
    async def run() -> None:
        server = Server()
        await story(Discovery(Client(LocalTransport(server))), server)

    asyncio.run(run())


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("pods", "/api/v1/pods"),
        ("Pod", "/api/v1/pods"),
        ("po", "/api/v1/pods"),
        ("v1/Pod", "/api/v1/pods"),
        ("events", "/api/v1/events"),
        ("events.events.k8s.io", "/apis/events.k8s.io/v1/events"),
        ("sites", "/apis/web.example.com/v2/sites"),
        ("site.web.example.com", "/apis/web.example.com/v2/sites"),
        ("sites.v1.web.example.com", "/apis/web.example.com/v1/sites"),
        ("web.example.com/v1/Site", "/apis/web.example.com/v1/sites"),
        (GroupVersionKind("web.example.com", "v1", "Site"), "/apis/web.example.com/v1/sites"),
    ],
)
def test_a_kind_has_many_names(name: str | GroupVersionKind, path: str) -> None:
    async def story(discovery: Discovery, _: Server) -> None:
        assert (await discovery.find(name)).path() == path

    play(story)


def test_the_server_is_asked_once_and_again_for_what_is_not_known() -> None:
    async def story(discovery: Discovery, server: Server) -> None:
        await asyncio.gather(*(discovery.find(name) for name in ("pods", "po", "sites", "deployments")))
        assert server.asked == 2
        with pytest.raises(UnknownKind, match="the server has no gadgets; is its CRD installed"):
            await discovery.find("gadgets")
        assert server.asked == 4
        server.groups.append(group("example.com", ("v1", [resource("gadgets", "Gadget")])))
        assert (await discovery.find("gadgets")).group == "example.com"
        assert server.asked == 6

    play(story)


def test_a_document_says_what_it_is() -> None:
    async def story(discovery: Discovery, _: Server) -> None:
        assert (await discovery.of_document({"apiVersion": "apps/v1", "kind": "Deployment"})).plural == "deployments"
        with pytest.raises(EndpointError, match=r"needs apiVersion and kind; this has \['kind'\]"):
            await discovery.of_document({"kind": "Deployment"})

    play(story)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (b"<html>", "tells no kinds"),
        (b'{"kind": "APIVersions"}', "of the kind 'APIVersions'"),
        (b'{"kind": "X", "items": 3}', "no kinds"),
    ],
)
def test_a_server_that_tells_no_kinds_is_told(answer: bytes, message: str) -> None:
    async def story() -> None:
        client = Client(LocalTransport(lambda request: Response(200, Headers(), answer)))
        with pytest.raises(EndpointError, match=message):
            await Discovery(client).find("pods")

    asyncio.run(story())


def test_all_that_is_served_is_told_with_what_may_be_done_the_preferred_versions_first() -> None:
    async def story(discovery: Discovery, _: Server) -> None:
        await discovery.refresh()
        assert [f"{each.endpoint.api_version} {each.endpoint.plural}" for each in discovery.served] == [
            "v1 pods",
            "v1 events",
            "apps/v1 deployments",
            "events.k8s.io/v1 events",
            "web.example.com/v2 sites",
            "web.example.com/v1 sites",
        ]
        assert {each.verbs for each in discovery.served} == {frozenset(("get", "list"))}
        assert not discovery.uncertain

    play(story)


def test_an_answer_that_is_as_before_is_not_read_again() -> None:
    async def story(discovery: Discovery, server: Server) -> None:
        await discovery.refresh()
        before = discovery.served
        await discovery.refresh()
        assert discovery.served is before
        server.groups.append(group("new.example.com", ("v1", [resource("news", "New")])))
        await discovery.refresh()
        assert discovery.served[-1].endpoint.plural == "news"

    play(story)


def test_what_the_server_could_not_tell_is_uncertain() -> None:
    async def story(discovery: Discovery, server: Server) -> None:
        server.groups[0]["versions"][0]["freshness"] = "Stale"
        await discovery.refresh()
        assert discovery.uncertain == {"apps/v1"}
        old = Discovery(Client(LocalTransport(Old())))
        await old.refresh()
        assert old.uncertain == {"down.example.com/v1"}

    play(story)


class Old:
    """A server that knows no aggregated discovery."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, request: Request) -> Response:
        self.asked.append(request.path)
        pod = {"name": "pods", "singularName": "pod", "namespaced": True, "kind": "Pod", "shortNames": ["po"]}
        log = {"name": "pods/log", "singularName": "", "namespaced": True, "kind": "Pod"}
        site = {"name": "sites", "singularName": "site", "namespaced": False, "kind": "Site"}
        versions = [{"groupVersion": f"web.example.com/{each}", "version": each} for each in ("v2", "v1")]
        web = {"name": "web.example.com", "versions": versions, "preferredVersion": versions[1]}
        down = {"name": "down.example.com", "versions": [{"groupVersion": "down.example.com/v1", "version": "v1"}]}
        told: dict[str, Any] = {
            "/api": {"kind": "APIVersions", "versions": ["v1"]},
            "/api/v1": {"kind": "APIResourceList", "groupVersion": "v1", "resources": [pod, log]},
            "/apis": {"kind": "APIGroupList", "groups": [down, web]},
            "/apis/web.example.com/v1": {"kind": "APIResourceList", "resources": [site]},
            "/apis/web.example.com/v2": {"kind": "APIResourceList", "resources": [site]},
        }
        if request.path not in told:
            return Response(503, Headers(), b'{"kind": "Status", "code": 503, "message": "down"}')
        return Response(200, Headers(), msgspec.json.encode(told[request.path]))


def test_a_server_without_aggregated_discovery_is_asked_for_each_version_of_each_group(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def story() -> list[str]:
        server = Old()
        discovery = Discovery(Client(LocalTransport(server)))
        found = [await discovery.find(name) for name in ("po", "sites", "sites.v2.web.example.com")]
        assert len(server.asked) == 6
        with pytest.raises(UnknownKind):
            await discovery.find("pods/log")
        return [endpoint.path() for endpoint in found]

    assert asyncio.run(story()) == ["/api/v1/pods", "/apis/web.example.com/v1/sites", "/apis/web.example.com/v2/sites"]
    assert "The kinds of /apis/down.example.com/v1 are not known" in caplog.text


@pytest.mark.parametrize("kind", ["apps/v1/Deployment", "deployments.apps", "deployments.v1.apps"])
def test_a_kind_of_a_group_that_could_not_be_asked_is_not_said_to_be_absent(kind: str) -> None:
    async def story(discovery: Discovery, server: Server) -> None:
        server.groups[0]["versions"][0] = {"version": "v1", "resources": [], "freshness": "Stale"}
        with pytest.raises(UnaskedKind, match="apps/v1 could not be asked"):
            await discovery.find(kind)
        for other in ("nothings", "nothings.web.example.com", "nothings.other.apps"):
            with pytest.raises(UnknownKind):
                await discovery.find(other)

    play(story)


def test_why_a_group_could_not_be_asked_is_told() -> None:
    def handler(request: Request) -> Response:
        if request.path == "/api":
            return Response(200, Headers(), b'{"kind": "APIVersions", "versions": []}')
        if request.path == "/apis":
            groups = [{"name": "down.example.com", "versions": [{"version": "v1"}]}]
            return Response(200, Headers(), msgspec.json.encode({"kind": "APIGroupList", "groups": groups}))
        return Response(503, Headers(), b"nobody is there")

    async def story() -> None:
        with pytest.raises(UnaskedKind, match=r"down\.example\.com/v1 could not be asked: .*nobody is there"):
            await Discovery(Client(LocalTransport(handler))).find("down.example.com/v1/Thing")

    asyncio.run(story())
