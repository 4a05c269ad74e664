"""The objects of one informer and the indexes over them, changed in one step: no reader sees one without the other."""

from collections.abc import Iterable, Iterator, Mapping
from operator import attrgetter

from kubewright.cache.cached import Cached, Key
from kubewright.cache.change import Change
from kubewright.cache.index import Index, Values
from kubewright.errors import KubewrightError
from kubewright.model.selectors import LabelSelector

__all__ = ["NAMESPACE", "ORPHAN", "OWNER", "Store", "UnknownIndex"]

NAMESPACE = "namespace"
OWNER = "owner"
ORPHAN = "orphan"
_LABEL = "label:"
#: From so many objects on, a label that is asked for is indexed by itself; so many labels at most: each costs at every
#: change.
_MANY = 256
_INDEXES = 8


class UnknownIndex(KubewrightError):
    """An index that is not there, or is there already."""


class Store:
    """Objects by key."""

    def __init__(self) -> None:
        self._objects: dict[Key, Cached] = {}
        self._indexes: dict[str, Index] = {
            NAMESPACE: Index(lambda cached: (cached.key.namespace,), derived=True),
            OWNER: Index(attrgetter("owners"), derived=True),
        }
        #: Those that read more than the header says.
        self._deep: list[Index] = []
        self.bytes = 0
        self.get = self._objects.get

    def __len__(self) -> int:
        return len(self._objects)

    def __iter__(self) -> Iterator[Cached]:
        return iter(self._objects.values())

    def put(self, new: Cached, changes: list[Change]) -> None:
        """Take a version of an object, and add to `changes` what that is; the version that is there is no change."""
        key = new.key
        old = self._objects.get(key)
        if old is None:
            changes.append(Change("added", key, None, new))
        elif old.uid != new.uid:  # made anew, and nobody told the end of the one before
            changes += (Change("deleted", key, old, None), Change("added", key, None, new))
        elif old.revision != new.revision:
            changes.append(Change("updated", key, old, new))
        else:
            return
        self._set(key, old, new)

    def remove(self, key: Key) -> Cached | None:
        """Take an object out."""
        old = self._objects.get(key)
        if old is not None:
            self._set(key, old, None)
        return old

    def replace(self, scope: str, objects: Mapping[Key, Cached]) -> list[Change]:
        """All objects of a namespace (or of all, where it is empty) are these, and no others.

        First what vanished, then what is new or different, in the order given; what is the same is not told.
        """
        known = self._indexes[NAMESPACE].keys(scope) if scope else self._objects
        changes = [Change("deleted", key, self.remove(key), None) for key in tuple(known) if key not in objects]
        for new in objects.values():
            self.put(new, changes)
        return changes

    def add_index(self, name: str, values: Values) -> None:
        """Keep an index from now on."""
        if name in self._indexes:
            raise UnknownIndex(f"there is an index {name!r} already; give this one another name.")
        index = Index(values)
        for key, cached in self._objects.items():
            index.change(key, None, cached)
        self._indexes[name] = index
        self._deep.append(index)

    def index(self, name: str) -> Index:
        """An index by its name; those of labels, and that of orphans, are made when they are first asked for."""
        if name == ORPHAN and name not in self._indexes:
            self.add_index(name, lambda cached: () if cached.controller else ("",))
        if name not in self._indexes:
            if not name.startswith(_LABEL):
                have = ", ".join(sorted(self._indexes))
                raise UnknownIndex(f"there is no index {name!r}; add it with `add_index`. There are: {have}.")
            label = name.removeprefix(_LABEL)
            self.add_index(name, lambda cached: [value] if (value := cached.labels.get(label)) is not None else ())
        return self._indexes[name]

    def select(
        self, namespace: str | None, labels: LabelSelector | None, index: tuple[str, str] | None
    ) -> Iterator[Cached]:
        """Those for which all that is given holds."""
        for cached in self._narrowest(namespace, labels, index):
            if self.matches(cached, namespace, labels, None):  # the index was asked
                yield cached

    def matches(
        self,
        cached: Cached,
        namespace: str | None,
        labels: LabelSelector | None,
        index: tuple[str, str] | None,
    ) -> bool:
        """Whether all that is given holds for an object, be it in the store or not."""
        return (
            (namespace is None or cached.key.namespace == namespace)
            and (index is None or index[1] in self.index(index[0]).values(cached))
            and (labels is None or labels.empty or labels.matches(cached.labels))
        )

    def _narrowest(
        self, namespace: str | None, labels: LabelSelector | None, index: tuple[str, str] | None
    ) -> Iterable[Cached]:
        """The objects to look at: by the index that was named, by one on a label, by namespace, or all."""
        if index is None and labels is not None:
            index = self._by_label(labels)
        if index is None and namespace is not None:
            index = NAMESPACE, namespace
        if index is None:
            return self._objects.values()
        return [self._objects[key] for key in self.index(index[0]).keys(index[1])]

    def _by_label(self, labels: LabelSelector) -> tuple[str, str] | None:
        """An index by which a selector is answered; where there are many objects it is made now, if there are few."""
        wanted = [
            (f"{_LABEL}{each.key}", value)
            for each in labels.requirements
            if (value := labels.exact(each.key)) is not None
        ]
        for name, value in wanted:
            if name in self._indexes:
                return name, value
        if len(self._objects) < _MANY or sum(name.startswith(_LABEL) for name in self._indexes) >= _INDEXES:
            return None
        return wanted[0] if wanted else None

    def _set(self, key: Key, old: Cached | None, new: Cached | None) -> None:
        if new is None:
            del self._objects[key]
        else:
            self._objects[key] = new
            self.bytes += len(new.raw)
        if old is not None:
            self.bytes -= len(old.raw)
        same = old is not None and new is not None and old.owners == new.owners
        for index in self._deep if same else self._indexes.values():
            index.change(key, old, new)
