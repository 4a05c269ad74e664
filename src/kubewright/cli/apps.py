"""The operator that a command is about: `MODULE[:NAME]`, and the kinds that are its own.

A module that has one operator need not say which; what an operator is for is read from what its controllers declare.
"""

import sys
from types import ModuleType
from typing import Any

from kubewright.cli.sources import CommandError, load_module
from kubewright.client.endpoint import endpoint_of
from kubewright.model.resource import Resource, definition_of
from kubewright.operator.operator import Operator

__all__ = ["load_operator", "operators_in", "own_kinds"]


def load_operator(target: str) -> Operator:
    """The operator that `MODULE:NAME` names, or the only one of `MODULE`."""
    place, _, name = target.partition(":")
    module = load_module(place)
    found = operators_in(module)
    if name:
        named = getattr(module, name, None)
        if not isinstance(named, Operator):
            shown = f"the class {named.__name__}" if isinstance(named, type) else f"{named!r:.60}"
            what = "nothing of that name" if named is None else f"{shown} there, which is no kw.Operator"
            raise CommandError(f"{target}: the module has {what}{_instead(found, place)}.")
        return named
    if not found:
        raise CommandError(
            f'{place} has no operator; add one, as in app = kw.Operator("my-operator", [my_controller]).'
        )
    if len(found) > 1:
        names = list(found)
        raise CommandError(f"{place} has {len(found)} operators; say which: {place}:{f' or {place}:'.join(names)}.")
    return next(iter(found.values()))


def operators_in(module: ModuleType) -> dict[str, Operator]:
    """The operators of a module, by the first name of each."""
    found: dict[str, Operator] = {}
    for name, value in vars(module).items():
        if isinstance(value, Operator) and value not in found.values():
            found[name] = value
    return found


def own_kinds(app: Operator) -> list[type[Resource]]:
    """The custom kinds that an operator's controllers declare, each with all its versions."""
    found: list[type[Resource]] = []
    for controller in app.controllers:
        watched = [endpoint_of(each.kind) for each in controller.watches]
        for endpoint in (controller.endpoint, *controller.owns, *controller.reads, *watched):
            kind: Any = endpoint.model
            if kind is not None and not kind.__module__.startswith("kubewright.k8s."):
                found += [each for each in _versions(kind) if each not in found]
    return found


def _versions(kind: type[Resource]) -> list[type[Resource]]:
    """A kind, and the other versions of it in its module: a CRD holds all of them."""
    own = definition_of(kind)
    found = [kind]
    for value in vars(sys.modules[kind.__module__]).values():
        if isinstance(value, type) and issubclass(value, Resource) and "__definition__" in vars(value):
            other = vars(value)["__definition__"]
            if other and (other.group, other.kind) == (own.group, own.kind) and value not in found:
                found.append(value)
    return found


def _instead(found: dict[str, Operator], place: str) -> str:
    return f"; it has {', '.join(f'{place}:{name}' for name in found)}" if found else ""
