"""Documents in and out: tolerant to read, and nothing is lost."""

import contextlib
import copy
import itertools
import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone
from enum import Enum
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kubewright as kw
from kubewright.model import codec
from kubewright.model.meta import info_of


class Mode(Enum):
    FAST = "fast"
    SAFE = "safe"


class Port(kw.Model):
    name: str
    number: int = 80
    target: kw.IntOrString | None = None


class Git(kw.Model):
    repository: str
    depth: int = 0


class Bucket(kw.Model):
    bucket: str
    region: str | None = None


class Spec(kw.Model):
    image: str
    replicas: int = 1
    mode: Mode = Mode.SAFE
    modes: list[Mode] = kw.field(default_factory=list)
    level: Literal["low", "high"] = "low"
    memory: kw.Quantity | None = None
    timeout: kw.Duration | None = None
    since: kw.Time | None = None
    renewed: kw.MicroTime | None = None
    secret: bytes | None = None
    ratio: kw.Number | None = None
    ports: Annotated[list[Port], kw.ListMap("name")] = kw.field(default_factory=list)
    steps: list[Port] = kw.field(default_factory=list)
    named: dict[str, Port] = kw.field(default_factory=dict)
    source: Git | Bucket | None = None
    sources: list[Git | Bucket] = kw.field(default_factory=list)
    extra: Any = None
    flag: bool | None = None


class Thing(kw.Resource, group="test.example.com", version="v1"):
    spec: Spec
    status: kw.Status = kw.field(default_factory=kw.Status)


def test_null_reads_as_absent() -> None:
    spec = kw.decode(b'{"image": null, "replicas": null, "ports": null, "memory": null, "named": null}', Spec)
    assert (spec.replicas, spec.ports, spec.memory, spec.named) == (1, [], None, {})
    with pytest.raises(kw.MissingField):
        _ = spec.image


def test_null_inside_lists_and_maps_does_not_break_the_reader() -> None:
    spec = kw.decode(b'{"ports": [null, {"name": "a"}], "named": {"x": null}, "modes": [null]}', Spec)
    assert spec.ports == [None, Port(name="a")]
    assert kw.to_dict(spec) == {"ports": [None, {"name": "a"}], "named": {"x": None}, "modes": [None]}


def test_an_unknown_enum_member_stays_a_string() -> None:
    spec = kw.decode(b'{"mode": "ludicrous", "modes": ["fast", "new"], "level": "extreme"}', Spec)
    read: list[Any] = [spec.mode, spec.modes, spec.level]
    assert read == ["ludicrous", [Mode.FAST, "new"], "extreme"]


def test_a_value_of_another_type_stays_as_it_came() -> None:
    data = b'{"replicas": "three", "ports": {"a": 1}, "memory": [1], "since": "yesterday", "secret": 7, "source": 1}'
    spec = kw.decode(data, Spec)
    read: list[Any] = [spec.replicas, spec.memory, spec.since]
    assert read == ["three", [1], "yesterday"]
    assert kw.to_dict(spec) == msgspec.json.decode(data)


def test_the_rest_of_an_object_with_an_odd_value_is_typed() -> None:
    spec = kw.decode(b'{"replicas": "three", "ports": [{"name": "a", "number": "x"}], "memory": "1Gi"}', Spec)
    assert spec.ports[0].name == "a"
    assert spec.memory == kw.Quantity("1Gi")


def test_values_have_their_python_types() -> None:
    spec = kw.decode(
        b'{"mode": "fast", "memory": "1500m", "timeout": "1h30m", "since": "2024-05-06T07:08:09Z", "secret": "aGk=",'
        b' "renewed": "2024-05-06T07:08:09.000123Z", "ratio": 1, "ports": [{"name": "a", "target": "http"}]}',
        Spec,
    )
    assert spec.mode is Mode.FAST
    assert spec.memory == kw.Quantity("1.5")
    assert spec.timeout == kw.Duration("90m")
    assert spec.since == datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
    assert (spec.secret, spec.ratio, spec.ports[0].target) == (b"hi", 1.0, "http")


