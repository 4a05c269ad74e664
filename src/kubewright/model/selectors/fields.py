"""Field selectors: `metadata.name=web,status.phase!=Running`.

Which fields a kind has, and which of them may be asked for, is the server's affair: here a field is a name and its
value a string, and an absent field is the empty string.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from kubewright.model.selectors.names import SelectorError

__all__ = ["FieldSelector", "FieldTerm"]


class FieldTerm(NamedTuple):
    """One condition: the field has the value, or (`equal` false) has it not."""

    field: str
    equal: bool
    value: str

    def __str__(self) -> str:
        escaped = self.value.replace("\\", "\\\\").replace(",", "\\,").replace("=", "\\=")
        return f"{self.field}{'=' if self.equal else '!='}{escaped}"


#: What stands between commas; one behind a backslash is part of the value.
_PART: Final = re.compile(r"(?:[^\\,]|\\.|\\\Z)+", re.DOTALL)
_SIGN: Final = re.compile("!=|==?")
_SPECIAL: Final = re.compile(r"\\(.?)|[,=]", re.DOTALL)


def _plain(special: re.Match[str]) -> str:
    escaped: str | None = special[1]
    if escaped is None:
        raise SelectorError(f"invalid field selector: unescaped character in value: {ord(special[0])}")
    if escaped not in ("\\", ",", "="):
        raise SelectorError(f"invalid field selector: invalid escape sequence: \\{escaped}")
    return escaped


@dataclass(frozen=True, slots=True, eq=False)
class FieldSelector:
    """Which fields an object must have: all terms hold."""

    terms: tuple[FieldTerm, ...] = ()

    @classmethod
    def parse(cls, text: str) -> "FieldSelector":
        """Read terms with `=`, `==` or `!=`; a backslash, comma or `=` in a value stands behind a backslash."""
        terms = []
        for part in sorted(_PART.findall(text)):
            sign = _SIGN.search(part)
            if sign is None:
                raise SelectorError(f"invalid selector: '{text}'; can't understand '{part}'")
            value = _SPECIAL.sub(_plain, part[sign.end() :])
            if sign.start() or value:
                terms.append(FieldTerm(part[: sign.start()], sign[0] != "!=", value))
        return cls(tuple(terms))

    @property
    def empty(self) -> bool:
        """Whether every object matches."""
        return not self.terms

    def matches(self, fields: Mapping[str, str]) -> bool:
        """Whether an object with these fields is meant."""
        for name, equal, value in self.terms:  # noqa: SIM110 - a generator costs more than the comparisons
            if (fields.get(name, "") == value) is not equal:
                return False
        return True

    def exact(self, name: str) -> str | None:
        """The one value this field must have, if there is one: what an index can be asked for."""
        return next((term.value for term in self.terms if term.field == name and term.equal), None)

    def __str__(self) -> str:
        return ",".join(map(str, self.terms))

    # The order of the terms follows the text they were read from, and means nothing.
    def __eq__(self, other: object) -> bool:
        return isinstance(other, FieldSelector) and set(self.terms) == set(other.terms)

    def __hash__(self) -> int:
        return hash(frozenset(self.terms))
