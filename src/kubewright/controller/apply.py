"""Applying children: server-side apply under our name, sent only if it would change something.

A request is left out in two cases. Either `unchanged` finds that the object is as the configuration says and all of it
is ours already; that holds after a restart too. Or this very configuration was the last one that was sent or found
unchanged, and the object still has the resourceVersion that it had then: so a webhook that changes our values for good
does not make us write for ever. Echoes of own writes are never dropped: they bring the key back, and it is found that
there is nothing to do. That is most of what reconcilers do, so it is found before a configuration is made at all, by
the child as it was given.
"""

from collections.abc import Callable, Iterable
from hashlib import blake2b
from typing import Any, Final

import msgspec
from msgspec import UNSET

from kubewright.cache import Cached, Informer, Key, hide_owners
from kubewright.cache.cached import key_of
from kubewright.client.endpoint import Document, Endpoint
from kubewright.client.errors import Invalid
from kubewright.controller.children import ChildError, Owner, check_owner
from kubewright.controller.emptied import emptying_patch
from kubewright.controller.unchanged import contested, unchanged
from kubewright.controller.writes import WritingClient
from kubewright.model.codec import image
from kubewright.model.documents import dump_json
from kubewright.model.metadata import ObjectMeta
from kubewright.model.ordered import encode_ordered
from kubewright.model.resource import Resource
from kubewright.model.shape import StructOf

__all__ = ["Applier", "Look", "digest_of", "look"]


#: What tells a configuration from others: the hash of a look, or a digest where there is no telling by looks.
Sign = int | bytes


class Look(msgspec.Struct, frozen=True, gc=False):
    """A child as it is given: where it is to be, what is set of it, and what tells it from one given before."""

    key: Key
    model: type[Resource]
    image: bytes
    sign: int


class _Known(msgspec.Struct, frozen=True, gc=False):
    """A child when there was last nothing left to do."""

    sign: Sign
    uid: str
    revision: int
    #: What tells the configuration from others in whatever order; known once it was sent to change something.
    digest: bytes = b""
    #: Whether it was sent to undo what another controller of the operator had made of it, and did.
    undid: bool = False


#: The version of an object that is made: the server makes it, whatever version that has; but of one that is there none
#: has this one, so the server answers that it has changed.
_NONE: Final = "1"


class Applier:
    """Applies for one controller; remembers of each child what it was last found to be."""

    def __init__(self, client: WritingClient, manager: str, peers: Iterable[str] = ()) -> None:
        """`peers`: as whom the operator's controllers apply."""
        self._client = client
        self.manager = manager
        self._peers = frozenset(peers) - {manager}
        self._known: dict[tuple[str, Key], _Known] = {}
        #: What stands where a child should be, and is not ours; and for whom it should be.
        self._taken: dict[tuple[str, Key], dict[Key, None]] = {}
        #: Told for whom, if no watch will tell that it is gone; the runner puts it here.
        self.blocked: Callable[[Key], None] | None = None

    def recall(self, informer: Informer, endpoint: Endpoint[Any], seen: Look) -> bytes | None:
        """The child that looks so, if it did when it was last given, and nothing has happened to it since."""
        key = seen.key
        known = self._known.get((endpoint.address, key))
        if known is None or known.sign != seen.sign:
            return None
        live = informer.get(key)
        if live is None or live.revision != known.revision or live.uid != known.uid:
            return None
        return live.raw

    async def apply(
        self,
        informer: Informer,
        endpoint: Endpoint[Any],
        key: Key,
        config: Document,
        owner: Owner,
        *,
        sign: Sign,
        adopt: bool = False,
    ) -> bytes:
        """Make a child as its configuration says, known again by that sign; the document as it is then."""
        live = informer.get(key)
        if live is None and not informer.selection.whole:
            # Somebody else's of that name may be there without being selected.
            live = await informer.ask(key)
        # Another of the same name may stand there by now, which is not ours.
        identity, digest, rival = {"resourceVersion": _NONE}, b"", ""
        if live is not None:
            config = _read(config)
            known, now = self._known.get((endpoint.address, key)), _Known(sign, live.uid, live.revision)
            if known is not None and _stands(known, live, sign, config):
                return live.raw
            try:
                check_owner(live, endpoint, owner, adopt)
            except ChildError:
                self._taken.setdefault((endpoint.address, key), {})[owner.key] = None
                if self.blocked is not None and informer.get(key, sure=False) is None:
                    self.blocked(owner.key)
                raise
            if live.deleting:
                # Nothing that is said to it now will last; its end brings the owner back, and then it is made anew.
                return live.raw
            if self._is_applied(config, live, informer.endpoint):
                self._known[endpoint.address, key] = now
                return live.raw
            if len(live.managed) > 1 and known is not None and known.sign == sign:
                rival = self._rival(config, live, informer.endpoint)
                if rival and known.undid:
                    raise ChildError(rival)
            identity = {"uid": live.uid}
            digest = _digest(sign, config)
        config = {**config, "metadata": {**config["metadata"], **identity}}
        try:
            answer, made = await self._client.apply_bytes(endpoint, key, dump_json(config), self.manager)
        except Invalid as refusal:
            if live is None or not (less := emptying_patch(config, msgspec.json.decode(live.raw), refusal)):
                raise
            await self._client.merge(endpoint, live, less, self.manager)
            answer, made = await self._client.apply_bytes(endpoint, key, dump_json(config), self.manager)
        if made is None:
            return answer
        # Nothing is undone where both want the same, and a webhook has made something else of it.
        undid = rival != "" and live is not None and made.revision != live.revision
        self._known[endpoint.address, key] = _Known(sign, made.uid, made.revision, digest, undid)
        return made.raw

    def has_changed(self, endpoint: Endpoint[Any], key: Key, revision: int) -> bool:
        """Whether the child is as we have made it, of one that was there, after it had that revision."""
        known = self._known.get((endpoint.address, key))
        return known is not None and known.digest != b"" and known.revision > revision

    def forget(self, endpoint: Endpoint[Any], key: Key) -> None:
        """The child is gone."""
        self._known.pop((endpoint.address, key), None)

    def claimants(self, endpoint: Endpoint[Any], key: Key) -> Iterable[Key]:
        """Whose child could not be made because of what stands there; they are forgotten."""
        return self._taken.pop((endpoint.address, key), ()) if self._taken else ()

    def is_applied_by_us(self, cached: Cached) -> bool:
        """Whether we own anything of an object."""
        return any(each.manager == self.manager and each.operation == "Apply" for each in cached.managed)

    async def withdraw(self, endpoint: Endpoint[Any], cached: Cached) -> bool:
        """Take back all that we want of an object which a peer applies too.

        False if none does, or no longer, or what the peer wants is no object by itself: then it is to go.
        """
        if not self._is_shared(cached):
            return False
        key = cached.key
        meta = {"name": key.name, "uid": cached.uid} | ({"namespace": key.namespace} if key.namespace else {})
        body = dump_json({"apiVersion": endpoint.api_version, "kind": endpoint.kind, "metadata": meta})
        try:
            _, left = await self._client.apply_bytes(endpoint, key, body, self.manager)
        except Invalid:
            return False
        return left is None or self._is_shared(left)  # who takes it back at the same time as we leaves it to the last

    def _is_shared(self, cached: Cached) -> bool:
        """Whether a peer applies an object. Who writes its status alone is the controller of its kind."""
        return any(
            each.manager in self._peers and each.operation == "Apply" and not each.subresource
            for each in cached.managed
        )

    def _is_applied(self, config: Document, live: Cached, endpoint: Endpoint[Any]) -> bool:
        for each in live.managed:
            if each.manager == self.manager and each.operation == "Apply" and not each.subresource:
                same_version = each.api_version == endpoint.api_version
                return same_version and unchanged(*_compared(config, live), each.fields, _shape(endpoint))
        return False

    def _rival(self, config: Document, live: Cached, endpoint: Endpoint[Any]) -> str:
        """Which other controller of the operator seems to apply it otherwise, in a sentence; empty if none does."""
        for each in live.managed:
            if each.manager == self.manager or each.operation != "Apply" or each.api_version != endpoint.api_version:
                continue
            if each.subresource:  # its status, of which an apply to the object changes nothing
                continue
            if place := contested(*_compared(config, live), each.fields, _shape(endpoint)):
                return (
                    f"{endpoint.kind} {live.key} is applied by {each.manager!r} too, with another {place}: each would "
                    "undo the other, and so for ever. Leave the field to one of them."
                )
        return ""


