import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.registry.rules.schedule import check_schedule


@pytest.mark.parametrize(
    "text",
    [
        "* * * * *",
        "*/5 0-12 1,15 JAN-mar Mon",
        "? ? ? ? ?",
        "0/15 * * * *",
        ", * * * *",
        "@hourly",
        "@every 1h30m",
        "TZ=Europe/Berlin 0 0 * * *",
    ],
)
def test_schedules_of_every_form_are_taken(text: str) -> None:
    assert check_schedule(text) == ""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty spec string"),
        ("* * * *", "expected exactly 5 fields, found 4: [* * * *]"),
        ("60 * * * *", "end of range (60) above maximum (59): 60"),
        ("* * 0 * *", "beginning of range (0) below minimum (1): 0"),
        ("5-1 * * * *", "beginning of range (5) beyond end of range (1): 5-1"),
        ("*/0 * * * *", "step of range should be a positive number: */0"),
        ("*/-1 * * * *", "negative number (-1) not allowed: -1"),
        ("1-2-3 * * * *", "too many hyphens: 1-2-3"),
        ("1/2/3 * * * *", "too many slashes: 1/2/3"),
        ("x * * * *", 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'),
        ("@odd", "unrecognized descriptor: @odd"),
        ("@every x", 'failed to parse duration @every x: time: invalid duration "x"'),
        ("TZ=Nowhere * * * * *", "provided bad location Nowhere: unknown time zone Nowhere"),
        ("TZ=UTC", "invalid schedule format: runtime error: slice bounds out of range [:-1]"),
    ],
)
def test_what_is_no_schedule_is_explained(text: str, why: str) -> None:
    assert check_schedule(text) == why


@given(st.text(alphabet="0123456789*/-,? @TZ=+jansu.", max_size=30))
def test_any_text_is_taken_or_explained(text: str) -> None:
    assert isinstance(check_schedule(text), str)
