import copy
import json
import pickle
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.errors import KubewrightError
from kubewright.model.quantity import Form, Quantity, QuantityError

TABLE: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "quantity.json").read_text())
GOOD = [row for row in TABLE["texts"] if "error" not in row]
BAD = [row for row in TABLE["texts"] if "error" in row]

INT64 = range(-(2**63), 2**63)


def exact(q: Quantity) -> Fraction:
    """The value, by a second way: from the canonical text alone."""
    text = q.canonical
    for suffix, factor in {
        **{f"{c}i": Fraction(1024) ** n for n, c in enumerate("KMGTPE", 1)},
        **{c: Fraction(1000) ** n for n, c in zip((-3, -2, -1, 1, 2, 3, 4, 5, 6), "numkMGTPE", strict=True)},
    }.items():
        if text.endswith(suffix):
            return Fraction(text.removesuffix(suffix)) * factor
    return Fraction(text)


def lost(text: str) -> bool:
    """Whether Kubernetes' text would stand for another value, because no suffix is large enough."""
    q = Quantity(text)
    return q.form == "DecimalSI" and q.canonical.endswith("000E")


@pytest.mark.parametrize("row", GOOD, ids=lambda row: repr(row["text"]))
def test_a_text_is_read_as_kubernetes_reads_it(row: dict[str, Any]) -> None:
    q = Quantity(row["text"])
    assert q.form == row["format"]
    if lost(row["text"]):
        assert Quantity(str(q)) == q
    else:
        assert (str(q), q.canonical) == (row["string"], row["canonical"])
    assert float(q) == float(row["float"])
    if q >= 0 and int(q) in INT64:
        assert int(q) == row["value"]
    if q >= 0 and q.milli in INT64:
        assert q.milli == row["milli"]


@pytest.mark.parametrize("row", GOOD, ids=lambda row: repr(row["text"]))
def test_a_value_is_written_in_the_binary_form_as_kubernetes_writes_it(row: dict[str, Any]) -> None:
    binary = Quantity(row["text"], "BinarySI")
    assert binary == Quantity(row["text"])
    if abs(binary) < 2**63:
        assert str(binary) == row["binary"]
    else:
        assert Quantity(str(binary)) == binary


@pytest.mark.parametrize("row", BAD, ids=lambda row: repr(row["text"]))
def test_a_bad_text_is_refused_in_kubernetes_words(row: dict[str, Any]) -> None:
    with pytest.raises(QuantityError) as caught:
        Quantity(row["text"])
    assert str(caught.value) == f"{row['text']!r} is no quantity: {row['error']}"
    assert isinstance(caught.value, KubewrightError)
    assert isinstance(caught.value, ValueError)


def test_pairs_compare_add_and_subtract_as_in_kubernetes() -> None:
    texts = {row["text"]: row for row in GOOD}
    compared = 0
    for pair in TABLE["pairs"]:
        a, b = Quantity(pair["a"]), Quantity(pair["b"])
        assert (a > b) - (a < b) == pair["cmp"], pair
        assert (a == b) == (pair["cmp"] == 0)
        for result, text in ((a + b, pair["sum"]), (a - b, pair["difference"]), (a * 7, pair["times7"])):
            if abs(result) >= {"DecimalSI": 10**21, "BinarySI": 2**63, "DecimalExponent": 10**200}[result.form]:
                continue  # Kubernetes' text would stand for another value
            assert str(result) == text, (pair, result)
            compared += 1
    assert compared > 2000
    assert len(texts) > 300


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("1.5", "1500m"),
        ("1.5Gi", "1536Mi"),
        ("0.1n", "1n"),
        ("1000E", "1000E"),
        ("1e21", "1e21"),
        ("12e6", "12e6"),
        ("1024Ki", "1Mi"),
        ("0.5Ki", "512"),
        ("9Ei", "9223372036854775807"),
    ],
)
def test_the_canonical_form_has_no_fraction_and_the_largest_suffix(text: str, canonical: str) -> None:
    assert Quantity(text).canonical == canonical


def test_a_read_value_is_sent_back_as_it_was_read() -> None:
    assert [Quantity(read).wire for read in ("1000m", 1, 0.5, "1.5Gi", "+1")] == ["1000m", 1, 0.5, "1.5Gi", "+1"]


def test_a_computed_value_is_sent_in_canonical_form() -> None:
    assert (Quantity("900m") + Quantity("100m")).wire == "1"
    assert Quantity(2**30, "BinarySI").wire == "1Gi"


def test_a_float_is_taken_by_its_shortest_text() -> None:
    assert Quantity(0.1) == Quantity("100m")
    assert Quantity(1e21).canonical == "1e21"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), True, None, b"1", [1]])
def test_what_is_neither_text_nor_number_is_refused(value: Any) -> None:
    with pytest.raises(QuantityError):
        Quantity(value)


def test_equality_is_by_value_and_hash_follows() -> None:
    equal = [Quantity("1"), Quantity("1000m"), Quantity("1e0"), Quantity("1000000u"), 1]
    assert all(a == b for a in equal for b in equal)
    assert len({hash(q) for q in equal}) == 1
    assert hash(Quantity("1500m")) == hash(Fraction(3, 2))


def test_a_quantity_never_equals_a_string() -> None:
    assert Quantity("1") != "1"


