"""What is wrong with the spec of a CRD, in the words, with the places and in the order of the server."""

from collections.abc import Iterator, Set
from typing import Any, Final

from kubewright.cluster.registry.kinds.crd.defaults import check_defaults
from kubewright.cluster.registry.kinds.crd.form import Form, Settings, versions_in_go
from kubewright.cluster.registry.kinds.crd.webhook import check_conversion
from kubewright.cluster.registry.rules.pause import PAUSE, paused
from kubewright.model.steps import thinned
from kubewright.schema.expression import expression
from kubewright.schema.raw import (
    Schema,
    has,
    has_rules_pausing,
    properties,
    unstructurable,
    unstructurable_pausing,
    values_of,
)
from kubewright.schema.structural.keywords import check_keywords_in_steps
from kubewright.schema.structural.structure import check_structural_in_steps
from kubewright.schema.walk.errors import (
    INVALID,
    FieldError,
    duplicate,
    invalid,
    not_supported,
    required,
    too_many,
)
from kubewright.schema.walk.golang import marshal
from kubewright.schema.walk.names import resource_kind, subdomain

__all__ = ["check_immutable", "check_names", "check_preserving", "check_spec", "check_stored_versions"]

Document = dict[str, Any]

_COLUMN_TYPES: Final = ("boolean", "date", "integer", "number", "string")
_COLUMN_FORMATS: Final = ("byte", "date", "date-time", "double", "float", "int32", "int64", "password")
_SELECTABLE_LIMIT: Final = 8


def check_spec(spec: Document, *, any_bundle: bool, unchanged: Set[str] = frozenset()) -> Iterator[FieldError]:
    """What is wrong with a spec; with pauses, if it is large.

    `any_bundle`: certificates that cannot be read are no matter yet. `unchanged`: versions whose schema is as it was,
    so that what its rules cost is no matter any more.
    """
    form = Form(spec)
    group = spec.get("group", "")
    if not group:
        yield required("spec.group")
    elif complaints := subdomain(group):
        yield invalid("spec.group", group, ",".join(complaints))
    elif "." not in group:
        yield invalid("spec.group", group, "should be a domain with at least one dot")
    scope = spec.get("scope", "")
    if not scope:
        yield required("spec.scope")
    elif scope not in ("Cluster", "Namespaced"):
        yield not_supported("spec.scope", scope, ("Cluster", "Namespaced"))
    if form.common.openapi is None:
        for index, own in enumerate(form.own):
            if own.openapi is None:
                yield required(f"spec.versions[{index}].schema.openAPIV3Schema")
    preserving = spec.get("preserveUnknownFields") is True
    if preserving and any(_has_default(settings.openapi) for settings in (form.common, *form.own)):
        yield invalid("spec.preserveUnknownFields", True, "must be false in order to use defaults in the schema")
    for index, (version, own) in enumerate(zip(form.versions, form.own, strict=True)):
        spared = version.get("name", "") in unchanged
        yield from _version(version, own, f"spec.versions[{index}]", status=form.status_of(index), spared=spared)
    yield from _versions(form)
    names: Document = spec.get("names") or {}
    for name in ("plural", "singular", "kind", "listKind"):
        if not names.get(name):
            yield required(f"spec.names.{name}")
    yield from check_names(names, "spec.names")
    spared = bool(form.versions) and form.versions[0].get("name", "") in unchanged
    yield from _schema(form.common.schema, "spec.validation", status=form.any_status, spared=spared)
    yield from _subresources(form.common.subresources, "spec.subresources")
    yield from _columns(form.common.columns, "spec.additionalPrinterColumns")
    if form.common.selectable:
        if form.common.schema is None:
            yield invalid("spec.selectableFields", "", "may only be set when validations.schema is included")
        else:
            yield from _selectable(form.common, "spec.selectableFields", "spec.schema.openAPIV3Schema")
    conversion: Document = spec.get("conversion") or {}
    if preserving and conversion.get("strategy") != "None":
        strategy = conversion.get("strategy", "")
        yield invalid("spec.conversion.strategy", strategy, "must be None if spec.preserveUnknownFields is true")
    yield from check_conversion(conversion, any_bundle=any_bundle)


