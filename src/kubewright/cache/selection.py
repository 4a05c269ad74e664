"""Which objects of a kind are kept: in which namespaces, with which labels and fields, whole or their metadata alone.

    Selection(endpoint_of(Pod), namespaces=("shop",), labels=LabelSelector.parse("app=web"))

Equal selections share one cache. Different ones may share `one | other`, which holds what either holds: each then
looks at its own part of it (`holds`).
"""

from dataclasses import dataclass, field
from typing import Any

from kubewright.cache.cached import Cached, Key
from kubewright.client.endpoint import Endpoint
from kubewright.errors import KubewrightError
from kubewright.model.selectors import FieldSelector, LabelSelector, Requirement

__all__ = ["Selection", "SelectionError"]

#: Fields of which we know the value without asking the server.
_KNOWN = ("metadata.name", "metadata.namespace")
#: Operators that say which values a label may have.
_VALUES = ("=", "==", "in")
_ALL = LabelSelector()
_ANY = FieldSelector()


class SelectionError(KubewrightError):
    """A selection that selects nothing sensible."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What one cache holds."""

    endpoint: Endpoint[Any]
    #: Only in these; with none, in all.
    namespaces: tuple[str, ...] = ()
    labels: LabelSelector = _ALL
    fields: FieldSelector = _ANY
    #: Whether the server is asked for metadata alone; enough for who only wants to know that something changed.
    metadata_only: bool = False
    #: Whether all objects of these namespaces are here, and none is left out for its labels or fields.
    whole: bool = field(init=False, compare=False, repr=False)
    #: Whether all objects are here, of all namespaces: then there is nothing to look at.
    everything: bool = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if isinstance(self.namespaces, str):
            raise SelectionError(f"namespaces are a tuple of names, as in ({self.namespaces!r},), not one text.")
        if not isinstance(self.labels, LabelSelector) or not isinstance(self.fields, FieldSelector):
            raise SelectionError(
                "a selection has a LabelSelector and a FieldSelector: LabelSelector.parse(text) reads one."
            )
        if self.namespaces and not self.endpoint.namespaced:
            raise SelectionError(
                f"{self.endpoint.resource} are in no namespace; leave out namespaces={self.namespaces}."
            )
        if "" in self.namespaces:
            raise SelectionError(f"a namespace of {self.endpoint.resource} is empty; for all of them give none.")
        object.__setattr__(self, "namespaces", tuple(sorted(set(self.namespaces))))
        object.__setattr__(self, "whole", self.labels.empty and self.fields.empty)
        object.__setattr__(self, "everything", self.whole and not self.namespaces)

    @property
    def scopes(self) -> tuple[str, ...]:
        """The namespaces that are watched, one by one; the empty one is all of them."""
        return self.namespaces or ("",)

    def scope_of(self, namespace: str) -> str | None:
        """Which of the scopes an object in that namespace is in; None if in none."""
        if not self.namespaces:
            return ""
        return namespace if namespace in self.namespaces else None

    def may_hold(self, key: Key) -> bool:
        """Whether an object of that name may be selected, as far as its name tells."""
        return self.everything or (
            self.scope_of(key.namespace) is not None
            and all(
                (_known(key, term.field) == term.value) is term.equal
                for term in self.fields.terms
                if term.field in _KNOWN
            )
        )

    def parts(self, place: Key) -> tuple[Key, ...]:
        """What of a place may be selected: a key, or with no name its namespace, or with neither everything."""
        if place.name:
            return (place,) if self.may_hold(place) else ()
        if self.namespaces and not place.namespace:
            return tuple(Key(namespace, "") for namespace in self.namespaces)
        return (place,) if self.scope_of(place.namespace) is not None else ()

    def query(self) -> dict[str, str]:
        """The part of a query that selects."""
        query = {}
        if not self.labels.empty:
            query["labelSelector"] = str(self.labels)
        if not self.fields.empty:
            query["fieldSelector"] = str(self.fields)
        return query

    def __or__(self, other: "Selection") -> "Selection":
        """The smallest selection that can be asked for and holds both. Of fields only equal ones are kept."""
        # A class reads whole objects; one that is none would read plain documents for all.
        endpoint = self.endpoint if self.endpoint.model is not None else other.endpoint
        everywhere = not self.namespaces or not other.namespaces
        return Selection(
            endpoint,
            () if everywhere else (*self.namespaces, *other.namespaces),
            _either(self.labels, other.labels),
            self.fields if self.fields == other.fields else _ANY,
            metadata_only=self.metadata_only and other.metadata_only,
        )

    def covers(self, other: "Selection") -> bool:
        """Whether all that the other holds is here too, and as much of it."""
        return self | other == self | self

    def holds(self, cached: Cached) -> bool | None:
        """Whether an object is selected; None where only the server can tell: it alone knows the fields of a kind."""
        if self.everything:
            return True
        if not self.may_hold(cached.key):
            return False
        if not self.labels.empty and not self.labels.matches(cached.labels):
            return False
        return True if all(term.field in _KNOWN for term in self.fields.terms) else None


def _known(key: Key, name: str) -> str:
    return key.name if name == "metadata.name" else key.namespace


def _either(one: LabelSelector, other: LabelSelector) -> LabelSelector:
    """What both or either demand, as far as one selector can say it: no server takes two.

    Kept is what both demand, and of a label that each wants to have certain values, that it has one of them all.
    """
    (values, rest), (others, others_rest) = _demands(one), _demands(other)
    if one.nothing or not all(values.values()):
        values, rest = others, others_rest
    elif not other.nothing and all(others.values()):
        values, rest = {key: values[key] | others[key] for key in values.keys() & others.keys()}, rest & others_rest
    if not all(values.values()) or (one.nothing and other.nothing):
        return LabelSelector(nothing=True)
    wanted = {Requirement(key, "in" if len(of) > 1 else "=", tuple(sorted(of))) for key, of in values.items()}
    return LabelSelector(tuple(sorted(wanted | rest)))


def _demands(selector: LabelSelector) -> tuple[dict[str, set[str]], set[Requirement]]:
    """The values that labels must have, of which none is left where demands contradict each other; and all else."""
    values: dict[str, set[str]] = {}
    rest: set[Requirement] = set()
    for each in selector.requirements:
        if each.operator in _VALUES:
            values[each.key] = values.get(each.key, {*each.values}) & {*each.values}
        else:
            rest.add(each)
    return values, rest
