"""Health: `/healthz`, `/livez` and `/readyz`, and each check by itself.

Text for people and probes: `ok`, or with `?verbose` a line for each check. A check that fails is named, its reason is
not told on the public page; the check's own path tells it.
"""

from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import parse_qs

from kubewright.http import Headers, Response
from kubewright.schema.walk.golang import quote

__all__ = ["ENDPOINTS", "Check", "Health"]

#: What is wrong, or nothing.
Check = Callable[[], str | None]

ENDPOINTS: Final = ("healthz", "livez", "readyz")
_TEXT: Final = Headers([(b"Cache-Control", b"no-cache, private"), (b"Content-Type", b"text/plain; charset=utf-8")])
_PAGE: Final = _TEXT.plus((b"X-Content-Type-Options", b"nosniff"))


def _fine() -> str | None:
    """That the question was heard is the answer."""
    return None


class Health:
    """The checks of a server. `checks` are asked on every page, those of `readiness` on `/readyz` alone."""

    def __init__(self, checks: Mapping[str, Check], readiness: Mapping[str, Check]) -> None:
        every = {"ping": _fine, **checks}
        self._checks: dict[str, dict[str, Check]] = dict.fromkeys(ENDPOINTS, every)
        self._checks["readyz"] = {**every, **readiness}

    def paths(self) -> list[str]:
        """Every path there is."""
        return [
            f"/{name}{end}" for name, checks in self._checks.items() for end in ("", *(f"/{each}" for each in checks))
        ]

    def answer(self, path: str, query: str) -> Response | None:
        """The answer to one of the paths."""
        endpoint, slash, name = path.removeprefix("/").partition("/")
        checks = self._checks[endpoint]
        if not slash:
            return self._page(endpoint, checks, parse_qs(query, keep_blank_values=True))
        if name not in checks:
            return None
        reason = checks[name]()
        if reason is not None:
            return Response(500, _PAGE, f"internal server error: {reason}\n".encode())
        return Response(200, _TEXT, b"ok")

    def _page(self, endpoint: str, checks: dict[str, Check], query: dict[str, list[str]]) -> Response:
        excluded = set(query.get("exclude", ()))
        lines, failed = [], False
        for name, check in checks.items():
            if name in excluded:
                lines.append(f"[+]{name} excluded: ok")
            elif check() is not None:
                failed = True
                lines.append(f"[-]{name} failed: reason withheld")
            else:
                lines.append(f"[+]{name} ok")
        if unknown := sorted(excluded - checks.keys()):
            listed = ",".join(quote(name) for name in unknown)
            lines.append(f"warn: some health checks cannot be excluded: no matches for {listed}")
        if not failed and "verbose" not in query:
            return Response(200, _PAGE, b"ok")
        lines.append(f"{endpoint} check {'failed' if failed else 'passed'}")
        return Response(500 if failed else 200, _PAGE, "".join(f"{line}\n" for line in lines).encode())
