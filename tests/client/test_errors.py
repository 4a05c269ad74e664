import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.client import errors
from kubewright.client.errors import ApiError, error_from


def status(**more: Any) -> bytes:
    return json.dumps({"kind": "Status", "status": "Failure", **more}).encode()


@pytest.mark.parametrize(
    ("code", "reason", "kind"),
    [
        (404, "NotFound", errors.NotFound),
        (409, "AlreadyExists", errors.AlreadyExists),
        (409, "Conflict", errors.Conflict),
        (410, "Expired", errors.Expired),
        (410, "Gone", errors.Gone),
        (422, "Invalid", errors.Invalid),
        (429, "TooManyRequests", errors.TooManyRequests),
        (500, "ServerTimeout", errors.ServerTimeout),
        (500, "StorageReadError", errors.StorageReadError),
        (500, "", errors.InternalError),
        (504, "Timeout", errors.TimedOut),
        (418, "Teapot", ApiError),
    ],
)
def test_the_reason_picks_the_class_and_else_the_code(code: int, reason: str, kind: type[ApiError]) -> None:
    error = error_from(code, status(reason=reason, message="m", code=code), "GET /x")
    assert type(error) is kind
    assert (error.code, error.reason, str(error)) == (code, reason, "m")


def test_causes_and_the_time_to_wait_are_there() -> None:
    causes = [{"reason": "FieldValueRequired", "message": "Required value", "field": "spec.size"}]
    error = error_from(422, status(code=422, details={"causes": causes, "retryAfterSeconds": 3}), "GET /x")
    assert (error.causes, error.retry_after) == (causes, 3.0)


def test_the_header_says_how_long_to_wait_where_the_status_does_not() -> None:
    assert error_from(429, b"busy", "GET /x", 5.0).retry_after == 5
    told = status(code=429, details={"retryAfterSeconds": 3, "uid": "u"})
    assert error_from(429, told, "GET /x", 5.0).retry_after == 3
    error = error_from(503, status(code=503, details={"uid": "u"}), "GET /x", 5.0)
    assert (error.retry_after, error.uid) == (5, "u")


def test_an_expired_list_says_how_to_go_on() -> None:
    assert error_from(410, status(code=410, metadata={"continue": "token"}), "GET /x").go_on == "token"
    assert error_from(410, status(code=410, metadata=None), "GET /x").go_on == ""


def test_an_answer_that_is_no_status_still_says_what_it_can() -> None:
    error = error_from(404, b"404 page\n not found\n", "GET /nope")
    assert isinstance(error, errors.NotFound)
    assert str(error) == "GET /nope: the server answered 404: 404 page not found"


@given(
    st.integers(300, 599),
    st.binary() | st.recursive(st.none() | st.text(), st.lists).map(lambda v: json.dumps(v).encode()),
)
def test_any_answer_becomes_an_api_error(code: int, body: bytes) -> None:
    error = error_from(code, body, "GET /x")
    assert (error.code, error.causes, error.retry_after) == (code, [], None)


def test_a_redirect_says_where_it_leads() -> None:
    error = error_from(302, b"", "GET /api", None, b"https://login.example.com/")
    assert "GET /api: the server answered 302 and leads to https://login.example.com/" in str(error)
