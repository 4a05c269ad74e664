import pytest

from kubewright.cluster.registry.rules.amounts import Amount, check_amount, check_share, size


@pytest.mark.parametrize(("value", "wrong"), [(0, 0), (7, 0), (-1, 1), ("0%", 0), ("250%", 0), ("1", 1), ("-1%", 1)])
def test_an_amount_is_a_number_or_percents(value: Amount, wrong: int) -> None:
    assert len([*check_amount(value, "p")]) == wrong


def test_percents_are_explained() -> None:
    [error] = check_amount("x", "p")
    assert str(error) == (
        "p: Invalid value: \"x\": a valid percent string must be a numeric string followed by an ending '%' "
        "(e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"
    )


@pytest.mark.parametrize(("value", "wrong"), [(101, 0), ("100%", 0), ("101%", 1), ("x", 0)])
def test_no_share_is_more_than_the_whole(value: Amount, wrong: int) -> None:
    assert len([*check_share(value, "p")]) == wrong


@pytest.mark.parametrize(("value", "number"), [(3, 3), ("3%", 3), ("3", 3), ("-3", -3), ("x", 0), ("", 0)])
def test_what_is_no_number_is_none(value: Amount, number: int) -> None:
    assert size(value) == number
