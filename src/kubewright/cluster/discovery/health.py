"""Health: `/healthz`, `/livez` and `/readyz`, and each check by itself.

The pages and their words are those of `kubewright.observe.health`; kube-apiserver's own are the paths, that `ping` is
always among the checks, and that each page says its own name.
"""

from collections.abc import Mapping
from typing import Final

from kubewright.http import Headers, Response
from kubewright.observe.health import Check, check_all, check_alone
from kubewright.schema.walk.golang import quote

__all__ = ["ENDPOINTS", "Check", "Health"]

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
            return check_all(endpoint, checks, query, _PAGE, quote)[0]
        if name not in checks:
            return None
        response = check_alone(checks[name], _PAGE)
        return response if response.status != 200 else Response(200, _TEXT, response.body)
