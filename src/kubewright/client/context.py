"""A context of ours in a kubeconfig, and out of it again.

The file may be somebody's own: everything else in it stays, and it is replaced in one step, so that whoever reads it
sees it whole. Whoever changes it holds `<file>.lock` meanwhile, as kubectl does, so that no two lose each other's
changes. It holds keys, and is readable by its owner alone.
"""

import base64
import contextlib
import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kubewright import clock
from kubewright.errors import KubewrightError
from kubewright.model.documents import DocumentError

__all__ = ["add_context", "remove_context"]

Document = dict[str, Any]
_PARTS = ("clusters", "users", "contexts")
#: Under this name our context notes which one was current before it.
_BEFORE = "kubewright/previous-context"
#: How long another's change is waited for, and how often it is looked.
_PATIENCE, _PAUSE = 5.0, 0.01


def _error(text: str) -> KubewrightError:
    # Loaded when it is needed: a cluster that starts reads no kubeconfig but its own.
    from kubewright.client.kubeconfig import KubeconfigError

    return KubeconfigError(text)


def add_context(
    path: Path, name: str, server: str, *, authority: bytes, certificate: bytes, key: bytes, namespace: str = ""
) -> None:
    """Add cluster, user and context `name`, in place of what has that name, and make it the current context."""
    access = {"server": server, "certificate-authority-data": _text(authority)}
    user = {"client-certificate-data": _text(certificate), "client-key-data": _text(key)}
    context: Document = {"cluster": name, "user": name} | ({"namespace": namespace} if namespace else {})
    with _locked(path):
        _add(path, name, ({"cluster": access}, {"user": user}, {"context": context}))


def _add(path: Path, name: str, entries: tuple[Document, Document, Document]) -> None:
    found = _read(path)
    document = found or {"apiVersion": "v1", "kind": "Config", "preferences": {}}
    # Our own name is left by one that was killed; what was current before it is still what to go back to.
    current = document.get("current-context")
    before = _before(document, name) if current == name else current
    if before:
        entries[2]["context"]["extensions"] = [{"name": _BEFORE, "extension": before}]
    for part, entry in zip(_PARTS, entries, strict=True):
        document[part] = [*_others(document, part, name), {"name": name} | entry]
    document["current-context"] = name
    # A file of our own is JSON, which is YAML: a server that needs no YAML is ready sooner.
    _write(path, json.dumps(document, indent=2) + "\n" if found is None else _dump(document))


def remove_context(path: Path, name: str) -> None:
    """Take cluster, user and context `name` out; a file with nothing else in it goes.

    If it was the current context, the one before it is again.
    """
    if path.exists():
        with _locked(path):
            _remove(path, name)


def _remove(path: Path, name: str) -> None:
    document = _read(path)
    if document is None:
        return
    before = _before(document, name)
    for part in _PARTS:
        document[part] = _others(document, part, name)
    # Another of ours may have come after this one, and then goes back to what this one would have.
    for note in _notes(document):
        if note.get("extension") == name:
            note["extension"] = before
    if document.get("current-context") == name:
        document["current-context"] = before
    if any(document[part] for part in _PARTS):
        _write(path, _dump(document))
    else:
        path.unlink(missing_ok=True)


def _before(document: Document, name: str) -> str:
    """The context that was current before ours, if it is still there."""
    names = {each.get("name") for each in _contexts(document)}
    before = next((note.get("extension") for note in _notes(document, name)), None)
    return before if isinstance(before, str) and before in names else ""


def _notes(document: Document, name: str | None = None) -> list[Document]:
    """What contexts of ours note, or the one of this name does."""
    contexts = [each for each in _contexts(document) if name is None or each.get("name") == name]
    noted = [note for each in contexts for note in (each.get("context") or {}).get("extensions") or ()]
    return [note for note in noted if note.get("name") == _BEFORE]


def _contexts(document: Document) -> list[Document]:
    return [each for each in document.get("contexts") or () if isinstance(each, dict)]


def _others(document: Document, part: str, name: str) -> list[Any]:
    entries = document.get(part) or []
    if not isinstance(entries, list):
        raise _error(f"{part} of the kubeconfig must be a list, not {type(entries).__name__}.")
    return [entry for entry in entries if not (isinstance(entry, dict) and entry.get("name") == name)]


def _read(path: Path) -> Document | None:
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return None
    if not text.strip():
        return None
    from kubewright.model.yaml import load_yaml

    try:
        document = load_yaml(text, str(path))
    except DocumentError as error:
        raise _error(f"{str(error).rstrip('.')}. Name another file, or mend this one.") from error
    if not isinstance(document, dict):
        raise _error(f"{path} is no kubeconfig: it holds no object. Name another file.")
    return document


def _dump(document: Document) -> str:
    from kubewright.model.yaml import dump_yaml

    return dump_yaml(document)


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keep others from changing a file; they have a while to finish what they are at."""
    path = path.resolve()
    lock = path.with_name(f"{path.name}.lock")
    deadline = clock.monotonic() + _PATIENCE
    while True:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL, 0o600))
            break
        except FileExistsError:
            if clock.monotonic() > deadline:
                raise _error(
                    f"the kubeconfig {path} is being changed by another program; if none is, remove {lock}."
                ) from None
            threading.Event().wait(_PAUSE)
        except OSError as error:
            raise _error(f"the kubeconfig {path} cannot be written: {error.strerror}.") from error
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)


def _write(path: Path, text: str) -> None:
    path = path.resolve()  # a link to a file stays one
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.touch(mode=0o600)
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise _error(f"the kubeconfig {path} cannot be written: {error.strerror}.") from error


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()
