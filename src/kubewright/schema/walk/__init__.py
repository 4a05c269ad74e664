"""Walk an object by its schema: prune, default, validate, as the API server does.

`compile_schema` reads a structural schema (what stands in a CRD under `openAPIV3Schema`) once and makes closures of it;
the `Walk` it returns does the work on objects, which are plain JSON values:

    walk = compile_schema(crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"])
    unknown = walk.coerce(obj)      # in place: what decoding drops; the paths for `unknown field` warnings
    walk.default(obj)               # in place
    errors = walk.validate(obj)     # or validate(obj, old) on an update, with ratcheting

Each is there in steps too (`coerce_in_steps` …), for objects so large that others should have their turn meanwhile.

The promise is equality with kube-apiserver: the same fields dropped, the same values filled in, the same causes, paths
and words for what is wrong, in the same order where the server has one (it visits an object's properties in random
order; here it is the object's own).

Rules (`x-kubernetes-validations`) are not run here: the server runs them after all of this, and only if what this found
does not block them, so they are a step of their own on the result of `validate`.
"""

from collections.abc import Generator, Mapping
from typing import Final

from kubewright.model.steps import finish
from kubewright.schema.walk.default import compile_default
from kubewright.schema.walk.embedded import MalformedError, coerce_metadata, compile_coerce, compile_embedded
from kubewright.schema.walk.errors import FieldError, invalid_status
from kubewright.schema.walk.explain import Explain, compile_explain
from kubewright.schema.walk.listtypes import compile_list_types
from kubewright.schema.walk.nulls import compile_drop_nulls
from kubewright.schema.walk.objectmeta import DecodeError
from kubewright.schema.walk.prune import compile_prune
from kubewright.schema.walk.ratchet import Correlation
from kubewright.schema.walk.sliced import Judge, in_place, prune_in_steps
from kubewright.schema.walk.structure import Node, SchemaError, read
from kubewright.schema.walk.verdict import compile_verdict

__all__ = ["FieldError", "MalformedError", "SchemaError", "Walk", "compile_schema", "invalid_status"]

#: So many problems become errors in one step.
_FEW: Final = 2000


def compile_schema(schema: Mapping[str, object], *, root: bool = True, lazily: bool = False) -> "Walk":
    """Compile a structural schema; raise `SchemaError` if it is malformed.

    `root`: the schema is that of a resource, which keeps `apiVersion`, `kind` and `metadata` though it does not name
    them. Pass False for the schema of a part. `lazily`: the schema has been judged, and where it is large it is
    compiled as values are met; until then it must not change.
    """
    return Walk(read(schema, lazily=lazily), root=root)