def _has_default(schema: Schema | None) -> bool:
    if schema is None:
        return False
    if has(schema, "default"):
        return True
    inner = [child for _, child in properties(schema)]
    inner += [child for child in (schema.get("items"), values_of(schema)) if isinstance(child, dict)]
    return any(map(_has_default, inner))


# -- versions


def _versions(form: Form) -> Iterator[FieldError]:
    names = [each.get("name", "") for each in form.versions]
    if len({*names}) < len(names):
        yield _odd_versions(form, "must contain unique version names")
    if sum(bool(each.get("storage")) for each in form.versions) != 1:
        yield _odd_versions(form, "must have exactly one version marked as storage version")
    # Inside, the server still has the one version that CRDs began with: the first.
    if names and names[0] and (complaints := resource_kind(names[0])):
        yield invalid("spec.version", names[0], ",".join(complaints))


def _odd_versions(form: Form, detail: str) -> FieldError:
    return FieldError(INVALID, "spec.versions", f"Invalid value: {versions_in_go(form)}: {detail}")


def _version(version: Document, own: Settings, path: str, *, status: bool, spared: bool) -> Iterator[FieldError]:
    name = version.get("name", "")
    if complaints := resource_kind(name):
        yield invalid(f"{path}.name", name, ",".join(complaints))
    yield from _deprecation(version, f"{path}.deprecationWarning")
    yield from _schema(own.schema, f"{path}.schema", status=status, spared=spared)
    yield from _subresources(own.subresources, f"{path}.subresources")
    yield from _columns(own.columns, f"{path}.additionalPrinterColumns")
    if own.selectable:
        if own.openapi is None:
            detail = "may only be set when `version.schema.openAPIV3Schema` is not included"
            yield invalid(f"{path}.selectableFields", "", detail)
        else:
            yield from _selectable(own, f"{path}.selectableFields", f"{path}.schema.openAPIV3Schema")


def _deprecation(version: Document, path: str) -> Iterator[FieldError]:
    warning = version.get("deprecationWarning")
    if warning is None:
        return
    if not version.get("deprecated"):
        yield _as_json(path, warning, "can only be set for deprecated versions")
        return
    if len(warning.encode()) > 256:
        yield _as_json(path, warning, "must be <= 256 characters long")
    if not warning:
        yield _as_json(path, warning, "must not be an empty string")
    position = 0
    for char in warning:
        if not char.isprintable():
            why = f"must only contain printable UTF-8 characters; non-printable character found at index {position}"
            yield _as_json(path, warning, why)
            break
        position += len(char.encode())


def _as_json(path: str, value: str, detail: str) -> FieldError:
    """An invalid text behind a pointer, which the server shows as JSON."""
    return FieldError(INVALID, path, f"Invalid value: {marshal(value)}: {detail}")


def _schema(schema: Document | None, path: str, *, status: bool, spared: bool) -> Iterator[FieldError]:
    openapi = schema.get("openAPIV3Schema") if schema is not None else None
    if openapi is None:
        return
    path = f"{path}.openAPIV3Schema"
    found = yield from paused(check_structural_in_steps(openapi, path, status_subresource=status), PAUSE)
    if (yield from paused(thinned(unstructurable_pausing(openapi)), PAUSE)):
        yield from found
        return
    keywords = (yield from paused(check_keywords_in_steps(openapi, path), PAUSE)) if found else []
    structure = found[: len(found) - len(keywords)]
    # What stands at the root does not keep the defaults from being judged.
    if any(not _at_root(error, path) for error in structure):
        yield from found
        return
    defaults = yield from paused(check_defaults(openapi, path), PAUSE)
    if not (yield from paused(thinned(has_rules_pausing(openapi)), PAUSE)):
        yield from (*structure, *defaults, *keywords)
        return
    # Imported here: a server whose CRDs have no rules needs no CEL.
    from kubewright.schema.validations.judge import check_default_rules, check_rules_in_steps

    defaults += yield from paused(check_default_rules(openapi, path, defaults), PAUSE)
    yield from (*structure, *defaults, *keywords)
    if not structure and not defaults:
        yield from (yield from paused(check_rules_in_steps(openapi, path, faults=keywords, spared=spared), PAUSE))


