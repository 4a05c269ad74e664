import contextlib
import json
import math
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kubewright.errors import KubewrightError
from kubewright.model.documents import DocumentError, load_json
from kubewright.model.steps import counted, finish
from kubewright.model.yaml import dump_yaml, dump_yaml_in_steps, load_first_yaml, load_yaml, load_yaml_documents

TABLE: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "yaml.json").read_text())
READ = [row for row in TABLE["texts"] if "error" not in row]
REFUSED = [row for row in TABLE["texts"] if "error" in row]

CRD_LIKE = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: webs.example.com, labels: &labels {app: web}}
spec:
  names: {plural: webs, kind: Web}
  selector: *labels
  versions:
  - name: v1
    description: |-
      Several lines,
      kept as they are.
    pattern: '^[a-z]+$'
"""


def same(read: object, expected: object) -> bool:
    """Equal, and integers are integers; beyond 64 bits JSON's integers are floats, as they are in Go."""
    if isinstance(expected, dict):
        return (
            isinstance(read, dict) and list(read) == list(expected) and all(map(same, read.values(), expected.values()))
        )
    if isinstance(expected, list):
        return isinstance(read, list) and len(read) == len(expected) and all(map(same, read, expected))
    if type(expected) is int and not -(2**63) <= expected < 2**64:
        return read == float(expected)
    return read == expected and (type(read) is type(expected) or expected == 93 * 10**17)


# -- YAML in


@pytest.mark.parametrize("row", READ, ids=lambda row: repr(row["text"]))
def test_yaml_is_read_as_kubernetes_reads_it(row: dict[str, str]) -> None:
    read = load_yaml(row["text"])
    expected = json.loads(row["json"])
    if isinstance(expected, dict) and isinstance(read, dict):
        expected = {key: expected[key] for key in read if key in expected}  # Go sorts
        assert len(expected) == len(json.loads(row["json"]))
    assert same(read, expected), read


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: repr(row["text"]))
def test_what_kubernetes_refuses_is_refused_with_a_position(row: dict[str, str]) -> None:
    with pytest.raises(DocumentError) as caught:
        load_yaml(row["text"], "a.yaml")
    assert str(caught.value).startswith(f"a.yaml, line {caught.value.line}, column {caught.value.column}: ")
    assert isinstance(caught.value, KubewrightError)


def test_a_duplicate_key_is_told_with_both_positions() -> None:
    with pytest.raises(DocumentError) as caught:
        load_yaml("spec:\n  replicas: 1\n  image: a\n  replicas: 2\n", "web.yaml")
    assert str(caught.value) == (
        "web.yaml, line 4, column 3: key 'replicas' is already in this mapping, at line 2, column 3: remove one"
    )


def test_keys_that_become_equal_as_strings_are_duplicates() -> None:
    with pytest.raises(DocumentError, match="already in this mapping"):
        load_yaml("1: a\n'1': b\n")


def test_a_key_that_is_an_alias_counts_as_its_text() -> None:
    with pytest.raises(DocumentError, match="already in this mapping"):
        load_yaml("x: &a k\nm: {*a : 1, *a : 2}\n")


def test_an_alias_is_a_copy() -> None:
    read: Any = load_yaml("a: &x {b: [1]}\nc: *x\n")
    read["a"]["b"].append(2)
    assert read["c"] == {"b": [1]}


def test_a_merged_mapping_is_a_copy() -> None:
    read: Any = load_yaml("a: &x {b: [1]}\nc: {<<: *x}\n")
    read["a"]["b"].append(2)
    assert read["c"] == {"b": [1]}


def test_aliases_that_multiply_are_bounded() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    with pytest.raises(DocumentError, match="aliases expand to 4,357 values and more"):
        load_yaml("\n".join(lines))


def test_a_text_may_say_a_long_list_some_dozens_of_times() -> None:
    read: Any = load_yaml(f"a: &a [{', '.join('x' * 1000)}]\nb: [{', '.join(['*a'] * 50)}]\n")
    assert sum(map(len, read["b"])) == 50_000


