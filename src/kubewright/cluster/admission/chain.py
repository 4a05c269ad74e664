"""The chain: what the server's own plugins make of a write before it is judged, and what they refuse.

    admit(call, obj, old)    # changes the object in place; a Failure refuses it

It runs when it is known what the client changed and whose each field is (so that nobody owns what a plugin fills in),
and before the kind's strategy prepares and judges the object. A plugin is a function of the same form; which kinds it
looks at stands in the table, and it is imported when such a kind is first written.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, Final

from kubewright.cluster.verbs.call import Call

__all__ = ["admit"]

Document = dict[str, Any]
Plugin = Callable[[Call, Document, Document | None], None]

#: By resource or subresource, in the order in which they run.
_PLUGINS: Final[dict[str, tuple[str, ...]]] = {}


def admit(call: Call, obj: Document, old: Document | None) -> None:
    """Let the plugins see an object that is to be created, or to replace `old`."""
    if call.resource.custom:
        return
    place = call.resource.qualified
    if call.subresource is not None:
        place = f"{place}/{call.subresource.name}"
    for plugin in _plugins(place):
        plugin(call, obj, old)


@cache
def _plugins(place: str) -> tuple[Plugin, ...]:
    found = []
    for each in _PLUGINS.get(place, ()):
        module, _, name = each.rpartition(".")
        found.append(getattr(import_module(f"{__package__}.{module}"), name))
    return tuple(found)
