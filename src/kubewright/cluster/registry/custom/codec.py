"""How objects of a custom resource are read and written: by the schema of their version, keys by name."""

import re
from collections.abc import Generator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import msgspec

from kubewright.cluster.registry.strategy import Lengthy
from kubewright.cluster.wire.codec import Document, Read, Undecodable
from kubewright.cluster.wire.writing import escaped
from kubewright.model.ordered import encode_in_steps, encode_ordered
from kubewright.model.steps import finish, thinned
from kubewright.schema.raw import has_rules_pausing
from kubewright.schema.walk import MalformedError, Walk, compile_schema
from kubewright.schema.walk.golang import marshal, quote
from kubewright.schema.walk.structure import is_large

if TYPE_CHECKING:
    from kubewright.schema.validations import Validations

__all__ = ["CustomCodec"]

#: What Go would write in another way: exponents, and floats without a fraction. Each begins with a byte that is found
#: quickly. Only before what follows a value: every other uid has an `e` between digits.
_EXPONENT: Final = re.compile(rb"e(?<=[0-9]e)[-+]?[0-9]+[,}\]]")
_WHOLE: Final = re.compile(rb"\.0[,}\]]")
#: So many complaints are spelled at once.
_MANY: Final = 1000
_CHANGED: Final = frozenset({float, dict, list})


class CustomCodec:
    """The codec of one version. Its schema is compiled when it is first needed."""

    def __init__(self, api_version: str, schema: Document) -> None:
        self.api_version = api_version
        self.schema = schema

    @cached_property
    def walk(self) -> Walk:
        """The schema, compiled."""
        return compile_schema(self.schema, lazily=True)

    @cached_property
    def rules(self) -> "Validations | None":
        """Its rules in CEL, compiled; None if it has none. `Lengthy` if it takes long to find out."""
        if is_large(self.schema):
            raise Lengthy
        return finish(self._compile_rules())

    def rules_in_steps(self) -> "Generator[None, None, Validations | None]":
        """The same in steps; from then on they are known."""
        if "rules" not in self.__dict__:
            self.__dict__["rules"] = yield from thinned(self._compile_rules())
        return self.rules

    def _compile_rules(self) -> "Generator[None, None, Validations | None]":
        if not (yield from has_rules_pausing(self.schema)):
            return None
        # Imported here: many schemas have no rules.
        from kubewright.schema.validations.run import compile_validations_pausing

        return (yield from compile_validations_pausing(self.schema))

    @cached_property
    def _floats(self) -> bool:
        # Where it would take long to find out, there may be some.
        return is_large(self.schema) or _admits_floats(self.schema)

    def read(self, document: Document, duplicates: Sequence[str] = ()) -> Read:
        """The object that a client's document means; `Undecodable` if none."""
        try:
            unknown = self.walk.coerce(document)
        except MalformedError as error:
            raise Undecodable(str(error)) from None
        document.setdefault("metadata", {})
        self.walk.default(document)
        return self._read(document, [_repeated(path) for path in duplicates], unknown)

    def read_in_steps(self, document: Document, duplicates: Sequence[str] = ()) -> Generator[None, None, Read]:
        """The same for a large object, in steps."""
        try:
            unknown = yield from self.walk.coerce_in_steps(document)
        except MalformedError as error:
            raise Undecodable(str(error)) from None
        document.setdefault("metadata", {})
        yield from self.walk.default_in_steps(document)
        repeated: list[str] = []
        for start in range(0, len(duplicates), _MANY):
            repeated += [_repeated(path) for path in duplicates[start : start + _MANY]]
            yield
        return self._read(document, repeated, unknown)

    @staticmethod
    def _read(document: Document, repeated: list[str], unknown: Sequence[str]) -> Read:
        if not unknown and not repeated:
            return Read(document, [])
        return Read(document, repeated + [f'unknown field "{path}"' for path in unknown])

    def reread(self, document: Document) -> None:
        """Drop, in place, what this version does not know of an object that was stored or converted."""
        try:
            self.walk.coerce(document)
        except MalformedError:
            # It was in order when it was written; what the schema has become since takes nothing away.
            self.walk.prune(document)
            self.walk.drop_nulls(document)

    def write(self, obj: Document) -> bytes:
        """The object as JSON."""
        data = encode_ordered(obj)
        # Any number may have been sent as `1.0`; exponents only come of floats.
        if _WHOLE.search(data) or (self._floats and _EXPONENT.search(data)):
            data = encode_ordered(_spelled(obj))
        return escaped(data)

    def write_in_steps(self, obj: Document) -> Generator[None, None, bytes]:
        """The same for a large object, in steps."""
        return encode_in_steps(obj, self.write)


def _repeated(path: str) -> str:
    return f"duplicate field {quote(path)}"


def _spelled(value: Any) -> Any:
    """The value with floats as Go writes them."""
    kind = type(value)
    if kind is float:
        return msgspec.Raw(marshal(value).encode())
    if kind is dict:
        return {name: _spelled(member) if type(member) in _CHANGED else member for name, member in value.items()}
    return [_spelled(item) if type(item) in _CHANGED else item for item in value] if kind is list else value


def _admits_floats(schema: Any) -> bool:
    """Whether an object can have a number that is no integer, as far as its schema tells."""
    if not isinstance(schema, dict):
        return True
    kind = schema.get("type")
    if kind in ("string", "boolean", "integer"):
        return False
    if kind not in ("object", "array") or schema.get("x-kubernetes-preserve-unknown-fields"):
        return not schema.get("x-kubernetes-int-or-string")
    inner = [*(schema.get("properties") or {}).values()]
    inner += [schema[name] for name in ("items", "additionalProperties") if schema.get(name) not in (None, False)]
    return any(map(_admits_floats, inner))
