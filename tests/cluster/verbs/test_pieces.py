import asyncio
from typing import Any

import msgspec
import pytest

from kubewright.cluster.registry.builtin import builtin_resources
from kubewright.cluster.registry.resource import Resource
from kubewright.cluster.store import Record
from kubewright.cluster.verbs import pieces as pieces_module
from kubewright.cluster.verbs.pieces import put_together, shown_pieces, stored_pieces
from kubewright.cluster.wire.form import encode, list_form
from kubewright.cluster.wire.media import JSON, PROTOBUF
from kubewright.cluster.wire.negotiate import Output
from kubewright.http import Response
from kubewright.model.steps import counted

META = {"resourceVersion": "7"}
FORMS = {
    "pretty": Output(pretty=True),
    "YAML": Output(media="application/yaml"),
    "Table": Output(form="Table"),
    "Table with objects": Output(form="Table", include="Object"),
    "pretty Table": Output(form="Table", pretty=True),
    "Table in YAML": Output(form="Table", media="application/yaml"),
    "metadata": Output(form="PartialObjectMetadataList"),
}


def configmaps() -> Resource:
    return next(each for each in builtin_resources() if each.names.plural == "configmaps")


def records(count: int) -> list[Record]:
    return [
        Record(f"/configmaps/default/c{at}", msgspec.json.encode(document(at)), at, at, None) for at in range(count)
    ]


def document(at: int) -> dict[str, Any]:
    meta = {"name": f"c{at}", "namespace": "default", "creationTimestamp": "2024-01-01T00:00:00Z"}
    data = {"mark": "mark", "text": "one\ntwo", "empty": ""}
    return {"kind": "ConfigMap", "apiVersion": "v1", "metadata": meta, "data": data}


def whole(count: int, output: Output) -> bytes:
    items = [configmaps().item(document(at)) for at in range(count)]
    listed = {"kind": "ConfigMapList", "apiVersion": "v1", "metadata": META, "items": items}
    return encode(list_form(listed, output, configmaps().columns), output)


async def join(pieces: Any) -> list[bytes]:
    return [piece async for piece in pieces]


@pytest.mark.parametrize("form", ["", "PartialObjectMetadataList"])
@pytest.mark.parametrize("count", [0, 1, 12, 13, 40])
def test_a_list_in_protobuf_tells_its_length_before_its_pieces(form: str, count: int) -> None:
    output = Output(media=PROTOBUF, form=form)
    pieces = asyncio.run(join(shown_pieces(configmaps(), records(count), META, output)))
    assert b"".join(pieces) == whole(count, output)


@pytest.mark.parametrize("form", ["", "PartialObjectMetadataList"])
def test_a_large_item_of_a_list_in_protobuf_is_put_together_in_turns(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = Output(media=PROTOBUF, form=form)
    large = document(0)
    large["data"] |= {f"key-{at:05}": "v" * 40 for at in range(10_000)}
    entry = {"manager": "m", "operation": "Update", "fieldsType": "FieldsV1", "apiVersion": "v1"}
    large["metadata"]["managedFields"] = [entry | {"fieldsV1": {"f:data": {f"f:{key}": {} for key in large["data"]}}}]
    stored = [Record("/configmaps/default/c0", msgspec.json.encode(large), 1, 1, None), *records(2)]
    items = [configmaps().item(each) for each in (large, document(0), document(1))]
    listed = {"kind": "ConfigMapList", "apiVersion": "v1", "metadata": META, "items": items}
    steps: list[int] = []

    async def in_turns(work: Any) -> Any:
        made, count = counted(work)
        steps.append(count)
        return made

    monkeypatch.setattr(pieces_module, "in_turns", in_turns)
    pieces = asyncio.run(join(shown_pieces(configmaps(), stored, META, output)))
    assert b"".join(pieces) == encode(list_form(listed, output, configmaps().columns), output)
    first, *rest, last = steps
    assert first > 5  # to decode it
    assert last > 5  # to put all into protobuf
    assert rest == [0, 0]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("count", [0, 1, 12, 13, 64, 65, 200])
def test_a_list_in_pieces_is_the_list(form: str, count: int) -> None:
    output = FORMS[form]
    pieces = asyncio.run(join(shown_pieces(configmaps(), records(count), META, output)))
    assert b"".join(pieces).rstrip(b"\n") == whole(count, output).rstrip(b"\n")
    slow = output.pretty or output.media != JSON
    assert (len(pieces) > 1) == (count > (12 if slow else 64))


@pytest.mark.parametrize("count", [0, 1, 3000])
def test_a_list_as_it_is_stored_is_the_list(count: int) -> None:
    pieces = asyncio.run(join(stored_pieces(configmaps(), records(count), META)))
    listed = msgspec.json.decode(b"".join(pieces))
    assert [item["metadata"]["name"] for item in listed["items"]] == [f"c{at}" for at in range(count)]
    assert all("kind" not in item for item in listed["items"])
    assert max(map(len, pieces)) < 200_000


def test_a_short_list_has_its_length_and_a_long_one_comes_as_it_is_made() -> None:
    async def answer(count: int) -> Response:
        return await put_together(Response(200), stored_pieces(configmaps(), records(count), META))

    short, long = asyncio.run(answer(3)), asyncio.run(answer(3000))
    assert isinstance(short.body, bytes)
    assert not isinstance(long.body, bytes)