def test_values_are_written_as_kubernetes_writes_them() -> None:
    moment = datetime(2024, 5, 6, 7, 8, 9, 123, tzinfo=UTC)
    spec = Spec(image="x", mode=Mode.FAST, memory=kw.Quantity("1Gi"), timeout=kw.Duration("90m"), since=moment,
                renewed=moment, secret=b"hi", extra={"when": moment, "port": Port(name="a")})  # fmt: skip
    assert kw.to_dict(spec) == {
        "image": "x",
        "mode": "fast",
        "memory": "1Gi",
        "timeout": "90m",
        "since": "2024-05-06T07:08:09Z",
        "renewed": "2024-05-06T07:08:09.000123Z",
        "secret": "aGk=",
        "extra": {"when": "2024-05-06T07:08:09Z", "port": {"name": "a"}},
    }


def test_a_union_is_picked_by_the_member_present() -> None:
    spec = kw.decode(b'{"source": {"bucket": "b", "new": 1}, "sources": [{"repository": "r"}, {"bucket": "b"}]}', Spec)
    assert isinstance(spec.source, Bucket)
    assert [type(source) for source in spec.sources] == [Git, Bucket]


def test_a_union_of_no_known_member_stays_as_it_came() -> None:
    data = {"source": {"ftp": "x"}, "sources": [{"ftp": 1}]}
    assert kw.to_dict(kw.from_dict(data, Spec)) == data


def test_a_resource_sends_its_kind() -> None:
    assert kw.to_dict(Thing(spec=Spec(image="x"))) == {
        "apiVersion": "test.example.com/v1",
        "kind": "Thing",
        "spec": {"image": "x"},
    }


def test_metadata_spec_and_status_always_read_as_objects() -> None:
    thing = kw.decode(b"{}", Thing)
    assert (thing.metadata.name, thing.spec.replicas, thing.status.conditions) == ("", 1, [])
    assert kw.to_dict(thing) == {}


def test_parts_that_always_read_as_objects_do_so_whatever_stands_there() -> None:
    document = {"metadata": 3, "spec": [], "status": "x"}
    thing = kw.from_dict(document, Thing)
    assert (thing.metadata.name, thing.spec.replicas, thing.status.conditions) == ("", 1, [])
    assert kw.to_dict(thing) == document


def test_another_member_of_a_union_takes_nothing_over_from_the_one_before() -> None:
    spec = kw.from_dict({"source": {"repository": "r", "unknown": 1}}, Spec)
    spec.source = Bucket(bucket="b")
    assert kw.to_dict(spec) == {"source": {"bucket": "b"}}
    spec = kw.from_dict({"source": {"repository": "r", "unknown": 1}}, Spec)
    assert isinstance(spec.source, Git)
    spec.source.depth = 3
    assert kw.to_dict(spec) == {"source": {"repository": "r", "unknown": 1, "depth": 3}}


def test_a_document_read_without_a_kind_is_written_without_one() -> None:
    thing = kw.decode(b'{"spec": {"image": "x"}}', Thing)
    thing.spec.replicas = 2
    assert kw.to_dict(thing) == {"spec": {"image": "x", "replicas": 2}}


def test_unknown_fields_survive_at_every_depth() -> None:
    document: dict[str, Any] = {
        "kind": "Thing",
        "new": 1,
        "metadata": {"name": "x", "new": [1]},
        "spec": {"new": {"a": 1}, "ports": [{"name": "a", "new": 1}], "named": {"k": {"name": "z", "new": 2}}},
        "status": {"new": None},
    }
    thing = kw.from_dict(document, Thing)
    thing.spec.ports[0].number = 81
    thing.spec.named["k"].number = 82
    thing.metadata.labels["a"] = "b"
    document["spec"]["ports"][0]["number"] = 81
    document["spec"]["named"]["k"]["number"] = 82
    document["metadata"]["labels"] = {"a": "b"}
    assert kw.to_dict(thing) == document


