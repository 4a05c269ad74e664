"""How a Model class is made and what can be asked of it.

The metaclass gives msgspec the slots and puts our properties before them. Names inside annotations may not exist yet
while a class is being defined (forward references, recursive types), so a class is understood in two steps: at
definition all that can be told is told, and what is wrong is refused there; `fields_of` resolves the rest on first use.
"""

import contextlib
import difflib
import functools
import sys
import typing
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, ClassVar, TypeVar, cast, dataclass_transform

import msgspec
from msgspec import UNSET

from kubewright.model.annotations import annotations_in
from kubewright.model.fields import Declaration, Field, MissingField, declare, field, slot_property
from kubewright.model.markers import FieldGroup, ListMap, Marker
from kubewright.model.naming import python_name
from kubewright.model.shape import DefinitionError, ListOf, Scalar, Shape, StructOf, UnionOf, shape_of

__all__ = [
    "HIDDEN",
    "ModelInfo",
    "ModelMeta",
    "blank",
    "default_of",
    "field_of",
    "fields_of",
    "info_of",
    "nested",
    "open_shapes",
    "own_members",
    "pick",
]


class ModelInfo(msgspec.Struct, kw_only=True):
    """What a Model class knows of itself beside its slots; one per class."""

    declarations: dict[str, Declaration]
    annotations: dict[str, Any]
    markers: tuple[Marker, ...]
    #: Objects of the class body that wish to see the finished class, such as rules.
    guests: dict[str, Any]
    #: Names of the function a class was defined in, for annotations that are text.
    local_names: Mapping[str, Any]
    must: frozenset[str]
    wire_names: dict[str, str]
    slots: dict[str, Any]
    fields: tuple[Field, ...] | None = None
    codec: Any = None


#: What stands in a class body as the default of a field.
_VALUES = (bool, int, float, str, list, dict, Declaration)
#: How msgspec makes an object, without a word of ours.
_make = msgspec.StructMeta.__call__
#: Whose classes are made by the dozen in every reconcile: those that must be given nothing are left to msgspec, which
#: is as strict with them, and of fewer words.
_PREPARED = ("kubewright.k8s.", "kubewright.model.metadata")


@dataclass_transform(kw_only_default=True, field_specifiers=(field,))
class ModelMeta(msgspec.StructMeta):
    """Makes Model classes: slots by msgspec, properties and checks by us."""

    __kw__: ModelInfo
    #: Fields that read as an empty object when absent, even where the schema requires them.
    __kw_always__: frozenset[str] = frozenset()

    def __new__(
        meta,
        name: str,
        bases: tuple[type, ...],
        namespace: dict[str, Any],
        *,
        markers: Iterable[Marker] = (),
        **unknown: Any,
    ) -> Any:
        if unknown:
            raise DefinitionError(f"{name}: the class line has no option {', '.join(unknown)}; look at its spelling.")
        if "__init__" in namespace and namespace.get("__module__") != "kubewright.model.model":
            raise DefinitionError(
                f"{name} defines __init__, which its fields make; use a class method to build objects."
            )
        annotated = annotations_in(namespace)
        _check_annotated(name, namespace, annotated, bases)
        annotations = {key: value for key, value in annotated.items() if not _is_class_variable(value)}
        for key in HIDDEN:
            annotations.pop(key, None)
        own: dict[str, Declaration] = {}
        wires: dict[str, str] = {}
        for key in annotations:
            _check_field_name(name, key)
            own[key], wires[key] = declare(key, namespace.get(key, UNSET))
            namespace[key] = UNSET
        _check_wire_names(name, wires)
        prepared = namespace.get("__module__", "").startswith(_PREPARED) and not any(map(_must, own.values()))
        call: Any = _make if prepared else ModelMeta.__call__
        if meta.__call__ is not call and meta.__call__ in (_make, ModelMeta.__call__):  # else it is a user's own
            meta = _calling(cast("Hashable", meta), call)
        cls = super().__new__(meta, name, bases, namespace, kw_only=True, eq=False, rename=wires)
        cls.__kw__ = _introduce(cls, annotations, own, wires, tuple(markers), namespace)
        for key, declaration in own.items():
            setattr(cls, key, slot_property(cls, key, cls.__kw__.slots[key], declaration, default_of))
        return cls

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **_: Any) -> None:
        super().__init__(name, bases, namespace)
        cls.__kw__.local_names = _local_names(cls)
        if cls.__module__.startswith("kubewright.k8s."):
            return  # generated and tested as a whole; thousands of fields are resolved only when used
        with contextlib.suppress(NameError):  # a forward reference: told on first use
            fields_of(cls)
        for guest in cls.__kw__.guests.values():
            guest.__kw_define__(cls)

    def __call__(cls, /, *args: Any, **values: Any) -> Any:
        if args:
            raise TypeError(f"{cls.__name__}() takes its fields by name, as in {cls.__name__}(name=…).")
        if (must := cls.__kw__.must) and (missing := must.difference(values)):
            names = [field.name for field in fields_of(cls) if field.name in missing and field.required]
            if names:
                raise TypeError(
                    f"{cls.__name__}() lacks {', '.join(names)}: give required fields when making an object."
                )
        try:
            return _make(cls, **values)
        except TypeError:
            for name in values.keys() - set(cls.__struct_fields__):
                near = difflib.get_close_matches(python_name(name), cls.__kw__.wire_names, 1)
                hint = f"; did you mean {near[0]!r}?" if near else ""
                raise TypeError(f"{cls.__name__} has no field {name!r}{hint}") from None
            raise


