from kubewright.cluster.registry.rules.matching import invalid_selector, is_blank, read_selector


def test_a_selector_is_shown_in_the_order_of_its_type() -> None:
    selector = {
        "matchExpressions": [{"values": ["x"], "operator": "Odd", "key": "k"}],
        "matchLabels": {"b": "2", "a": "1"},
    }
    assert str(invalid_selector("spec.selector", selector, "no")) == (
        'spec.selector: Invalid value: {"matchLabels":{"a":"1","b":"2"},'
        '"matchExpressions":[{"key":"k","operator":"Odd","values":["x"]}]}: no'
    )
    assert str(invalid_selector("p", None, "")) == "p: Invalid value: null"


def test_no_selector_selects_nothing() -> None:
    nothing = read_selector(None)
    assert nothing is not None
    assert not nothing.matches({})


def test_what_cannot_be_read_is_none() -> None:
    assert read_selector({"matchLabels": {"": ""}}) is None


def test_a_selector_may_say_nothing() -> None:
    assert is_blank({"matchLabels": {}, "matchExpressions": None})
    assert not is_blank({"matchLabels": {"a": ""}})