def test_keyed_items_keep_their_unknown_fields_when_moved_added_and_removed() -> None:
    thing = kw.from_dict({"ports": [{"name": n, "new": n} for n in "abc"]}, Spec)
    a, _, c = thing.ports
    thing.ports = [c, Port(name="d"), a]
    assert kw.to_dict(thing) == {"ports": [{"name": "c", "new": "c"}, {"name": "d"}, {"name": "a", "new": "a"}]}


def test_items_without_a_key_are_matched_by_index_while_the_length_is_the_same() -> None:
    thing = kw.from_dict({"steps": [{"name": "a", "new": 1}, {"name": "b", "new": 2}]}, Spec)
    thing.steps[1].name = "c"
    assert kw.to_dict(thing) == {"steps": [{"name": "a", "new": 1}, {"name": "c", "new": 2}]}
    thing.steps.append(Port(name="d"))
    assert kw.to_dict(thing) == {"steps": [{"name": "a"}, {"name": "c"}, {"name": "d"}]}


def test_what_was_not_touched_keeps_its_spelling() -> None:
    data = b'{"memory":"1000m","timeout":"90m","since":"2024-05-06T07:08:09+02:00","replicas":3}'
    spec = kw.decode(data, Spec)
    spec.replicas = 4
    assert kw.encode(spec) == data.replace(b"3}", b"4}")


class Plain(kw.Model):
    """A class that msgspec alone can write."""

    image: str = ""
    size: kw.Quantity | None = None
    timeout: kw.Duration | None = None
    since: kw.Time | None = None
    secret: bytes | None = None
    mode: Mode | None = None
    ports: list[Port] = kw.field(default_factory=list)
    named: dict[str, Port] = kw.field(default_factory=dict)
    source: Git | Bucket | None = None


moments = st.datetimes(timezones=st.just(UTC) | st.none()) | st.datetimes(
    timezones=st.integers(-720, 720).map(lambda minutes: timezone(timedelta(minutes=minutes)))
)
built_ports = st.builds(Port, name=st.text(), target=st.none() | st.integers() | st.text())
built = st.builds(
    Plain,
    image=st.text(),
    size=st.sampled_from([None, kw.Quantity("1000m"), kw.Quantity(3)]),
    timeout=st.sampled_from([None, kw.Duration("90m")]),
    since=st.none() | moments,
    secret=st.none() | st.binary(),
    mode=st.sampled_from([None, *Mode]),
    ports=st.lists(built_ports, max_size=2),
    named=st.dictionaries(st.text(), built_ports, max_size=2),
    source=st.none() | st.builds(Git, repository=st.text()) | st.builds(Bucket, bucket=st.text()),
)


@given(built)
def test_the_quick_way_to_write_and_the_slow_one_agree(obj: Plain) -> None:
    assert codec._written(obj) == codec._dump(obj)


def test_the_quick_way_is_taken_where_it_can_be() -> None:
    kw.decode(b"{}", Plain)
    kw.decode(b"{}", Spec)
    assert [info_of(model).codec.by_msgspec for model in (Plain, Spec)] == [True, False]


class Shelf(kw.Model):
    items: list[str] = kw.field(default_factory=list)
    labels: dict[str, str] = kw.field(default_factory=lambda: {"a": "b"})


class Store(kw.Model):
    shelf: Shelf = kw.field(default_factory=Shelf)
    items: list[str] = kw.field(default_factory=list)


@pytest.mark.parametrize(
    ("touch", "written"),
    [
        (lambda store: store.items, {}),
        (lambda store: store.items.append("x"), {"items": ["x"]}),
        (lambda store: store.items.append('"~lent"'), {"items": ['"~lent"']}),
        (lambda store: store.shelf, {}),
        (lambda store: store.shelf.items.append("x"), {"shelf": {"items": ["x"]}}),
        (
            lambda store: (store.items.append("x"), store.shelf.items.append("y")),
            {"shelf": {"items": ["y"]}, "items": ["x"]},
        ),
        (lambda store: store.shelf.labels, {}),
        (lambda store: store.shelf.labels.clear(), {"shelf": {"labels": {}}}),
    ],
)
def test_what_was_only_lent_is_written_if_it_was_changed(touch: Any, written: Any) -> None:
    store = Store()
    touch(store)
    assert codec._written(store) == codec._dump(store) == written