#: The two slots of every Model that are not fields: the document it was read from, and the names of lent fields.
HIDDEN = ("_raw", "_lent")


def info_of(model: Any) -> ModelInfo:
    """What a Model class, or a generic one with its arguments, knows of itself."""
    try:
        info: ModelInfo = model.__kw__
    except AttributeError:
        origin = typing.get_origin(model)  # a generic class with arguments
        if not hasattr(origin, "__kw__"):
            raise TypeError(f"{model!r} is no kw.Model class.") from None
        info = origin.__kw__
    return info


def fields_of(model: Any) -> tuple[Field, ...]:
    """Every field of a Model class, its bases' first; for a generic one with arguments, with these put in."""
    arguments = typing.get_args(model)
    info = info_of(model)
    if not arguments and info.fields is not None:
        return info.fields
    origin = typing.get_origin(model) or model
    bind = dict(zip(getattr(origin, "__parameters__", ()), arguments, strict=False)) if arguments else {}
    found: dict[str, Field] = {}
    for cls, cls_bind in _lineage(origin, bind):
        own = info_of(cls)
        for name, annotation in own.annotations.items():
            where = f"{origin.__name__}.{name}"
            shape = shape_of(_resolve(cls, annotation, where), where, bind=cls_bind)
            found[name] = Field(
                name=name, wire=own.wire_names[name], shape=shape, declaration=own.declarations[name], owner=cls
            )
    fields = tuple(found.values())
    if not origin.__module__.startswith(_GENERATED):  # tested as a whole, and it would read what is not used yet
        _check_fields(origin, fields)
    if not arguments:
        info.fields = fields
    return fields


def field_of(model: Any, name: str) -> Field:
    """One field by its Python name."""
    return next(field for field in fields_of(model) if field.name == name)


def default_of(obj: Any, name: str) -> Any:
    """What a field reads as while it is absent, new for each call; `MissingField` if nothing stands for it.

    The parts of a resource that always read as an object are empty ones, even where the schema requires them.
    """
    cls = type(obj)
    declaration = info_of(cls).declarations[name]
    if declaration.has_default:
        return declaration.make_default()
    shape = field_of(cls, name).shape
    if shape.optional:
        return None
    if name in cls.__kw_always__ and isinstance(shape, StructOf):
        return blank(shape.model)
    raise MissingField(f"{cls.__name__}.{name} is required, but this object does not have it.", name=name, obj=obj)


def open_shapes(cls: Any) -> dict[str, Shape]:
    """The shapes of a class's own fields with type variables left as they stand."""
    own = info_of(cls).annotations
    parameters = getattr(cls, "__parameters__", ())
    if not parameters:
        return {field.name: field.shape for field in fields_of(cls) if field.name in own}
    bind = {parameter: parameter for parameter in parameters}
    where = {name: f"{cls.__name__}.{name}" for name in own}
    return {name: shape_of(_resolve(cls, own[name], where[name]), where[name], bind=bind) for name in own}


def blank(model: Any, /, **values: Any) -> Any:
    """An object of a Model class without the check for required fields: what reading makes."""
    return _make(model, **values)


def pick(union: UnionOf, value: Any) -> StructOf:
    """The member of a union that a JSON object is: the one of whose own required fields one is present."""
    for member in union.members:
        if isinstance(value, dict) and any(wire in value for wire in own_members(union, member)):
            return member
    raise ValueError(f"is none of {', '.join(member.model.__name__ for member in union.members)}")


