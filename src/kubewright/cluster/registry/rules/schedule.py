"""Schedules of cron: `minute hour day-of-month month day-of-week`, or `@hourly` and the like, or `@every 1h30m`.

A field is a list of ranges: `*`, `5`, `1-5`, `*/15`, `10-30/5`, `mon-fri`. Nothing here says when a schedule is due;
only whether it is one, in the words of the library that Kubernetes reads them with.
"""

import re
from typing import Final, NamedTuple

from kubewright.cluster.registry.rules.timezones import is_timezone
from kubewright.model.duration import Duration, DurationError
from kubewright.schema.walk.golang import quote

__all__ = ["check_schedule"]


class _Field(NamedTuple):
    least: int
    most: int
    names: dict[str, int]


def _named(text: str, first: int) -> dict[str, int]:
    return {name: number for number, name in enumerate(text.split(), first)}


_FIELDS: Final = (
    _Field(0, 59, {}),
    _Field(0, 23, {}),
    _Field(1, 31, {}),
    _Field(1, 12, _named("jan feb mar apr may jun jul aug sep oct nov dec", 1)),
    _Field(0, 6, _named("sun mon tue wed thu fri sat", 0)),
)
_DESCRIPTORS: Final = ("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly")
_EVERY: Final = "@every "
_INTEGER: Final = re.compile("[+-]?[0-9]+")


class _Refused(Exception):
    """Why a text is no schedule."""


def check_schedule(text: str) -> str:
    """Why a text is no schedule; empty if it is one."""
    try:
        _read(text)
    except _Refused as refused:
        return str(refused)
    return ""


def _read(text: str) -> None:
    if not text:
        raise _Refused("empty spec string")
    if text.startswith(("TZ=", "CRON_TZ=")):
        head, space, rest = text.partition(" ")
        zone = head.partition("=")[2]
        if not space:
            raise _Refused("invalid schedule format: runtime error: slice bounds out of range [:-1]")
        if zone not in ("", "Local") and not is_timezone(zone):
            raise _Refused(f"provided bad location {zone}: unknown time zone {zone}")
        text = rest.strip()
    if text.startswith("@"):
        _read_descriptor(text)
        return
    fields = text.split()
    if len(fields) != len(_FIELDS):
        raise _Refused(f"expected exactly {len(_FIELDS)} fields, found {len(fields)}: [{' '.join(fields)}]")
    for field, given in zip(_FIELDS, fields, strict=True):
        for part in given.split(","):
            if part:
                _read_range(part, field)


def _read_descriptor(text: str) -> None:
    if text.startswith(_EVERY):
        try:
            Duration(text[len(_EVERY) :])
        except DurationError as error:
            why = str(error).partition(";")[0]  # what follows is ours
            raise _Refused(f"failed to parse duration {text}: {why}") from None
    elif text not in _DESCRIPTORS:
        raise _Refused(f"unrecognized descriptor: {text}")


def _read_range(text: str, field: _Field) -> None:
    bounds, *steps = text.split("/")
    low, *high = bounds.split("-")
    if low in ("*", "?"):
        start, end = field.least, field.most
    else:
        start = end = _read_number(low, field)
        if len(high) == 1:
            end = _read_number(high[0], field)
        elif high:
            raise _Refused(f"too many hyphens: {text}")
    step = 1
    if len(steps) == 1:
        step = _read_integer(steps[0])
        end = end if high else field.most
    elif steps:
        raise _Refused(f"too many slashes: {text}")
    if start < field.least:
        raise _Refused(f"beginning of range ({start}) below minimum ({field.least}): {text}")
    if end > field.most:
        raise _Refused(f"end of range ({end}) above maximum ({field.most}): {text}")
    if start > end:
        raise _Refused(f"beginning of range ({start}) beyond end of range ({end}): {text}")
    if step == 0:
        raise _Refused(f"step of range should be a positive number: {text}")


def _read_number(text: str, field: _Field) -> int:
    found = field.names.get(text.lower())
    return _read_integer(text) if found is None else found


def _read_integer(text: str) -> int:
    why = ""
    if _INTEGER.fullmatch(text) is None:
        why = "invalid syntax"
    elif len(text) > 4000 or not -(2**63) <= int(text) < 2**63:
        why = "value out of range"
    if why:
        raise _Refused(f"failed to parse int from {text}: strconv.Atoi: parsing {quote(text)}: {why}")
    if (number := int(text)) < 0:
        raise _Refused(f"negative number ({number}) not allowed: {text}")
    return number
