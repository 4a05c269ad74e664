"""What changed in a part of an object that may not change: a unified diff of what the inner types print.

The search for what two texts have in common takes time that grows with the square of their length. Beyond some
thousand lines it is not made: all between the first and the last change is then told as one change, which is true, and
longer than it need be. All is done in steps, for the text of a large pod has ten thousands of lines.
"""

import json
from collections.abc import Generator, Sequence
from itertools import takewhile
from operator import eq
from typing import Any, Final

from kubewright.cluster.registry.rules.agreement import Agreement
from kubewright.cluster.registry.rules.inner import inner_value
from kubewright.model.parts import is_light, parts
from kubewright.model.steps import finish

__all__ = ["difference_in_steps", "inner_difference"]

#: encoding/json keeps its output safe inside HTML and JavaScript.
_UNSAFE = str.maketrans({char: f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"})
#: Of so many lines, both texts together, it is found out what they have in common.
_COMPARED: Final = 2_000
_AROUND: Final = 3
#: So many lines are printed and compared at once.
_SHORT: Final = 250
#: So many values are printed, and so many lines looked at, in one step. The inner types print what is not there, too.
_MOST: Final = 400
_FEW: Final = 4_000


def inner_difference(old: Any, new: Any, kind: str) -> str:
    """What is between two values of type `kind`, with three lines around each change."""
    return finish(difference_in_steps(old, new, kind))


def difference_in_steps(old: Any, new: Any, kind: str, most: int = _MOST) -> Generator[None, None, str]:
    """The same of large values, a part of so many values in each step."""
    before = yield from _lines(old, kind, most)
    if len(before) > _SHORT:
        yield
    after = yield from _lines(new, kind, most)
    if len(after) > _SHORT:
        yield
    if len(before) + len(after) <= _COMPARED:
        return (yield from _all_changes(before, after))
    told = yield from _one_change(before, after)
    for lines in (before, after):
        while lines:
            del lines[-_FEW:]
            yield
    return told


def _lines(value: Any, kind: str, most: int) -> Generator[None, None, list[str]]:
    made: list[str] = []
    shown = yield from inner_value(value, kind, most)
    yield from _print(shown, made, "", "", "\n", most)
    return made


def _print(value: Any, lines: list[str], head: str, margin: str, end: str, most: int) -> Generator[None, None, None]:
    """Add the lines of a value: the first begins with `head`, all others with `margin`, and the last ends in `end`."""
    if is_light(value, most):
        first, *rest = _text(value).split("\n")
        lines += [f"{head}{first}\n", *(f"{margin}{line}\n" for line in rest)]
        lines[-1] = f"{lines[-1][:-1]}{end}"
        return
    is_map = value.__class__ is dict
    lines.append(f"{head}{'{' if is_map else '['}\n")
    inside, left = f"{margin} ", len(value)
    for part, key, _ in parts(value, most):
        left -= len(part) if key is None else 1
        last = ",\n" if left else "\n"
        if key is None:
            # Its members are as far in as they have to be, but for the margin.
            text = _text(part)[2:-2]
            lines += [f"{margin}{line}\n" for line in text.split("\n")]
            lines[-1] = f"{lines[-1][:-1]}{last}"
        else:
            name = f"{_text(key)}: " if is_map else ""
            yield from _print(part, lines, f"{inside}{name}", inside, last, most)
        yield
    lines.append(f"{margin}{'}' if is_map else ']'}{end}")


def _text(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False).translate(_UNSAFE)


def _all_changes(before: Sequence[str], after: Sequence[str]) -> Generator[None, None, str]:
    """A unified diff, as `difflib` has it, without the names of files."""
    agreement = Agreement(None, before, after)
    yield from agreement.find_in_steps()
    found: list[str] = []
    for hunk in agreement.get_grouped_opcodes(_AROUND):
        (_, start, _, begin, _), (_, _, end, _, stop) = hunk[0], hunk[-1]
        found.append(f"@@ -{_range(start, end)} +{_range(begin, stop)} @@\n")
        for what, first, last, place, until in hunk:
            if what == "equal":
                found += [f" {line}" for line in before[first:last]]
                continue
            found += [f"-{line}" for line in before[first:last]]
            found += [f"+{line}" for line in after[place:until]]
    return "".join(found)


def _range(start: int, end: int) -> str:
    length = end - start
    # One line is told without its length; none, by the line before.
    return f"{start + 1}" if length == 1 else f"{start + bool(length)},{length}"


def _one_change(before: Sequence[str], after: Sequence[str]) -> Generator[None, None, str]:
    """A unified diff with one hunk, or none."""
    first = yield from _agreeing(before, after)
    if first == len(before) == len(after):
        return ""
    last = yield from _agreeing(before, after, first, -1)
    start, gone, come = max(first - _AROUND, 0), len(before) - last, len(after) - last
    found = [
        f"@@ -{start + 1},{_end(before, last) - start} +{start + 1},{_end(after, last) - start} @@\n",
        *(f" {line}" for line in before[start:first]),
    ]
    for sign, lines, end in (("-", before, gone), ("+", after, come)):
        for at in range(first, end, _FEW):
            found.append(sign + sign.join(lines[at : min(at + _FEW, end)]))
            yield
    return "".join([*found, *(f" {line}" for line in before[gone : _end(before, last)])])


def _agreeing(one: Sequence[str], other: Sequence[str], but: int = 0, step: int = 1) -> Generator[None, None, int]:
    """How many lines are the same at the start, or at the end, of all but the first `but`."""
    most, count = min(len(one), len(other)) - but, 0
    while count < most:
        few = min(_FEW, most - count)
        some, others = (_some(lines, count, few, step) for lines in (one, other))
        if some != others:
            return count + sum(1 for _ in takewhile(bool, map(eq, some[::step], others[::step])))
        count += few
        yield
    return count


def _some(lines: Sequence[str], count: int, few: int, step: int) -> Sequence[str]:
    """So many lines beyond so many, from the start or from the end."""
    end = len(lines) - count
    return lines[count : count + few] if step == 1 else lines[end - few : end]


def _end(lines: Sequence[str], last: int) -> int:
    return min(len(lines) - last + _AROUND, len(lines))