def own_members(union: UnionOf, member: StructOf) -> list[str]:
    """The required fields, by their names on the wire, that no other member of the union has."""
    others = {each.wire for other in union.members if other is not member for each in fields_of(other.annotation)}
    return [each.wire for each in fields_of(member.annotation) if each.required and each.wire not in others]


def nested(shape: Shape) -> Iterable[StructOf]:
    """The models a shape names, without looking into them."""
    if isinstance(shape, StructOf):
        yield shape
    elif isinstance(shape, UnionOf):
        yield from shape.members
    elif isinstance(shape, ListOf):
        yield from nested(shape.item)
    elif hasattr(shape, "value"):
        yield from nested(shape.value)


def _introduce(
    cls: Any,
    annotations: dict[str, Any],
    own: dict[str, Declaration],
    wires: dict[str, str],
    markers: tuple[Marker, ...],
    namespace: dict[str, Any],
) -> ModelInfo:
    """The record of a new class, with what it has from its bases."""
    inherited = [base.__kw__ for base in cls.__mro__[1:] if "__kw__" in vars(base)]
    nearest = inherited[0] if inherited else None
    wire_names = {**(nearest.wire_names if nearest else {}), **wires}
    slots = {**(nearest.slots if nearest else {}), **{key: vars(cls).get(key) for key in own}}
    for key in own:
        # A field declared again keeps the slot of the base that declared it first.
        if not hasattr(slots[key], "__set__") or isinstance(slots[key], property):
            slots[key] = next(base.slots[key] for base in inherited if key in base.slots)
    must = {key for key, made in own.items() if _must(made)}
    if nearest:
        must |= nearest.must - own.keys()
    guests = {key: value for key, value in namespace.items() if hasattr(value, "__kw_define__")}
    return ModelInfo(
        declarations={**(nearest.declarations if nearest else {}), **own},
        annotations=annotations,
        markers=(*(nearest.markers if nearest else ()), *markers),
        guests={**(nearest.guests if nearest else {}), **guests},
        local_names={},
        must=frozenset(must),
        wire_names=wire_names,
        slots=slots,
    )


def _must(declaration: Declaration) -> bool:
    """Whether a field has to be given when an object is made, unless its type says that it is optional."""
    return not declaration.has_default and not declaration.partial


@functools.cache
def _calling(meta: Any, call: Any) -> Any:
    """A metaclass like another, but for how its classes are called."""
    return type(meta.__name__, (meta,), {"__call__": call})


def _is_class_variable(annotation: Any) -> bool:
    if isinstance(annotation, str):
        return annotation.split("[")[0].split(".")[-1] == "ClassVar"
    return annotation is ClassVar or typing.get_origin(annotation) is ClassVar


def _check_annotated(
    owner: str, namespace: Mapping[str, Any], annotated: Mapping[str, Any], bases: tuple[type, ...]
) -> None:
    """A value without a type would be no field, and nobody would hear of it."""
    for name, value in namespace.items():
        if isinstance(value, _VALUES) and name not in annotated and not name.startswith("_"):
            fields = {name for base in bases if isinstance(base, ModelMeta) for name in base.__kw__.wire_names}
            if name not in fields and any(hasattr(base, name) for base in bases):
                continue  # another value of what is no field there
            shown = "kw.field(…)" if isinstance(value, Declaration) else f"{value!r:.40}"
            example = "str" if isinstance(value, Declaration) else type(value).__name__
            raise DefinitionError(
                f"{owner}.{name} = {shown} has no type, so it is no field: write {name}: {example} = {shown}, or with "
                "ClassVar[…] what is not part of the resource."
            )


def _check_field_name(owner: str, name: str) -> None:
    if name.startswith("_"):
        raise DefinitionError(
            f"{owner}.{name}: a field's name starts with a letter; what is not part of the resource is a ClassVar."
        )


def _check_wire_names(owner: str, wires: dict[str, str]) -> None:
    first: dict[str, str] = {}
    for name, wire in wires.items():
        if first.setdefault(wire, name) != name:
            raise DefinitionError(
                f"{owner}: {first[wire]} and {name} are both {wire!r} on the wire; name one otherwise: "
                f"{name} = kw.field(wire=…)."
            )


def _local_names(cls: Any) -> Mapping[str, Any]:
    """For a class inside a function: the names that function knows, for annotations that are text."""
    if "<locals>" not in cls.__qualname__:
        return {}
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("kubewright.model."):
        frame = frame.f_back
    return {cls.__name__: cls, **frame.f_locals}


