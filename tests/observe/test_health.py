"""The words are controller-runtime's (pkg/healthz)."""

import logging

import pytest

from kubewright.http import Request
from kubewright.observe import Health
from kubewright.observe.health import HealthError


def ask(health: Health, target: str) -> tuple[int, str]:
    response = health.answer(Request("GET", target))
    assert isinstance(response.body, bytes)
    return response.status, response.body.decode()


def sick() -> str | None:
    return "the watch of pods is silent for 120 seconds"


def well() -> str | None:
    return None


@pytest.fixture
def health() -> Health:
    health = Health()
    health.alive("workers", well)
    health.ready("watches", sick)
    health.ready("leader", well)
    return health


@pytest.mark.parametrize("page", ["/healthz", "/livez", "/readyz", "/healthz/"])
def test_with_no_checks_being_asked_is_enough(page: str) -> None:
    assert ask(Health(), page) == (200, "ok")
    assert ask(Health(), f"{page}?verbose") == (200, "[+]ping ok\nhealthz check passed\n")
    assert ask(Health(), f"{page.rstrip('/')}/ping") == (200, "ok")


def test_readiness_does_not_touch_liveness(health: Health) -> None:
    assert ask(health, "/healthz") == ask(health, "/livez") == (200, "ok")
    assert ask(health, "/readyz")[0] == 500


def test_a_page_that_fails_names_the_check_and_withholds_the_reason(health: Health) -> None:
    words = "[+]leader ok\n[-]watches failed: reason withheld\nhealthz check failed\n"
    assert ask(health, "/readyz") == (500, words)


def test_the_path_of_a_check_tells_the_reason(health: Health) -> None:
    assert ask(health, "/readyz/leader") == (200, "ok")
    assert ask(health, "/readyz/watches") == (500, f"internal server error: {sick()}\n")


def test_a_check_can_be_left_out(health: Health) -> None:
    assert ask(health, "/readyz?exclude=watches") == (200, "ok")
    verbose = "[+]leader ok\n[+]watches excluded: ok\nhealthz check passed\n"
    assert ask(health, "/readyz?verbose&exclude=watches") == (200, verbose)


def test_of_a_check_that_is_left_out_nothing_is_said(health: Health, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    for target in ("/readyz", "/readyz?exclude=watches", "/readyz"):
        ask(health, target)
    assert caplog.messages == [f"The check watches of /readyz fails: {sick()}"]


def test_a_check_that_is_not_there_cannot_be_left_out(health: Health) -> None:
    _, words = ask(health, "/livez?verbose=1&exclude=nope&exclude=%22b")
    warning = 'warn: some health checks cannot be excluded: no matches for "\\"b","nope"\n'
    assert words == f"[+]workers ok\n{warning}healthz check passed\n"


@pytest.mark.parametrize("target", ["/readyz/nope", "/readyz/workers", "/other", "/"])
def test_what_is_not_there_is_not_found(health: Health, target: str) -> None:
    assert ask(health, target) == (404, "404 page not found\n")


def test_a_check_that_raises_has_failed(caplog: pytest.LogCaptureFixture) -> None:
    def broken() -> str | None:
        raise ValueError("no such thing")

    health = Health()
    health.ready("broken", broken)
    with caplog.at_level(logging.CRITICAL):
        assert ask(health, "/readyz/broken") == (500, "internal server error: ValueError: no such thing\n")


def test_a_check_that_is_removed_is_asked_no_more(health: Health) -> None:
    health.remove("watches")
    assert ask(health, "/readyz") == (200, "ok")


def test_problems_are_told_with_their_reasons(health: Health) -> None:
    assert health.problems() == {"watches": sick()}


@pytest.mark.parametrize("name", ["workers", "a/b", ""])
def test_a_check_needs_a_name_of_its_own(health: Health, name: str) -> None:
    with pytest.raises(HealthError):
        health.alive(name, well)


def test_the_log_says_once_that_a_check_fails_and_once_that_it_is_well(caplog: pytest.LogCaptureFixture) -> None:
    problem: list[str | None] = ["it hurts"]
    health = Health()
    health.ready("watch pods", lambda: problem[0])
    with caplog.at_level(logging.INFO):
        for _ in range(3):
            ask(health, "/readyz")
        problem[0] = None
        for _ in range(3):
            ask(health, "/readyz")
    assert caplog.messages == [
        "The check watch pods of /readyz fails: it hurts",
        "The check watch pods of /readyz is well again",
    ]
