"""How CRDs are written.

A CRD that is deleted stays until its objects are gone: deletion only marks it, and puts a finalizer on it that
`cluster.definitions` takes away.
"""

from collections.abc import Generator, Iterator
from typing import Any, Final

from kubewright.cluster.registry.kinds.crd.approval import ANNOTATION, approval
from kubewright.cluster.registry.kinds.crd.conditions import is_true, set_condition
from kubewright.cluster.registry.kinds.crd.judge import (
    check_immutable,
    check_names,
    check_preserving,
    check_spec,
    check_stored_versions,
)
from kubewright.cluster.registry.kinds.crd.webhook import bundle_problem
from kubewright.cluster.registry.rules.equality import same
from kubewright.cluster.registry.rules.pause import Pausing
from kubewright.cluster.registry.strategy import NameRule, Propagation, prefix_rule
from kubewright.model.steps import finish, gathered
from kubewright.schema.formats import known_format
from kubewright.schema.raw import Schema, children
from kubewright.schema.walk.errors import FieldError, invalid, required
from kubewright.schema.walk.golang import quote
from kubewright.schema.walk.metarules import check_meta, check_meta_update
from kubewright.schema.walk.names import subdomain

__all__ = ["FINALIZER", "CrdStatus", "CrdStrategy"]

Document = dict[str, Any]

FINALIZER: Final = "customresourcecleanup.apiextensions.k8s.io"
_ABSENT: Final = object()


class CrdStrategy(Pausing):
    """What is particular to CRDs."""

    unconditional_update = False
    plain_preconditions = True

    def default(self, obj: Document) -> None:
        spec = obj["spec"]
        names = spec["names"]
        kind = names.get("kind", "")
        if kind and not names.get("singular"):
            names["singular"] = kind.lower()
        if kind and not names.get("listKind"):
            names["listKind"] = f"{kind}List"
        conversion = spec.get("conversion")
        if conversion is None:
            spec["conversion"] = {"strategy": "None"}
        elif service := ((conversion.get("webhook") or {}).get("clientConfig") or {}).get("service"):
            service.setdefault("port", 443)
        if not obj["status"].get("storedVersions"):
            obj["status"] = _with_stored_version(obj["status"], spec)

    def prepare_create(self, obj: Document) -> None:
        empty = {"conditions": None, "acceptedNames": {"plural": "", "kind": ""}, "storedVersions": None}
        obj["status"] = _with_stored_version(empty, obj["spec"])
        obj["metadata"]["generation"] = 1

    def prepare_update(self, obj: Document, old: Document) -> None:
        if not same(obj["spec"], old["spec"]):
            obj["metadata"]["generation"] = old["metadata"].get("generation", 0) + 1
        obj["status"] = _with_stored_version(old["status"], obj["spec"])

    def rules(self, obj: Document, old: Document | None) -> Iterator[FieldError]:
        if old is None:
            yield from self._check_meta(obj)
            yield from check_spec(obj["spec"], any_bundle=True)
        else:
            established = is_true(old, "Established")
            yield from check_meta_update(obj["metadata"], old["metadata"], "metadata")
            any_bundle = not established or _bundle_is_bad(old)
            yield from check_spec(obj["spec"], any_bundle=any_bundle, unchanged=_unchanged(obj, old))
            yield from check_immutable(obj["spec"], old["spec"], established=established)
        yield from _check_rest(obj, old)

    def _check_meta(self, obj: Document) -> list[FieldError]:
        names = obj["spec"].get("names") or {}
        wanted = f"{names.get('plural', '')}.{obj['spec'].get('group', '')}"

        def own(rule: NameRule) -> NameRule:
            return lambda name: [*rule(name), *([] if name == wanted else ['must be spec.names.plural+"."+spec.group'])]

        meta: dict[str, object] = obj["metadata"]
        prefix = own(prefix_rule(subdomain))
        return check_meta(meta, "metadata", name=own(subdomain), name_prefix=prefix, namespaced=False)

    def warnings(self, obj: Document, old: Document | None) -> list[str]:
        return finish(self.warnings_in_steps(obj, old))

    def warnings_in_steps(self, obj: Document, old: Document | None) -> Generator[None, None, list[str]]:
        formats = yield from gathered(_odd_formats(obj))
        before = {*(yield from gathered(_odd_formats(old)))} if formats and old is not None else set()
        return [f"unrecognized format {quote(name)}" for name in formats if name not in before]

    def hold(self, obj: Document, wish: Propagation, now: str) -> bool:
        meta = obj["metadata"]
        if "deletionTimestamp" in meta:
            return False
        meta["deletionTimestamp"] = now
        finalizers = meta.get("finalizers") or []
        if FINALIZER not in finalizers:
            meta["finalizers"] = [*finalizers, FINALIZER]
        message = "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon"
        obj["status"] = set_condition(obj["status"], "Terminating", "True", "InstanceDeletionPending", message, now)
        return True


