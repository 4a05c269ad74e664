"""Which kind a document is of, and whether that is the kind of the endpoint it was sent to.

    identify(document, body: bytes, want: GroupVersionKind, *, custom: bool) -> None    # Failure 400
    interpret(document) -> GroupVersionKind                                             # Unreadable
    unrecognized(why, body, want) -> Failure
    unhandled(kind: GroupVersionKind, want, why) -> Failure
    go_package(api_version) -> str | None

A built-in kind may leave its apiVersion and kind out: the endpoint tells them, and they are filled in. A custom one
must name its kind, and its apiVersion must be the endpoint's; that the kind is the right one is for validation to say.
"""

import importlib
from typing import Any, Final

from kubewright.cluster.patches.decode import kind
from kubewright.cluster.wire.status import Failure, bad_request
from kubewright.cluster.wire.unreadable import Unreadable, text_of
from kubewright.model.kind import GroupVersionKind
from kubewright.schema.walk.golang import quote

__all__ = ["default", "go_package", "identify", "interpret", "no_such_kind", "stranger", "unhandled", "unrecognized"]

Document = dict[str, Any]

#: How the server calls its table of types, in all of its parts.
_SCHEME: Final = '"pkg/runtime/scheme.go:111"'
#: The Go packages that hold the server's own types of the built-in groups; those of events are the core's.
_PACKAGES: Final = {
    "": "core",
    "admissionregistration.k8s.io": "admissionregistration",
    "apiextensions.k8s.io": "apiextensions",
    "apiregistration.k8s.io": "apiregistration",
    "apps": "apps",
    "authentication.k8s.io": "authentication",
    "authorization.k8s.io": "authorization",
    "autoscaling": "autoscaling",
    "batch": "batch",
    "certificates.k8s.io": "certificates",
    "coordination.k8s.io": "coordination",
    "discovery.k8s.io": "discovery",
    "events.k8s.io": "core",
    "flowcontrol.apiserver.k8s.io": "flowcontrol",
    "internal.apiserver.k8s.io": "apiserverinternal",
    "networking.k8s.io": "networking",
    "node.k8s.io": "node",
    "policy": "policy",
    "rbac.authorization.k8s.io": "rbac",
    "resource.k8s.io": "resource",
    "scheduling.k8s.io": "scheduling",
    "storage.k8s.io": "storage",
    "storagemigration.k8s.io": "storagemigration",
}
#: Groups whose servers know no others.
_APART: Final = frozenset({"apiextensions.k8s.io", "apiregistration.k8s.io"})
#: Kinds that are part of every version of every group, and those that are only in `v1`.
_EVERYWHERE: Final = frozenset(
    {"CreateOptions", "DeleteOptions", "GetOptions", "ListOptions", "PatchOptions", "UpdateOptions", "WatchEvent"}
)
#: Kinds of a version that is served no more and known for all that.
_RETIRED: Final = frozenset({"ConversionReview", "CustomResourceDefinition", "CustomResourceDefinitionList"})
_UNVERSIONED: Final = frozenset({"APIGroup", "APIGroupList", "APIResourceList", "APIVersions", "Status"})


def interpret(document: Document) -> GroupVersionKind:
    """What a document says of itself, empty where it says nothing."""
    found = {"apiversion": "", "kind": ""}
    for key, value in document.items():
        # Letters count whatever their case here, and a null counts not at all. Few keys are as long as these.
        if len(key) not in (4, 10) or (folded := key.casefold()) not in found or value is None:
            continue
        if not isinstance(value, str):
            field = "kind" if folded == "kind" else "apiVersion"
            raise Unreadable(
                "couldn't get version/kind; json parse error: json: cannot unmarshal "
                f"{kind(value)} into Go struct field .{field} of type string"
            )
        found[folded] = value
    text = found["apiversion"]
    group, slash, version = text.partition("/")
    if not slash:
        group, version = "", text
    elif "/" in version:
        raise Unreadable(f"unexpected GroupVersion string: {text}")
    return GroupVersionKind(group, version, found["kind"])


def identify(document: Document, body: bytes, want: GroupVersionKind, *, custom: bool, lenient: bool = False) -> None:
    """Refuse a document of another kind than `want`; give one that leaves it open the apiVersion and kind of `want`."""
    try:
        said = interpret(document)
    except Unreadable as error:
        raise unrecognized(str(error), body, want) from None
    if custom:
        _identify_custom(document, said, body, want, lenient=lenient)
        return
    said = default(said, want)
    if said != want:
        raise stranger(said, body, want)
    document["apiVersion"] = want.api_version
    document["kind"] = want.kind


def default(said: GroupVersionKind, want: GroupVersionKind) -> GroupVersionKind:
    """What was said, filled up with what the endpoint is for."""
    group, version, kind = said
    if not version and group in ("", want.group):
        group, version = want.group, want.version
    return GroupVersionKind(group, version, kind or want.kind)