def _at_root(error: FieldError, path: str) -> bool:
    text = "at the root of the schema if the status subresource is enabled"
    return text in error.message or error.message.endswith("nullable cannot be true at the root")


# -- names, paths, columns


def check_names(names: Document, path: str) -> Iterator[FieldError]:
    """What is wrong with the names of a kind, given or accepted."""
    for name in ("plural", "singular"):
        if (text := names.get(name, "")) and (complaints := resource_kind(text)):
            yield invalid(f"{path}.{name}", text, ",".join(complaints))
    for name in ("kind", "listKind"):
        if (text := names.get(name, "")) and (complaints := resource_kind(text.lower())):
            detail = "may have mixed case, but should otherwise match: " + ",".join(complaints)
            yield invalid(f"{path}.{name}", text, detail)
    yield from _labels(names.get("shortNames") or [], f"{path}.shortNames")
    if names.get("kind") and names["kind"] == names.get("listKind"):
        yield invalid(f"{path}.listKind", names["listKind"], "kind and listKind may not be the same")
    yield from _labels(names.get("categories") or [], f"{path}.categories")


def _labels(texts: list[str], path: str) -> Iterator[FieldError]:
    for index, text in enumerate(texts):
        if complaints := resource_kind(text):
            yield invalid(f"{path}[{index}]", text, ",".join(complaints))


def _subresources(subresources: Document | None, path: str) -> Iterator[FieldError]:
    scale = subresources.get("scale") if subresources is not None else None
    if scale is None:
        return
    path = f"{path}.scale"
    for name, below in (("specReplicasPath", ".spec."), ("statusReplicasPath", ".status.")):
        text = scale.get(name, "")
        if not text:
            yield required(f"{path}.{name}")
        elif errors := list(_simple_path(text, f"{path}.{name}")):
            yield from errors
        elif not text.startswith(below):
            yield invalid(f"{path}.{name}", text, f"should be a json path under {below.removesuffix('.')}")
    if selector := scale.get("labelSelectorPath"):
        if errors := list(_simple_path(selector, f"{path}.labelSelectorPath")):
            yield from errors
        elif not selector.startswith((".spec.", ".status.")):
            detail = "should be a json path under either .spec or .status"
            yield _as_json(f"{path}.labelSelectorPath", selector, detail)


def _simple_path(text: str, path: str) -> Iterator[FieldError]:
    if not text.startswith("."):
        yield invalid(path, text, "must be a simple json path starting with .")


def _columns(columns: list[Document], path: str) -> Iterator[FieldError]:
    for index, column in enumerate(columns):
        place = f"{path}[{index}]"
        if not column.get("name"):
            yield required(f"{place}.name")
        kind, form = column.get("type", ""), column.get("format", "")
        types = f"must be one of {','.join(_COLUMN_TYPES)}"
        if not kind:
            yield required(f"{place}.type", types)
        elif kind not in _COLUMN_TYPES:
            yield invalid(f"{place}.type", kind, types)
        if form and form not in _COLUMN_FORMATS:
            yield invalid(f"{place}.format", form, f"must be one of {','.join(_COLUMN_FORMATS)}")
        if not (text := column.get("jsonPath", "")):
            yield required(f"{place}.JSONPath")
        else:
            yield from _simple_path(text, f"{place}.JSONPath")


_TOKEN: Final = expression(r"'(?:[^'\\]|\\.)*'|[.\[\]]|[^.\[\]]+")


