"""The annotations of a class, whatever the Python: written down with it or, from 3.14 on, computed when asked for.

Names in them that are not known, or not yet, are no error here.
"""

import contextlib
import sys
from collections.abc import Iterator, Mapping
from typing import Any, Final

__all__ = ["annotations_in", "annotations_of", "shown"]

#: Where a class body that was written in the old way has them, in any Python.
_WRITTEN: Final = "__annotations__"


def annotations_in(namespace: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the body of a class that is being made."""
    if sys.version_info < (3, 14) or _WRITTEN in namespace:
        return dict(namespace.get(_WRITTEN, {}))
    import annotationlib  # type: ignore[import-not-found]  # Python 3.14

    annotate = annotationlib.get_annotate_from_class_namespace(namespace)
    return {} if annotate is None else annotationlib.call_annotate_function(annotate, annotationlib.Format.FORWARDREF)


def annotations_of(cls: type) -> dict[str, Any]:
    """A class's own, without those of its bases."""
    return annotations_in(vars(cls))


@contextlib.contextmanager
def shown(annotations: Mapping[type, dict[str, Any]]) -> Iterator[None]:
    """Meanwhile these classes have other annotations."""
    before = [(cls, annotations_of(cls), getattr(cls, "__annotate__", None)) for cls in annotations]
    try:
        for cls, others in annotations.items():
            cls.__annotations__ = others
        yield
    finally:
        for cls, written, annotate in before:
            if annotate is None:
                cls.__annotations__ = written
            else:  # which sets them aside as well
                cls.__annotate__ = annotate  # type: ignore[attr-defined]  # Python 3.14
