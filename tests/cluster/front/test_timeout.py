import pytest

from kubewright.cluster.auth.intent import read_intent
from kubewright.cluster.front.timeout import check_timeout
from kubewright.cluster.wire.status import Failure

PODS = "/api/v1/namespaces/web/pods"


@pytest.mark.parametrize("text", ["", "0", "5s", "-1s", "1h1m"])
def test_a_time_is_taken(text: str) -> None:
    check_timeout(read_intent("GET", PODS, {}), text)


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
        check_timeout(read_intent("GET", PODS, {}), text)
    assert str(refused.value) == f"invalid timeout specified in the request URL - time: {why}"


@pytest.mark.parametrize(("path", "query"), [(PODS, {"watch": ["1"]}), (f"{PODS}/a/log", {}), (f"{PODS}/a/exec", {})])
def test_what_is_meant_to_last_is_not_asked(path: str, query: dict[str, list[str]]) -> None:
    check_timeout(read_intent("GET", path, query), "abc")
