import pytest

from kubewright.cluster.registry.rules.numbers import (
    check_not_negative,
    check_port,
    check_positive,
    check_range,
    port_name,
)


@pytest.mark.parametrize(
    ("name", "complaints"),
    [
        ("http", []),
        ("a-1", []),
        ("1", ["must contain at least one letter (a-z)"]),
        ("-a--b", ["must not contain consecutive hyphens", "must not begin or end with a hyphen"]),
        (
            "A",
            [
                "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
                "must contain at least one letter (a-z)",
            ],
        ),
        ("a" * 16, ["must be no more than 15 characters"]),
        (
            "",
            [
                "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
                "must contain at least one letter (a-z)",
            ],
        ),
    ],
)
def test_the_name_of_a_port(name: str, complaints: list[str]) -> None:
    assert port_name(name) == complaints


def test_bounds_are_inclusive() -> None:
    assert [
        *check_range(1, "n", 1, 2),
        *check_range(2, "n", 1, 2),
        *check_not_negative(0, "n"),
        *check_positive(1, "n"),
    ] == []
    errors = [*check_range(3, "n", 1, 2), *check_not_negative(-1, "n"), *check_positive(0, "n")]
    assert [str(error) for error in errors] == [
        "n: Invalid value: 3: must be between 1 and 2, inclusive",
        "n: Invalid value: -1: must be greater than or equal to 0",
        "n: Invalid value: 0: must be greater than zero",
    ]


def test_a_port_is_a_number_or_a_name() -> None:
    assert [*check_port(80, "p"), *check_port("http", "p")] == []
    assert [str(error) for error in check_port(0, "p")] == [
        "p: Invalid value: 0: must be between 1 and 65535, inclusive"
    ]
    assert len([*check_port("80", "p")]) == 1