@pytest.mark.parametrize("text", ["[" * 10**6, "- " * 10_000 + "a", "{a: " * 10_000, "? " * 10_000 + "a"])
def test_nesting_is_bounded_in_yaml(text: str) -> None:
    with pytest.raises(DocumentError):
        load_yaml(text)


def test_nesting_below_the_bound_is_read_and_written() -> None:
    text = "[" * 400 + "]" * 400
    assert load_yaml(dump_yaml(load_yaml(text))) == load_yaml(text)
    with pytest.raises(DocumentError, match="line 1, column 401: nested more than 400 levels deep"):
        load_yaml("[" * 401 + "]" * 401)


def test_aliases_cannot_nest_beyond_the_bound() -> None:
    lines = ["a0: &a0 x"] + [f"a{n}: &a{n} {'[' * 10}*a{n - 1}{']' * 10}" for n in range(1, 60)]
    with pytest.raises(DocumentError, match="nested more than 400 levels deep"):
        load_yaml("\n".join(lines))


def test_a_second_document_is_refused_where_one_is_expected() -> None:
    with pytest.raises(DocumentError, match="line 3, column 1: a second document"):
        load_yaml("a: 1\n# c\n---\nb: 2\n")


def test_all_documents_are_read_and_empty_ones_left_out() -> None:
    assert load_yaml_documents("---\n# nothing\n---\na: 1\n---\n---\n- 2\n...\n") == [{"a": 1}, [2]]
    assert load_yaml_documents("") == []


def test_bytes_that_are_not_utf8_are_refused_with_a_position() -> None:
    with pytest.raises(DocumentError, match="line 2, column 4: this is not UTF-8"):
        load_yaml(b"a: 1\nb: \xff\n")


def test_a_control_character_is_refused_with_a_position() -> None:
    with pytest.raises(DocumentError, match="line 2, column 5: control characters are not allowed"):
        load_yaml("a: 1\n\u00e9: '\x01'\n")


def test_a_lone_surrogate_is_refused() -> None:
    with pytest.raises(DocumentError, match="line 1, column 4: a lone surrogate"):
        load_yaml("a: \ud800")
    with pytest.raises(DocumentError, match="byte 1: a lone surrogate"):
        load_json('"\ud800"')
    with pytest.raises(DocumentError, match="a lone surrogate"):
        dump_yaml("\ud800")


def test_a_binary_that_is_no_text_is_refused() -> None:
    with pytest.raises(DocumentError, match="not UTF-8 text in base64"):
        load_yaml("!!binary /w==")


def test_a_tag_that_is_not_utf8_is_refused() -> None:
    with pytest.raises(DocumentError):
        load_yaml("!%ED%A0%80 x")


# -- YAML out


def test_yaml_is_written_in_block_style_and_insertion_order() -> None:
    value = {"spec": {"b": [1, {"c": None, "a": True}], "empty": [], "none": {}}, "kind": "X", "f": 1.5}
    assert dump_yaml(value) == (
        "spec:\n  b:\n  - 1\n  - c: null\n    a: true\n  empty: []\n  none: {}\nkind: X\nf: 1.5\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        *("y", "Y", "n", "yes", "No", "on", "OFF", "true", "False", "null", "~", "Null", "", "<<", "="),
        *(
            "1",
            "-1",
            "+1",
            "1.5",
            ".5",
            "1e3",
            "1E3",
            "0o7",
            "017",
            "0x1F",
            "0b1",
            "1_000",
            "08",
            ".inf",
            "-.INF",
            ".nan",
        ),
        *("2001-01-01", "2001-12-14T21:59:43Z", "2001-12-14 21:59:43.10 -5", "12:30:45", "190:20:30", "1:30"),
    ],
)
def test_a_string_that_looks_like_something_else_is_quoted(text: str) -> None:
    assert dump_yaml({text: text}) == f'"{text}": "{text}"\n'


@pytest.mark.parametrize("text", ["web", "v1", "100Mi", "5m", "a b", "1.2.3", "nginx:1.27", "x=y", "yess", "_1"])
def test_a_string_that_can_stand_bare_is_not_quoted(text: str) -> None:
    assert dump_yaml({"a": text}) == f"a: {text}\n"


def test_much_is_written_in_steps() -> None:
    text, steps = counted(dump_yaml_in_steps([{"a": "b"}] * 1000))
    assert text == "- a: b\n" * 1000
    assert steps == 20


