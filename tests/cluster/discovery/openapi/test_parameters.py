from kubewright.cluster.discovery.openapi.parameters import in_order, v2_parameter, v3_parameter


def test_parameters_are_listed_by_name_and_those_of_the_path_first() -> None:
    assert in_order({"watch", "path", "{path}", "{namespace}", "limit"}) == [
        *("limit", "{namespace}", "{path}", "path", "watch"),
    ]


def test_a_parameter_of_the_path_is_required() -> None:
    assert v3_parameter("{name}") == {
        "name": "name",
        "in": "path",
        "required": True,
        "schema": {"type": "string", "uniqueItems": True},
    }


def test_a_parameter_of_the_query_has_a_type() -> None:
    assert v3_parameter("limit")["schema"]["type"] == "integer"
    assert v2_parameter("watch") == {"uniqueItems": True, "type": "boolean", "name": "watch", "in": "query"}
