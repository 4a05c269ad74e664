"""What the typed client refuses before anything is sent, and how it says what it wants; on the embedded cluster."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest
from tests.cluster.stage import Stage
from tests.cluster.stage import play as on_stage

import kubewright as kw
from kubewright.client import Access, Api, ApiError, Client, LocalTransport
from kubewright.client.endpoint import Document, Endpoint, EndpointError
from kubewright.client.errors import Expired, TooManyRequests
from kubewright.client.execute import ExecError
from kubewright.client.keywords import KeywordError
from kubewright.http import Headers, Request, Response, TimedOutError
from kubewright.k8s.apps.v1 import Deployment
from kubewright.k8s.core.v1 import ConfigMap, Node, Pod
from kubewright.k8s.policy.v1 import PodDisruptionBudget
from kubewright.trials.loop import run


def told(story: Callable[[Api], Awaitable[Any]], answer: bytes = b"", **settings: Any) -> list[tuple[str, str, Any]]:
    """What a server is asked during a story; it gives that answer to everything, or an empty one of the kind."""
    asked: list[tuple[str, str, Any]] = []

    def handler(request: Request) -> Response:
        body = request.body if isinstance(request.body, bytes) else b""
        asked.append((request.method, request.target, msgspec.json.decode(body) if body else None))
        return Response(200, Headers(), answer or empty(request.method, request.path))

    async def main() -> None:
        await story(Api(Client(LocalTransport(handler), namespace="web"), **settings))

    run(main())
    return asked


def empty(method: str, path: str) -> bytes:
    kinds = {"pods": "Pod", "nodes": "Node", "configmaps": "ConfigMap"}
    kind = next(kind for plural, kind in kinds.items() if f"/{plural}" in path)
    return msgspec.json.encode(
        {"kind": f"{kind}List" if method == "GET" and path.rpartition("/")[2] in kinds else kind}
    )


def config_map(**meta: Any) -> ConfigMap:
    return ConfigMap(metadata=kw.ObjectMeta(**meta))


def test_one_object_is_in_the_namespace_of_the_context_and_a_list_in_all() -> None:
    async def story(api: Api) -> None:
        await api.get(Pod, "a")
        await api.get(Pod, "a", "other")
        await api.get(Node, "n", resource_version="0")
        await api.list(Pod)
        await api.list(Pod, namespace="other", limit=0)

    assert [target for _, target, _ in told(story)] == [
        "/api/v1/namespaces/web/pods/a",
        "/api/v1/namespaces/other/pods/a",
        "/api/v1/nodes/n?resourceVersion=0",
        "/api/v1/pods?limit=500",
        "/api/v1/namespaces/other/pods",
    ]


def test_a_write_says_its_manager_and_goes_where_the_object_is() -> None:
    async def story(api: Api) -> None:
        await api.create(config_map(generate_name="a-"))
        await api.apply(config_map(name="a", namespace="other"), force=True)
        await api.update(config_map(name="a"), subresource="status", dry_run=True)
        await api.patch(ConfigMap, "a", {"x": 1}, field_manager="you", field_validation="Strict")

    a = {"apiVersion": "v1", "kind": "ConfigMap"}
    assert told(story, field_manager="me") == [
        ("POST", "/api/v1/namespaces/web/configmaps?fieldManager=me", {**a, "metadata": {"generateName": "a-"}}),
        (
            "PATCH",
            "/api/v1/namespaces/other/configmaps/a?fieldManager=me&force=true",
            {**a, "metadata": {"name": "a", "namespace": "other"}},
        ),
        (
            "PUT",
            "/api/v1/namespaces/web/configmaps/a/status?fieldManager=me&dryRun=All",
            {**a, "metadata": {"name": "a"}},
        ),
        ("PATCH", "/api/v1/namespaces/web/configmaps/a?fieldManager=you&fieldValidation=Strict", {"x": 1}),
    ]


@pytest.mark.parametrize(
    ("story", "message"),
    [
        (lambda api: api.get(Pod, ""), "has a name; this one is empty"),
        (lambda api: api.delete(Pod, ""), "has a name; this one is empty"),
        (lambda api: api.apply(config_map()), "has a name; this one is empty"),
        (lambda api: api.get(Node, "n", "web"), "nodes are in no namespace"),
        (lambda api: api.create(config_map(name="a", namespace="x"), namespace="y"), "in namespace 'x', not in 'y'"),
        (lambda api: api.delete_collection(Pod, None), "deleted in one namespace at a time"),
        (lambda api: api.apply({"kind": "Pod"}), "needs apiVersion and kind"),
        (lambda api: api.get(int, "a"), "is no kind"),
        (lambda api: api.apply("x"), "'x' is no object: give one of a class of kw.Resource, or a dict with"),
        (lambda api: api.create(ConfigMap), "is no object: give one of a class"),
        (lambda api: api.update(None), "None is no object: give one of a class"),
        (lambda api: api.apply(kw.ObjectMeta(name="a")), "is no object: give one of a class"),
        (lambda api: api.post(Pod, "a", "binding", "x"), "'x' is no object: give one of a class"),
        (lambda api: api.apply({"apiVersion": "v1", "kind": "Pod", "metadata": "a"}), "this is 'a'"),
        (lambda api: api.resource(""), "'' names no kind: say it as in 'deployments.apps'"),
        (lambda api: api.resource(Pod), "Pod'> names no kind"),
        (lambda api: api.patch(Pod, "a", {}, strategy="bogus"), "json, merge or strategic, not 'bogus'"),
        (lambda api: api.patch(Pod, "a", "{}"), "not something of the type str"),
        (lambda api: api.get(Pod, "a\udc80"), "cannot be a name: it has a lone surrogate"),
        (lambda api: api.get(Pod, "a", "b\udc80"), "cannot be a name: it has a lone surrogate"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_sent(
    story: Callable[[Api], Awaitable[Any]], message: str
) -> None:
    async def refused(api: Api) -> None:
        with pytest.raises(EndpointError, match=message):
            await story(api)

    assert told(refused) == []


@pytest.mark.parametrize(
    "story",
    [
        lambda api: api.create({"apiVersion": "v1", "kind": "ConfigMap"}, dryrun=True),
        lambda api: api.update(config_map(name="a"), dryrun=True),
        lambda api: api.apply({"apiVersion": "v1", "kind": "ConfigMap"}, dryrun=True),
        lambda api: api.patch(ConfigMap, "a", {}, dryrun=True),
        lambda api: api.post(Pod, "a", "binding", {}, dryrun=True),
        lambda api: api.scale(Pod, "a", replicas=1, dryrun=True),
        lambda api: api.scale(Pod, "a", dryrun=True),
    ],
)
def test_an_option_that_no_write_has_is_refused_before_anything_is_sent(
    story: Callable[[Api], Awaitable[Any]],
) -> None:
    async def refused(api: Api) -> None:
        with pytest.raises(KeywordError) as raised:
            await story(api)
        assert str(raised.value) == "a write has no option 'dryrun'; did you mean 'dry_run'?"

    assert told(refused) == []


NOBODY: Any = None


@pytest.mark.parametrize(
    "story",
    [
        lambda api: api.get(Pod, NOBODY),
        lambda api: api.get(Pod, NOBODY, subresource="status"),
        lambda api: api.delete(Pod, NOBODY, "web"),
        lambda api: api.delete(Pod, Pod(), "web"),
        lambda api: api.patch(Pod, NOBODY, {}),
        lambda api: api.patch(Pod, NOBODY, {}, subresource="status"),
        lambda api: api.update(Pod(metadata=kw.ObjectMeta(name=NOBODY))),
        lambda api: api.apply(Pod(metadata=kw.ObjectMeta(name=NOBODY))),
        lambda api: api.post(Pod, NOBODY, "binding", {}),
        lambda api: api.scale(Pod, NOBODY),
        lambda api: api.scale(Pod, NOBODY, replicas=1),
        lambda api: api.evict(NOBODY),
        lambda api: api.logs(NOBODY),
        lambda api: api.exec(NOBODY, ["ls"]),
        lambda api: api.port_forward(NOBODY, 80).open(),
        lambda api: anext(aiter(api.watch(Pod, name=5))),
    ],
)
def test_no_verb_takes_what_is_no_name_for_one(story: Callable[[Api], Awaitable[Any]]) -> None:
    async def refused(api: Api) -> None:
        with pytest.raises(EndpointError, match=r"an object of pods (is named by a string|has a name)"):
            await story(api)

    assert told(refused) == []


def test_a_client_that_is_made_without_a_loop_points_to_the_one_that_needs_none() -> None:
    with pytest.raises(kw.KubewrightError, match=r"make it in a coroutine .* or take SyncApi, which needs no loop"):
        Api.connect(Access(server="https://127.0.0.1:6443"))


@pytest.mark.parametrize("command", ["ls -l", []])
def test_a_command_is_words(command: Any) -> None:
    async def refused(api: Api) -> None:
        with pytest.raises(ExecError, match=r'a command is a list of words, as in \["ls", "-l"\]'):
            await api.exec("web", command)

    assert told(refused) == []


def test_a_deleted_object_comes_back_where_the_server_gives_it() -> None:
    async def gone(api: Api) -> None:
        assert await api.delete(Pod, "a") is None

    async def left(api: Api) -> None:
        pod = await api.delete(Pod, "a")
        assert pod is not None
        assert pod.metadata.name == "a"

    told(gone, b'{"kind": "Status", "status": "Success"}')
    told(left, b'{"kind": "Pod", "metadata": {"name": "a"}}')


def test_garbage_is_told_with_the_request() -> None:
    async def story(api: Api) -> None:
        with pytest.raises(kw.DocumentError, match="the answer to GET /api/v1/namespaces/web/pods/a, byte 0"):
            await api.get(Pod, "a")
        with pytest.raises(EndpointError, match="a list of pods is no list"):
            await api.list(Pod)

    told(story, b"<html>")


def test_an_object_that_does_not_fit_its_type_is_read_as_far_as_it_does() -> None:
    async def story(api: Api) -> None:
        found = await api.get(ConfigMap, "a")
        assert found.metadata.name == "a"
        assert kw.to_dict(found)["data"] == 3

    told(story, b'{"kind": "ConfigMap", "metadata": {"name": "a"}, "data": 3}')


def test_a_typed_object_is_a_patch_of_what_is_set_in_it() -> None:
    async def story(stage: Stage) -> None:
        api = Api(stage.client)
        await api.create(ConfigMap(metadata=kw.ObjectMeta(name="plain"), data={"a": "1", "b": "2"}))
        changed = await api.patch(ConfigMap, "plain", ConfigMap(data={"b": "3"}))
        assert changed.data == {"a": "1", "b": "3"}

    on_stage(story)


def test_a_watch_from_a_forgotten_version_is_expired() -> None:
    async def story(stage: Stage) -> None:
        await stage.put_configmaps(3)
        stage.cluster.compact()
        with pytest.raises(Expired):
            await anext(Api(stage.client).watch(ConfigMap, resource_version="1"))

    on_stage(story)


def test_one_request_can_have_less_time_than_others() -> None:
    async def slow(request: Request) -> Response:
        await asyncio.sleep(5)
        return Response(200, Headers(), b'{"kind": "Pod"}')

    async def story() -> None:
        api = Api(Client(LocalTransport(slow)))
        await api.get(Pod, "a")
        with pytest.raises(TimedOutError, match="not answered within 2 seconds"):
            await api.but(timeout=2).get(Pod, "a")

    run(story())


def test_a_gated_api_reads_but_neither_writes_nor_runs_anything() -> None:
    async def story(stage: Stage) -> None:
        def gate() -> None:
            raise RuntimeError("not the leader")

        api = Api(stage.client)
        gated = api.gated(gate)
        await api.create(config_map(name="a"))
        assert (await gated.get(ConfigMap, "a")).metadata.name == "a"
        with pytest.raises(RuntimeError, match="not the leader"):
            await gated.delete(ConfigMap, "a")
        with pytest.raises(RuntimeError, match="not the leader"):
            await gated.exec("a", ["rm", "-r", "/data"])
        with pytest.raises(RuntimeError, match="not the leader"):
            await gated.port_forward("a", 80).open()
        await api.delete(ConfigMap, "a")

    on_stage(story)


def test_an_eviction_that_a_budget_forbids_is_told_at_once() -> None:
    async def story(stage: Stage) -> None:
        api = Api(stage.client)
        spec = {"minAvailable": 1, "selector": {"matchLabels": {"app": "web"}}}
        await api.create(kw.from_dict({"metadata": {"name": "b"}, "spec": spec}, PodDisruptionBudget))
        pod = {
            "metadata": {"name": "p", "labels": {"app": "web"}},
            "spec": {"containers": [{"name": "c", "image": "x"}]},
        }
        await api.create(kw.from_dict(pod, Pod))
        ready = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
        await api.patch(Pod, "p", {"status": ready}, subresource="status")
        status = {
            "observedGeneration": 1,
            "expectedPods": 1,
            "currentHealthy": 1,
            "desiredHealthy": 1,
            "disruptionsAllowed": 0,
        }
        await api.patch(PodDisruptionBudget, "b", {"status": status}, subresource="status")
        with pytest.raises(TooManyRequests, match="disruption budget"):
            await api.evict("p")

    on_stage(story)


def test_a_refusal_knows_its_uid_and_causes() -> None:
    error = ApiError("", {"details": {"uid": "u", "causes": [{"reason": "NamespaceTerminating"}]}})
    assert error.uid == "u"
    assert error.caused_by("NamespaceTerminating")
    assert not error.caused_by("ResourceVersionTooLarge")


def test_the_scale_of_an_object_is_not_read_as_the_object() -> None:
    async def story(api: Api) -> None:
        for asked in (
            api.get(Deployment, "web", subresource="scale"),
            api.patch(Deployment, "web", {"spec": {"replicas": 3}}, subresource="scale"),
        ):
            with pytest.raises(EndpointError, match=r"no Deployment: call api\.scale\(Deployment, 'web'\)"):
                await asked

    assert told(story) == []


def test_the_scale_of_an_object_without_a_class_is_what_it_is() -> None:
    async def story(api: Api) -> None:
        deployments: Endpoint[Document] = Endpoint("apps", "v1", "deployments", "Deployment", True)
        assert (await api.get(deployments, "web", subresource="scale"))["kind"] == "Scale"
        assert (await api.scale(Deployment, "web")).spec.replicas == 2

    told(story, b'{"kind": "Scale", "apiVersion": "autoscaling/v1", "spec": {"replicas": 2}}')
