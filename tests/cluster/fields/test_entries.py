from typing import Any

import pytest

from kubewright.cluster.fields.entries import BadEntries, Managed, Manager, is_reset, read_entries, write_entries
from kubewright.cluster.fields.ownership import Owned

ENTRY: dict[str, Any] = {
    "manager": "m",
    "operation": "Update",
    "apiVersion": "v1",
    "time": "2026-01-01T00:00:00Z",
    "fieldsType": "FieldsV1",
    "fieldsV1": {"f:data": {"f:k": {}}},
}


def test_what_is_read_is_written_again() -> None:
    entries = [ENTRY | {"operation": "Apply"}, ENTRY, ENTRY | {"subresource": "status"}]
    managed = read_entries(entries, trusted=True)
    assert write_entries(managed, sort=True) == entries


def test_who_updates_is_another_in_each_version_and_who_applies_is_not() -> None:
    others = read_entries([ENTRY, ENTRY | {"apiVersion": "v2"}], trusted=False).owned
    assert len(others) == 2
    applier = ENTRY | {"operation": "Apply"}
    assert len(read_entries([applier, applier | {"apiVersion": "v2"}], trusted=False).owned) == 1


def test_entries_stand_in_the_order_of_operation_time_and_name() -> None:
    owned = {
        Manager(name, operation, "v1", ""): Owned({"f:a": {}}, "v1", operation == "Apply")
        for name, operation in (("b", "Update"), ("a", "Update"), ("z", "Update"), ("y", "Apply"))
    }
    times = {manager: "2026-01-01T00:00:01Z" for manager in owned if manager.name != "z"}
    written = write_entries(Managed(owned, times, {}), sort=True)
    assert [entry["manager"] for entry in written] == ["y", "z", "a", "b"]
    assert "time" not in written[1]


def test_elements_are_put_in_order() -> None:
    owned = {Manager("a", "Update", "v1", ""): Owned({"f:b": {}, "f:a": {}}, "v1", False)}
    [entry] = write_entries(Managed(owned, {}, {}), sort=True)
    assert list(entry["fieldsV1"]) == ["f:a", "f:b"]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"operation": "Nope"}, "operation must be `Apply` or `Update`"),
        ({"apiVersion": ""}, "apiVersion must not be empty"),
        ({"fieldsType": ""}, "missing fieldsType in managed fields entry 0"),
        ({"fieldsType": "V2"}, 'invalid fieldsType "V2" in managed fields entry 0'),
        ({"fieldsV1": {"x": {}}}, "error decoding set: key must be 2 characters long:"),
    ],
)
def test_what_cannot_be_read_is_told(change: dict[str, Any], why: str) -> None:
    with pytest.raises(BadEntries, match=why):
        read_entries([ENTRY | change], trusted=False)


def test_a_reset_is_an_empty_list_or_one_empty_entry() -> None:
    assert is_reset([])
    assert is_reset([{}])
    assert not is_reset(None)
    assert not is_reset([{"manager": "a"}])
    assert not is_reset([{}, {}])


def test_managers_as_messages_have_them() -> None:
    assert str(Manager("a", "Apply", "", "")) == '"a"'
    assert str(Manager("a", "Update", "v1", "")) == '"a" using v1'
    assert str(Manager("a", "Update", "v1", "status")) == '"a" with subresource "status" using v1'


def test_managers_are_known_by_a_text() -> None:
    assert Manager("a", "Update", "v1", "scale").identity == (
        '{"manager":"a","operation":"Update","apiVersion":"v1","subresource":"scale"}'
    )
    assert Manager("a", "Apply", "", "").identity == '{"manager":"a","operation":"Apply"}'
