"""HEALTH-1."""

import pytest

from kubewright.cluster.discovery.health import Health
from kubewright.http import Response

HEALTH = Health({"etcd": lambda: None}, {"shutdown": lambda: None})
ILL = Health({"etcd": lambda: "the disk is full"}, {})


def told(path: str, query: str = "", health: Health = HEALTH) -> tuple[int, str]:
    answer = health.answer(path, query)
    assert isinstance(answer, Response)
    assert isinstance(answer.body, bytes)
    return answer.status, answer.body.decode()


@pytest.mark.parametrize("path", ["/healthz", "/livez", "/readyz", "/healthz/ping", "/livez/etcd", "/readyz/shutdown"])
def test_what_is_well_says_ok(path: str) -> None:
    assert told(path) == (200, "ok")


@pytest.mark.parametrize("path", ["/readyz/nosuch", "/readyz/", "/livez/shutdown", "/livez/ping/"])
def test_an_unknown_check_is_no_page(path: str) -> None:
    assert HEALTH.answer(path, "") is None


def test_every_check_has_a_line_if_that_is_asked_for() -> None:
    lines = "[+]ping ok\n[+]etcd ok\n[+]shutdown ok\nreadyz check passed\n"
    assert told("/readyz", "verbose") == (200, lines)


def test_a_check_can_be_excluded() -> None:
    lines = "[+]ping ok\n[+]etcd excluded: ok\nlivez check passed\n"
    assert told("/livez", "verbose&exclude=etcd", HEALTH) == (200, lines)
    assert told("/livez", "exclude=etcd", ILL) == (200, "ok")


def test_who_excludes_what_is_not_there_is_warned() -> None:
    warning = 'warn: some health checks cannot be excluded: no matches for "a","b"\n'
    lines = f"[+]ping ok\n[+]etcd ok\n{warning}healthz check passed\n"
    assert told("/healthz", "exclude=b&exclude=a&verbose") == (200, lines)


def test_a_failure_is_told_at_length_but_its_reason_is_withheld() -> None:
    lines = "[+]ping ok\n[-]etcd failed: reason withheld\nhealthz check failed\n"
    assert told("/healthz", "", ILL) == (500, lines)


def test_the_check_itself_tells_the_reason() -> None:
    assert told("/healthz/etcd", "", ILL) == (500, "internal server error: the disk is full\n")


def test_readiness_has_checks_that_liveness_has_not() -> None:
    assert "/readyz/shutdown" in HEALTH.paths()
    assert "/livez/shutdown" not in HEALTH.paths()
