import asyncio

import pytest

from kubewright.cluster.auth.intent import read_intent
from kubewright.cluster.front.timeout import in_time, read_timeout
from kubewright.cluster.wire.status import Failure
from kubewright.http import Response

PODS = "/api/v1/namespaces/web/pods"


@pytest.mark.parametrize(("text", "seconds"), [("", None), ("0", None), ("5s", 5), ("-1s", None), ("1h1m", 3660)])
def test_a_time_is_taken(text: str, seconds: float | None) -> None:
    assert read_timeout(read_intent("GET", PODS, {}), text) == seconds


def test_a_write_is_not_cut_short() -> None:
    assert read_timeout(read_intent("POST", PODS, {}), "5s") is None


def test_what_comes_in_time_is_the_answer() -> None:
    async def coming() -> Response:
        return Response(200)

    assert asyncio.run(in_time(coming(), 60.0)).status == 200


def test_what_does_not_come_in_time_is_waited_for_no_longer() -> None:
    async def coming() -> Response:
        await asyncio.Event().wait()
        raise AssertionError

    assert asyncio.run(in_time(coming(), 0.001)).status == 504


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("abc", 'invalid duration "abc"'),
        ("1", 'missing unit in duration "1"'),
        ("1;", 'unknown unit ";" in duration "1;"'),
    ],
)
def test_what_is_no_time_is_refused(text: str, why: str) -> None:
    with pytest.raises(Failure) as refused:
        read_timeout(read_intent("GET", PODS, {}), text)
    assert str(refused.value) == f"invalid timeout specified in the request URL - time: {why}"


@pytest.mark.parametrize(("path", "query"), [(PODS, {"watch": ["1"]}), (f"{PODS}/a/log", {}), (f"{PODS}/a/exec", {})])
def test_what_is_meant_to_last_is_not_asked(path: str, query: dict[str, list[str]]) -> None:
    read_timeout(read_intent("GET", path, query), "abc")
