"""Children as they are sent: whose they are, where they are, and whether they may be touched at all. Pure.

A child lives and dies with its owner, by its owner reference, and Kubernetes allows that within a namespace only, or
below an object that is in none. What exists and belongs to nobody, or to somebody else, is not taken: two controllers
that each make one object their own write it back and forth for ever. Adoption is for whoever asks for it.
"""

from typing import Any, Final

import msgspec

from kubewright.cache import Cached, Key
from kubewright.cache.cached import Owner as Reference
from kubewright.client.endpoint import Document, Endpoint
from kubewright.errors import KubewrightError
from kubewright.model.codec import document_of, parts_of, to_dict
from kubewright.model.resource import Resource

__all__ = ["MANAGED_BY", "ChildError", "Owner", "check_owner", "configure", "is_of"]

#: The label that says which operator made an object; one that a child has already stays.
MANAGED_BY: Final = "app.kubernetes.io/managed-by"


class ChildError(KubewrightError):
    """A child that cannot be one, or is somebody else's."""


class Owner(msgspec.Struct, frozen=True, gc=False):
    """The object on whose behalf children are made."""

    endpoint: Endpoint[Any]
    key: Key
    uid: str

    @property
    def reference(self) -> Document:
        """The owner reference that its children have."""
        return {
            "apiVersion": self.endpoint.api_version,
            "kind": self.endpoint.kind,
            "name": self.key.name,
            "uid": self.uid,
            "controller": True,
            "blockOwnerDeletion": True,
        }

    def __str__(self) -> str:
        return f"{self.endpoint.kind} {self.key}"


def configure(
    child: Resource | Document, endpoint: Endpoint[Any], owner: Owner, operator: str, image: bytes | None = None
) -> tuple[Key, Document]:
    """The configuration that is applied for a child, with its owner reference and label; and its key.

    `image`: that of the child, where it is known already. Then of the configuration only the metadata are read, and the
    rest may be the text that it was (`msgspec.Raw`): mostly it is only sent.
    """
    if not owner.uid:
        raise ChildError(
            f"{owner} is not there, so nothing can be its child: make with ctx.live what shall outlast it."
        )
    # What was read from a document that does not say what it is, does not say it either.
    written = None
    if image is not None:
        written = parts_of(image, type(child)) or document_of(image, type(child))
    if written is None:
        written = to_dict(child) if isinstance(child, Resource) else child
    config: Document = {**written, "apiVersion": endpoint.api_version, "kind": endpoint.kind}
    if not isinstance(child, Resource):
        _check_form(child, endpoint)
    given = config.get("metadata")
    meta: Document = msgspec.json.decode(given) if isinstance(given, msgspec.Raw) else dict(given or {})
    name = meta.get("name")
    if not name:
        raise ChildError(f"a child {endpoint.kind} of {owner} has no name: apply needs one, and generateName is none.")
    if meta.get("resourceVersion") or meta.get("managedFields") or meta.get("uid"):
        raise ChildError(
            f"{endpoint.kind} {name!r} was read from the API, with the fields of all its owners: to apply it would "
            "take them. Make a new one, with the fields that shall be yours."
        )
    key = _place(meta, name, endpoint, owner)
    if endpoint.namespaced:
        meta["namespace"] = key.namespace
    owners = [owner.reference]
    if others := meta.get("ownerReferences"):
        owners = [each for each in others if each.get("uid") != owner.uid] + owners
        if sum(bool(each.get("controller")) for each in owners) > 1:
            raise ChildError(f"{endpoint.kind} {key} names another controller among its owners; its owner is {owner}.")
    meta["ownerReferences"] = owners
    meta["labels"] = {MANAGED_BY: operator, **(meta.get("labels") or {})}
    config["metadata"] = meta
    return key, config


def _check_form(document: Document, endpoint: Endpoint[Any]) -> None:
    """Raise `ChildError` if the metadata that we read of a document are not of the form that they must have."""
    meta = document.get("metadata") or {}
    if not isinstance(meta, dict):
        raise ChildError(f"the metadata of a child {endpoint.kind} are {meta!r:.60}: give an object, with a name.")
    for field, form, what in (
        ("name", str, "a text"),
        ("namespace", str, "a text"),
        ("labels", dict, "an object"),
        ("ownerReferences", list, "a list of objects"),
    ):
        value = meta.get(field)
        wrong = not isinstance(value, form) or (form is list and not all(isinstance(each, dict) for each in value))
        if value is not None and wrong:
            raise ChildError(f"metadata.{field} of a child {endpoint.kind} is {value!r:.60}: it must be {what}.")


def _place(meta: Document, name: str, endpoint: Endpoint[Any], owner: Owner) -> Key:
    namespace = meta.get("namespace") or ""
    above = owner.key.namespace
    if not endpoint.namespaced:
        if above:
            raise ChildError(
                f"{endpoint.kind} {name!r} is in no namespace, but its owner {owner} is in one: such a child would be "
                "collected at once. Make it with ctx.live and delete it in a finalizer, or let its kind be namespaced."
            )
        if namespace:
            raise ChildError(f"{endpoint.kind} {name!r} is in no namespace; leave out {namespace!r}.")
        return Key("", name)
    if above and namespace and namespace != above:
        raise ChildError(
            f"{endpoint.kind} {namespace}/{name} is in another namespace than its owner {owner}: owner references do "
            "not reach so far. Put it into the owner's, or make it with ctx.live and delete it in a finalizer."
        )
    if not (namespace or above):
        raise ChildError(f"{endpoint.kind} {name!r} is in a namespace, but its owner {owner} is in none: say which.")
    return Key(namespace or above, name)


def is_of(reference: Reference, endpoint: Endpoint[Any]) -> bool:
    """Whether an owner reference is to an object of a kind, in whatever version."""
    return reference.kind == endpoint.kind and reference.api_version.rpartition("/")[0] == endpoint.group


def check_owner(live: Cached, endpoint: Endpoint[Any], owner: Owner, adopt: bool) -> None:
    """Raise `ChildError` if what exists is not the owner's, and may not become it."""
    if live.controller == owner.uid:
        return
    for each in live.metadata.owner_references or ():
        if each.controller and each.uid != owner.uid:
            if is_of(each, owner.endpoint) and each.name == owner.key.name:
                raise ChildError(
                    f"{endpoint.kind} {live.key} is still that of an earlier {owner}, which is gone; it is made anew "
                    "when the garbage collector has taken it away."
                )
            raise ChildError(
                f"{endpoint.kind} {live.key} is controlled by {each.kind} {each.name!r}, so {owner} cannot have it; "
                "give the child another name."
            )
    if not adopt:
        raise ChildError(
            f"{endpoint.kind} {live.key} exists and is not {owner}'s; delete it, give the child another name, or take "
            "it over with ctx.apply(child, adopt=True)."
        )
