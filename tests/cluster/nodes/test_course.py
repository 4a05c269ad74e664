import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.nodes.course import Course, course


@pytest.mark.parametrize(
    ("command", "found"),
    [
        (["sleep", "30"], Course(30, 0)),
        (["sleep", "1.5m"], Course(90, 0)),
        (["sleep", "1h", "30m"], Course(5400, 0)),
        (["/bin/sleep", "infinity"], Course(math.inf, 0)),
        (["true"], Course(0, 0)),
        (["/bin/false"], Course(0, 1)),
        (["echo", "hello", "world"], Course(0, 0)),
        (["sh", "-c", "exit 3"], Course(0, 3)),
        (["/bin/sh", "-c", "exit"], Course(0, 0)),
        (["bash", "-c", "exit 259"], Course(0, 3)),
        (["sh", "-c", "echo working; sleep 5; exit 1"], Course(5, 1)),
        (["sh", "-c", "echo 'a; b'\nsleep 2\n"], Course(2, 0)),
        (["sh", "-c", "exit 2; sleep 5"], Course(0, 2)),
        (["sh", "-c", "false && sleep 5"], Course(0, 1)),
        (["sh", "-c", "false; sleep 5"], Course(5, 0)),
        (["sh", "-c", "false && sleep 5; echo done"], Course(0, 0)),
        (["sh", "-c", "sleep infinity; exit 1"], Course(math.inf, 0)),
        (["sh", "-c", ""], Course(0, 0)),
        (["/pause"], Course(math.inf, 0)),
    ],
)
def test_what_is_plain_to_see(command: list[str], found: Course) -> None:
    assert course(command) == found


@pytest.mark.parametrize(
    "command",
    [
        [],
        ["nginx"],
        ["sh"],
        ["sh", "-c"],
        ["sleep"],
        ["sleep", "$SECONDS"],
        ["sleep", "-1"],
        ["sleep", "."],
        ["exit", "a"],
        ["sh", "-c", "while true; do sleep 5; done"],
        ["sh", "-c", "false || sleep 5"],
        ["sh", "-c", "sleep 5 &"],
        ["sh", "-c", "echo a | grep b"],
        ["sh", "-c", "exit $((JOB_COMPLETION_INDEX % 2))"],
        ["sh", "-c", "echo 'a"],
        ["sh", "-c", "(exit 1)"],
    ],
)
def test_of_any_other_command_nothing_is_known(command: list[str]) -> None:
    assert course(command) is None


@pytest.mark.parametrize("image", ["pause", "registry.k8s.io/pause:3.10", "localhost:5000/a/pause:1@sha256:0a"])
def test_an_image_that_is_made_for_waiting_waits(image: str) -> None:
    assert course([], image) == Course(math.inf, 0)
    assert course(["sleep", "1"], image) == Course(1, 0)


@pytest.mark.parametrize("image", ["", "nginx", "pause/nginx", "pauser:1", "sleep"])
def test_of_any_other_image_nothing_is_known(image: str) -> None:
    assert course([], image) is None


@given(st.lists(st.text(), max_size=4))
def test_any_words_are_looked_at(command: list[str]) -> None:
    found = course(["sh", "-c", *command])
    assert found is None or (found.seconds >= 0 and 0 <= found.code < 256)