class Walk:
    """A compiled schema."""

    __slots__ = ("_check", "_coerce", "_default", "_drop_nulls", "_embedded", "_lists", "_prune", "_root", "_status")

    def __init__(self, node: Node, *, root: bool) -> None:
        self._root = root
        self._prune = compile_prune(node, resource=root)
        self._drop_nulls = compile_drop_nulls(node)
        self._coerce = compile_coerce(node)
        self._default = compile_default(node)
        self._check = _Check(node)
        self._status = _Check(node.properties["status"]) if root and "status" in node.properties else None
        self._embedded = compile_embedded(node)
        self._lists = compile_list_types(node)

    def coerce(self, obj: object) -> list[str]:
        """Make of a decoded object, in place, what the server makes of it before it defaults.

        Unknown fields go, nulls that mean nothing go, metadata is normalised. Returns the paths of the unknown fields
        in the order in which the server warns about them (`unknown field "spec.zzz"`). Raises `MalformedError` where
        metadata cannot be read, with the server's text.
        """
        unknown = self._coerce_metadata(obj)
        unknown += self.prune(obj)
        self.drop_nulls(obj)
        return unknown + self._coerce_embedded(obj)

    def coerce_in_steps(self, obj: object) -> Generator[None, None, list[str]]:
        """The same for a large object."""
        unknown = self._coerce_metadata(obj)
        unknown += _told((yield from prune_in_steps(obj, self._pruned)))
        return unknown + self._coerce_embedded(obj)

    def _pruned(self, obj: object) -> list[str]:
        dropped = self._prune(obj) if self._prune is not None else None
        self.drop_nulls(obj)
        return dropped or []

    def _coerce_metadata(self, obj: object) -> list[str]:
        if not self._root or not isinstance(obj, dict):
            return []
        try:
            return coerce_metadata(obj, "metadata")
        except DecodeError as error:
            raise MalformedError(str(error)) from None

    def _coerce_embedded(self, obj: object) -> list[str]:
        return sorted(self._coerce(obj, "")) if self._coerce is not None else []

    def prune(self, obj: object) -> list[str]:
        """Drop unknown fields in place; return their paths, sorted."""
        dropped = self._prune(obj) if self._prune is not None else None
        return _told(dropped) if dropped else []

    def drop_nulls(self, obj: object) -> None:
        """Drop, in place, nulls that read as absent: of properties neither nullable nor defaulted."""
        if self._drop_nulls is not None:
            self._drop_nulls(obj)

    def default(self, obj: object) -> None:
        """Fill in defaults in place."""
        if self._default is not None:
            self._default(obj)

    def default_in_steps(self, obj: object) -> Generator[None, None, None]:
        """The same for a large object."""
        if self._default is not None:
            yield from in_place(obj, self._default)

    def validate(self, obj: object, old: object = None) -> list[FieldError]:
        """Return what is wrong with an object, nothing if it is valid.

        With `old`, the object it replaces, problems of values that did not change are left out (ratcheting).
        """
        fits = self._check.fits(obj)
        return [] if fits and self._embedded is None else finish(self._validated(obj, old, fits))

    def validate_in_steps(self, obj: object, old: object = None) -> Generator[None, None, list[FieldError]]:
        """The same for a large object."""
        return (yield from self._validated(obj, old, (yield from self._check.judge.fits(obj))))

    def _validated(self, obj: object, old: object, fits: bool) -> Generator[None, None, list[FieldError]]:
        errors = [] if fits else (yield from self._check.errors(obj, old, updating=old is not None))
        if self._embedded is not None:
            errors += self._embedded(obj, "")
        if fits:
            return errors
        yield
        return errors + self._duplicates(obj, old)

    def validate_status(self, obj: Mapping[str, object], old: Mapping[str, object]) -> list[FieldError]:
        """Return what is wrong with an update of the status subresource, which changes nothing but the status."""
        if self._status is None or "status" not in obj or self._status.fits(obj["status"]):
            return []
        return finish(self._odd_status(self._status, obj, old))

    def validate_status_in_steps(
        self, obj: Mapping[str, object], old: Mapping[str, object]
    ) -> Generator[None, None, list[FieldError]]:
        """The same for a large object."""
        if self._status is None or "status" not in obj or (yield from self._status.judge.fits(obj["status"])):
            return []
        return (yield from self._odd_status(self._status, obj, old))

    def _odd_status(
        self, check: "_Check", obj: Mapping[str, object], old: Mapping[str, object]
    ) -> Generator[None, None, list[FieldError]]:
        errors = yield from check.errors(obj["status"], old.get("status"), updating=True, path="status")
        yield
        # Lists elsewhere that hold duplicates held them before, and may.
        return errors + self._duplicates(obj, old)

    def _duplicates(self, obj: object, old: object) -> list[FieldError]:
        # Lists that held duplicates before may hold them on, and others with them: the server compares no further.
        if self._lists is None or (old is not None and self._lists(old, "")):
            return []
        return self._lists(obj, "")


class _Check:
    """The two halves of the schema's own check: the quick verdict, duplicates included, and the explanation."""

    __slots__ = ("_explain", "_node", "fits", "judge")

    def __init__(self, node: Node) -> None:
        self._node = node
        self.fits = compile_verdict(node)
        self.judge = Judge(node)
        # Compiled when the first invalid object comes: many kinds never see one.
        self._explain: Explain | None = None

    def errors(
        self, value: object, old: object, *, updating: bool, path: str = ""
    ) -> Generator[None, None, list[FieldError]]:
        if self._explain is None:
            self._explain = compile_explain(self._node)
        pair = Correlation(value, old, self._node) if updating else None
        found = yield from self._explain(value, "", pair)
        problems = [*found.problems.values()]
        made: list[FieldError] = []
        for start in range(0, len(problems), _FEW):
            made += [problem.at(path) for problem in problems[start : start + _FEW]]
            yield
        return made


def _told(dropped: list[str]) -> list[str]:
    """Paths as the server tells of them, in its order."""
    return sorted(path.removeprefix(".") for path in dropped)
