from kubewright.schema.structural.keywords import check_keywords


def test_findings_come_in_the_servers_order() -> None:
    schema = {
        "type": "strin",
        "$ref": "#/a",
        "uniqueItems": True,
        "properties": {"b": {"id": "x"}, "a": {"type": "null"}},
        "allOf": [{"x-kubernetes-map-type": "merge"}],
    }
    assert [error.field for error in check_keywords(schema, "s")] == [
        "s.type",
        "s.$ref",
        "s.uniqueItems",
        "s.properties[a].type",
        "s.properties[a].type",
        "s.properties[b].id",
        "s.allOf[0].type",
        "s.allOf[0].x-kubernetes-map-type",
    ]


def test_a_schema_without_fault_has_no_findings() -> None:
    schema = {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string", "default": "x"}}
    assert list(check_keywords(schema, "s")) == []
