"""Which rules hold for whom: roles and bindings as they are in the store, indexed by subject.

The store tells of every change; what changed is read when somebody is next asked about, so that writing a role costs
nothing, nor does starting with a hundred of them.

    user, namespace ──► bindings of his name and his groups ──► the role of each ──► its rules, or that it is missing
"""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import msgspec

from kubewright.cluster.auth.rules import Rule, read_rules
from kubewright.cluster.auth.user import User
from kubewright.cluster.store import Record, Store
from kubewright.schema.walk.golang import quote

__all__ = ["GROUP", "Grant", "MissingRole", "Policy", "RoleRef", "UnsupportedRole"]

GROUP: Final = "rbac.authorization.k8s.io"
_KINDS: Final = ("clusterroles", "clusterrolebindings", "roles", "rolebindings")
_ACCOUNT: Final = "system:serviceaccount:"


class MissingRole(Exception):
    """A binding whose role is not there."""

    def __init__(self, ref: "RoleRef") -> None:
        super().__init__(f"{ref.kind.lower()}.{GROUP} {quote(ref.name)} not found")
        self.name = ref.name


class UnsupportedRole(Exception):
    """A binding to something that is no role."""


class RoleRef(NamedTuple):
    """What a binding binds."""

    group: str
    kind: str
    name: str


class _Binding(NamedTuple):
    namespace: str
    name: str
    role: RoleRef
    subjects: tuple[dict[str, Any], ...]

    def describe(self, subject: dict[str, Any]) -> str:
        kind = "RoleBinding" if self.namespace else "ClusterRoleBinding"
        name = f"{self.name}/{self.namespace}" if self.namespace else self.name
        who = subject.get("name", "")
        if subject["kind"] == "ServiceAccount":
            who = f"{who}/{subject.get('namespace') or self.namespace}"
        return f"{kind} {quote(name)} of {self.role.kind} {quote(self.role.name)} to {subject['kind']} {quote(who)}"


class Grant(NamedTuple):
    """Rules that hold for a user, and by what; or else why a binding gives him none."""

    source: str
    rules: tuple[Rule, ...]
    error: str = ""


#: By subject, the bindings it stands in: for each, by its name, at which place.
_Index = dict[tuple[str, str], dict[str, int]]


class Policy:
    """The roles and bindings of a store. `generation` rises with every change."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.generation = 0
        self._stale: dict[str, Record] = {}
        self._loaded = False
        self._roles: dict[tuple[str, str], tuple[Rule, ...]] = {}
        #: By namespace, "" for the whole cluster.
        self._bindings: dict[str, dict[str, _Binding]] = {}
        self._subjects: dict[str, _Index] = {}
        for kind in _KINDS:
            store.listen(f"/{kind}.{GROUP}/", self._note)

    def grants(self, user: User, namespace: str) -> Iterator[Grant]:
        """What holds for a user in a namespace, or, without one, everywhere; by the names of the bindings."""
        self._refresh()
        for scope in ("", namespace) if namespace else ("",):
            index = self._subjects.get(scope)
            if index is None:
                continue
            places: dict[str, int] = {}
            for subject in (("User", user.name), *(("Group", group) for group in user.groups)):
                for name, place in index.get(subject, {}).items():
                    places[name] = min(place, places.get(name, place))
            for name in sorted(places):
                binding = self._bindings[scope][name]
                try:
                    rules = self.rules(binding.role, scope)
                except (MissingRole, UnsupportedRole) as error:
                    yield Grant("", (), str(error))
                else:
                    yield Grant(binding.describe(binding.subjects[places[name]]), rules)

    def rules(self, ref: RoleRef, namespace: str) -> tuple[Rule, ...]:
        """The rules of the role that a binding in a namespace means."""
        self._refresh()
        if ref.kind not in ("Role", "ClusterRole"):
            raise UnsupportedRole(f"unsupported role reference kind: {quote(ref.kind)}")
        found = self._roles.get((namespace if ref.kind == "Role" else "", ref.name))
        if found is None or (ref.kind == "Role" and not namespace):
            raise MissingRole(ref)
        return found

    # -- keeping up

    def _note(self, record: Record) -> None:
        self.generation += 1
        if self._loaded:
            self._stale[record.key] = record

    def _refresh(self) -> None:
        if not self._loaded:
            self._loaded = True
            for kind in _KINDS:
                for record in self._store.list(f"/{kind}.{GROUP}/").records:
                    self._take(record)
        elif self._stale:
            for record in self._stale.values():
                self._take(record)
            self._stale.clear()

    def _take(self, record: Record) -> None:
        storage, _, place = record.key[1:].partition("/")
        namespace, _, name = place.rpartition("/")
        document = msgspec.json.decode(record.value) if record.value is not None else None
        if storage.startswith(("clusterroles.", "roles.")):
            self._roles.pop((namespace, name), None)
            if document is not None:
                self._roles[namespace, name] = read_rules(document.get("rules"))
            return
        self._forget(namespace, name)
        if document is not None:
            self._learn(namespace, name, document)

    def _learn(self, namespace: str, name: str, document: dict[str, Any]) -> None:
        ref = document["roleRef"]
        role = RoleRef(ref.get("apiGroup", ""), ref.get("kind", ""), ref.get("name", ""))
        binding = _Binding(namespace, name, role, tuple(document.get("subjects") or ()))
        self._bindings.setdefault(namespace, {})[name] = binding
        index = self._subjects.setdefault(namespace, {})
        for place, subject in enumerate(binding.subjects):
            if (key := _key(subject, namespace)) is not None:
                index.setdefault(key, {}).setdefault(name, place)

    def _forget(self, namespace: str, name: str) -> None:
        binding = self._bindings.get(namespace, {}).pop(name, None)
        if binding is None:
            return
        index = self._subjects[namespace]
        for subject in binding.subjects:
            if (key := _key(subject, namespace)) is not None and (names := index.get(key)) is not None:
                names.pop(name, None)
                if not names:
                    del index[key]


def _key(subject: dict[str, Any], namespace: str) -> tuple[str, str] | None:
    """A subject as it is looked for: a service account by its user's name."""
    kind, name = subject.get("kind"), subject.get("name", "")
    if kind in ("User", "Group"):
        return kind, name
    if kind == "ServiceAccount" and (where := subject.get("namespace") or namespace):
        return "User", f"{_ACCOUNT}{where}:{name}"
    return None
