import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cel.times import (
    GETTERS,
    civil,
    days_before,
    format_duration,
    format_timestamp,
    is_date_time,
    parse_date_time,
    parse_timestamp,
    parse_worded_duration,
    zone_offset,
)
from kubewright.cel.values import Duration, EvaluationError, Timestamp

_EPOCH = dt.date(1970, 1, 1)


@given(st.dates())
def test_days_and_dates_are_python_s(date: dt.date) -> None:
    days = (date - _EPOCH).days
    assert civil(days) == (date.year, date.month, date.day)
    assert days_before(date.year, date.month, date.day) == days
    nanoseconds = days * 86400 * 10**9
    assert GETTERS["getDayOfWeek"](nanoseconds) == date.isoweekday() % 7
    assert GETTERS["getDayOfYear"](nanoseconds) == date.timetuple().tm_yday - 1


@given(st.datetimes(timezones=st.just(dt.UTC)), st.integers(0, 999))
def test_a_timestamp_reads_back_as_it_was_written(moment: dt.datetime, rest: int) -> None:
    micros = (moment - dt.datetime(1970, 1, 1, tzinfo=dt.UTC)) // dt.timedelta(microseconds=1)
    stamp = Timestamp(micros * 1000 + rest)
    assert parse_timestamp(format_timestamp(stamp)) == stamp


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1970-01-01T00:00:01Z", 1),
        ("1970-01-01T1:00:00Z", 3600),
        ("1970-01-01T01:00:00+01:00", 0),
        ("1970-01-01T00:00:00-00:30", 1800),
    ],
)
def test_what_is_read_as_a_timestamp(text: str, seconds: int) -> None:
    assert parse_timestamp(text) == Timestamp(seconds * 10**9)


@pytest.mark.parametrize(
    "text",
    [
        "2020-01-01t00:00:00z",
        "2020-01-01 00:00:00Z",
        "2020-01-01T00:00:60Z",
        "2020-13-01T00:00:00Z",
        "2021-02-29T00:00:00Z",
        "2020-01-01T00:00:00",
        "2020-01-01T00:00:00+25:00",
        "2020-W01-1T00:00:00Z",
    ],
)
def test_what_is_not(text: str) -> None:
    assert parse_timestamp(text) is None


def test_a_timestamp_outside_of_the_calendar_is_an_error() -> None:
    with pytest.raises(EvaluationError, match="timestamp overflow"):
        parse_timestamp("0000-01-01T00:00:00Z")


def test_a_date_time_may_lack_its_zone() -> None:
    assert parse_date_time("1970-01-01T00:00:01") == Timestamp(10**9)
    assert parse_date_time("") == Timestamp(0)


def test_the_check_of_a_date_time_is_more_lenient_than_its_reading() -> None:
    assert is_date_time("2020-02-01t00:00:00z")
    assert not is_date_time("2020-02-01T24:00:00Z")


@pytest.mark.parametrize(
    ("text", "seconds"), [("3 weeks", 1814400), ("1h30m", 5400), ("2 days 1 hour", 176400), ("10 min", 600)]
)
def test_durations_may_be_worded(text: str, seconds: int) -> None:
    assert parse_worded_duration(text) == Duration.of_nanoseconds(seconds * 10**9)


def test_words_that_are_no_duration_are_an_error() -> None:
    with pytest.raises(EvaluationError, match="Invalid duration soon: unable to parse soon as duration"):
        parse_worded_duration("soon")


@pytest.mark.parametrize(
    ("text", "written"), [("1ns", "0.000000001s"), ("-1h0.5s", "-3600.5s"), ("2562047h", "9223369200s"), ("0", "0s")]
)
def test_a_duration_is_written_in_seconds(text: str, written: str) -> None:
    assert format_duration(Duration(text)) == written


def test_an_offset_may_be_given_in_hours_and_minutes() -> None:
    assert zone_offset("-05:30", 0) == -19800
    assert zone_offset("02:00", 0) == 7200