def test_an_object_that_was_read_by_itself_and_then_put_into_another_is_written_as_a_part() -> None:
    port = kw.decode(b'{"name": "a", "unknown": 1}', Port)
    assert kw.to_dict(Plain(ports=[port])) == {"ports": [{"name": "a"}]}


def test_a_document_that_was_read_and_not_changed_is_written_byte_for_byte() -> None:
    data = b'{ "image" : "x",\n "unknown": [1, 2], "replicas": 1e0 }'
    assert kw.encode(kw.decode(data, Plain)) == data


@pytest.mark.parametrize("data", [b"", b"{", b'{"image": }', b"\xff", b"{}{}", b'{"image": "\xff"}', b"[" * 100_000])
def test_malformed_json_raises_our_error_with_the_position(data: bytes) -> None:
    with pytest.raises(kw.DocumentError, match=r"byte|nest"):
        kw.decode(data, Thing)


@pytest.mark.parametrize("data", [b"[]", b"3", b'"x"', b"null"])
def test_a_document_that_is_no_object_is_refused(data: bytes) -> None:
    with pytest.raises(kw.DocumentError, match="a Thing is a JSON object"):
        kw.decode(data, Thing)


def test_user_annotations_are_as_written_after_decoding() -> None:
    kw.decode(b"{}", Spec)
    assert Spec.__annotations__["replicas"] is int


@given(st.binary() | st.text().map(str.encode))
def test_no_bytes_raise_anything_but_our_error(data: bytes) -> None:
    with contextlib.suppress(kw.DocumentError):
        kw.decode(data, Thing)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
unknown = st.dictionaries(st.sampled_from(["x", "new", "é", "", "~raw"]), json_values, max_size=2)


