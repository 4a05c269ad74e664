"""Objects become messages."""

from typing import Any

from hypothesis import given
from tests.cluster.wire.protobuf.draw import kinds, objects

from kubewright.cluster.registry.rules.equality import same
from kubewright.cluster.wire.builtin import builtin_codec
from kubewright.cluster.wire.protobuf.envelope import read_object, write_object
from kubewright.model.resource import GroupVersionKind


@given(kinds().flatmap(objects))
def test_what_is_written_in_protobuf_reads_as_what_is_written_in_json(drawn: tuple[GroupVersionKind, Any]) -> None:
    kind, document = drawn
    obj = builtin_codec(*kind).read(document).object
    # But for what is empty: protobuf cannot tell it from none.
    assert same(obj, read_object(write_object(obj), kind))
