"""JSON patch (RFC 6902), as kube-apiserver applies it.

Where the RFC and the server part, the server is right: a negative index counts from the end, `replace` of an absent
member adds it, a missing `value` is null, `copy` of an absent member gives null, and `test` compares the text of
scalars: `1` is not `1.0`, and `"<"` is not what Go makes of it when it writes the object down, `"\\u003c"`.

    operations = read(body)               # once: BadPatch (400), OversizedPatch (413)
    changed = apply(document, operations)   # at every attempt: InapplicablePatch (422); the document stays as it is

Both are there in steps, too, for patches so long, and objects so large, that others should have their turn meanwhile.
"""

from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any, Final, NamedTuple

from kubewright.cluster.patches import decode
from kubewright.cluster.patches.errors import BadPatch, InapplicablePatch, OversizedPatch, PanickingPatch
from kubewright.cluster.patches.tree import NULL, Text, Tree, add, equal, get, remove, replace, size
from kubewright.model.steps import finish

__all__ = [
    "MAX_COPIED",
    "MAX_OPERATIONS",
    "Operation",
    "Patch",
    "apply",
    "apply_in_steps",
    "read",
    "read_in_steps",
    "unknown_members",
]

#: Operations in one patch.
MAX_OPERATIONS: Final = 10_000
#: Bytes that the `copy` operations of one patch may add.
MAX_COPIED: Final = 3 * 1024 * 1024

#: So many operations are read, or done, in one step.
_FEW: Final = 250

_KNOWN: Final = frozenset({"op", "path", "from", "value"})
_MISSING: Final = object()


class Operation(NamedTuple):
    """One step of a patch. A `path` or `source` (`from`) that is None cannot be used, and the error says why."""

    kind: str
    path: str | None
    path_error: str
    source: str | None
    source_error: str
    value: object


class Patch(NamedTuple):
    """The operations of a patch, and what they were read from."""

    operations: tuple[Operation, ...]
    members: Sequence[Any]


def read(patch: bytes | Sequence[object], *, checked: bool = True) -> tuple[Operation, ...]:
    """The operations of a patch: a request's body, or the list that was made of it.

    `checked` is false where the request asks to ignore what is wrong with its fields (`fieldValidation=Ignore`).
    """
    return finish(read_in_steps(patch, checked=checked)).operations


def read_in_steps(patch: bytes | Sequence[object], *, checked: bool = True) -> Generator[None, None, Patch]:
    """The same in steps, and what was decoded."""
    members: Sequence[Any] = ()
    if isinstance(patch, bytes):
        members, texts = yield from decode.json_patch_in_steps(patch, checked=checked)
        values = [_MISSING if text is None else NULL if text == b"null" else Text(text) for text in texts]
    else:
        if wrong := decode.shape_error(patch, checked=checked):
            raise BadPatch(f"error decoding patch: {wrong}" if checked else wrong)
        members = patch
        values = [_value(member) for member in members]
    if len(members) > MAX_OPERATIONS:
        allowed = f"The allowed maximum operations in a JSON patch is {MAX_OPERATIONS}, got {len(members)}"
        raise OversizedPatch(f"Request entity too large: {allowed}")
    operations: list[Operation] = []
    for member, value in zip(members, values, strict=True):
        operations.append(_operation(member or {}, value))
        if len(operations) % _FEW == 0:
            yield
    return Patch(tuple(operations), members)


def unknown_members(patch: Sequence[object]) -> list[str]:
    """What strict field validation says of members that no operation has."""
    return [
        f'json patch unknown field "[{index}].{name}"'
        for index, operation in enumerate(patch)
        if isinstance(operation, dict) and not operation.keys() <= _KNOWN
        for name in operation
        if name not in _KNOWN
    ]


def _value(member: Any) -> object:
    value = (member or {}).get("value", _MISSING)
    return NULL if value is None else value


def _operation(member: dict[str, Any], value: object) -> Operation:
    kind, _ = _string(member.get("op"), "")
    path, path_error = _string(member.get("path"), "operation missing path field: missing value")
    source, source_error = _string(member.get("from"), "operation, missing from field: missing value")
    return Operation("unknown" if kind is None else kind, path, path_error, source, source_error, value)


def _string(value: object, absent: str) -> tuple[str | None, str]:
    """A member that must be a string, or why it is none."""
    if isinstance(value, str):
        return value, ""
    if value is None:
        return None, absent
    return None, f"json: cannot unmarshal {decode.kind(value)} into Go value of type string"


def apply(document: object, operations: Iterable[Operation]) -> object:
    """The document after all operations. If one of them cannot be done, none is."""
    return finish(apply_in_steps(document, operations))


def apply_in_steps(document: object, operations: Iterable[Operation]) -> Generator[None, None, object]:
    """The same in steps."""
    if not isinstance(document, (dict, list)):
        raise InapplicablePatch("a JSON patch applies to an object or a list")
    work = _Work(Tree(document))
    for number, operation in enumerate(operations, 1):
        step = _STEPS.get(operation.kind)
        if step is None:
            raise InapplicablePatch(f"Unexpected kind: {operation.kind}")
        step(work, operation)
        if number % _FEW == 0:
            yield
    return (yield from work.tree.done())


