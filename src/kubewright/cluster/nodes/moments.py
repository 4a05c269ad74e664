"""Moments as statuses spell them: whole seconds, in UTC. Pure."""

from datetime import UTC, datetime
from functools import lru_cache

__all__ = ["read_moment", "spell_moment"]


@lru_cache(4096)
def read_moment(text: str) -> float:
    """Seconds since 1970."""
    return datetime.fromisoformat(text).timestamp()


def spell_moment(moment: float) -> str:
    """`2026-01-01T00:00:00Z`: the second that has begun."""
    return _spelled(int(moment))


@lru_cache(4096)
def _spelled(second: int) -> str:
    return f"{datetime.fromtimestamp(second, UTC).isoformat()[:19]}Z"
