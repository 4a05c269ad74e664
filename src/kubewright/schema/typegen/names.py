"""Names for what a schema leaves nameless, and Python names for what it names otherwise.

Everything here is deterministic: a name depends on the schema and on the names given before it, in the schema's order.
"""

import keyword
import re
from collections.abc import Container, Iterable

from kubewright.model.naming import python_name, wire_name

__all__ = ["can_be_field", "class_name", "member_names", "singular", "unique"]

#: Lower-case names that stand in the bodies of generated classes: a field of that name would hide them.
_SPOKEN = frozenset({"bool", "bytes", "dict", "field", "float", "int", "kw", "list", "object", "str"})

#: What Models call the slots of theirs that are no fields.
_HIDDEN = frozenset({"~raw", "~lent"})


def class_name(*path: str) -> str:
    """`WebServer`, `spec`, `pod-template` → `WebServerSpecPodTemplate`."""
    words = [word for part in path for word in re.split(r"[^A-Za-z0-9]+", part) if word]
    name = "".join(word[0].upper() + word[1:] for word in words) or "Object"
    return f"N{name}" if name[0].isdigit() else name


def singular(name: str) -> str:
    """What one item of a list is called: `containers` → `container`; a guess at English that need not be right."""
    for ending, one in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("shes", "sh"), ("ches", "ch"), ("ss", "ss")):
        if name.endswith(ending):
            return name.removesuffix(ending) + one
    return name if name.endswith(("us", "is")) else name.removesuffix("s")


def unique(name: str, taken: Container[str]) -> str:
    """The name, or the first of name2, name3 … that is free."""
    candidate, number = name, 2
    while candidate in taken or keyword.iskeyword(candidate):
        candidate, number = f"{name}{number}", number + 1
    return candidate


def can_be_field(wire: str) -> bool:
    """Whether a Model can have a field of that name on the wire: neither msgspec nor our own slots forbid it."""
    return not re.search(r'["\\\x00-\x1f]', wire) and wire not in _HIDDEN


def member_names(wires: Iterable[str], taken: Container[str] = ()) -> dict[str, str]:
    """Wire name → Python name, for the fields of one class whose base already has the names in `taken`.

    Where two wire names make one Python name, the one that needs no explanation keeps it.
    """
    wires = list(wires)
    plain = {wire: _plain(wire, taken) for wire in wires}
    given: dict[str, str] = {}
    used: set[str] = set()
    for wire in sorted(wires, key=lambda each: wire_name(plain[each]) != each):  # stable: document order within
        name = plain[wire]
        number = 2
        while name in used or name in taken:
            name, number = f"{plain[wire].rstrip('_')}_{number}", number + 1
        used.add(name)
        given[wire] = name
    return {wire: given[wire] for wire in wires}


def _plain(wire: str, taken: Container[str]) -> str:
    name = python_name(wire)
    return f"{name}_" if name in _SPOKEN or name in taken else name
