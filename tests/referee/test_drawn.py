"""Drawn requests: the embedded server agrees with the real one, apart from what is still counted."""

import os
from pathlib import Path

import pytest
from tests.referee.agreement import Agreement, agreements
from tests.referee.kinds import KINDS
from tests.referee.servers import draw_embedded, draw_real

#: Every day, one request of so many.
_SAMPLE = 10
#: In a deep run all of them; where every change is tried, one of so many.
_DEEP = 3 if os.environ.get("CI") else 1


@pytest.mark.parametrize("kind", KINDS)
def test_the_embedded_server_agrees(kind: str) -> None:
    check(kind, agreements(draw_embedded(f"{kind} ", _SAMPLE)))


@pytest.mark.deep
@pytest.mark.parametrize("kind", KINDS)
def test_the_embedded_server_agrees_to_the_last_request(kind: str) -> None:
    check(kind, agreements(draw_embedded(f"{kind} ", _DEEP)))


def check(kind: str, found: list[Agreement]) -> None:
    assert [agreement.failure for agreement in found if agreement.failure] == []
    counted = KINDS[kind].apart
    more = {one.verb: len(one.wrong) for one in found if len(one.wrong) > counted.get(one.verb, 0)}
    assert more == {}, f"more than are counted; see `python -m tools.referee drawn '{kind} '`"


@pytest.mark.real
@pytest.mark.deep
def test_the_recordings_are_what_the_real_server_answers(real_binaries: Path) -> None:
    told = {
        f"{found.kind} {found.verb}": found.wrong
        for found in agreements(draw_real(binaries=real_binaries, every=_DEEP))
    }
    assert {key: wrong for key, wrong in told.items() if wrong} == {}
