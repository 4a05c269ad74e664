"""CRD-9, NEG-4: the columns of custom and built-in kinds, held against recorded tables of a real server."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from kubewright.cluster.registry.columns import DEFAULT, SCALE, builtin_columns, custom_columns

DATA = Path(__file__).parent / "data"
NOW = datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC)


def read(name: str) -> Any:
    return json.loads((DATA / name).read_text())


def shapes(definitions: Any) -> list[list[Any]]:
    return [[each["name"], each["type"], each["format"], each["priority"]] for each in definitions]


def test_crd_9_cells_are_those_of_a_real_server() -> None:
    obj, *cells = read("columns.json")
    for kind, path, want in cells:
        got = custom_columns([{"name": "C", "type": kind, "jsonPath": path}]).cells(obj, NOW)[1]
        assert (got, type(got)) == (want, type(want)), (kind, path)


def test_crd_9_a_date_is_an_age() -> None:
    columns = custom_columns([{"name": "Since", "type": "date", "jsonPath": ".status.since"}])
    assert columns.cells({"metadata": {"name": "x"}, "status": {"since": "2020-01-02T03:00:00Z"}}, NOW) == ["x", "4m5s"]


def test_crd_9_columns_are_defined_as_they_are_given() -> None:
    given = {
        "name": "N",
        "type": "integer",
        "format": "int32",
        "jsonPath": ".a",
        "priority": 1,
        "description": "A number.",
    }
    columns = custom_columns([given, {"name": "M", "type": "string", "jsonPath": ".b"}])
    assert list(columns.definitions)[1:] == [
        {"name": "N", "type": "integer", "format": "int32", "description": "A number.", "priority": 1},
        {
            "name": "M",
            "type": "string",
            "format": "",
            "description": "Custom resource definition column (in JSONPath format): .b",
            "priority": 0,
        },
    ]


def test_crd_9_without_columns_there_are_name_and_age() -> None:
    columns = custom_columns([])
    assert shapes(columns.definitions) == [["Name", "string", "name", 0], ["Age", "date", "", 0]]
    assert columns.cells({"metadata": {"name": "x", "creationTimestamp": "2020-01-02T03:04:00Z"}}, NOW) == ["x", "5s"]


def test_crd_9_columns_end_where_one_cannot_be_read() -> None:
    given = [
        {"name": name, "type": "string", "jsonPath": path} for name, path in (("A", ".a"), ("B", ".b["), ("C", ".c"))
    ]
    columns = custom_columns(given)
    assert [each["name"] for each in columns.definitions] == ["Name", "A"]
    assert columns.cells({"metadata": {}, "a": "x"}, NOW) == ["", "x"]


def test_the_scale_of_a_custom_resource() -> None:
    scale = {"metadata": {"name": "x"}, "spec": {"replicas": 2}, "status": {"replicas": 1}}
    assert SCALE.cells(scale, NOW) == ["x", 2, 1, None]


@pytest.mark.parametrize(("api_version", "kind", "want"), read("definitions.json"))
def test_neg_4_a_built_in_kind_has_the_columns_of_a_real_server(api_version: str, kind: str, want: list[Any]) -> None:
    columns = builtin_columns(api_version.rpartition("/")[0], kind)
    assert shapes(columns.definitions) == want
    assert columns.null_when_empty == (want[1][0] == "Created At")


def test_neg_4_the_rows_of_built_in_kinds_are_those_of_a_real_server() -> None:
    kinds = set()
    for api_version, kind, obj, cells, conditions, answered in read("tables.json"):
        columns = builtin_columns(api_version.rpartition("/")[0], kind)
        # The server's clock may have moved on between the row and the date of its answer.
        times = [datetime.fromisoformat(answered) + timedelta(seconds=ahead) for ahead in (0, -1, 1)]
        assert cells in [columns.cells(obj, now) for now in times], (kind, obj)
        assert columns.conditions(obj) == conditions
        kinds.add(kind)
    assert len(kinds) > 45


@pytest.mark.parametrize(("api_version", "kind"), [row[:2] for row in read("definitions.json")])
def test_an_object_with_nothing_in_it_has_a_row(api_version: str, kind: str) -> None:
    columns = builtin_columns(api_version.rpartition("/")[0], kind)
    empty: list[dict[str, Any]] = [{"metadata": {}}, {"metadata": {"name": "x"}, "spec": None, "status": None}]
    for obj in empty:
        # One column is missing in the server's own definition.
        assert len(columns.cells(obj, NOW)) == len(columns.definitions) + (kind == "IPAddress")


def test_a_kind_that_nobody_wrote_columns_for_shows_when_it_was_created() -> None:
    assert DEFAULT.cells({"metadata": {"name": "x", "creationTimestamp": "2020-01-02T03:04:05Z"}}, NOW) == [
        "x",
        "2020-01-02T03:04:05Z",
    ]
    assert DEFAULT.cells({"metadata": {}}, NOW) == ["", "0001-01-01T00:00:00Z"]
