"""Health: named checks, and the pages that probes read.

    health = Health()
    health.alive("workers", workers_within_their_limits)
    health.ready("watch deployments.apps", informer_is_fresh)

| page                  | asks                                                                                       |
|-----------------------|--------------------------------------------------------------------------------------------|
| `/healthz`, `/livez`  | liveness: what depends on this process alone. An outage of the API must not restart anyone  |
| `/readyz`             | readiness: whether it does its work; how fresh its watches are                             |
| `/readyz/<check>`     | one check, and why it fails                                                                |

`?verbose` lists the checks, `?exclude=<check>` leaves one out. The words are controller-runtime's and kube-apiserver's.
A page that fails names the check and withholds the reason, as anyone may read it; the check's own path says it, and the
log.

A check is a plain function that looks at what is known and says in a sentence what is wrong, or None. It must not wait:
a probe that hangs is a probe that fails.
"""

import json
import logging
from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import parse_qs, unquote

from kubewright.errors import KubewrightError
from kubewright.http import Headers, Request, Response

__all__ = ["Check", "Health", "HealthError", "check_all", "check_alone"]

_log = logging.getLogger("kubewright.health")

#: What is wrong, or nothing.
Check = Callable[[], str | None]

_TEXT: Final = Headers([(b"Content-Type", b"text/plain; charset=utf-8"), (b"X-Content-Type-Options", b"nosniff")])
_NOT_FOUND: Final = Response(404, _TEXT, b"404 page not found\n")


class HealthError(KubewrightError):
    """A check that cannot be."""


class Health:
    """The checks of one operator. They may come and go while it runs."""

    def __init__(self) -> None:
        self._liveness: dict[str, Check] = {}
        self._readiness: dict[str, Check] = {}
        self._failing: set[str] = set()

    def alive(self, name: str, check: Check) -> None:
        """Ask `check` for liveness, under this name."""
        _enter(self._liveness, name, check)

    def ready(self, name: str, check: Check) -> None:
        """Ask `check` for readiness, under this name."""
        _enter(self._readiness, name, check)

    def remove(self, name: str) -> None:
        """Ask it no more."""
        self._liveness.pop(name, None)
        self._readiness.pop(name, None)

    def problems(self) -> dict[str, str]:
        """Every check of both sorts that fails now, and why."""
        found = {}
        for name, check in (*self._liveness.items(), *self._readiness.items()):
            problem = ask(check)
            if problem is not None:
                found[name] = problem
        return found

    def answer(self, request: Request) -> Response:
        """What the pages answer."""
        page, _, name = unquote(request.path).removeprefix("/").rstrip("/").partition("/")
        if page not in ("healthz", "livez", "readyz"):
            return _NOT_FOUND
        checks = self._readiness if page == "readyz" else self._liveness
        asked = {check: checks[check] for check in sorted(checks)} or {"ping": _fine}
        if name:
            return check_alone(asked[name], _TEXT) if name in asked else _NOT_FOUND
        # controller-runtime calls every page healthz in its last line.
        response, found = check_all("healthz", asked, request.query, _TEXT)
        self._report(page, found)
        return response

    def _report(self, page: str, found: Mapping[str, str | None]) -> None:
        """Say in the log what fails, when it begins and when it is over, not each time that a probe comes."""
        for name, problem in found.items():
            place = f"{page}/{name}"
            if problem is not None and place not in self._failing:
                _log.warning("The check %s of /%s fails: %s", name, page, problem)
                self._failing.add(place)
            elif problem is None and place in self._failing:
                _log.info("The check %s of /%s is well again", name, page)
                self._failing.discard(place)


def _enter(checks: dict[str, Check], name: str, check: Check) -> None:
    if not name or "/" in name:
        raise HealthError(f"{name!r} is no name of a check, since it is part of a path: leave out the /.")
    if name in checks:
        raise HealthError(f"there is a check {name!r} already: name this one otherwise.")
    checks[name] = check


def _fine() -> str | None:
    """That the question was heard is the answer."""
    return None


def ask(check: Check) -> str | None:
    """What is wrong; a check that raises has found something wrong too."""
    try:
        return check()
    except Exception as error:  # noqa: BLE001 - it is the answer
        _log.debug("A health check raised", exc_info=True)
        return f"{type(error).__name__}: {error}"


def check_alone(check: Check, headers: Headers) -> Response:
    """The page of one check, which says why it fails."""
    problem = ask(check)
    if problem is not None:
        return Response(500, headers, f"internal server error: {problem}\n".encode())
    return Response(200, headers, b"ok")


def check_all(
    title: str,
    checks: Mapping[str, Check],
    query: str,
    headers: Headers,
    quote: Callable[[str], str] = json.dumps,
) -> tuple[Response, dict[str, str | None]]:
    """The page of many checks, in their order; and what is wrong with those that were asked, which it does not tell."""
    words = parse_qs(query, keep_blank_values=True)
    excluded = set(words.get("exclude", ()))
    lines: list[str] = []
    found: dict[str, str | None] = {}
    for name, check in checks.items():
        if name in excluded:
            lines.append(f"[+]{name} excluded: ok")
            continue
        found[name] = ask(check)
        lines.append(f"[+]{name} ok" if found[name] is None else f"[-]{name} failed: reason withheld")
    if unknown := sorted(excluded - checks.keys()):
        listed = ",".join(map(quote, unknown))
        lines.append(f"warn: some health checks cannot be excluded: no matches for {listed}")
    failed = any(problem is not None for problem in found.values())
    if not failed and "verbose" not in words:
        return Response(200, headers, b"ok"), found
    lines.append(f"{title} check {'failed' if failed else 'passed'}")
    return Response(500 if failed else 200, headers, "".join(f"{line}\n" for line in lines).encode()), found
