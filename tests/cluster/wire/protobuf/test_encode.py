"""Objects become messages."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.cluster.wire.protobuf.draw import kinds, objects

from kubewright.cluster.registry.rules.equality import same
from kubewright.cluster.wire.builtin import builtin_codec
from kubewright.cluster.wire.protobuf.encode import encoders
from kubewright.cluster.wire.protobuf.envelope import read_object, write_in_steps, write_object
from kubewright.cluster.wire.types import kind_type
from kubewright.model.resource import GroupVersionKind
from kubewright.model.steps import counted, finish


@given(kinds().flatmap(objects))
def test_what_is_written_in_protobuf_reads_as_what_is_written_in_json(drawn: tuple[GroupVersionKind, Any]) -> None:
    kind, document = drawn
    obj = builtin_codec(*kind).read(document).object
    # But for what is empty: protobuf cannot tell it from none.
    assert same(obj, read_object(write_object(obj), kind))


@given(kinds().flatmap(objects), st.integers(1, 30))
def test_what_is_written_in_steps_is_the_same(drawn: tuple[GroupVersionKind, Any], most: int) -> None:
    kind, document = drawn
    obj = builtin_codec(*kind).read(document).object
    target = kind_type(kind.api_version, kind.kind)
    assert finish(encoders().encode_in_steps(target, obj, most)) == encoders().of(target)(obj)


def test_a_large_object_is_written_in_steps() -> None:
    env = [{"name": f"V{number}", "value": "v"} for number in range(10_000)]
    containers = [{"name": "c", "image": "i", "env": env}, {"name": "d", "image": "i"}]
    pod = {"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "p"}, "spec": {"containers": containers}}
    assert counted(write_in_steps(pod))[1] > 10
    assert finish(write_in_steps(pod)) == write_object(pod)
