import argparse
import asyncio
import io
import json
import logging
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.observe.log import JsonFormatter, LogError, TextFormatter, about, add_options, configure, fields
from kubewright.trials.loop import run


def record(message: str, *args: Any, error: Any = None, **extra: Any) -> logging.LogRecord:
    info = (type(error), error, error.__traceback__) if error is not None else None
    made = logging.getLogger("a.b").makeRecord("a.b", logging.WARNING, "f.py", 1, message, args, info, extra=extra)
    assert isinstance(made, logging.LogRecord)
    return made


def raised() -> BaseException:
    try:
        raise ValueError("two\nlines")
    except ValueError as error:
        return error


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def root() -> Iterator[logging.Logger]:
    """The root logger, as it was afterwards."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield root
    root.handlers[:] = handlers
    root.setLevel(level)


def test_a_record_is_a_line_of_json_with_what_it_is_about() -> None:
    async def story() -> dict[str, Any]:
        with about(controller="web", namespace="default", name="shop", reconcileID="1"):
            line = JsonFormatter().format(record("Scaled to %d", 3, replicas=3, image=None))
        return dict(json.loads(line))

    assert run(story()) == {
        "ts": "2000-01-01T00:00:00.000Z",
        "level": "warning",
        "logger": "a.b",
        "msg": "Scaled to 3",
        "controller": "web",
        "namespace": "default",
        "name": "shop",
        "reconcileID": "1",
        "replicas": 3,
        "image": None,
    }


def test_an_exception_is_in_the_same_line() -> None:
    line = JsonFormatter().format(record("Failed", error=raised()))
    entry = json.loads(line)
    assert "\n" not in line
    assert entry["error"] == "ValueError: two\nlines"
    assert entry["stacktrace"].startswith("Traceback (most recent call last):\n")
    assert "in raised" in entry["stacktrace"]


class Rude:
    def __str__(self) -> str:
        raise RuntimeError("no")

    __repr__ = __str__


def loop_in_itself() -> list[Any]:
    items: list[Any] = []
    items.append(items)
    return items


@pytest.mark.parametrize("value", [Rude(), loop_in_itself(), {1: 2, (3,): 4}, float("nan"), b"\xff", "\ud800", {1, 2}])
def test_no_value_costs_the_line(value: object) -> None:
    for text in (
        JsonFormatter().format(record("Hm", it=value)),
        TextFormatter(colour=False).format(record("Hm", it=value)),
    ):
        assert "Hm" in text
        assert "\n" not in text
        text.encode()


def test_one_odd_value_leaves_the_others_as_they_are() -> None:
    extra = {"replicas": 3, "ratio": 0.5, "ready": True, "note": None}
    entry = json.loads(JsonFormatter().format(record("Hm", **extra, odd=float("nan"), list=[1])))
    assert {name: entry[name] for name in extra} == extra
    assert (entry["odd"], entry["list"]) == ("nan", "[1]")


def test_arguments_that_do_not_fit_do_not_cost_the_line() -> None:
    assert json.loads(JsonFormatter().format(record("%d of %s", "x")))["msg"] == "%d of %s ('x',)"


@given(st.text(), st.dictionaries(st.text(min_size=1).map("k".__add__), st.text(), max_size=3))
def test_any_record_is_one_line_of_json_that_holds_it(message: str, extra: dict[str, str]) -> None:
    line = JsonFormatter().format(record(message.replace("%", ""), **extra))
    assert len(line.splitlines()) == 1
    entry = json.loads(line)
    assert entry["msg"] == message.replace("%", "")
    assert all(entry[key] == value for key, value in extra.items())


@given(st.text(), st.text())
def test_nobody_writes_on_our_terminal_through_a_message(message: str, value: str) -> None:
    text = TextFormatter(colour=False).format(record(message.replace("%", ""), it=value))
    assert all(char.isprintable() or char in "\n\t" or ord(char) > 0x9F for char in text)
    text.encode()


def test_on_a_terminal_a_line_says_which_object_it_is_about() -> None:
    with about(controller="web", controllerKind="WebServer", namespace="default", name="shop", reconcileID="1"):
        text = TextFormatter(colour=False).format(record("Scaled", replicas=3, reason="too few", image=""))
    assert text.partition(" ")[2] == 'WARNING [web default/shop] Scaled replicas=3 reason="too few" image=""'


def test_on_a_terminal_what_is_about_no_object_says_who_logs() -> None:
    text = TextFormatter(colour=False).format(record("Listening"))
    assert text.endswith("WARNING [a.b] Listening")


def test_on_a_terminal_a_traceback_is_below() -> None:
    lines = TextFormatter(colour=False).format(record("Failed", error=raised())).splitlines()
    assert lines[0].endswith("[a.b] Failed")
    assert lines[1] == "Traceback (most recent call last):"


def test_fields_are_of_the_task_and_those_it_starts() -> None:
    async def look() -> dict[str, str]:
        return dict(fields())

    async def story() -> tuple[dict[str, str], ...]:
        with about(controller="web"):
            inside = asyncio.create_task(look())
            with about(name="shop"):
                both = await look()
            outside = await look()
        return await inside, both, outside, await look()

    assert run(story()) == ({"controller": "web"}, {"controller": "web", "name": "shop"}, {"controller": "web"}, {})


def test_importing_configures_nothing() -> None:
    import subprocess

    code = "import logging, kubewright.observe.log; print(logging.getLogger().handlers, logging.getLogger().level)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] 30"


@pytest.mark.parametrize(
    ("stream", "format_", "no_color", "start"),
    [
        (io.StringIO, "auto", "", "{"),
        (Terminal, "auto", "", "\x1b"),
        (Terminal, "auto", "1", "0123456789"),
        (Terminal, "json", "", "{"),
        (io.StringIO, "text", "", "0123456789"),
    ],
)
def test_the_form_follows_the_terminal_unless_it_is_said(
    root: logging.Logger,
    monkeypatch: pytest.MonkeyPatch,
    stream: type[io.StringIO],
    format_: str,
    no_color: str,
    start: str,
) -> None:
    monkeypatch.setenv("NO_COLOR", no_color)
    target = stream()
    configure("warning", format_, target)
    logging.getLogger("a").warning("Yes")
    logging.getLogger("a").info("No")
    written = target.getvalue()
    assert written[0] in start
    assert written.count("\n") == 1
    assert ("\x1b" in written) == (start == "\x1b")


def test_configuring_again_replaces_what_was(root: logging.Logger) -> None:
    first, second = io.StringIO(), io.StringIO()
    configure(stream=first)
    configure(stream=second)
    logging.getLogger("a").info("Once")
    assert first.getvalue() == ""
    assert second.getvalue().count("Once") == 1


def test_the_options_are_what_configure_takes(root: logging.Logger) -> None:
    parser = argparse.ArgumentParser()
    add_options(parser)
    chosen = parser.parse_args(["--log-level", "debug", "--log-format", "json"])
    configure(chosen.log_level, chosen.log_format, io.StringIO())
    assert root.level == logging.DEBUG
    defaults = parser.parse_args([])
    assert (defaults.log_level, defaults.log_format) == ("info", "auto")


@pytest.mark.parametrize(("level", "format_"), [("loud", "auto"), ("info", "yaml")])
def test_what_cannot_be_is_refused_in_a_sentence(level: str, format_: str) -> None:
    with pytest.raises(LogError, match="use one of"):
        configure(level, format_)
