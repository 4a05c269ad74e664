"""Ages in the words of `kubectl get`."""

from datetime import UTC, datetime, timedelta

import pytest

from kubewright.cluster.registry.age import age, duration, moment

MINUTE, HOUR, DAY, YEAR = 60, 3600, 86400, 365 * 86400


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-2, "<invalid>"),
        (-1.9, "0s"),
        (0.9, "0s"),
        (119, "119s"),
        (2 * MINUTE, "2m"),
        (5 * MINUTE + 12, "5m12s"),
        (10 * MINUTE - 1, "9m59s"),
        (10 * MINUTE + 59, "10m"),
        (3 * HOUR - 1, "179m"),
        (3 * HOUR, "3h"),
        (7 * HOUR + 59 * MINUTE, "7h59m"),
        (8 * HOUR + MINUTE, "8h"),
        (2 * DAY - 1, "47h"),
        (2 * DAY, "2d"),
        (7 * DAY + 5 * HOUR, "7d5h"),
        (8 * DAY + 5 * HOUR, "8d"),
        (2 * YEAR - 1, "729d"),
        (2 * YEAR, "2y"),
        (7 * YEAR + 20 * DAY, "7y20d"),
        (9 * YEAR + 20 * DAY, "9y"),
    ],
)
def test_a_duration_has_two_or_three_digits(seconds: float, words: str) -> None:
    assert duration(seconds) == words


NOW = datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("timestamp", "words"),
    [
        ("2020-01-02T03:03:05Z", "60s"),
        ("2020-01-02T05:03:05+02:00", "60s"),
        ("2020-01-02T03:03:05.123456Z", "60s"),
        (None, "<unknown>"),
        ("", "<unknown>"),
        ("null", "<unknown>"),
        ("0001-01-01T00:00:00Z", "<unknown>"),
        ("yesterday", "<invalid>"),
        ("0000-01-01T00:00:00Z", "<invalid>"),
    ],
)
def test_an_age_is_the_time_since(timestamp: str | None, words: str) -> None:
    assert age(timestamp, NOW) == words


def test_a_moment_is_in_utc() -> None:
    assert moment("2020-01-02T05:04:05+02:00") == NOW
    assert moment("2020-01-02T03:04:05Z") - NOW == timedelta()  # type: ignore[operator]  # it is a time