class _Doing:
    """Says what was being done before what went wrong."""

    def __init__(self, what: str) -> None:
        self.what = what

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, InapplicablePatch):
            raise InapplicablePatch(f"{self.what}: {error}") from None


class _Work:
    """One application: the document so far, and how much was copied. A method for each kind of operation."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.copied = 0

    def find(self, path: str, complaint: str) -> tuple[Any, str]:
        container, key = self.tree.find(path)
        if container is None:
            raise InapplicablePatch(f"{complaint}: missing value")
        return container, key

    def add(self, operation: Operation) -> None:
        if (path := operation.path) is None:
            raise InapplicablePatch("add operation failed to decode path: missing value")
        container, key = self.find(path, f'add operation does not apply: doc is missing path: "{path}"')
        with _Doing(f"error in add for path: '{path}'"):
            add(container, key, _content(operation))

    def remove(self, operation: Operation) -> None:
        if (path := operation.path) is None:
            raise InapplicablePatch("remove operation failed to decode path: missing value")
        container, key = self.find(path, f'remove operation does not apply: doc is missing path: "{path}"')
        with _Doing(f"error in remove for path: '{path}'"):
            remove(container, key)

    def replace(self, operation: Operation) -> None:
        if (path := operation.path) is None:
            raise InapplicablePatch(f"replace operation failed to decode path: {operation.path_error}")
        if path == "":
            self.replace_all(operation.value)
            return
        container, key = self.find(path, f"replace operation does not apply: doc is missing path: {path}")
        try:
            replace(container, key, _content(operation))
        except InapplicablePatch:
            raise InapplicablePatch(
                f"replace operation does not apply: doc is missing key: {path}: missing value"
            ) from None

    def replace_all(self, value: object) -> None:
        if value is _MISSING:
            raise PanickingPatch("the whole document cannot be replaced by no value")
        content = self.tree.expand(value) if isinstance(value, Text) else value
        if not isinstance(content, (dict, list)):
            # Go formats an error that is not there, and shows it.
            raise InapplicablePatch("replace operation value must be object or array: %!w(<nil>)")
        self.tree.root = self.tree.own(content)

    def move(self, operation: Operation) -> None:
        if (source := operation.source) is None:
            raise InapplicablePatch(f"move operation failed to decode from: {operation.source_error}")
        container, key = self.find(source, f"move operation does not apply: doc is missing from path: {source}")
        with _Doing(f"error in move for path: '{key}'"):
            value = get(container, key)
            remove(container, key)
        if (path := operation.path) is None:
            raise InapplicablePatch(f"move operation failed to decode path: {operation.path_error}")
        container, key = self.find(path, f"move operation does not apply: doc is missing destination path: {path}")
        with _Doing(f"error in move for path: '{path}'"):
            add(container, key, value)

    def copy(self, operation: Operation) -> None:
        if (source := operation.source) is None:
            raise InapplicablePatch(f"copy operation failed to decode from: {operation.source_error}")
        container, key = self.find(source, f"copy operation does not apply: doc is missing from path: {source}")
        with _Doing(f"error in copy for from: '{source}'"):
            value = get(container, key)
        if (path := operation.path) is None:
            raise InapplicablePatch("copy operation failed to decode path: missing value")
        container, key = self.find(path, f"copy operation does not apply: doc is missing destination path: {path}")
        copied = self.tree.copy(value)
        self.copied += size(copied)
        if self.copied > MAX_COPIED:
            raise InapplicablePatch(
                "Unable to complete the copy, the accumulated size increase of copy is "
                f"{self.copied}, exceeding the limit {MAX_COPIED}"
            )
        with _Doing("error while adding value during copy"):
            add(container, key, copied)

    def test(self, operation: Operation) -> None:
        if (path := operation.path) is None:
            raise InapplicablePatch(f"test operation failed to decode path: {operation.path_error}")
        wanted = operation.value
        if path == "":
            if wanted is _MISSING:
                raise PanickingPatch("the whole document cannot be tested against no value")
            same = equal(self.tree.root, wanted)
        else:
            container, key = self.find(path, f"test operation does not apply: is missing path: {path}")
            with _Doing(f"error in test for path: '{path}'"):
                value = get(container, key)
            if value is None:
                same = wanted is _MISSING or wanted is NULL
            else:
                same = wanted is not _MISSING and equal(value, wanted)
        if not same:
            raise InapplicablePatch(f"testing value {path} failed: test failed")


def _content(operation: Operation) -> object:
    """What `add` and `replace` put in place."""
    return None if operation.value is _MISSING else operation.value


_STEPS: Final[dict[str, Callable[[_Work, Operation], None]]] = {
    "add": _Work.add,
    "remove": _Work.remove,
    "replace": _Work.replace,
    "move": _Work.move,
    "copy": _Work.copy,
    "test": _Work.test,
}
