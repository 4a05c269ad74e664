"""The roles and bindings that every cluster has, put into the store.

`policy.txt` is written by `make generate` from what the released server makes. Its lines are bytes as they are stored,
so that making a hundred objects takes no longer than writing them; they go into the store without passing the verbs. On
a cluster that goes on, each is looked at: one that still holds what it should is recognised by its bytes.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from kubewright.cluster.store import Record, Store
from kubewright.entropy import Entropy

__all__ = ["ensure_policy"]

_FILE: Final = Path(__file__).with_name("policy.txt")
_GROUP: Final = "rbac.authorization.k8s.io"


class _Template(NamedTuple):
    key: str
    head: bytes
    middle: bytes
    tail: bytes

    def fill(self, uid: str, revision: int, now: str) -> bytes:
        """The object, made now."""
        identifiers = f',"uid":"{uid}","resourceVersion":"{revision}","creationTimestamp":"{now}"'
        return b"".join((self.head, identifiers.encode(), self.middle, now.encode(), self.tail))

    def is_in(self, value: bytes) -> bool:
        """Whether an object was not changed since it was made."""
        return value.startswith(self.head) and value.endswith(self.tail) and self.middle in value


def _templates() -> Iterator[_Template]:
    for line in _FILE.read_bytes().splitlines():
        key, head, middle, tail = line.split(b"\t")
        yield _Template(key.decode(), head, middle, tail)


def ensure_policy(store: Store, entropy: Entropy, now: str) -> None:
    """Make what is missing, and put right what lacks something; `now` is told as the time of that."""
    for template in _templates():
        record = store.get(template.key)
        if record is None:
            _create(store, entropy, template, now)
        elif record.value is not None and not template.is_in(record.value):
            _reconcile(store, entropy, template, record, now)


def _create(store: Store, entropy: Entropy, template: _Template, now: str) -> None:
    uid = entropy.uid()
    store.commit(template.key, 0, lambda revision: template.fill(uid, revision, now))


def _reconcile(store: Store, entropy: Entropy, template: _Template, record: Record, now: str) -> None:
    # Loaded when something is to be put right, so that a cluster is there sooner.
    from kubewright.cluster.auth.reconcile import reconcile
    from kubewright.cluster.wire.builtin import builtin_codec

    existing: dict[str, Any] = msgspec.json.decode(record.value or b"")
    expected: dict[str, Any] = msgspec.json.decode(template.fill("", 0, now))
    made = reconcile(existing, expected)
    if made is None:
        return
    if made is expected:
        store.commit(record.key, record.revision, None)
        _create(store, entropy, template, now)
        return
    codec = builtin_codec(_GROUP, "v1", made["kind"])

    def value(revision: int) -> bytes:
        made["metadata"]["resourceVersion"] = str(revision)
        return codec.write(made)

    store.commit(record.key, record.revision, value)
