"""Who owns the number of replicas, told at `/scale` and told in the object.

A Scale has one field that anybody owns, `spec.replicas`; in the object the same number stands at a path of its own,
which each version has (`Places`). For a write to a Scale its owners are taken over to it (`to_scale`), and what became
of them is taken back (`to_object`): who does not own it there any more has lost it, and who is new there owns it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from kubewright.cluster.fields.entries import Managed, Manager, read_entries, write_entries
from kubewright.cluster.fields.ownership import Owned
from kubewright.cluster.fields.pathset import PathSet, difference, intersection, set_of

__all__ = ["SCALE_VERSION", "Places", "place", "to_object", "to_scale"]

Entry = dict[str, Any]

#: The path of the number in each version; None in one that is not scaled. Other versions are not known.
Places = Mapping[str, PathSet | None]

SCALE_VERSION: Final = "autoscaling/v1"
_REPLICAS: Final = set_of(("f:spec", "f:replicas"))


def place(path: str) -> PathSet:
    """The place that `.spec.replicas` means."""
    return set_of(tuple(f"f:{name}" for name in path.removeprefix(".").split(".")))


def to_scale(entries: Sequence[Entry], places: Places) -> list[Entry]:
    """The entries of a Scale."""
    managed = read_entries(entries, trusted=True)
    owned = {
        manager: Owned(_REPLICAS, SCALE_VERSION, each.applied)
        for manager, each in managed.owned.items()
        if (path := places.get(each.version)) is not None and intersection(each.fields, path)
    }
    return write_entries(Managed(owned, managed.times, {}), sort=False)


def to_object(
    entries: Sequence[Entry], scale: Sequence[Entry], places: Places, version: str, *, sort: bool
) -> list[Entry]:
    """The entries of the object, of what they were and of those that the Scale has now."""
    managed, left = read_entries(entries, trusted=True), dict(read_entries(scale, trusted=True).owned)
    owned: dict[Manager, Owned] = {}
    for manager, each in managed.owned.items():
        if each.version not in places:
            continue
        path = places[each.version]
        # An updater is another one in each version, so that here it is only found if it applies.
        if path is None or not intersection(each.fields, path) or left.pop(manager, None) is not None:
            owned[manager] = each
        elif fields := difference(each.fields, path):
            owned[manager] = each._replace(fields=fields)
    here = places.get(version)
    assert here is not None, "what is scaled has a place for the number"
    for manager, each in left.items():
        if intersection(each.fields, _REPLICAS):
            owned[manager] = Owned(here, version, each.applied)
    return write_entries(managed._replace(owned=owned), sort=sort)
