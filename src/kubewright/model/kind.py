"""What names a kind. It stands alone: who only names kinds need not load what classes of them are made of."""

from typing import NamedTuple

__all__ = ["GroupVersionKind"]


class GroupVersionKind(NamedTuple):
    """What names a kind of a version: `apps`, `v1`, `Deployment`."""

    group: str
    version: str
    kind: str

    @property
    def api_version(self) -> str:
        """`apps/v1`, or `v1` for the core group."""
        return f"{self.group}/{self.version}" if self.group else self.version
