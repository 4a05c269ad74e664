"""A finding of the linter: what is wrong or unwise with a CRD, where, and what to do."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["Finding", "Severity"]

Severity: TypeAlias = Literal["error", "warning", "info"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. An *error* is what a server refuses or what can never work, a *warning* a likely mistake or a cost
    that comes later, *info* a convention that is not kept."""

    code: str
    severity: Severity
    path: str
    problem: str
    remedy: str

    @property
    def message(self) -> str:
        """The problem and the remedy in one sentence."""
        return f"{self.problem}: {self.remedy}"

    def __str__(self) -> str:
        return f"{self.severity}: {self.path}: {self.message} [{self.code}]"
