"""Large objects of built-in kinds, read and written in steps: the same comes of it as at one go."""

from typing import Any

import msgspec
from hypothesis import example, given
from hypothesis import strategies as st
from tests.cluster.wire.test_reading import TYPES

from kubewright.cluster.wire.builtin import builtin_codec
from kubewright.cluster.wire.codec import Undecodable
from kubewright.cluster.wire.findings import Findings
from kubewright.cluster.wire.reading import Readers
from kubewright.cluster.wire.restoring import Restoring
from kubewright.cluster.wire.sliced import Sliced
from kubewright.cluster.wire.writing import Writers
from kubewright.model.steps import counted, finish

THING = TYPES.type("a/v1.Thing")
READERS = Readers(TYPES)
WORDS = st.sampled_from(["", "a", "b", "YQ=="])
STRINGS = st.dictionaries(st.sampled_from("abc"), WORDS, max_size=3)
INNER = st.dictionaries(st.sampled_from(["value", "odd"]), WORDS, max_size=2)


def things(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    members = {
        "text": WORDS,
        "flag": st.booleans() | st.none(),
        "small": st.integers(-3, 3),
        "inner": INNER | st.none(),
        "inners": st.lists(INNER, max_size=5),
        "list": st.lists(WORDS, max_size=3) | STRINGS,
        "map": STRINGS,
        "blobs": STRINGS,
        "self": inner,
        "unknown": inner,
        "cells": st.lists(inner, max_size=2),
    }
    return st.fixed_dictionaries({}, optional=members)


DOCUMENTS = st.recursive(things(st.none()), things, max_leaves=4)


def outcome(obj: Any, found: Findings) -> Any:
    return obj, found.error, [*found.complaints], found.hollow


PATHS = st.sets(
    st.sampled_from(["text", "inner", "inner.value", "inners[1].value", "map", "map.a", "self.map", "self"])
)


@given(DOCUMENTS, st.integers(1, 8), PATHS)
def test_what_is_read_in_steps_is_the_same(document: dict[str, Any], most: int, duplicates: set[str]) -> None:
    writers = Writers(TYPES, READERS, keep_empty=True)
    one, other = Findings(duplicates), Findings(duplicates)
    whole = READERS.of(THING).read(document, None, one)
    parts = finish(Sliced(TYPES, READERS, writers, most).read(THING, document, None, other))
    assert outcome(parts, other) == outcome(whole, one)


@given(DOCUMENTS, st.integers(1, 8), st.booleans())
def test_what_is_arranged_in_steps_is_the_same(document: dict[str, Any], most: int, keep_empty: bool) -> None:
    found = Findings()
    obj = READERS.of(THING).read(document, None, found)
    if found.error is not None:
        return
    writers = Writers(TYPES, READERS, keep_empty=keep_empty)
    arrange = writers.of(THING)
    assert arrange is not None
    parts = finish(Sliced(TYPES, READERS, writers, most).arrange(THING, obj))
    assert msgspec.json.encode(parts) == msgspec.json.encode(arrange(obj))


SCALARS = st.sampled_from([None, True, 1, 2.0, 1.5, 2**40, "", "YQ==", "?"])
ANYTHING = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=3)
)


@given(DOCUMENTS, st.dictionaries(st.sampled_from(sorted(TYPES.fields("a/v1.Thing"))), ANYTHING), st.integers(1, 8))
@example({}, {"schemas": [{"a": None}]}, 1)
def test_what_is_restored_in_steps_is_the_same(document: dict[str, Any], more: dict[str, Any], most: int) -> None:
    told: list[Any] = []
    for in_steps in (False, True):
        restoring = Restoring(TYPES, READERS, most)
        try:
            if in_steps:
                made = finish(restoring.restore_in_steps(document | more, THING))
            else:
                made = restoring.restore(document | more, THING)
            told.append((msgspec.json.encode(made), restoring.complaints))
        except Undecodable as error:
            told.append((str(error), []))
    assert told[0] == told[1]


def test_a_large_object_is_restored_in_many_steps() -> None:
    codec = builtin_codec("", "v1", "Pod")
    found, steps = counted(codec.restore_in_steps(pod("odd")))
    assert found == codec.restore(pod("odd"))
    assert found.complaints == ['unknown field "spec.containers[0].env[3210].odd"']
    assert steps >= 20


def pod(odd: str = "value") -> dict[str, Any]:
    env = [{"name": f"N{number}", "value": "v"} for number in range(4000)]
    env[3210][odd] = "w"
    meta = {"name": "a", "annotations": {f"k{number}": "v" for number in range(5000)}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": {"containers": [{"name": "c", "env": env}]}}


def test_a_large_object_takes_many_steps() -> None:
    codec = builtin_codec("", "v1", "Pod")
    found, reading = counted(codec.read_in_steps(pod()))
    text, writing = counted(codec.write_in_steps(found.object))
    assert found == codec.read(pod())
    assert text == codec.write(found.object)
    assert min(reading, writing) >= 5


def test_a_large_object_with_keys_that_stand_twice_takes_many_steps() -> None:
    codec = builtin_codec("", "v1", "Pod")
    twice = ["spec.containers[0].env[7].name", "spec", "metadata.annotations", "metadata.annotations.k4321"]
    found, steps = counted(codec.read_in_steps(pod(), twice))
    assert found == codec.read(pod(), twice)
    assert len(found.complaints) == 4
    assert steps >= 5


def test_what_is_odd_is_told_where_it_stands() -> None:
    codec = builtin_codec("", "v1", "Pod")
    assert finish(codec.read_in_steps(pod("odd"))).complaints == codec.read(pod("odd")).complaints != []
    wrong = pod()
    wrong["spec"]["containers"][0]["env"][3999]["name"] = 5
    told = []
    for read in (codec.read, lambda document: finish(codec.read_in_steps(document))):
        try:
            read(wrong)
        except Undecodable as error:
            told.append(str(error))
    assert len(told) == 2
    assert told[0] == told[1]


def test_what_is_told_of_a_large_object_is_told_in_steps() -> None:
    codec = builtin_codec("", "v1", "Pod")
    found = codec.read(pod() | {"status": {}})
    found.object["spec"]["volumes"] = found.object["metadata"]["labels"] = {}
    told, steps = counted(codec.told_in_steps(found.object))
    assert told == codec.told(found.object)
    assert steps >= 5
