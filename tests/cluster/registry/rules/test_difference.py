from kubewright.cluster.registry.rules.difference import inner_difference


def test_a_change_is_told_with_the_lines_around_it() -> None:
    old, new = {"name": "a", "value": "1"}, {"name": "a", "value": "<2>"}
    assert inner_difference(old, new, "core/v1.EnvVar") == (
        '@@ -1,5 +1,5 @@\n {\n  "Name": "a",\n- "Value": "1",\n+ "Value": "\\u003c2\\u003e",\n  "ValueFrom": null\n }\n'
    )


def test_nothing_changed() -> None:
    assert inner_difference({"name": "a"}, {"name": "a"}, "core/v1.EnvVar") == ""