class CrdStatus(CrdStrategy):
    """The status of a CRD. What is said of metadata is taken too."""

    def prepare_update(self, obj: Document, old: Document) -> None:
        obj["spec"] = old["spec"]

    def rules(self, obj: Document, old: Document | None) -> Iterator[FieldError]:
        if old is None:
            yield from super().rules(obj, None)
            return
        yield from check_meta_update(obj["metadata"], old["metadata"], "metadata")
        yield from check_names(obj["status"].get("acceptedNames") or {}, "status.acceptedNames")

    def warnings_in_steps(self, obj: Document, old: Document | None) -> Generator[None, None, list[str]]:
        yield
        return []


def _unchanged(obj: Document, old: Document) -> frozenset[str]:
    """The versions whose schemas are as they were."""
    before = {each["name"]: each.get("schema") for each in old["spec"].get("versions") or []}
    versions = obj["spec"].get("versions") or []
    return frozenset(each["name"] for each in versions if same(each.get("schema"), before.get(each["name"], _ABSENT)))


def _check_rest(obj: Document, old: Document | None) -> Iterator[FieldError]:
    yield from check_names(obj["status"].get("acceptedNames") or {}, "status.acceptedNames")
    yield from check_stored_versions(obj)
    yield from _check_approval(obj, old)
    yield from check_preserving(obj, old)


def _check_approval(obj: Document, old: Document | None) -> Iterator[FieldError]:
    found = approval(obj)
    before = approval(old) if old is not None else None
    if found is None or (before is not None and before.state == found.state):
        return
    path = f"metadata.annotations[{ANNOTATION}]"
    if found.state == "Missing":
        yield required(path, found.reason)
    elif found.state == "Invalid":
        yield invalid(path, obj["metadata"]["annotations"][ANNOTATION], found.reason)


def _with_stored_version(status: Document, spec: Document) -> Document:
    """The status with the version that is stored from now on among those that are."""
    name = next((each["name"] for each in spec.get("versions") or [] if each.get("storage")), None)
    stored = status.get("storedVersions") or []
    return status if name is None or name in stored else status | {"storedVersions": [*stored, name]}


def _bundle_is_bad(crd: Document) -> bool:
    client = ((crd["spec"].get("conversion") or {}).get("webhook") or {}).get("clientConfig") or {}
    return bool(client.get("caBundle") and bundle_problem(client["caBundle"]))


def _odd_formats(crd: Document) -> Iterator[str | None]:
    """Formats of which the server knows nothing, for each time they stand there; with pauses."""
    schemas = [(each.get("schema") or {}).get("openAPIV3Schema") for each in crd["spec"].get("versions") or []]
    # Equal schemas are one to the server.
    if schemas and all(schema == schemas[0] for schema in schemas):
        schemas = schemas[:1]
    pending: list[Schema] = [schema for schema in reversed(schemas) if schema is not None]
    while pending:
        schema = pending.pop()
        name, kind = schema.get("format") or "", schema.get("type") or ""
        if name and (kind not in ("", "string", "integer", "number") or not known_format(name, kind)):
            yield name
        inner = [child for _, child in children(schema, "") if isinstance(child, dict)]
        pending += reversed(inner)
        yield None
