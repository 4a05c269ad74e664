"""The time that a request grants the server, `?timeout=30s`: read, so that one that is none is refused.

Nothing is cut short by it: a write that has begun is never torn, and what else takes long has limits of its own. A
request that is meant to last (a watch, a log, a command) is not asked.
"""

from typing import Final

from kubewright.cluster.auth.intent import Intent
from kubewright.cluster.wire.status import bad_request
from kubewright.model.duration import Duration, DurationError

__all__ = ["check_timeout"]

_LASTING: Final = frozenset({"attach", "exec", "proxy", "log", "portforward"})


def check_timeout(intent: Intent, text: str) -> None:
    """Refuse what is no time."""
    if not text or intent.verb == "watch" or intent.subresource in _LASTING:
        return
    try:
        Duration(text)
    except DurationError as error:
        why, _, _ = str(error).rpartition("; ")  # behind it stands what a developer may do
        raise bad_request(f"invalid timeout specified in the request URL - {why}") from None
