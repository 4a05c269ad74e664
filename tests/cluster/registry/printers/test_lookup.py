"""Reading objects for a table."""

from datetime import UTC, datetime

from kubewright.cluster.registry.printers.lookup import at, format_labels, format_selector, more, selector_text, table

NOW = datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC)


def test_what_is_missing_or_null_on_the_way_gives_the_default() -> None:
    assert at({"a": {"b": None}}, "a", "b", default=3) == 3
    assert at({"a": []}, "a", "b", default=3) == 3
    assert at({"a": {"b": 0}}, "a", "b", default=3) == 0


def test_labels_stand_in_order() -> None:
    assert format_labels({"b": "1", "a": ""}) == "a=,b=1"
    assert format_labels({}) == "<none>"


def test_a_selector_stands_in_order_of_its_keys() -> None:
    expressions = [
        {"key": "d", "operator": "In", "values": ["y", "x"]},
        {"key": "a", "operator": "NotIn", "values": ["z"]},
        {"key": "e", "operator": "Exists"},
        {"key": "b", "operator": "DoesNotExist"},
    ]
    text = "a notin (z),!b,c=1,d in (x,y),e"
    assert selector_text({"matchLabels": {"c": "1"}, "matchExpressions": expressions}) == text
    assert format_selector(None) == "<none>"


def test_few_are_told_and_the_rest_counted() -> None:
    assert more(["a", "b", "c"], 3) == "a,b,c"
    assert more(["a", "b", "c", "d"], 3) == "a,b,c + 1 more..."
    assert more([], 3) == "<unset>"


def test_columns_are_written_in_one_line() -> None:
    printer = table("Ready, Count:integer, +Node", lambda obj, now: ["yes", 1, "n"])
    assert [(each["name"], each["type"], each["format"], each["priority"]) for each in printer.definitions] == [
        ("Name", "string", "name", 0),
        ("Ready", "string", "", 0),
        ("Count", "integer", "", 0),
        ("Node", "string", "", 1),
    ]
    assert printer.cells({"metadata": {"name": "x"}}, NOW) == ["x", "yes", 1, "n"]