def _selectable(settings: Settings, path: str, schema_path: str) -> Iterator[FieldError]:
    schema = settings.openapi or {}
    if unstructurable(schema):
        return
    seen: set[str] = set()
    for index, field in enumerate(settings.selectable):
        place, text = f"{path}[{index}].jsonPath", field.get("jsonPath", "")
        if not text:
            yield required(place)
            continue
        steps, node, problem = _follow(text, schema)
        if problem:
            yield invalid(place, text, f"is an invalid path: {problem}")
            continue
        if steps[:1] == ["metadata"]:
            yield invalid(place, text, "must not point to fields in metadata")
        if node is None or node.get("type") not in ("string", "boolean", "integer"):
            detail = "must point to a field of type string, boolean or integer. "
            yield invalid(place, text, detail + "Enum string fields and strings with formats are allowed.")
        if (name := ".".join(steps)) in seen:
            yield duplicate(place, text)
        seen.add(name)
    if len(seen) > _SELECTABLE_LIMIT:
        yield too_many(path, len(seen), _SELECTABLE_LIMIT)


def _follow(text: str, schema: Schema) -> tuple[list[str], Schema | None, str]:
    """The steps of a path, the schema it ends at, and why it does not."""
    tokens = _TOKEN.findall(text)
    steps: list[str] = []
    node: Schema | None = schema
    while tokens:
        token = tokens.pop(0)
        if token == "[":
            return [], None, "array notation is not allowed"
        if token != ".":
            return [], None, f"expected [ or . but got: {token}"
        if not tokens:
            return [], None, "unexpected end of JSON path"
        name = tokens.pop(0)
        if node is not None and node.get("properties"):
            node = dict(properties(node)).get(name)
            if node is None:
                return [], None, "does not refer to a valid field"
        elif node is not None and has(node, "additionalProperties"):
            node = values_of(node)
        else:
            return [], None, "does not refer to a valid field"
        steps.append(name)
    return steps, node, ""


# -- the status


def check_stored_versions(crd: Document) -> Iterator[FieldError]:
    """Versions that objects may be stored in must stay, and the one they are stored in now must be among them."""
    path = "status.storedVersions"
    stored: list[str] = crd["status"].get("storedVersions") or []
    if not stored:
        yield invalid(path, crd["status"].get("storedVersions"), "must have at least one stored version")
        return
    versions = crd["spec"].get("versions") or []
    places = {name: index for index, name in enumerate(stored)}
    for version in versions:
        # Each is looked for once: a second version of the same name is not found again.
        if places.pop(version["name"], None) is None and version.get("storage"):
            yield invalid(path, stored, f"must have the storage version {version['name']}")
    for name, index in places.items():
        detail = (
            f"missing from spec.versions; {name} was previously a storage version, and must remain in spec.versions"
            f" until a storage migration ensures no data remains persisted in {name} and removes {name} from "
            "status.storedVersions"
        )
        yield invalid(f"{path}[{index}]", name, detail)


def check_preserving(crd: Document, old: Document | None) -> Iterator[FieldError]:
    """Pruning cannot be turned off for a whole CRD."""
    if old is not None and old["spec"].get("preserveUnknownFields") is True:
        return
    if crd["spec"].get("preserveUnknownFields") is True:
        detail = (
            "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead"
        )
        yield invalid("spec.preserveUnknownFields", True, detail)


def check_immutable(spec: Document, old: Document, *, established: bool) -> Iterator[FieldError]:
    """What a CRD cannot change: by then objects are stored under it, or it is part of its own name."""
    names, before = spec.get("names") or {}, old.get("names") or {}
    pairs = [("spec.group", spec, old, "group"), ("spec.names.plural", names, before, "plural")]
    if established:
        pairs = [("spec.scope", spec, old, "scope"), ("spec.names.kind", names, before, "kind"), *pairs]
    for path, new, was, name in pairs:
        if new.get(name, "") != was.get(name, ""):
            yield invalid(path, new.get(name, ""), "field is immutable")
