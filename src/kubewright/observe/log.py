"""Structured logs: for people on a terminal, for machines elsewhere.

Library code logs as Python does, `logging.getLogger(__name__).info("Scaled to %d", n, extra={"replicas": n})`; what a
line is about comes from where it is logged. The runtime says it once around a reconcile, and every line within has it,
the user's own too:

    with about(controller="web", controllerKind="WebServer", namespace="default", name="shop", reconcileID="…"):
        ...

| key                              | what                                                          |
|----------------------------------|---------------------------------------------------------------|
| `ts`, `level`, `logger`, `msg`   | when, how bad, who, what                                      |
| `controller`, `controllerGroup`, `controllerKind`, `namespace`, `name`, `reconcileID` | about which reconcile |
| `error`, `stacktrace`            | an exception: type and words; where                           |
| all else                         | what was given as `extra`                                     |

They are the keys of controller-runtime's logs. As JSON a record is one line, whatever it holds.
The time is that of the clock, which is the loop's in a simulation, not the record's own.

Importing this configures nothing. Only an entry point, whose process it is, calls `configure`.
"""

import argparse
import json
import logging
import math
import os
import re
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager
from contextvars import ContextVar, Token
from types import TracebackType
from typing import Any, Final, Literal, TextIO

import msgspec

from kubewright import clock
from kubewright.errors import KubewrightError

__all__ = ["Format", "JsonFormatter", "LogError", "TextFormatter", "about", "add_options", "configure", "fields"]

Format = Literal["auto", "text", "json"]
_LEVELS: Final = ("debug", "info", "warning", "error")
_FORMATS: Final[tuple[Format, ...]] = ("auto", "text", "json")

#: What a record has by itself; all else in it was given as `extra`.
_OWN: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
#: What the terminal shows first, in words of its own.
_WHERE: Final = ("controller", "controllerGroup", "controllerKind", "namespace", "name", "reconcileID")
_COLOURS: Final = {logging.DEBUG: "2", logging.INFO: "36", logging.WARNING: "33", logging.ERROR: "31"}
#: Whoever names an object must not write on our terminal.
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")

_about: ContextVar[Mapping[str, str]] = ContextVar("kubewright_about")
_nothing: Final[Mapping[str, str]] = {}


class LogError(KubewrightError):
    """Logging was asked for in a way it cannot be done."""


def about(**more: str) -> AbstractContextManager[None]:
    """Every line logged within, in this task and those it starts, is about this too."""
    return _About(more)


class _About(msgspec.Struct):  # entered for every reconcile, and a generator would cost more
    _more: dict[str, str]
    _token: "Token[Mapping[str, str]] | None" = None

    def __enter__(self) -> None:
        outer = _about.get(_nothing)
        self._token = _about.set({**outer, **self._more} if outer else self._more)

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        assert self._token is not None
        _about.reset(self._token)


def fields() -> Mapping[str, str]:
    """What a line logged here is about."""
    return _about.get(_nothing)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add `--log-level` and `--log-format` to a command; give what it read to `configure`."""
    parser.add_argument("--log-level", choices=_LEVELS, default="info", help="what is logged, at the least")
    parser.add_argument(
        "--log-format", choices=_FORMATS, default="auto", help="auto is text on a terminal and JSON elsewhere"
    )


def configure(level: str = "info", format: str = "auto", stream: TextIO | None = None) -> logging.Handler:  # noqa: A002
    """Log to `stream` (standard error) and nowhere else, from `level` on. For entry points alone."""
    if level not in _LEVELS:
        raise LogError(f"{level!r} is no level of the log: use one of {', '.join(_LEVELS)}.")
    if format not in _FORMATS:
        raise LogError(f"{format!r} is no format of the log: use one of {', '.join(_FORMATS)}.")
    target = stream or sys.stderr
    terminal = target.isatty()
    formatter: logging.Formatter
    if format == "json" or (format == "auto" and not terminal):
        formatter = JsonFormatter()
    else:
        # https://no-color.org: any value but an empty one means no.
        formatter = TextFormatter(colour=terminal and not os.environ.get("NO_COLOR"))
    handler = logging.StreamHandler(target)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    for old in tuple(root.handlers):
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level.upper())
    return handler


class JsonFormatter(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, Any] = {
            "ts": clock.now().isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "msg": _message(record),
            **fields(),
        }
        for key, value in _extra(record).items():
            entry.setdefault(key, value)
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            entry.setdefault("error", f"{type(error).__name__}: {_words(error)}")
            entry["stacktrace"] = _traceback(self, record)
        elif record.stack_info:
            entry["stacktrace"] = record.stack_info
        try:
            return json.dumps(entry, default=_words, skipkeys=False, allow_nan=False)
        except (TypeError, ValueError, RecursionError):
            # Keys that are no strings, NaN, a value that holds itself: the line matters more than its form.
            return json.dumps({key: value if _is_plain(value) else _words(value) for key, value in entry.items()})


class TextFormatter(logging.Formatter):
    """A record for people: time, level, what it is about, the message, the rest as key=value; tracebacks below."""

    def __init__(self, *, colour: bool) -> None:
        super().__init__()
        self._colour = colour

    def format(self, record: logging.LogRecord) -> str:
        here = fields()
        level = self._paint(_COLOURS.get(record.levelno, "0"), f"{record.levelname:<7}")
        words = [self._paint("2", clock.now().astimezone().strftime("%H:%M:%S.%f")[:-3]), level]
        if "controller" in here:
            place = "/".join(filter(None, (here.get("namespace"), here.get("name"))))
            words.append(self._paint("1", _clean(f"[{here['controller']}{' ' if place else ''}{place}]")))
        else:
            words.append(self._paint("2", f"[{record.name}]"))
        words.append(_clean(_message(record)))
        rest = {key: value for key, value in here.items() if key not in _WHERE} | _extra(record)
        words += [self._paint("2", _clean(f"{key}=")) + _value(value) for key, value in rest.items()]
        lines = [" ".join(words)]
        if record.exc_info and record.exc_info[1] is not None:
            lines.append(_clean(_traceback(self, record)))
        elif record.stack_info:
            lines.append(_clean(record.stack_info))
        return "\n".join(lines)

    def _paint(self, colour: str, text: str) -> str:
        return f"\x1b[{colour}m{text}\x1b[0m" if self._colour else text


def _message(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except Exception:  # noqa: BLE001 - arguments that do not fit their message must not cost the line
        return f"{record.msg} {_words(record.args)}"


def _is_plain(value: object) -> bool:
    return isinstance(value, str | int | None) or (isinstance(value, float) and math.isfinite(value))


def _extra(record: logging.LogRecord) -> dict[str, Any]:
    return {key: value for key, value in vars(record).items() if key not in _OWN}


def _traceback(formatter: logging.Formatter, record: logging.LogRecord) -> str:
    return formatter.formatException(record.exc_info) if record.exc_info else ""


def _words(value: object) -> str:
    try:
        return str(value)
    except Exception:  # noqa: BLE001 - a user's __str__ may raise anything
        return f"<{type(value).__name__}>"


def _value(value: object) -> str:
    text = _clean(_words(value))
    return json.dumps(text, ensure_ascii=False) if not text or any(char in text for char in ' "=\n') else text


def _clean(text: str) -> str:
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
