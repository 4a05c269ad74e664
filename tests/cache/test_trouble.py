"""Which trouble an answer is."""

import msgspec
import pytest

from kubewright.cache.machine import Failed, Trouble
from kubewright.cache.trouble import failure
from kubewright.client.errors import error_of
from kubewright.client.watch import WatchError
from kubewright.errors import KubewrightError
from kubewright.http import ConnectError, DisconnectedError, ProtocolError, TimedOutError

TOO_LARGE = {"code": 504, "reason": "Timeout", "details": {"causes": [{"reason": "ResourceVersionTooLarge"}]}}


@pytest.mark.parametrize(
    ("error", "trouble"),
    [
        (error_of({"code": 410, "reason": "Expired"}), Trouble.EXPIRED),
        (error_of({"code": 410, "reason": "Gone"}), Trouble.EXPIRED),
        (error_of(TOO_LARGE), Trouble.EXPIRED),
        (error_of({"code": 504, "reason": "Timeout"}), Trouble.FAILING),
        (error_of({"code": 401}), Trouble.UNAUTHORIZED),
        (error_of({"code": 403}), Trouble.FORBIDDEN),
        (error_of({"code": 404}), Trouble.MISSING),
        (error_of({"code": 422, "reason": "Invalid"}), Trouble.UNSUPPORTED),
        (error_of({"code": 400}), Trouble.UNSUPPORTED),
        (error_of({"code": 406}), Trouble.UNSUPPORTED),
        (error_of({"code": 500, "reason": "InternalError"}), Trouble.FAILING),
        (error_of({"code": 503}), Trouble.FAILING),
        (ConnectError("refused"), Trouble.UNREACHABLE),
        (TimedOutError("late"), Trouble.UNREACHABLE),
        (DisconnectedError("gone"), Trouble.BROKEN),
        (ProtocolError("no HTTP"), Trouble.GARBAGE),
        (WatchError("no event"), Trouble.GARBAGE),
        (msgspec.DecodeError("no JSON"), Trouble.GARBAGE),
        (UnicodeDecodeError("utf-8", b"\\xff", 0, 1, "no text"), Trouble.GARBAGE),
        (TimeoutError(), Trouble.STALLED),
        (KubewrightError("no token"), Trouble.FAILING),
    ],
)
def test_an_exception_is_a_trouble(error: Exception, trouble: Trouble) -> None:
    assert failure(error, 2.0, 3) == Failed(trouble, 2.0, 3)


def test_how_long_the_server_says_to_wait_is_passed_on() -> None:
    error = error_of({"code": 429, "reason": "TooManyRequests", "details": {"retryAfterSeconds": 7}})
    assert failure(error) == Failed(Trouble.THROTTLED, pause=7)
