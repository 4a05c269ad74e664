import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.schema.walk.timestamp import TimestampError, normalise


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("2020-01-01T00:00:00Z", "2020-01-01T00:00:00Z"),
        ("2020-01-01T00:00:00.999Z", "2020-01-01T00:00:00Z"),
        ("2020-01-01T00:00:00,5Z", "2020-01-01T00:00:00Z"),
        ("2020-01-01T0:00:00Z", "2020-01-01T00:00:00Z"),
        ("2020-01-01T00:00:00+02:00", "2019-12-31T22:00:00Z"),
        ("2020-01-01T00:00:00-24:60", "2020-01-02T01:00:00Z"),
        ("0000-02-29T00:00:00Z", "0000-02-29T00:00:00Z"),
        ("0000-01-01T00:00:00+01:00", "-0001-12-31T23:00:00Z"),
        ("9999-12-31T23:59:59-01:00", "10000-01-01T00:59:59Z"),
    ],
)
def test_times_become_seconds_of_utc(text: str, utc: str) -> None:
    assert normalise(text) == utc


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", ' as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"'),
        ("2020-01-01", ' as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"'),
        ("2020-01-01t00:00:00Z", ' as "2006-01-02T15:04:05Z07:00": cannot parse "t00:00:00Z" as "T"'),
        ("2020-01-01T00:00:00.Z", ' as "2006-01-02T15:04:05Z07:00": cannot parse ".Z" as "Z07:00"'),
        ("2020-01-01T00:00:00+2:00", ' as "2006-01-02T15:04:05Z07:00": cannot parse "+2:00" as "Z07:00"'),
        ("2020-13-01T00:00:00Z", ": month out of range"),
        ("2020-02-30T00:00:00Z", ": day out of range"),
        ("2020-01-01T24:00:00Z", ": hour out of range"),
        ("2020-01-01T00:00:60Z", ": second out of range"),
        ("2020-01-01T00:00:00+25:00", ": time zone offset hour out of range"),
        ("2020-01-01T00:00:00?99:zz", ": time zone offset hour out of range"),
        ("2020-01-01T00:00:00?01:00", ' as "2006-01-02T15:04:05Z07:00": cannot parse "?01:00" as "Z07:00"'),
        ("2020-01-01T00:00:00Zx", ': extra text: "x"'),
    ],
)
def test_complaints_are_those_of_go(text: str, complaint: str) -> None:
    with pytest.raises(TimestampError) as caught:
        normalise(text)
    assert str(caught.value) == f'parsing time "{text}"{complaint}'


def test_go_quotes_times_in_its_own_way() -> None:
    with pytest.raises(TimestampError, match=r'^parsing time "\\"\\xc3\\xa9\\x0a"'):
        normalise('"é\n')


@given(
    st.text()
    | st.from_regex(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{1,2}:[0-9]{2}:[0-9]{2}([.,][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})")
)
def test_a_normal_time_is_its_own_normal_form(text: str) -> None:
    try:
        once = normalise(text)
    except TimestampError:
        return
    if len(once) == len("2020-01-01T00:00:00Z"):
        assert normalise(once) == once
