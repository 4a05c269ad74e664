"""How a field is called in CEL.

A property's name on the wire may be no CEL identifier: Kubernetes binds `foo.bar` as `foo__dot__bar` and `namespace`,
a word CEL reserves, as `__namespace__`. Names with other characters cannot be reached at all.
"""

import re
from collections.abc import Container

from kubewright.model.shape import DefinitionError

__all__ = ["property_name", "variable_name"]

_RESERVED = frozenset(
    ("true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import",
     "let", "loop", "package", "namespace", "return", "var", "void", "while")
)  # fmt: skip
#: Names that mean something at the top of a rule, which a loop variable should not hide from its reader.
_TAKEN = frozenset(
    ("self", "oldSelf", "int", "uint", "double", "bool", "string", "bytes", "list", "map", "null_type", "type", "dyn",
     "size", "has", "quantity", "duration", "timestamp", "url", "ip", "cidr", "format", "sets", "optional", "semver",
     "authorizer")
)  # fmt: skip
_IDENTIFIER = re.compile(r"[a-zA-Z_.\-/][a-zA-Z0-9_.\-/]*")
_ESCAPES = {"__": "__underscores__", ".": "__dot__", "-": "__dash__", "/": "__slash__"}


def property_name(wire: str) -> str:
    """The CEL identifier of the property with that name on the wire."""
    if wire in _RESERVED:
        return f"__{wire}__"
    if not _IDENTIFIER.fullmatch(wire):
        raise DefinitionError(
            f"the property {wire!r} cannot be named in CEL: it has letters that have no escape there."
        )
    return re.sub(r"__|[.\-/]", lambda found: _ESCAPES[found[0]], wire)


def variable_name(wanted: str, taken: Container[str]) -> str:
    """A name for a loop variable: the one from Python where CEL can have it, else one like it."""
    if not wanted.isascii() or wanted.startswith("_") or wanted in _RESERVED:
        wanted = "item"
    name, number = wanted, 1
    while name in taken or name in _TAKEN:
        number += 1
        name = f"{wanted}{number}"
    return name
