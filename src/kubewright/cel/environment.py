"""What an expression may speak of: variables and their types. Functions are the same everywhere (`declarations`)."""

from collections.abc import Mapping

from kubewright.cel.declarations import TYPE_NAMES
from kubewright.cel.types import Type, optional_of

__all__ = ["Environment", "rule_environment"]


class Environment:
    """Variables by name; names of types are known besides."""

    __slots__ = ("names", "variables")

    def __init__(self, variables: Mapping[str, Type]) -> None:
        self.variables = dict(variables)
        self.names = {**TYPE_NAMES, **self.variables}


def rule_environment(of: Type, *, optional_old: bool = False) -> Environment:
    """What a validation rule on a value of this type sees: `self`, and `oldSelf` with the value before the change.

    With `optional_old` (`optionalOldSelf: true`) the rule also runs on creation, and `oldSelf` is an optional.
    """
    return Environment({"self": of, "oldSelf": optional_of(of) if optional_old else of})
