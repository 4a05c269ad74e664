"""Reading and writing a Pod: our class beside a bare msgspec Struct, pydantic and the official client's models.

The Pod is one a cluster serves, about 3 KB; a second one carries its managed fields too. The bare Structs and the
pydantic models are made from the fields of our own classes, so that all read the same document into the same tree;
what they do not do is keep unknown fields, know what was set, and read a Quantity as a number.
"""

import json
from functools import partial
from typing import Any, Optional

import msgspec
import pydantic
from kubernetes.client import ApiClient
from msgspec import Raw

import kubewright as kw
from bench.measure import report, seconds_per_call
from bench.pod import MANAGED, pod
from kubewright.k8s.core.v1 import Pod
from kubewright.model.meta import fields_of
from kubewright.model.quantity import Quantity
from kubewright.model.shape import Choice, ListOf, MapOf, Scalar, Shape, StructOf

__all__ = ["bare_struct", "main", "pydantic_model"]


def main() -> None:
    """Print the tables."""
    bare, validated, official = bare_struct(Pod, {}), pydantic_model(Pod, {}), ApiClient()
    decoder = msgspec.json.Decoder(bare)
    for title, document in (
        ("A Pod", pod()),
        ("A Pod with its managed fields", {**pod(), "metadata": {**pod()["metadata"], **MANAGED}}),
    ):
        data = msgspec.json.encode(document)
        times = seconds_per_call(
            {
                "msgspec Struct": partial(decoder.decode, data),
                "kw.decode(data, Pod)": partial(kw.decode, data, Pod),
                "kw.decode(data, PartialObjectMetadata)": partial(kw.decode, data, kw.PartialObjectMetadata),
                "pydantic": partial(validated.model_validate_json, data),
                "official client": partial(official.deserialize, data.decode(), "V1Pod", "application/json"),
                "json.loads": partial(json.loads, data),
            }
        )
        report(f"{title}, {len(data)} bytes, read (aims: Pod 1.4, metadata 0.4)", times, "msgspec Struct")
    _write(msgspec.json.encode(pod()), bare, official)


def _write(data: bytes, bare: Any, official: ApiClient) -> None:
    plain = msgspec.json.decode(data, type=bare)
    written: Any = official.sanitize_for_serialization
    theirs = official.deserialize(data.decode(), "V1Pod", "application/json")
    read = kw.decode(data, Pod)
    changed = kw.decode(data, Pod)
    changed.metadata.labels["changed"] = "yes"
    built = Pod(metadata=changed.metadata, spec=changed.spec, status=changed.status)
    times = seconds_per_call(
        {
            "msgspec Struct": lambda: msgspec.json.encode(plain),
            "kw.encode, as it was read": lambda: kw.encode(read),
            "kw.encode, one label changed": lambda: kw.encode(changed),
            "kw.encode, built here": lambda: kw.encode(built),
            "official client": lambda: json.dumps(written(theirs)),
        }
    )
    report("The same Pod, written", times, "msgspec Struct")
    times = seconds_per_call(
        {
            "msgspec Struct": lambda: plain.metadata.name,
            "kw": lambda: read.metadata.name,
            "official client": lambda: theirs.metadata.name,
        }
    )
    report("pod.metadata.name", times, "msgspec Struct")


def bare_struct(model: Any, made: dict[Any, Any]) -> Any:
    """The msgspec Struct with the fields of a Model."""
    if model not in made:
        fields: list[Any] = [
            (field.name, Raw, Raw()) if field.name == "fields_v1" else (field.name, Optional[kind], None)  # noqa: UP045
            for field in fields_of(model)
            for kind in [_plain(field.shape, made, bare_struct)]
        ]
        names = {field.name: field.wire for field in fields_of(model)}
        made[model] = msgspec.defstruct(model.__name__, fields, rename=names)
    return made[model]


def pydantic_model(model: Any, made: dict[Any, Any]) -> Any:
    """The pydantic model with the fields of a Model."""
    if model not in made:
        fields: dict[str, Any] = {
            field.name: (
                Optional[_plain(field.shape, made, pydantic_model)],  # noqa: UP045
                pydantic.Field(default=None, alias=field.wire),
            )
            for field in fields_of(model)
        }
        made[model] = pydantic.create_model(model.__name__, **fields)
    return made[model]


def _plain(shape: Shape, made: dict[Any, Any], make: Any) -> Any:
    if isinstance(shape, StructOf):
        return make(shape.model, made)
    if isinstance(shape, ListOf):
        return list[_plain(shape.item, made, make)]  # type: ignore[misc]
    if isinstance(shape, MapOf):
        return dict[str, _plain(shape.value, made, make)]  # type: ignore[misc]
    if isinstance(shape, Choice):
        return type(shape.values[0])
    assert isinstance(shape, Scalar)
    if shape.python is Quantity:
        return int | str
    if shape.python is Raw and make is pydantic_model:
        return Any
    return shape.python


if __name__ == "__main__":
    main()
