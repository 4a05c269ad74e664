"""Label selectors: the grammar of queries, and matching.

`a=b,c==d,e!=f,g in (x,y),h notin (z),i,!j,k>5,l<7`: all of it must hold. A missing label satisfies `!=`, `notin` and
`!`, and nothing else. Requirements are kept in the order of their keys, values in their own; the text made of them
reads as the same selector again.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from kubewright.model.selectors.document import read
from kubewright.model.selectors.names import SelectorError, invalid, label_key, label_value, marshal, quote

__all__ = ["LabelSelector", "Requirement"]

#: What stands between key and value in a query, and what Kubernetes calls it.
_OPERATORS: Final = {"in": "in", "notin": "notin", "=": "=", "==": "==", "!=": "!=", ">": "gt", "<": "lt"}
_SIGNS: Final = {operator: sign for sign, operator in _OPERATORS.items()}
_IN_DOCUMENTS: Final = {"In": "in", "NotIn": "notin", "Exists": "exists", "DoesNotExist": "!"}

_INTEGER: Final = re.compile("[+-]?[0-9]{1,4000}")

_Labels = Mapping[str, str]


class Requirement(NamedTuple):
    """One condition: a key, one of `= == != in notin exists ! gt lt`, and the values in order."""

    key: str
    operator: str
    values: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.operator == "exists":
            return self.key
        if self.operator == "!":
            return f"!{self.key}"
        sign, values = _SIGNS[self.operator], ",".join(self.values)
        return f"{self.key} {sign} ({values})" if sign in ("in", "notin") else f"{self.key}{sign}{values}"


@dataclass(frozen=True, slots=True)
class LabelSelector:
    """Which labels an object must have. With no requirements it means every object; with `nothing`, no object."""

    requirements: tuple[Requirement, ...] = ()
    nothing: bool = False
    _checks: tuple[Callable[[_Labels], bool], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_checks", tuple(map(_check, self.requirements)))

    @classmethod
    def parse(cls, text: str) -> "LabelSelector":
        """Read the form of queries."""
        return cls(_ordered(_Parser(text).requirements()))

    @classmethod
    def from_json(cls, value: object) -> "LabelSelector":
        """Read the form of objects, `matchLabels` and `matchExpressions`. None is the selector of nothing."""
        if value is None:
            return cls(nothing=True)
        labels, expressions = read(value)
        requirements = [_requirement(key, "=", [text]) for key, text in labels]
        for key, operator, values in expressions:
            if operator not in _IN_DOCUMENTS:
                raise SelectorError(f"{quote(operator)} is not a valid label selector operator")
            requirements.append(_requirement(key, _IN_DOCUMENTS[operator], values))
        return cls(_ordered(requirements))

    @property
    def empty(self) -> bool:
        """Whether every object matches."""
        return not self.requirements and not self.nothing

    def matches(self, labels: _Labels) -> bool:
        """Whether an object with these labels is meant."""
        for check in self._checks:
            if not check(labels):
                return False
        return not self.nothing

    def exact(self, key: str) -> str | None:
        """The one value this label must have, if there is one: what an index can be asked for."""
        for requirement in self.requirements:
            if requirement.key == key:
                single = requirement.operator in ("=", "==", "in") and len(requirement.values) == 1
                return requirement.values[0] if single else None
        return None

    def __str__(self) -> str:
        return ",".join(map(str, self.requirements))


def _ordered(requirements: Iterable[Requirement]) -> tuple[Requirement, ...]:
    return tuple(sorted(requirements, key=lambda requirement: requirement.key))


def _requirement(key: str, operator: str, given: list[str]) -> Requirement:
    """A checked requirement; all that is wrong with it is told at once."""
    wrong = [invalid("key", key, "; ".join(complaints))] if (complaints := label_key(key)) else []
    if operator in ("in", "notin") and not given:
        wrong.append("values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty")
    elif operator in ("exists", "!") and given:
        wrong.append(f"values: Invalid value: {marshal(given)}: values set must be empty for exists and does not exist")
    elif operator in ("gt", "lt") and _integer(given[0]) is None:
        wrong.append(invalid("values[0]", given[0], "for 'Gt', 'Lt' operators, the value must be an integer"))
    for index, value in enumerate(given):
        if complaints := label_value(value):
            wrong.append(invalid(f"values[{index}][{key}]", value, "; ".join(complaints)))
    if wrong:
        raise SelectorError(wrong[0] if len(wrong) == 1 else f"[{', '.join(wrong)}]")
    return Requirement(key, operator, tuple(sorted(given)))


def _integer(text: str) -> int | None:
    """A number of 64 bits, or none."""
    if _INTEGER.fullmatch(text) and -(2**63) <= (number := int(text)) < 2**63:
        return number
    return None


def _check(requirement: Requirement) -> Callable[[_Labels], bool]:
    """The test of one requirement: a closure, for it runs on every event of a watch."""
    key, operator, values = requirement
    if operator == "exists":
        return lambda labels: key in labels
    if operator == "!":
        return lambda labels: key not in labels
    if operator in ("gt", "lt"):
        bound = int(values[0])
        if operator == "gt":
            return lambda labels: (number := _integer(labels.get(key, ""))) is not None and number > bound
        return lambda labels: (number := _integer(labels.get(key, ""))) is not None and number < bound
    if len(values) > 1:
        several = frozenset(values)
        if operator == "notin":
            return lambda labels: labels.get(key) not in several
        return lambda labels: labels.get(key) in several
    single = values[0]
    if operator in ("notin", "!="):
        return lambda labels: labels.get(key) != single
    return lambda labels: labels.get(key) == single


_SYMBOLS: Final = frozenset(["==", "!=", "=", "!", "(", ")", ",", "<", ">"])
# A NUL ends the word before it and is swallowed with it; where a word should begin, it ends the text.
_WORD: Final = re.compile(r"[ \t\r\n]*([^=!(),<> \t\r\n\0]+|==|!=|[=!(),<>])\0?")


def _words(text: str) -> list[str]:
    words = []
    position = 0
    while word := _WORD.match(text, position):
        words.append(word[1])
        position = word.end()
    return words


class _Parser:
    """One reading of a query: its words, and the place of the next one. The empty word is the end of the text.

    `in` and `notin` are operators only where an operator must stand: everywhere else they are names like any other.
    """

    def __init__(self, text: str) -> None:
        # Space at the end is no word, and the expression would look at it once for each of its places.
        self.words: list[str] = _WORD.findall(text.rstrip(" \t\r\n")) if "\0" not in text else _words(text)
        self.words.append("")
        self.place = 0

    def next(self) -> str:
        """The next word, which is then behind us."""
        self.place += 1
        return self.words[self.place - 1]

    def ahead(self) -> str:
        """The next word, which stays the next."""
        return self.words[self.place]

    def requirements(self) -> list[Requirement]:
        """The whole text."""
        found: list[Requirement] = []
        while word := self.ahead():
            if word in _SYMBOLS and word != "!":
                raise SelectorError(f"found '{word}', expected: !, identifier, or 'end of string'")
            try:
                found.append(self.requirement())
            except SelectorError as error:
                raise SelectorError(f"unable to parse requirement: {error}") from None
            if not (word := self.next()):
                break
            if word != ",":
                raise SelectorError(f"found '{word}', expected: ',' or 'end of string'")
            word = self.ahead()
            if not word or (word in _SYMBOLS and word != "!"):
                raise SelectorError(f"found '{word}', expected: identifier after ','")
        return found

    def requirement(self) -> Requirement:
        """One requirement, up to the comma."""
        key = self.next()
        absent = key == "!"
        if absent:
            key = self.next()
        if not key or key in _SYMBOLS:
            raise SelectorError(f"found '{key}', expected: identifier")
        if complaints := label_key(key):
            raise SelectorError(invalid("<nil>", key, "; ".join(complaints)))
        if absent:
            return Requirement(key, "!")
        if self.ahead() in ("", ","):
            return Requirement(key, "exists")
        sign = self.next()
        operator = _OPERATORS.get(sign)
        if operator is None:
            raise SelectorError(f"found '{sign}', expected: in, notin, =, ==, !=, gt, lt")
        return _requirement(key, operator, sorted(self.values()) if operator in ("in", "notin") else [self.value()])

    def value(self) -> str:
        """One value, which may be empty."""
        if self.ahead() in ("", ","):
            return ""
        if (word := self.next()) in _SYMBOLS:
            raise SelectorError(f"found '{word}', expected: identifier")
        return word

    def values(self) -> set[str]:
        """Values in parentheses. Between two commas, and where nothing is given, stands the empty one."""
        if (word := self.next()) != "(":
            raise SelectorError(f"found '{word}' expected: '('")
        word = self.ahead()
        if word == ")":
            self.next()
            return {""}
        if not word or (word in _SYMBOLS and word != ","):
            raise SelectorError(f"found '{word}', expected: ',', ')' or identifier")
        found: set[str] = set()
        while (word := self.next()) and (word == "," or word not in _SYMBOLS):
            after = self.ahead()
            if word != ",":
                found.add(word)
                if after not in (",", ")"):
                    raise SelectorError(f"found '{after}', expected: ',' or ')'")
            elif not found or after in (",", ")"):
                found.add("")
            if after == ")":
                self.next()
                return found
        raise SelectorError(f"found '{word}', expected: ',', or identifier")