def test_several_lines_become_a_literal_block() -> None:
    assert dump_yaml({"a": "x\n  y\n", "b": "x\ny"}) == "a: |\n  x\n    y\nb: |-\n  x\n  y\n"


def test_a_long_line_is_not_folded() -> None:
    assert dump_yaml({"a": "word " * 100 + "end"}).count("\n") == 1


def test_no_alias_is_written_for_a_shared_value() -> None:
    shared = [1]
    assert dump_yaml({"a": shared, "b": shared}) == "a:\n- 1\nb:\n- 1\n"


def test_kept_trailing_lines_need_no_end_marker() -> None:
    assert dump_yaml({"a": "x\n\n"}) == "a: |+\n  x\n\n"


def test_a_document_may_be_a_scalar() -> None:
    assert [load_yaml(dump_yaml(value)) for value in ("a", 1, None, "...", "--- x")] == ["a", 1, None, "...", "--- x"]


@pytest.mark.parametrize("value", [{1: 2}, {"a": b"x"}, [math.nan], {"a": -math.inf}, {"a": {2, 3}}])
def test_what_json_cannot_say_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        dump_yaml(value)


def test_a_value_that_contains_itself_is_refused() -> None:
    value: list[object] = []
    value.append(value)
    with pytest.raises(DocumentError, match="nested more than 400 levels deep"):
        dump_yaml(value)


# -- properties

texts = st.text(st.characters(codec="utf-8"), max_size=20) | st.text("ab \n\t:-#'\"|>\u00e9\u2028", max_size=12)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(-(2.0**53), 2.0**53) | texts,
    lambda children: st.lists(children, max_size=4) | st.dictionaries(texts, children, max_size=4),
    max_leaves=20,
)


@given(values)
def test_what_is_written_is_read_back(value: object) -> None:
    assert load_yaml(dump_yaml(value)) == value


@given(values)
def test_what_is_written_means_the_same_to_another_reader(value: object) -> None:
    assert yaml.load(dump_yaml(value), Loader=yaml.CSafeLoader) == value


@given(values)
def test_json_is_yaml(value: object) -> None:
    text = json.dumps(value, ensure_ascii=False)
    if text.isprintable():  # JSON lets some control and breaking characters stand as they are
        assert load_yaml(text) == load_json(text) == value


def read_or_refuse(text: str | bytes) -> None:
    for load in (load_yaml, load_yaml_documents, load_json):
        with contextlib.suppress(DocumentError):
            load(text)


@given(st.text() | st.binary() | st.text("[]{}:,-&*!|>'\"%@`#? \n\tab1.~<", max_size=40))
def test_any_text_is_read_or_refused_with_our_error(text: str | bytes) -> None:
    read_or_refuse(text)


@given(st.data())
def test_a_damaged_document_is_read_or_refused_with_our_error(data: st.DataObject) -> None:
    original = CRD_LIKE.encode() if data.draw(st.booleans()) else json.dumps(load_yaml(CRD_LIKE)).encode()
    start = data.draw(st.integers(0, len(original)))
    end = data.draw(st.integers(start, min(len(original), start + 5)))
    read_or_refuse(original[:start] + data.draw(st.binary(max_size=5)) + original[end:])


def test_a_server_takes_the_first_document_and_the_last_value_of_a_key() -> None:
    text = b"a: 1\nb: {c: 1, c: 2}\na: 3\ny: 4\ntrue: 5\n---\n[\n"
    value, repeated = finish(load_first_yaml(text))
    assert value == {"a": 3, "b": {"c": 2}, "true": 5}
    assert repeated == [(2, "c"), (3, "a"), (5, True)]


def test_a_server_takes_no_document_for_nothing() -> None:
    assert finish(load_first_yaml(b"# nothing\n")) == (None, [])


def test_a_server_reads_in_steps() -> None:
    text = b"".join(b"- &a%d {b: c}\n- *a%d\n" % (number, number) for number in range(500))
    assert sum(1 for _ in load_first_yaml(text)) >= 12
    assert finish(load_first_yaml(text)) == ([{"b": "c"}] * 1000, [])
