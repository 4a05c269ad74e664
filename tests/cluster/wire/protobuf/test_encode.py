"""Objects become messages."""

from typing import Any

from hypothesis import given
from tests.cluster.wire.protobuf.draw import kinds, objects

from kubewright.cluster.wire.builtin import builtin_codec
from kubewright.cluster.wire.protobuf.envelope import read_object, write_object
from kubewright.model.resource import GroupVersionKind


@given(kinds().flatmap(objects))
def test_what_is_written_in_protobuf_reads_as_what_is_written_in_json(drawn: tuple[GroupVersionKind, Any]) -> None:
    kind, document = drawn
    codec = builtin_codec(*kind)
    obj = codec.read(document).object
    assert codec.write(read_object(write_object(obj), kind)) == codec.write(obj)
