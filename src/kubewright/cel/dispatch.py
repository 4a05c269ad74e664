"""Which overload of a function takes these arguments, found at run time.

Expressions of known types never come here: the checker has told which overload it is. Where an argument is dyn the
first overload that takes what is there is called, and if none does, the error names the types, or not, as the server's
does for that function.
"""

from collections.abc import Callable
from typing import Final

from kubewright.cel.access import has_entry
from kubewright.cel.arithmetic import RECEIVERS
from kubewright.cel.equality import contains
from kubewright.cel.library import overloads
from kubewright.cel.library.overload import Overload, takes
from kubewright.cel.values import EvaluationError, Native, ObjectView, no_such_overload, type_name

__all__ = ["dispatcher"]

# How much of a call that fits no overload the error tells: nothing, or the name alone; by default the types too.
_SILENT: Final = frozenset(("contains", "endsWith", "startsWith", "matches", "find", "findAll"))
_NAMED: Final = frozenset(("size", "sort", "@sortByAssociatedKeys"))


def dispatcher(function: str, ids: tuple[str, ...]) -> Callable[..., Native]:
    """The function that chooses among the overloads by these ids."""
    if function == "@in":
        return _in
    candidates = [overloads()[id_] for id_ in ids]

    def call(*args: Native) -> Native:
        for overload in candidates:
            if _fits(overload, args):
                return overload.call(*args)
        raise _refused(function, args)

    return call


def _fits(overload: Overload, args: tuple[Native, ...]) -> bool:
    return len(overload.kinds) == len(args) and all(map(takes, overload.kinds, args))


def _refused(function: str, args: tuple[Native, ...]) -> EvaluationError:
    if function in _SILENT:
        return no_such_overload()
    if function in _NAMED:
        return no_such_overload() if type(args[0]) in RECEIVERS else no_such_overload(function)
    names = [type_name(arg) for arg in args]
    if function == "flatten":
        return no_such_overload(f"{names[0]}.flatten({', '.join(names[1:])})")
    return no_such_overload(f"{function}({', '.join(names)})")


def _in(key: Native, value: Native) -> bool:
    if isinstance(value, list):
        return contains(value, key)
    if isinstance(value, dict | ObjectView):
        return has_entry(value, key)
    raise no_such_overload()
