"""What an expression may speak of: variables and their types. Functions are mostly the same (`declarations`)."""

from collections.abc import Mapping

from kubewright.cel.declarations import TYPE_NAMES
from kubewright.cel.types import DURATION, TIMESTAMP, Type, optional_of, type_of

__all__ = ["UNUSABLE", "Environment", "rule_environment"]


class Environment:
    """Variables by name; names of types are known besides. With `patches`, expressions may make objects and patches."""

    __slots__ = ("names", "patches", "variables")

    def __init__(
        self, variables: Mapping[str, Type], types: Mapping[str, Type] | None = None, *, patches: bool = False
    ) -> None:
        self.variables = dict(variables)
        self.names = {**TYPE_NAMES, **(types or {}), **self.variables}
        self.patches = patches


# Names that rules may mention but that stand for nothing: an expression with one of them checks, and does not compile.
UNUSABLE = {"duration": type_of(DURATION), "timestamp": type_of(TIMESTAMP)}


def rule_environment(of: Type, *, optional_old: bool = False) -> Environment:
    """What a validation rule on a value of this type sees: `self`, and `oldSelf` with the value before the change.

    With `optional_old` (`optionalOldSelf: true`) the rule also runs on creation, and `oldSelf` is an optional.
    """
    return Environment({"self": of, "oldSelf": optional_of(of) if optional_old else of}, UNUSABLE)