def documents(known: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Objects with some known fields, of which some have values of a wrong type, and some unknown ones."""
    fields = {name: values | json_values for name, values in known.items()}
    return st.tuples(unknown, st.fixed_dictionaries({}, optional=fields)).map(lambda parts: parts[0] | parts[1])


ports = documents({"name": st.text(), "number": st.integers(), "target": st.integers() | st.text()})
specs = documents(
    {
        "image": st.text(),
        "replicas": st.integers(),
        "mode": st.sampled_from(["fast", "safe", "new"]),
        "memory": st.sampled_from(["1Gi", "1000m", "x"]),
        "ports": st.lists(ports, max_size=3),
        "steps": st.lists(ports, max_size=3),
        "named": st.dictionaries(st.text(), ports, max_size=2),
        "source": documents({"repository": st.text(), "bucket": st.text()}),
        "since": st.just("2024-05-06T07:08:09.5+02:00"),
        "extra": json_values,
    }
)


@given(specs)
def test_any_document_is_read_and_written_back_equal(document: dict[str, Any]) -> None:
    assert msgspec.json.encode(kw.to_dict(kw.from_dict(document, Spec))) == msgspec.json.encode(document)


@given(specs, st.integers(), st.text())
def test_after_any_edit_of_known_fields_the_rest_is_equal(document: dict[str, Any], number: int, text: str) -> None:
    expected = copy.deepcopy(document)
    spec = kw.from_dict(document, Spec)
    spec.replicas = number
    expected["replicas"] = number
    for key in ("ports", "steps"):
        items = getattr(spec, key)
        for index, item in enumerate(items if isinstance(items, list) else []):
            if isinstance(item, Port):
                item.target = text
                expected[key][index]["target"] = text
    spec.image = text
    expected["image"] = text
    assert kw.to_dict(spec) == expected


def test_field_sets_of_managers_stay_raw_and_are_written_as_they_came() -> None:
    document = b'{"metadata":{"name":"a","managedFields":[{"manager":"m","fieldsV1":{"f:spec": {"f:x":{}}}}]}}'
    read = kw.decode(document, kw.PartialObjectMetadata)
    fields = read.metadata.managed_fields[0].fields_v1
    assert fields is not None
    assert bytes(fields) == b'{"f:spec": {"f:x":{}}}'
    read.metadata.managed_fields[0].manager = "n"
    assert kw.to_dict(read)["metadata"]["managedFields"] == [{"manager": "n", "fieldsV1": {"f:spec": {"f:x": {}}}}]


def test_a_class_can_be_prepared_before_it_is_used() -> None:
    class Fresh(kw.Model):
        name: str = ""

    codec.prepare(Fresh)
    prepared = info_of(Fresh).codec
    assert prepared is not None
    codec.prepare(Fresh)
    assert info_of(Fresh).codec is prepared
    assert codec.decode(b'{"name":"a"}', Fresh).name == "a"


def test_a_class_is_prepared_in_steps_what_it_is_made_of_first() -> None:
    class Low(kw.Model):
        name: str = ""

    class Left(kw.Model):
        low: Low | None = None

    class Right(kw.Model):
        lows: list[Low] | None = None
        self_: "list[Right] | None" = None

    class Top(kw.Model):
        left: Left | None = None
        right: dict[str, Right] | None = None

    steps = codec.prepare_in_steps(Top)
    prepared = [[each.__name__ for each in (Low, Left, Right, Top) if info_of(each).codec] for _ in steps]
    assert [names for names, _ in itertools.groupby(prepared)] == [
        [],
        ["Low"],
        ["Low", "Left"],
        ["Low", "Left", "Right"],
        ["Low", "Left", "Right", "Top"],
    ]
    assert list(codec.prepare_in_steps(Top)) == []
    document = b'{"left":{"low":{"name":"a"}},"right":{"k":{"lows":[{"name":null,"more":1}]}}}'
    read = codec.decode(document, Top)
    assert read.right is not None
    read.right["l"] = Right(lows=[Low(name="b")])
    assert codec.to_dict(read) == {
        "left": {"low": {"name": "a"}},
        "right": {"k": {"lows": [{"name": None, "more": 1}]}, "l": {"lows": [{"name": "b"}]}},
    }


def test_how_a_class_is_written_does_not_depend_on_what_was_prepared_before() -> None:
    class Moment(kw.Model):
        at: kw.MicroTime | None = None

    class Diary(kw.Model):
        moments: list[Moment] | None = None

    codec.prepare(Moment)
    when = datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert codec.to_dict(Diary(moments=[Moment(at=when)])) == {"moments": [{"at": "2020-01-02T03:04:05.000000Z"}]}


THREADS = """
import threading
from kubewright.k8s.apps.v1 import DaemonSet, Deployment, StatefulSet
from kubewright.k8s.batch.v1 import Job
from kubewright.model.codec import decode

TEXT = b'{"spec":{"template":{"spec":{"containers":[{"name":"c"}]}}}}'
together, names = threading.Barrier(4), []
def read(kind):
    together.wait()
    names.append(decode(TEXT, kind).spec.template.spec.containers[0].name)
threads = [threading.Thread(target=read, args=(kind,)) for kind in (Deployment, StatefulSet, DaemonSet, Job)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(*names)
"""


def test_several_threads_may_be_the_first_to_read_classes_that_share_others() -> None:
    done = subprocess.run([sys.executable, "-c", THREADS], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("c c c c\n", "")


def test_a_document_that_is_too_deep_is_refused_whatever_its_class() -> None:
    text = b'{"image":"a","extra":' + b"[" * 1500 + b"]" * 1500 + b"}"
    with pytest.raises(kw.DocumentError, match="nested more than 400 levels deep"):
        kw.decode(text, Spec)
