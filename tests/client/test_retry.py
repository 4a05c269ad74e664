import pytest

from kubewright.client.retry import NEVER, Retry, retry_after
from kubewright.entropy import Entropy
from kubewright.http import ConnectError, DisconnectedError, Headers, HttpError, TimedOutError

AFTER_2 = Headers([(b"Retry-After", b"2")])


@pytest.mark.parametrize("code", [429, 500, 503, 504])
def test_an_answer_that_asks_for_it_is_repeated_after_as_long_as_it_says(code: int) -> None:
    pause = Retry(entropy=Entropy(1)).after_answer(code, AFTER_2, 1)
    assert pause is not None
    assert 2 <= pause <= 2.2


@pytest.mark.parametrize(("code", "headers"), [(429, Headers()), (503, Headers()), (409, AFTER_2), (404, AFTER_2)])
def test_other_answers_are_the_answer(code: int, headers: Headers) -> None:
    assert Retry().after_answer(code, headers, 1) is None


def test_the_number_of_attempts_is_bounded() -> None:
    retry = Retry(answers=2, failures=1)
    assert [retry.after_answer(429, AFTER_2, number) is None for number in (1, 2, 3)] == [False, False, True]
    assert retry.after_failure("GET", ConnectError(""), 1) is not None
    assert retry.after_failure("GET", ConnectError(""), 2) is None
    assert NEVER.after_answer(429, AFTER_2, 1) is None
    assert NEVER.after_failure("GET", ConnectError(""), 1) is None


@pytest.mark.parametrize(
    ("method", "error", "again"),
    [
        ("GET", ConnectError(""), True),
        ("POST", ConnectError(""), True),
        ("PATCH", ConnectError(""), True),
        ("GET", DisconnectedError(""), True),
        ("POST", DisconnectedError(""), False),
        ("PUT", DisconnectedError(""), False),
        ("PATCH", DisconnectedError(""), False),
        ("DELETE", DisconnectedError(""), False),
        ("GET", TimedOutError(""), False),
        ("GET", HttpError(""), False),
    ],
)
def test_a_write_whose_outcome_is_unknown_is_never_repeated(method: str, error: HttpError, again: bool) -> None:
    assert (Retry().after_failure(method, error, 1) is not None) is again


def test_pauses_double_and_differ() -> None:
    retry = Retry(failures=5, entropy=Entropy(7))
    pauses = [retry.after_failure("GET", ConnectError(""), number) or 0.0 for number in (1, 2, 3)]
    for number, pause in enumerate(pauses):
        assert 0.1 * 2**number <= pause <= 0.2 * 2**number
    assert pauses != [Retry(entropy=Entropy(8)).after_failure("GET", ConnectError(""), n) for n in (1, 2, 3)]


@pytest.mark.parametrize(
    ("value", "seconds"), [(b"3", 3.0), (b" 0 ", 0.0), (b"soon", None), (b"-1", None), (b"", None)]
)
def test_only_seconds_are_read(value: bytes, seconds: float | None) -> None:
    assert retry_after(Headers([(b"Retry-After", value)])) == seconds
