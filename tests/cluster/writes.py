"""Writes to built-in kinds: a valid object, and over it whatever its Go type can hold, in every language of a write."""

from typing import Any

import msgspec
from hypothesis import strategies as st
from tests.cluster.requests import Asked
from tests.cluster.wire.protobuf.draw import objects
from tests.referee.fill import fill, names
from tests.referee.kinds import KINDS

from kubewright.cluster.wire.builtin import builtin_codec
from kubewright.cluster.wire.codec import Undecodable
from kubewright.cluster.wire.protobuf.envelope import write_object
from kubewright.model.resource import GroupVersionKind

__all__ = ["writes"]

Document = dict[str, Any]

_NAMES = {**names("default"), "base": {"metadata": {}}}
_KINDS = sorted({*KINDS} - {"Widget", "Gadget", "CustomResourceDefinition"})
_PARTS = ("", "", "/status", "/scale", "/ephemeralcontainers", "/resize", "/binding", "/eviction", "/token")
_PROTOBUF = "application/vnd.kubernetes.protobuf"
_PATCHES = ("merge-patch+json", "strategic-merge-patch+json", "apply-patch+yaml")


@st.composite
def writes(draw: st.DrawFn) -> list[Asked]:
    """An object is made, and then written otherwise than it should be."""
    kind = KINDS[draw(st.sampled_from(_KINDS))]
    path = fill(kind.path, _NAMES)
    valid = fill(kind.named("a", draw(st.sampled_from((kind.body, *kind.variants)))), _NAMES)
    group, _, version = valid["apiVersion"].rpartition("/")
    own = GroupVersionKind(group, version, valid["kind"])
    wrong = _laid(valid, draw(objects(own))[1])
    if draw(st.integers(0, 3)):
        wrong["metadata"] = {**(wrong.get("metadata") or {}), "name": "a"}
    place = f"{path}/a{draw(st.sampled_from(_PARTS))}"
    asked = [_asked("POST", path, valid), _asked("POST", path, wrong | {"metadata": {"name": "b"}})]
    asked.append(_asked("PUT", place, wrong))
    language = draw(st.sampled_from(_PATCHES))
    asked.append(_asked("PATCH", f"{place}?fieldManager=me&force=true", wrong, f"application/{language}"))
    try:
        message = write_object(builtin_codec(*own).read(wrong).object)
    except Undecodable:
        return asked
    at, byte = draw(st.integers(4, len(message) - 1)), draw(st.integers(0, 255))
    hurt = message[:at] + bytes([byte]) + message[at + 1 :]
    return [*asked, _asked("PUT", place, hurt, _PROTOBUF), _asked("DELETE", f"{path}/a", {})]


def _asked(method: str, target: str, body: Document | bytes, media: str = "application/json") -> Asked:
    data = body if isinstance(body, bytes) else msgspec.json.encode(body)
    return Asked(method, target, {"content-type": media, "accept": "application/json"}, data)


def _laid(under: Any, over: Any) -> Any:
    """One document over another; lists lie item upon item."""
    if isinstance(under, dict) and isinstance(over, dict):
        both = {name: _laid(under[name], over[name]) for name in under if name in over}
        return {**under, **over, **both}
    if isinstance(under, list) and isinstance(over, list):
        return [*map(_laid, under, over), *under[len(over) :], *over[len(under) :]]
    return over
