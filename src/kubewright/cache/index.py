"""An index: from a value to the keys of the objects that have it, in the order in which they came.

Most values have one key (one Deployment for each owner), which is then kept by itself: a dict of one entry would be
larger than the object's header. Dicts and not sets, because a set's order is another one in every process, and runs in
simulated time must be repeatable.
"""

import logging
from collections.abc import Callable, Iterable
from typing import Any

from kubewright.cache.cached import Cached, Key
from kubewright.cache.trouble import is_end

__all__ = ["Index", "Values"]

_log = logging.getLogger(__name__)

#: The values of an object.
Values = Callable[[Cached], Iterable[str]]


class Index:
    """Keys by value. `values` must depend on the object alone; what it gave for an object is remembered.

    With `derived` it is not: for functions of ours that read nothing but the header, and give tuples without doubles.
    """

    def __init__(self, values: Values, *, derived: bool = False) -> None:
        self._function: Callable[[Cached], Any] = values
        self._keys: dict[str, Key | dict[Key, None]] = {}
        self._given: dict[Key, tuple[str, ...]] | None = None if derived else {}

    def keys(self, value: str) -> Iterable[Key]:
        """The keys of the objects with that value."""
        found = self._keys.get(value)
        return () if found is None else found if type(found) is dict else (found,)  # type: ignore[return-value]  # mypy does not narrow by `type(…) is`

    def __len__(self) -> int:
        """How many values there are."""
        return len(self._keys)

    def values(self, cached: Cached) -> tuple[str, ...]:
        """The values of an object; none where the function fails on it, which is logged."""
        try:
            return tuple(dict.fromkeys(self._function(cached)))
        except BaseException as error:
            if is_end(error):
                raise
            # A user's function: what it raises is about one object.
            what = cached.source.endpoint.resource
            _log.exception("an index of %s fails on %s, which is not indexed.", what, cached.key)
            return ()

    def change(self, key: Key, old: Cached | None, new: Cached | None) -> None:
        """Take out the values of `old`, put in those of `new`."""
        given = self._given
        if given is None:
            before = self._function(old) if old is not None else ()
            after = self._function(new) if new is not None else ()
        else:
            before = given.pop(key, ())
            after = self.values(new) if new is not None else ()
            if after:
                given[key] = after
        if before == after:
            return
        for value in before:
            if value not in after:
                self._discard(value, key)
        for value in after:
            if value not in before:
                self._add(value, key)

    def _add(self, value: str, key: Key) -> None:
        found = self._keys.setdefault(value, key)
        if type(found) is dict:
            found[key] = None
        elif found is not key:
            self._keys[value] = {found: None, key: None}  # type: ignore[dict-item]  # not narrowed, as above

    def _discard(self, value: str, key: Key) -> None:
        found = self._keys.get(value)
        if type(found) is dict:
            found.pop(key, None)
            if len(found) == 1:
                self._keys[value] = next(iter(found))
        elif found == key:
            del self._keys[value]
