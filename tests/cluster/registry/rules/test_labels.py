from kubewright.cluster.registry.rules.labels import check_labels, check_selector


def test_labels_are_judged_in_the_order_of_their_keys() -> None:
    told = [str(error) for error in check_labels({"b": "x y", "a b": ""}, "l")]
    assert [text.partition(": ")[2][:21] for text in told] == ['Invalid value: "a b":', 'Invalid value: "x y":']


def test_no_selector_is_no_mistake() -> None:
    assert [*check_selector(None, "s")] == []


def test_a_requirement_has_values_or_not() -> None:
    requirements = [{"key": "k", "operator": "In"}, {"key": "k", "operator": "Exists", "values": ["v"]}]
    requirements.append({"key": "k", "operator": "Gt"})
    assert [str(error) for error in check_selector({"matchExpressions": requirements}, "s")] == [
        "s.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
        "s.matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        's.matchExpressions[2].operator: Invalid value: "Gt": not a valid selector operator',
    ]
