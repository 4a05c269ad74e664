"""How the objects of a resource are tracked: their shapes, their other versions, and what each path does not change."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any, Final

import msgspec

from kubewright.cluster.fields.check import check, spelled_errors
from kubewright.cluster.fields.openapi import Shapes, custom_shape
from kubewright.cluster.fields.ownership import NoSuchVersion, Typed, Unconvertible
from kubewright.cluster.fields.scale import Places, place
from kubewright.cluster.fields.shape import Shape
from kubewright.cluster.fields.tracking import Tracking
from kubewright.cluster.registry.custom.definition import Definition
from kubewright.cluster.registry.custom.view import CustomView
from kubewright.cluster.registry.kinds.versions import Elsewhere, relatives
from kubewright.cluster.registry.reset import STATUS_RESET, builtin_filter, dropping
from kubewright.cluster.registry.resource import Resource
from kubewright.cluster.registry.view import ConversionFailed
from kubewright.cluster.wire.builtin import builtin_codec
from kubewright.model.kind import GroupVersionKind
from kubewright.model.steps import finish

__all__ = ["NeedsConversion", "part_tracking", "scale_places", "scale_tracking", "tracking_of"]

Document = dict[str, Any]

_decode: Final = msgspec.json.Decoder(dict[str, Any]).decode
_encode: Final = msgspec.json.Encoder().encode
#: So many objects that a webhook converted, at most: a request needs a few for each manager of another version.
_REMEMBERED: Final = 64
_SCALE: Final = GroupVersionKind("autoscaling", "v1", "Scale")


class NeedsConversion(Exception):
    """An object is needed in a version that only a webhook can give; it is there once `meet` was awaited."""

    def __init__(self, conversions: "Conversions", document: Document, version: str) -> None:
        super().__init__(version)
        self._conversions = conversions
        self._document = document
        self._version = version

    async def meet(self) -> None:
        """Ask the webhook."""
        await self._conversions.fetch(self._document, self._version)


class Conversions:
    """Objects of a CRD in its other versions; what a webhook gave is remembered for a while, its failures once."""

    def __init__(self, definition: Definition) -> None:
        self._definition = definition
        self._fetched: dict[tuple[bytes, str], Document | ConversionFailed] = {}

    def convert(self, typed: Typed, version: str) -> Typed:
        """The object in another version."""
        document: Document = typed.value
        if document["apiVersion"] == version:
            return typed
        definition = self._definition
        if version not in definition.codecs:
            raise Unconvertible(f"request to convert CR to an invalid group/version: {version}")
        if definition.webhook is None:
            made = document | {"apiVersion": version}
        else:
            found = self._fetched.get((_encode(document), version))
            if found is None:
                raise NeedsConversion(self, document, version)
            if isinstance(found, ConversionFailed):
                self._fetched.clear()
                raise Unconvertible(str(found))
            made = found
        # Nothing is taken away that the other version does not know; what does not fit there cannot be told.
        shape = _custom_shape(definition, version)
        if errors := check(made, shape):
            raise Unconvertible(finish(spelled_errors(errors)))
        return Typed(made, shape)

    async def fetch(self, document: Document, version: str) -> None:
        """Ask the webhook for an object in another version."""
        webhook = self._definition.webhook
        assert webhook is not None
        if len(self._fetched) >= _REMEMBERED:
            self._fetched.clear()
        key = _encode(document), version
        try:
            [self._fetched[key]] = await webhook.convert([_decode(key[0])], version)
        except ConversionFailed as error:
            self._fetched[key] = error


@cache
def builtin_shapes() -> Shapes:
    """The shapes of the types of built-in kinds."""
    # The schemas are read when they are first needed.
    from kubewright.cluster.wire.schemas import builtin_schemas

    return Shapes(lambda name: builtin_schemas().piece(name, ()))


def _custom_shape(definition: Definition, version: str) -> Shape:
    found = definition.shapes.get(version)
    if found is None:
        found = definition.shapes[version] = custom_shape(definition.codecs[version].schema, builtin_shapes())
    return found


def _alike(definition: Definition, version: str) -> Shape | None:
    """The shape of custom objects in another version, if nobody has to be asked for them."""
    known = definition.webhook is None and version in definition.codecs
    return _custom_shape(definition, version) if known else None


def tracking_of(resource: Resource, subresource: str) -> Tracking:
    """How objects are tracked that are written at a path of the API."""
    found = resource.trackings.get(subresource)
    if found is None:
        view = resource.view
        found = resource.trackings[subresource] = (
            _custom_tracking(resource, view.definition, subresource)
            if isinstance(view, CustomView)
            else _builtin_tracking(resource, subresource)
        )
    return found


def _custom_tracking(resource: Resource, definition: Definition, subresource: str) -> Tracking:
    version = resource.api_version
    if subresource == "status":
        with_status = [each.name for each in definition.crd.versions if each.subresources.get("status") is not None]
        keep = dropping(STATUS_RESET, *map(definition.api_version, with_status))
    else:
        keep = dropping({"f:status": {}}, *([version] if resource.subresource("status") is not None else []))
    head = {"apiVersion": version, "kind": definition.names.kind, "metadata": {}}
    return Tracking(
        version=version,
        subresource=subresource,
        shape=_custom_shape(definition, version),
        convert=Conversions(definition).convert,
        keep=keep,
        zero=lambda: head,
        sort=False,
        bare=True,
        dropped=("metadata", "spec") if subresource == "status" else ("status",),
        alike=partial(_alike, definition),
        older=lambda live: int(live["metadata"]["resourceVersion"]) <= definition.since,
    )


def _builtin_tracking(resource: Resource, subresource: str) -> Tracking:
    from kubewright.cluster.wire.schemas import model_name

    kind = resource.kind
    has_status = resource.subresource("status") is not None
    known = relatives(kind)
    return Tracking(
        version=resource.api_version,
        subresource=subresource,
        shape=builtin_shapes().named(model_name(kind)),
        convert=_as_it_is if len(known) == 1 else partial(_as_relative, known),
        keep=builtin_filter(resource.qualified, subresource, *known, has_status=has_status),
        zero=_zero(kind),
        sort=True,
        is_gone=lambda version: version not in known,
    )


def _as_it_is(typed: Typed, version: str) -> Typed:
    """Built-in kinds are told in one version."""
    if typed.value["apiVersion"] != version:
        raise NoSuchVersion(version)
    return typed


def _as_relative(known: dict[str, tuple[GroupVersionKind, Elsewhere | None]], typed: Typed, version: str) -> Typed:
    """The object as another version of its kind, or another group, has it."""
    from kubewright.cluster.wire.schemas import model_name

    document: Document = typed.value
    if document["apiVersion"] == version:
        return typed
    if version not in known:
        raise NoSuchVersion(version)
    _, before = known[document["apiVersion"]]
    kind, after = known[version]
    made = document if before is None else before.to_stored(document)
    made = made if after is None else after.from_stored(made)
    return Typed(_decode(builtin_codec(*kind).write(made)), builtin_shapes().named(model_name(kind)))


def _zero(kind: GroupVersionKind) -> Callable[[], Document]:
    """An empty object of a Go type: what is always written is there."""

    @cache
    def made() -> Document:
        codec = builtin_codec(*kind)
        return _decode(codec.write(codec.read({}).object))

    return made


def scale_tracking() -> Tracking:
    """How a Scale is tracked."""
    return part_tracking(_SCALE, "scale")


@cache
def part_tracking(kind: GroupVersionKind, subresource: str) -> Tracking:
    """How an object is tracked that is spoken at a subresource of another kind."""
    from kubewright.cluster.wire.schemas import model_name

    return Tracking(
        version=f"{kind.group}/{kind.version}",
        subresource=subresource,
        shape=builtin_shapes().named(model_name(kind)),
        convert=_as_it_is,
        keep=dropping({}),
        zero=_zero(kind),
        sort=False,
    )


def scale_places(resource: Resource) -> Places:
    """Where the versions of a kind say how many replicas are wanted."""
    if not isinstance(resource.view, CustomView):
        return {resource.api_version: place(".spec.replicas")}
    definition = resource.view.definition
    return {
        definition.api_version(each.name): place(scale["specReplicasPath"]) if scale is not None else None
        for each in definition.crd.versions
        for scale in [each.subresources.get("scale")]
    }
