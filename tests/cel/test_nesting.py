import sys

import pytest

from kubewright.cel.nesting import deeply


def deep(levels: int) -> int:
    return 0 if levels == 0 else 1 + deep(levels - 1)


def test_what_nests_too_deeply_for_the_interpreter_has_room() -> None:
    with pytest.raises(RecursionError):
        deep(5000)
    assert deeply(deep, 5000) == 5000


def test_the_limit_is_as_before_afterwards() -> None:
    before = sys.getrecursionlimit()
    with pytest.raises(RecursionError):
        deeply(deep, 1_000_000)
    assert sys.getrecursionlimit() == before
