import pytest

from kubewright.cel.checker import check
from kubewright.cel.environment import Environment
from kubewright.cel.errors import ExpressionError
from kubewright.cel.parser import parse
from kubewright.cel.types import DYN, list_of

ENVIRONMENT = Environment({"d": DYN, "l": list_of(DYN)})
PARSING = "could not parse formatting clause: "
PRECISION = PARSING + "error while parsing precision: "


def issues(text: str) -> list[tuple[int, str]]:
    try:
        check(parse(text), ENVIRONMENT)
    except ExpressionError as error:
        return [(issue.offset, issue.message) for issue in error.issues]
    return []


@pytest.mark.parametrize(
    "text",
    [
        "'%s %d %.2f %e %b %x %X %o %%'.format([1, 2, 3.0, 4.0, true, 'a', b'b', 5u])",
        "'%d'.format([d])",
        "'%s'.format(l)",
        "d.format(['a'])",
        "'%s'.format([{'a': [null, duration('1s')]}])",
        "'no placeholder'.format([])",
    ],
)
def test_placeholders_that_fit_are_fine(text: str) -> None:
    assert issues(text) == []


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("'%s'.format([1, 2])", 11, "too many arguments supplied to string.format (expected 1, got 2)"),
        ("'%s %s'.format([1])", 14, "index 1 out of range"),
        ("'%'.format([1])", 10, "unexpected end of string"),
        ("'%q'.format([1])", 11, PARSING + 'unrecognized formatting clause "q"'),
        ("'%.'.format([1])", 11, PRECISION + "could not find end of precision specifier"),
        (
            "'%.f'.format([1.0])",
            12,
            PRECISION + 'error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax',
        ),
        (
            "'%.99999999999999999999f'.format([1.0])",
            32,
            PRECISION + "error while converting precision to integer: "
            'strconv.Atoi: parsing "99999999999999999999": value out of range',
        ),
        (
            "'%d'.format(['a'])",
            13,
            "error during formatting: decimal clause can only be used on integers, was given string",
        ),
        (
            "'%f'.format([1])",
            13,
            "error during formatting: fixed-point clause can only be used on doubles, was given int",
        ),
        (
            "'%s'.format([[1, ip('::1')]])",
            19,
            (
                "error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, "
                "maps, lists, types, durations, and timestamps, was given net.IP"
            ),
        ),
    ],
)
def test_a_placeholder_that_cannot_be_filled_is_refused(text: str, place: int, message: str) -> None:
    assert issues(text) == [(place, message)]