#: Kubernetes' own kinds say the same few hundred texts over and over, and no module of them is ever written anew.
_GENERATED = "kubewright.k8s."
_resolved: dict[tuple[str, str], Any] = {}


def _resolve(cls: type, annotation: Any, where: str) -> Any:
    """An annotation with every name in it looked up; `NameError` while a name does not exist yet."""
    generated = cls.__module__.startswith(_GENERATED) and isinstance(annotation, str)
    if generated and (found := _resolved.get((cls.__module__, annotation))) is not None:
        return found
    known = vars(sys.modules[cls.__module__]) if cls.__module__ in sys.modules else {}
    local = {**info_of(cls).local_names, cls.__name__: cls}
    try:
        found = typing.get_type_hints(_Hint(annotation), known, local, include_extras=True)["value"]
        if generated:
            _resolved[cls.__module__, annotation] = found
        return found
    except NameError as error:
        raise UnresolvedName(
            f"{where}: {error.name!r} in its annotation is not known; define it before it is used, or in the module."
        ) from error
    except Exception as error:  # whatever evaluating the user's text raises
        raise DefinitionError(f"{where}: the annotation {annotation!r} cannot be read: {error}.") from error


class UnresolvedName(DefinitionError, NameError):
    """An annotation names what does not exist, or not yet."""


class _Hint:
    """Something to hang one annotation on, which is what `typing.get_type_hints` wants."""

    def __init__(self, annotation: Any) -> None:
        self.__annotations__ = {"value": annotation}


def _lineage(origin: Any, bind: dict[Any, Any]) -> list[tuple[Any, dict[Any, Any]]]:
    """The Model classes of the MRO, base first, each with what its own type variables stand for."""
    bound: dict[Any, dict[Any, Any]] = {origin: bind}
    for cls in origin.__mro__:
        for base in getattr(cls, "__orig_bases__", ()) if "__orig_bases__" in vars(cls) else ():
            parent = typing.get_origin(base)
            if parent is not None and "__kw__" in vars(parent):
                given = (bound.get(cls, {}).get(a, a) if isinstance(a, TypeVar) else a for a in typing.get_args(base))
                bound[parent] = dict(zip(parent.__parameters__, given, strict=False))
    return [(cls, bound.get(cls, {})) for cls in reversed(origin.__mro__) if "__kw__" in vars(cls)]


def _check_fields(cls: Any, fields: tuple[Field, ...]) -> None:
    """What can be wrong only once all fields of a class are known."""
    for each in fields:
        _check_list_keys(cls, each)
        _check_union(cls, each)
    names = {each.name: each for each in fields}
    for marker in info_of(cls).markers:
        where = f"{cls.__name__}, markers"
        if fault := marker.fault():
            raise DefinitionError(f"{where}: {fault}.")
        if "struct" not in marker.on:
            raise DefinitionError(f"{where}: {marker!r} does not go on a class; put it on a field.")
        if not isinstance(marker, FieldGroup):
            continue
        for name in marker.names:
            if name not in names:
                raise DefinitionError(f"{where}: {marker!r} names {name!r}, which is no field of {cls.__name__}.")
            if names[name].required:
                raise DefinitionError(
                    f"{where}: {marker!r} needs {name} to be optional; write {name}: … | None = None."
                )


def _check_list_keys(cls: Any, each: Field) -> None:
    shape = each.shape
    marker = shape.marker(ListMap)
    if marker is None or not isinstance(shape, ListOf):
        return
    where = f"{cls.__name__}.{each.name}"
    if not isinstance(shape.item, StructOf):
        raise DefinitionError(f"{where}: {marker!r} needs a list of models; for a list of scalars use ListSet().")
    try:
        items = {item.name: item for item in fields_of(shape.item.annotation)}
    except (NameError, RecursionError):
        return  # told when the item class is complete
    for key in marker.names:
        if key not in items:
            raise DefinitionError(
                f"{where}: {marker!r} names {key!r}, which is no field of {shape.item.model.__name__}."
            )
        if not isinstance(items[key].shape, Scalar) and items[key].shape.sort not in ("string", "integer"):
            raise DefinitionError(f"{where}: the key {key!r} of {marker!r} must be a scalar.")


def _check_union(cls: Any, each: Field) -> None:
    shape = each.shape.item if isinstance(each.shape, ListOf) else each.shape
    if not isinstance(shape, UnionOf):
        return
    for member in shape.members:
        if not own_members(shape, member):
            raise DefinitionError(
                f"{cls.__name__}.{each.name}: {member.model.__name__} has no required field that the other members of "
                "the union lack, so nothing tells them apart; give it one."
            )
