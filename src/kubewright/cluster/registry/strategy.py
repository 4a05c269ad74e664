"""What is particular to a kind when it is written. What stands here fits most kinds; a kind that differs overrides it.

The verbs call, on create: `prepare_create`, `validate`, `warnings`; on update: `prepare_update`, `validate_update`,
`warnings`; all of it inside `allocating`, which also sees whether the object is written in the end. `gone` is called
after an object was deleted. Objects are changed in place where it says so, old ones never.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, nullcontext
from copy import copy
from typing import Any, Final, NamedTuple, Self

from kubewright.cluster.store import Store
from kubewright.entropy import Entropy
from kubewright.schema.walk.errors import FieldError, invalid
from kubewright.schema.walk.metarules import (
    check_meta,
    check_meta_in_steps,
    check_meta_update,
    check_meta_update_in_steps,
)
from kubewright.schema.walk.names import subdomain

__all__ = [
    "FOREGROUND",
    "ORPHAN",
    "STANDARD_FINALIZERS",
    "Lengthy",
    "NameRule",
    "Propagation",
    "Strategy",
    "check_finalizers",
    "prefix_rule",
]

Document = dict[str, Any]
NameRule = Callable[[str], list[str]]

#: By these finalizers the garbage collector is told what is to become of dependents.
ORPHAN = "orphan"
FOREGROUND = "foregroundDeletion"
STANDARD_FINALIZERS = frozenset({"kubernetes", ORPHAN, FOREGROUND})

_NOTHING: Final = nullcontext()


class Propagation(NamedTuple):
    """What a deletion says of dependents; None where it says nothing."""

    policy: str | None
    orphan: bool | None


class _Known(NamedTuple):
    """What is wrong with the metadata of an object that is judged: new, and as it changed."""

    errors: list[FieldError]
    changes: list[FieldError]


class Lengthy(Exception):
    """To judge an object takes long, however small it is, or does this once: it has to be done in steps."""


class Strategy:
    """How objects of a kind are prepared and judged."""

    #: PUT of an object that is not there makes it.
    create_on_update = False
    #: PUT may leave the resourceVersion out.
    unconditional_update = True
    #: DELETE answers with the object even when it is gone at once.
    returns_deleted = False
    #: How a deletion is refused whose preconditions do not hold.
    plain_preconditions = False
    #: What becomes of dependents if neither client nor object say: Background, Orphan, or Unsupported.
    default_propagation = "Background"
    #: Finalizers without a domain may have any name, not just Kubernetes' own.
    any_finalizer = False
    #: What is wrong with a name.
    name_rule: NameRule = staticmethod(subdomain)

    def __init__(self, *, namespaced: bool) -> None:
        self.namespaced = namespaced
        self._known: _Known | None = None

    @property
    def closed(self) -> str:
        """Why nothing may be created now; empty if it may."""
        return ""

    def default(self, obj: Document) -> None:
        """Fill in, in place, what reading an object fills in."""

    def allocating(
        self, obj: Document, old: Document | None, store: Store, entropy: Entropy, dry_run: bool
    ) -> AbstractContextManager[None]:
        """Fill in, in place, what an object gets of something finite, and give it back if it is not written.

        What it does not get any more is given back when it is; a dry run takes nothing.
        """
        return _NOTHING

    def gone(self, obj: Document, store: Store) -> None:
        """Take away, or give back, what belonged to an object that is deleted."""

    def prepare_create(self, obj: Document) -> None:
        """Make of what a client sent what may be created, in place: drop the status, set what the server sets."""

    def prepare_update(self, obj: Document, old: Document) -> None:
        """Make of what a client sent what may replace `old`, in place: keep what this endpoint may not change."""

    def prepare_in_steps(self, obj: Document, old: Document) -> Generator[None, None, None]:
        """The same for a large object, in steps."""
        yield
        self.prepare_update(obj, old)

    def validate(self, obj: Document) -> list[FieldError]:
        """What is wrong with a new object, metadata first."""
        return [*self.check_meta(obj), *self.check(obj)]

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        """What is wrong with a changed object, beyond what is wrong with metadata of any kind."""
        return [*self.check_meta_update(obj, old), *self.check(obj)]

    def judge_in_steps(self, obj: Document, old: Document | None) -> Generator[None, None, list[FieldError]]:
        """What is wrong with a large object that is new, or else changed; in steps."""
        judge = yield from self._knowing(obj, old)
        return judge.validate(obj) if old is None else judge.validate_update(obj, old)

    def _knowing(self, obj: Document, old: Document | None) -> Generator[None, None, Self]:
        """The same, but it knows what is wrong with the metadata of an object."""
        judge = copy(self)
        judge._known = yield from self._know_meta(obj, old)
        yield
        return judge

    def _know_meta(self, obj: Document, old: Document | None) -> Generator[None, None, "_Known"]:
        """What `check_meta` and `check_meta_update` are to say of a large object, found in steps."""
        rule, meta = self.name_rule, obj["metadata"]
        errors = yield from check_meta_in_steps(
            meta, "metadata", name=rule, name_prefix=prefix_rule(rule), namespaced=self.namespaced
        )
        rest = self._check_finalizers(obj)
        if old is None:
            return _Known(errors + rest, [])
        yield
        return _Known(
            errors + rest, [*(yield from check_meta_update_in_steps(meta, old["metadata"], "metadata")), *rest]
        )

    def check(self, obj: Document) -> list[FieldError]:
        """What is wrong with an object, new or changed, metadata apart."""
        return []

    def check_meta(self, obj: Document) -> list[FieldError]:
        """What is wrong with the metadata of an object of this kind."""
        if self._known is not None:
            return self._known.errors
        rule = self.name_rule
        meta: dict[str, object] = obj["metadata"]
        errors = check_meta(meta, "metadata", name=rule, name_prefix=prefix_rule(rule), namespaced=self.namespaced)
        return errors + self._check_finalizers(obj)

    def check_meta_update(self, obj: Document, old: Document) -> list[FieldError]:
        """What is wrong with metadata of an object of this kind that is to replace other."""
        if self._known is not None:
            return self._known.changes
        return check_meta_update(obj["metadata"], old["metadata"], "metadata") + self._check_finalizers(obj)

    def _check_finalizers(self, obj: Document) -> list[FieldError]:
        if self.any_finalizer:
            return []
        return check_finalizers(obj["metadata"].get("finalizers") or (), "metadata.finalizers")

    def warnings(self, obj: Document, old: Document | None) -> list[str]:
        """What a writer should know though the object is valid."""
        return []

    def warnings_in_steps(self, obj: Document, old: Document | None) -> Generator[None, None, list[str]]:
        """The same for a large object, in steps."""
        yield
        return self.warnings(obj, old)

    def tolerated(self, obj: Document, old: Document) -> list[str]:
        """What is wrong with a changed object and was so before; the writer is told, whatever becomes of it."""
        return []

    def tolerated_in_steps(self, obj: Document, old: Document) -> Generator[None, None, list[str]]:
        """The same for a large object, in steps."""
        yield
        return self.tolerated(obj, old)

    def emptied(self, obj: Document, old: Document) -> bool:
        """Whether an object that is being deleted, without finalizers now, may go."""
        return True

    def hold(self, obj: Document, wish: Propagation, now: str) -> bool:
        """Whether a deletion only begins something, and ends with the object as it is changed here, in place."""
        return False

    def parting_warnings(self, wish: Propagation) -> list[str]:
        """What whoever deletes objects should know."""
        return []

    def grace(self, obj: Document, asked: int | None) -> int | None:
        """How many seconds an object has to end itself when it is deleted; None if the kind knows no grace."""
        return None


def check_finalizers(names: Sequence[str], path: str) -> list[FieldError]:
    """What is wrong with the finalizers of a built-in kind: those without a domain are Kubernetes' own."""
    why = "name is neither a standard finalizer name nor is it fully qualified"
    return [
        invalid(f"{path}[{index}]", name, why)
        for index, name in enumerate(names)
        if "/" not in name and name not in STANDARD_FINALIZERS
    ]


def prefix_rule(rule: NameRule) -> NameRule:
    """What is wrong with the beginning of a name to be generated: it may end with a dash."""

    def complaints(prefix: str) -> list[str]:
        return rule(prefix[:-2] + "a" if len(prefix) > 1 and prefix.endswith("-") else prefix)

    return complaints