def test_a_quantity_is_not_ordered_against_a_string() -> None:
    with pytest.raises(TypeError):
        Quantity("1") < "1Gi"  # type: ignore[operator]  # noqa: B015
    with pytest.raises(TypeError):
        Quantity("1") + "1"  # type: ignore[operator]


def test_whole_numbers_round_away_from_zero() -> None:
    assert int(Quantity("1500m")) == 2
    assert int(Quantity("-1500m")) == -2
    assert Quantity("100u").milli == 1
    assert Quantity("-100u").milli == -1


def test_a_sum_keeps_the_form_of_its_left_side_unless_that_is_zero() -> None:
    assert str(Quantity("1Gi") + Quantity("1G")) == "2073741824"
    assert str(Quantity("1G") + Quantity("1Gi")) == "2073741824"
    assert (Quantity("1Gi") + Quantity("1")).form == "BinarySI"
    assert str(Quantity("0") + Quantity("1Gi")) == "1Gi"
    assert sum([Quantity("512Mi"), Quantity("512Mi")]) == Quantity("1Gi")


def test_whole_numbers_take_part_in_arithmetic() -> None:
    assert str(Quantity("500m") * 3) == str(3 * Quantity("500m")) == "1500m"
    assert 2 - Quantity("500m") == Quantity("1.5")
    assert Quantity("500m") - 1 == -Quantity("500m")
    assert abs(Quantity("-1Ki")) == +Quantity("1Ki")


def test_only_zero_is_false() -> None:
    assert not Quantity("0Ki")
    assert Quantity("1n")


def test_a_quantity_cannot_be_changed() -> None:
    q = Quantity("1")
    with pytest.raises(AttributeError, match="cannot be changed"):
        q._mantissa = 2
    with pytest.raises(AttributeError, match="cannot be"):
        del q._mantissa
    assert copy.copy(q) is copy.deepcopy(q) is q


@pytest.mark.parametrize("q", [Quantity("1000m"), Quantity(3), Quantity("1Gi") + Quantity("1Gi")])
def test_a_quantity_survives_pickling(q: Quantity) -> None:
    again = pickle.loads(pickle.dumps(q))
    assert (again, again.wire, again.form) == (q, q.wire, q.form)


def test_an_absurd_exponent_is_read_compared_and_written_but_not_expanded() -> None:
    huge = Quantity("1e2147483647")
    assert (huge.canonical, float(huge)) == ("10e2147483646", float("inf"))
    assert huge > 1 > -huge
    assert huge != Quantity("1e2147483646")
    assert huge == Quantity("10e2147483646")
    assert hash(huge) == hash(Quantity("10e2147483646"))
    assert Quantity("1e-2147483648") == Quantity("1n")
    assert str(Quantity(huge.canonical, "BinarySI")) == "10e2147483646"
    for calculation in (huge.__int__, lambda: huge + 1, lambda: huge - 1):
        with pytest.raises(QuantityError, match="too large to calculate with"):
            calculation()


@pytest.mark.parametrize("text", ["1e2147483648", "1e-2147483649", "1e4294967296"])
def test_an_exponent_outside_int32_is_refused(text: str) -> None:
    with pytest.raises(QuantityError, match="unable to parse quantity's suffix"):
        Quantity(text)


def test_a_text_longer_than_the_limit_is_refused() -> None:
    assert Quantity("9" * 1000) == 10**1000 - 1
    with pytest.raises(QuantityError, match="at most 1000 characters"):
        Quantity("9" * 1001)


def test_repr_can_be_read_back() -> None:
    assert repr(Quantity("1000m")) == "Quantity('1000m')"
    assert repr(Quantity("1Gi") * 2) == "Quantity('2Gi')"


forms: st.SearchStrategy[Form] = st.sampled_from(("DecimalSI", "BinarySI", "DecimalExponent"))
texts = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(("", "-", "+")),
    st.integers(0, 10**20),
    st.sampled_from(("", ".5", ".125", ".000", ".123456789")),
    st.sampled_from(("", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e5", "E-4")),
)
quantities = texts.map(Quantity) | st.builds(Quantity, st.integers(-(2**70), 2**70), forms)


@given(quantities)
def test_what_is_written_reads_back_as_the_same_value(q: Quantity) -> None:
    assert Quantity(str(q)) == Quantity(q.canonical) == Quantity(q.wire) == q
    assert Quantity(q.canonical).canonical == q.canonical or q.form == "BinarySI"


@given(quantities, quantities)
def test_subtraction_undoes_addition(a: Quantity, b: Quantity) -> None:
    assert (a + b) - b == a
    assert a + b == b + a


@given(quantities, quantities)
def test_order_and_sums_agree_with_fractions(a: Quantity, b: Quantity) -> None:
    x, y = exact(a), exact(b)
    assert (a < b, a <= b, a == b, a >= b, a > b) == (x < y, x <= y, x == y, x >= y, x > y)
    assert exact(a + b) == x + y
    assert exact(a - b) == x - y
    assert hash(a) == hash(x)


@given(st.text(st.sampled_from("0123456789.+-eEinumkKMGTP "), max_size=12) | st.text(max_size=20))
def test_any_text_is_read_or_refused_with_our_error(text: str) -> None:
    try:
        q = Quantity(text)
    except QuantityError:
        return
    assert Quantity(q.canonical) == q
