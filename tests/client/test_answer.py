"""An answer that is not what was asked for is refused, whatever its status says."""

from typing import Any

import msgspec
import pytest

import kubewright as kw
from kubewright.client import Api, Client, LocalTransport
from kubewright.client.answer import AnswerError, ListHead, check_answer, check_list
from kubewright.client.endpoint import Document, Endpoint, endpoint_of
from kubewright.client.errors import Forbidden
from kubewright.http import Headers, Request, Response, Stream
from kubewright.k8s.core.v1 import ConfigMap, Pod
from kubewright.trials.loop import run

FAILURE = {"kind": "Status", "status": "Failure", "code": 403, "reason": "Forbidden", "message": "not for you"}
SUCCESS = {"kind": "Status", "status": "Success"}
THINGS: Endpoint[Document] = Endpoint("example.com", "v1", "things", "Thing", True)


class Odd(kw.Resource, group="example.com", version="v1", list_kind="Oddities"):
    pass


def api(answer: Any) -> Api:
    """Of a server that answers so, with spaces and in any order, as other servers than Go's may."""
    body = answer if isinstance(answer, bytes) else msgspec.json.format(msgspec.json.encode(answer), indent=1)

    def handler(request: Request) -> Response:
        return Response(200, Headers(), body)

    return Api(Client(LocalTransport(handler)))


@pytest.mark.parametrize(
    "answer", [{"message": "please log in"}, {"kind": "PodList", "items": []}, {"kind": "ConfigMap"}, SUCCESS]
)
def test_a_list_of_another_kind_is_no_list(answer: Any) -> None:
    async def story() -> None:
        with pytest.raises(AnswerError, match=r"the answer to a list of configmaps is of .*, not ConfigMapList"):
            await api(answer).list(ConfigMap)

    run(story())


@pytest.mark.parametrize("answer", [{"message": "please log in"}, {"kind": "Pod"}, {"kind": None}, SUCCESS])
def test_an_object_of_another_kind_is_not_read(answer: Any) -> None:
    async def story() -> None:
        with pytest.raises(AnswerError, match=r"the answer to GET .*/a is of .*, not of the kind ConfigMap"):
            await api(answer).get(ConfigMap, "a")

    run(story())


def test_a_failure_is_raised_as_the_one_it_is_even_with_a_good_status() -> None:
    async def story() -> None:
        refusing = api(FAILURE)
        for asked in (
            refusing.get(ConfigMap, "a"),
            refusing.list(ConfigMap),
            refusing.create(ConfigMap(metadata=kw.ObjectMeta(name="a"))),
            refusing.delete(ConfigMap, "a"),
            refusing.delete_collection(ConfigMap, "default"),
            refusing.evict("a"),
        ):
            with pytest.raises(Forbidden, match="not for you"):
                await asked

    run(story())


def test_a_write_may_be_answered_with_success_alone() -> None:
    async def story() -> None:
        created = await api(SUCCESS).create(ConfigMap(metadata=kw.ObjectMeta(name="a")))
        assert isinstance(created, ConfigMap)
        assert await api(SUCCESS).delete(Pod, "a") is None

    run(story())


def test_what_only_asks_for_another_kind_of_its_group_may_be_answered_with_that() -> None:
    project = {"apiVersion": "example.com/v1", "kind": "Project", "metadata": {"name": "a"}}
    check_answer(THINGS, msgspec.json.encode(project), "the answer", wrote=True)
    for answer, wrote in (project, False), ({**project, "apiVersion": "example.org/v1"}, True):
        with pytest.raises(AnswerError, match="the answer is of the kind 'Project', not of the kind Thing"):
            check_answer(THINGS, msgspec.json.encode(answer), "the answer", wrote=wrote)


def test_what_is_no_json_is_told_where_it_is_none() -> None:
    async def story() -> None:
        with pytest.raises(kw.DocumentError):
            await api(b'{"kind": ').get(ConfigMap, "a")

    run(story())


@pytest.mark.parametrize(
    ("endpoint", "kind"),
    [
        (endpoint_of(ConfigMap), "ConfigMapList"),
        (endpoint_of(ConfigMap), "List"),
        (endpoint_of(Odd), "Oddities"),
        (THINGS, "ThingList"),
        (THINGS, "Lots"),  # a CRD may call its lists so, and only the server knows
        (THINGS, "Thing"),  # as the lists of external.metrics.k8s.io are
    ],
)
def test_a_list_has_the_name_that_its_kind_gives_it(endpoint: Endpoint[Any], kind: str) -> None:
    check_list(endpoint, ListHead(kind=kind, apiVersion="example.com/v1", items=[]), b"", "it")


def test_a_class_need_not_know_what_the_lists_of_a_crd_are_called_but_its_objects_are_of_the_kind() -> None:
    odd = endpoint_of(Odd)

    def page(*items: bytes, version: str = "example.com/v1") -> ListHead:
        return ListHead(kind="Curiosities", apiVersion=version, items=[msgspec.Raw(each) for each in items])

    check_list(odd, page(b'{"kind": "Odd"}'), b"", "it")
    check_list(odd, page(), b"", "it")
    for others in (page(b'{"kind": "Thing"}'), page(version="example.com/v2")):
        with pytest.raises(AnswerError):
            check_list(odd, others, b"", "it")


def test_a_list_of_any_name_has_items_be_it_none() -> None:
    page = ListHead(kind="Lots", apiVersion="example.com/v1")
    check_list(THINGS, page, b'{"kind":"Lots","apiVersion":"example.com/v1","items":null}', "it")
    with pytest.raises(AnswerError):
        check_list(THINGS, page, b'{"kind":"Lots","apiVersion":"example.com/v1"}', "it")


def test_a_list_of_metadata_is_one_where_it_was_asked_for() -> None:
    page = ListHead(kind="PartialObjectMetadataList")
    check_list(THINGS, page, b"", "it", metadata_only=True)
    with pytest.raises(AnswerError):
        check_list(THINGS, page, b"", "it")


def test_an_event_of_another_kind_is_not_read() -> None:
    def handler(request: Request) -> Response:
        stream = Stream()
        stream.write(b'{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"a"}}}\n')
        return Response(200, Headers(), stream)

    async def story() -> None:
        async with Api(Client(LocalTransport(handler))).watch(ConfigMap) as events:
            with pytest.raises(AnswerError, match="an event of configmaps is of the kind 'Pod'"):
                await anext(events)

    run(story())
