"""The files of a volume, as far as it is known which: what puts one where another is, or above or below it.

A volume may name thousands of files, so that they are not compared one by one: those below a path stand together when
paths are sorted, and those above it have one of the few lengths that paths have.
"""

from typing import NamedTuple

from sortedcontainers import SortedDict

from kubewright.schema.walk.golang import quote

__all__ = ["File", "Files"]

#: Sorts behind every character that a path may have.
_LAST = "\U0010ffff"


class File(NamedTuple):
    """A path in a volume, and what puts it there."""

    path: str
    source: str

    def __str__(self) -> str:
        return f"{quote(self.path)} ({self.source})" if self.source else quote(self.path)


class Files:
    """The files of one volume, in the order in which they come."""

    def __init__(self) -> None:
        self._files: list[File] = []
        #: Where each path, with a slash at its end, stands among the files.
        self._places: SortedDict[str, list[int]] = SortedDict()
        self._lengths: set[int] = set()

    def add(self, file: File) -> list[File]:
        """One more; returns those that came before and are at the same path, above it or below it."""
        if not file.path:
            return []
        path = f"{file.path}/"
        clashing: list[int] = []
        for length in self._lengths:
            if length <= len(path) and path[length - 1] == "/":
                clashing += self._places.get(path[:length], ())
        for below in self._places.irange(path, path + _LAST, inclusive=(False, True)):
            clashing += self._places[below]
        self._places.setdefault(path, []).append(len(self._files))
        self._lengths.add(len(path))
        self._files.append(file)
        return [self._files[place] for place in sorted(clashing)]
