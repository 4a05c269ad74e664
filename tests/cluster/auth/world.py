"""A store with what accounts and roles are made of, and short ways to change it."""

from typing import Any

import msgspec

from kubewright.cluster.auth.accounts import Accounts, Bound
from kubewright.cluster.auth.authorize import Authorizer
from kubewright.cluster.auth.jwt import Key
from kubewright.cluster.auth.policy import GROUP, Policy
from kubewright.cluster.auth.token import ISSUER
from kubewright.cluster.store import Store
from kubewright.entropy import Entropy

__all__ = ["BOB", "PEM", "World", "binding", "role", "rule"]

PEM = Entropy(1).private_key()
BOB = Bound("bob", "u-bob")
Document = dict[str, Any]


def rule(verbs: str, resources: str = "pods", groups: str = "", names: str = "") -> Document:
    """A rule in short: words are separated by spaces, the core group is empty."""
    found = {"verbs": verbs.split(), "apiGroups": groups.split(" "), "resources": resources.split()}
    return found | ({"resourceNames": names.split()} if names else {})


def role(name: str, *rules: Document, namespace: str = "", **more: Any) -> Document:
    kind = "Role" if namespace else "ClusterRole"
    return {"kind": kind, "metadata": _meta(name, namespace), "rules": list(rules), **more}


def binding(name: str, ref: str, *subjects: str, namespace: str = "") -> Document:
    """A binding in short: `ClusterRole/view`, `User/jane`, `ServiceAccount/web/bob`."""
    kind, _, bound = ref.partition("/")
    people = []
    for subject in subjects:
        which, *place, who = subject.split("/")
        people.append({"kind": which, "name": who} | ({"namespace": place[0]} if place else {}))
    return {
        "kind": "RoleBinding" if namespace else "ClusterRoleBinding",
        "metadata": _meta(name, namespace),
        "roleRef": {"apiGroup": GROUP, "kind": kind, "name": bound},
        "subjects": people,
    }


def _meta(name: str, namespace: str) -> Document:
    return {"name": name} | ({"namespace": namespace} if namespace else {})


class World:
    """A store, the account `web/bob` in it, and who looks at them."""

    def __init__(self, *objects: Document) -> None:
        self.store = Store()
        self.accounts = Accounts(self.store, Key(lambda: PEM))
        self.authorizer = Authorizer(Policy(self.store))
        self.put("/serviceaccounts/web/bob", {"metadata": {"name": "bob", "namespace": "web", "uid": BOB.uid}})
        self.add(*objects)

    def put(self, key: str, document: Document | None) -> None:
        """Store something, or remove it."""
        record = self.store.get(key)
        value = (lambda _: msgspec.json.encode(document)) if document is not None else None
        self.store.commit(key, record.revision if record is not None else 0, value)

    def add(self, *objects: Document) -> None:
        """Store roles and bindings."""
        for each in objects:
            self.put(self.place(each), each)

    def remove(self, *objects: Document) -> None:
        """Remove them."""
        for each in objects:
            self.put(self.place(each), None)

    @staticmethod
    def place(document: Document) -> str:
        meta = document["metadata"]
        parts = [meta["namespace"], meta["name"]] if "namespace" in meta else [meta["name"]]
        return f"/{document['kind'].lower()}s.{GROUP}/{'/'.join(parts)}"

    def token(
        self, seconds: int = 600, audiences: tuple[str, ...] = (ISSUER,), bound: dict[str, Bound] | None = None
    ) -> str:
        """A token of bob."""
        return self.accounts.issue("web", BOB, audiences, seconds, "j-1", bound or {})
