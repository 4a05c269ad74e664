import copy
import json
import pickle
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.errors import KubewrightError
from kubewright.model.duration import Duration, DurationError

TABLE: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "duration.json").read_text())
GOOD = [row for row in TABLE["texts"] if "error" not in row]
BAD = [row for row in TABLE["texts"] if "error" in row]


@pytest.mark.parametrize("row", GOOD, ids=lambda row: repr(row["text"]))
def test_a_text_is_read_and_written_as_kubernetes_does(row: dict[str, str]) -> None:
    duration = Duration(row["text"])
    assert (duration.nanoseconds, str(duration)) == (int(row["nanoseconds"]), row["string"])


@pytest.mark.parametrize("row", BAD, ids=lambda row: repr(row["text"]))
def test_a_bad_text_is_refused_in_kubernetes_words(row: dict[str, str]) -> None:
    with pytest.raises(DurationError) as caught:
        Duration(row["text"])
    assert str(caught.value) == row["error"] + "; write it as in '1h30m' or '500ms'"
    assert isinstance(caught.value, KubewrightError)
    assert isinstance(caught.value, ValueError)


def test_a_read_value_is_sent_back_as_it_was_read() -> None:
    assert Duration("90m").wire == "90m"
    assert repr(Duration("90m")) == "Duration('90m')"


def test_a_computed_value_is_sent_in_canonical_form() -> None:
    assert (Duration("1h") + Duration("30m")).wire == "1h30m0s"
    assert Duration(timedelta(seconds=90)).wire == "1m30s"


def test_equality_is_by_value_and_includes_timedelta() -> None:
    equal = [Duration("1h"), Duration("60m"), Duration("3600s"), timedelta(hours=1)]
    assert all(a == b for a in equal for b in equal)
    assert len({hash(d) for d in equal}) == 1
    assert Duration("1h") != "1h"
    assert Duration("1ns") != timedelta(0)


def test_order_includes_timedelta() -> None:
    assert Duration("59m") < timedelta(hours=1) <= Duration("1h") < Duration("61m")
    assert timedelta(hours=1) > Duration("59m") >= Duration("59m") > -Duration("1h")
    with pytest.raises(TypeError):
        Duration("1h") < 3600  # type: ignore[operator]  # noqa: B015


def test_arithmetic_is_exact() -> None:
    assert Duration("1h") + timedelta(minutes=30) == timedelta(minutes=30) + Duration("1h") == Duration("90m")
    assert timedelta(hours=2) - Duration("30m") == Duration("2h") - timedelta(minutes=30) == Duration("90m")
    assert Duration("1ns") * 3 == 3 * Duration("1ns") == Duration("3ns")
    assert abs(Duration("-1m")) == +Duration("1m")


def test_only_zero_is_false() -> None:
    assert not Duration("0")
    assert Duration("1ns")


def test_seconds_and_timedelta_give_the_whole_span() -> None:
    assert Duration("1h0m0.5s").seconds == 3600.5
    assert Duration("1h0m0.5s").timedelta == timedelta(hours=1, milliseconds=500)
    assert Duration("1999ns").timedelta == -Duration("-1999ns").timedelta == timedelta(microseconds=1)


def test_what_does_not_fit_int64_is_refused() -> None:
    largest = Duration.of_nanoseconds(2**63 - 1)
    calculations: list[Callable[[], Duration]] = [
        lambda: largest + Duration("1ns"),
        lambda: largest * 2,
        lambda: Duration(timedelta.max),
    ]
    for calculation in calculations:
        with pytest.raises(DurationError, match="must fit an int64"):
            calculation()
    with pytest.raises(DurationError, match="must fit an int64"):
        -Duration.of_nanoseconds(-(2**63))


@pytest.mark.parametrize("value", [1, 1.5, None, True, b"1s"])
def test_what_is_neither_text_nor_timedelta_is_refused(value: Any) -> None:
    with pytest.raises(DurationError, match="made from a text"):
        Duration(value)


def test_a_duration_cannot_be_changed() -> None:
    duration = Duration("1s")
    with pytest.raises(AttributeError, match="cannot be changed"):
        duration._nanoseconds = 2
    with pytest.raises(AttributeError, match="cannot be"):
        del duration._nanoseconds
    assert copy.copy(duration) is copy.deepcopy(duration) is duration


@pytest.mark.parametrize("duration", [Duration("90m"), Duration.of_nanoseconds(-1)])
def test_a_duration_survives_pickling(duration: Duration) -> None:
    again = pickle.loads(pickle.dumps(duration))
    assert (again, again.wire) == (duration, duration.wire)


@given(st.integers(-(2**63), 2**63 - 1))
def test_what_is_written_reads_back_as_the_same_value(nanoseconds: int) -> None:
    assert Duration(str(Duration.of_nanoseconds(nanoseconds))).nanoseconds == nanoseconds


@given(st.timedeltas(timedelta(days=-100_000), timedelta(days=100_000)))
def test_a_timedelta_comes_back_unchanged(delta: timedelta) -> None:
    duration = Duration(delta)
    assert duration.timedelta == delta
    assert duration == delta
    assert hash(duration) == hash(delta)


@given(st.text(st.sampled_from("0123456789.+-hmsuµn"), max_size=12) | st.text(max_size=20))
def test_any_text_is_read_or_refused_with_our_error(text: str) -> None:
    try:
        duration = Duration(text)
    except DurationError:
        return
    assert Duration(str(duration)) == duration
