import sys
from types import FrameType
from typing import Any

from kubewright.cluster.wire.builtin import builtin_codec
from kubewright.cluster.wire.prepare import COMMON, prepare
from kubewright.cluster.wire.types import table

POD = {"metadata": {"name": "a"}, "spec": {"containers": [{"name": "c", "env": [{"name": "e"}]}], "hostAliases": [{}]}}


def test_types_come_one_by_one_each_once_and_with_what_they_are_made_of() -> None:
    found = list(prepare())
    assert len(found) == len(set(found))
    assert {"core/v1.Pod", "core/v1.PodSpec", "core/v1.Container", "core/v1.Probe", "apps/v1.Deployment"} <= set(found)


def test_nothing_is_left_to_be_made_for_an_object_of_such_a_kind() -> None:
    list(prepare())
    called: list[str] = []

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            called.append(frame.f_code.co_name)

    codec = builtin_codec("", "v1", "Pod")
    before = sys.getprofile()
    sys.setprofile(note)
    try:
        codec.write(codec.read(POD).object)
    finally:
        sys.setprofile(before)
    assert "arrange" in called
    assert "prepare" not in called


def test_every_kind_that_is_named_exists() -> None:
    for version, kinds in COMMON:
        for kind in kinds:
            group, _, name = version.rpartition("/")
            builtin_codec(group, name, kind)
    assert table().fields("core/v1.Pod")
