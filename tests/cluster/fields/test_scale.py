from typing import Any

from kubewright.cluster.fields.scale import place, to_object, to_scale

PLACES = {"x/v1": place(".spec.size"), "x/v2": None}


def _entry(manager: str, operation: str = "Update", version: str = "x/v1", fields: Any = None) -> dict[str, Any]:
    return {
        "manager": manager,
        "operation": operation,
        "apiVersion": version,
        "time": "2026-01-01T00:00:00Z",
        "fieldsType": "FieldsV1",
        "fieldsV1": fields or {"f:spec": {"f:size": {}}},
    }


def test_owners_of_the_number_own_it_in_the_scale() -> None:
    entries = [_entry("a"), _entry("b", fields={"f:spec": {"f:other": {}}}), _entry("c", version="x/v2")]
    [entry] = to_scale(entries, PLACES)
    assert (entry["manager"], entry["apiVersion"]) == ("a", "autoscaling/v1")
    assert entry["fieldsV1"] == {"f:spec": {"f:replicas": {}}}


def test_an_applier_that_still_owns_it_keeps_it() -> None:
    entries = [_entry("a", "Apply", fields={"f:spec": {"f:size": {}, "f:x": {}}})]
    assert to_object(entries, to_scale(entries, PLACES), PLACES, "x/v1", sort=True) == entries


def test_who_does_not_own_it_in_the_scale_has_lost_it() -> None:
    entries = [_entry("a", "Apply", fields={"f:spec": {"f:size": {}, "f:x": {}}}), _entry("b")]
    scale = [_entry("c", version="autoscaling/v1", fields={"f:spec": {"f:replicas": {}}}) | {"subresource": "scale"}]
    lost, taken = to_object(entries, scale, PLACES, "x/v1", sort=True)
    assert lost["fieldsV1"] == {"f:spec": {"f:x": {}}}
    assert (taken["manager"], taken["apiVersion"], taken["subresource"]) == ("c", "x/v1", "scale")
    assert taken["fieldsV1"] == {"f:spec": {"f:size": {}}}
    assert "time" not in taken


def test_entries_of_versions_that_are_not_known_are_dropped() -> None:
    entries = [_entry("a", version="x/v0"), _entry("b", version="x/v2")]
    assert [entry["manager"] for entry in to_object(entries, [], PLACES, "x/v1", sort=False)] == ["b"]