def _identify_custom(
    document: Document, said: GroupVersionKind, body: bytes, want: GroupVersionKind, *, lenient: bool
) -> None:
    # Read once more, this time minding case.
    if not document.get("kind"):
        why = f"Object 'Kind' is missing in '{text_of(body)}'"
        # Who ignores unknown fields has another decoder, which knows what it was to read.
        raise unhandled(want, want, why) if lenient else unrecognized(why, body, want)
    if "apiVersion" in document and document["apiVersion"] is None:
        why = ".apiVersion accessor error: <nil> is of the type <nil>, expected string"
        raise unhandled(GroupVersionKind("", "", said.kind), want, why)
    if document.get("apiVersion") != want.api_version:
        said = interpret({"apiVersion": document.get("apiVersion")})
        raise _another_version(said, want)


def stranger(said: GroupVersionKind, body: bytes, want: GroupVersionKind) -> Failure:
    """Why a document cannot be what the endpoint is for, though it may be something else."""
    if not said.version:
        return unhandled(said, want, f"Object 'apiVersion' is missing in '{text_of(body)}'")
    known = _registered(said, want)
    package = _PACKAGES.get(want.group)
    if (known or said.version == "__internal") and _PACKAGES.get(said.group) == package and said.kind == want.kind:
        return _another_version(said, want)
    if not known:
        return unhandled(said, want, no_such_kind(said))
    there, here = f"{said.version}.{said.kind}", f"{package}.{want.kind}"
    return unhandled(said, want, f"converting ({there}) to ({here}): unknown conversion")


def inner_stranger(kind: str, want: GroupVersionKind) -> str:
    """The same of a document without an apiVersion, where that means the server's own version of what it has."""
    if not _registered(want._replace(kind=kind), want):
        return no_such_kind(GroupVersionKind(want.group, "__internal", kind))
    package = _PACKAGES[want.group]
    return f"converting ({package}.{kind}) to ({package}.{want.kind}): unknown conversion"


def no_such_kind(said: GroupVersionKind) -> str:
    """What is said of a kind that the server does not know."""
    version = f"version {quote(said.api_version)}"
    if said.version == "__internal":
        version = f"the internal version of group {quote(said.group)}"
    return f"no kind {quote(said.kind)} is registered for {version} in scheme {_SCHEME}"


def _another_version(said: GroupVersionKind, want: GroupVersionKind) -> Failure:
    return bad_request(
        f"the API version in the data ({said.api_version}) does not match the expected API version ({want.api_version})"
    )


def go_package(api_version: str) -> str | None:
    """The Go package that holds the server's own type of a kind; None for a custom resource."""
    return _PACKAGES.get(api_version.rpartition("/")[0])


def _registered(kind: GroupVersionKind, want: GroupVersionKind) -> bool:
    """Whether the server behind the endpoint knows the kind at all."""
    if kind.kind in _UNVERSIONED and (kind.group, kind.version) == ("", "v1"):
        return True
    if (kind.group, kind.version) == ("apiextensions.k8s.io", "v1beta1"):
        return kind.kind in _RETIRED and want.group == kind.group
    apart = _APART & {kind.group, want.group}
    if apart and kind.group != want.group and kind.api_version != "v1":
        return False
    if apart and kind.group != want.group:
        return kind.kind in _EVERYWHERE
    if kind.group not in _PACKAGES or not kind.version.isidentifier():
        return False
    # Loaded when it is needed: only whoever sends another kind than the one that is wanted has it looked for.
    from kubewright.model.resource import Resource

    folder = "events" if kind.group == "events.k8s.io" else _PACKAGES[kind.group]
    try:
        module = importlib.import_module(f"kubewright.k8s.{folder}.{kind.version}")
    except ModuleNotFoundError:
        return False
    if kind.kind in _EVERYWHERE or (kind.kind == "List" and kind.api_version == "v1"):
        return True
    found = getattr(module, kind.kind.removesuffix("List"), None)
    return isinstance(found, type) and found.__module__ == module.__name__ and issubclass(found, Resource)


def unrecognized(why: str, body: bytes, want: GroupVersionKind) -> Failure:
    """A body of which not even the kind is known."""
    return bad_request(f"the object provided is unrecognized (must be of type {want.kind}): {why} ({_summary(body)})")


def unhandled(kind: GroupVersionKind, want: GroupVersionKind, why: str) -> Failure:
    """A body that says what it is, and is no object of the endpoint's kind for all that."""
    return bad_request(f"{kind.kind} in version {quote(kind.version)} cannot be handled as a {want.kind}: {why}")


def _summary(body: bytes) -> str:
    if not body:
        return "<empty>"
    start = body[:30]
    return (text_of(start) if body[:1] == b"{" else start.hex()) + (" ..." if len(body) > 30 else "")
