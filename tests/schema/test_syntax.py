"""Syntax trees."""

import ast
import inspect
import sys
import threading
from collections.abc import Iterator

import pytest

from kubewright.schema.syntax import parse


class Lingering:
    """What takes its time to go, so that another thread gets a turn while this one is cleaned up after."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        for _ in range(2000):
            pass


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads that change all the time."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("hasty")
def test_threads_parse_at_once() -> None:
    text = inspect.getsource(ast)
    found = []

    def work() -> None:
        for _ in range(20):
            Lingering()
            found.append(ast.dump(parse(text)))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 40
    assert len(set(found)) == 1


def test_what_is_no_python_is_refused() -> None:
    with pytest.raises(SyntaxError):
        parse("def")