def digest_of(config: Document) -> bytes:
    """What tells a configuration from others, in whatever order it was written."""
    try:
        text = encode_ordered(config)
    except (TypeError, ValueError):
        dump_json(config)  # says what is wrong with it
        raise
    return blake2b(text, digest_size=16).digest()


def _stands(known: _Known, live: Cached, sign: Sign, config: Document) -> bool:
    """Whether nothing has happened since this configuration was sent or found unchanged."""
    if known.revision != live.revision or known.uid != live.uid:
        return False
    return known.sign == sign or (known.digest != b"" and known.digest == _digest(sign, config))


def _digest(sign: Sign, config: Document) -> bytes:
    return sign if isinstance(sign, bytes) else digest_of(config)


def look(child: Resource | Document, endpoint: Endpoint[Any], owner: Owner) -> Look | None:
    """How a child looks that is given for its owner; None if there is no telling.

    Python's own hash is enough: one child is compared with one other. What was read from the API has fields that our
    classes do not know, and documents may hold anything.
    """
    if isinstance(child, dict) or child._raw is not UNSET:
        return None
    # As they stand in their slots, which is all that is asked of what is set: this is done for every child, each time.
    meta: Any = child._kw_metadata  # type: ignore[attr-defined]  # the slot's own name (`model/fields.py`)
    if not isinstance(meta, ObjectMeta) or (text := image(child)) is None:
        return None
    name, namespace = meta._kw_name, meta._kw_namespace or owner.key.namespace  # type: ignore[attr-defined]
    if not isinstance(name, str) or not isinstance(namespace, str):
        return None
    key = key_of((namespace if endpoint.namespaced else "", name))
    return Look(key, type(child), text, hash((type(child), text, owner.uid)))


def _read(config: Document) -> Document:
    """A configuration of which parts may be text."""
    return {name: msgspec.json.decode(part) if isinstance(part, msgspec.Raw) else part for name, part in config.items()}


def _shape(endpoint: Endpoint[Any]) -> StructOf | None:
    """That of a kind. The cache's endpoint knows the class, also where a document is applied."""
    return StructOf(annotation=endpoint.model) if endpoint.model is not None else None


def _compared(config: Document, live: Cached) -> tuple[Document, Document]:
    """A configuration and an object as they are compared."""
    return _hiding(config, live), _hiding(msgspec.json.decode(live.raw), live)


def _hiding(document: Document, live: Cached) -> Document:
    """A document whose owners are called as the fields that we own call them."""
    meta = document["metadata"]
    references = meta.get("ownerReferences")
    if not references:
        return document
    return {**document, "metadata": {**meta, "ownerReferences": hide_owners(references, live.owners)}}
