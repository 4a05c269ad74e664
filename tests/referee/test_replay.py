"""The embedded server answers every script as the real one did."""

from functools import cache

import pytest
from tests.referee.differences import INTENDED
from tests.referee.families import families, scripts
from tests.referee.servers import ask_embedded
from tests.referee.verdict import Verdict, judge


@cache
def verdicts(family: str) -> dict[str, Verdict]:
    return {verdict.key: verdict for verdict in judge(scripts(family), ask_embedded(family))}


@pytest.mark.parametrize("key", scripts())
def test_the_embedded_server_answers_as_the_real_one(key: str) -> None:
    verdict = verdicts(key.partition("/")[0])[key]
    assert verdict.equal, str(verdict)


def test_every_difference_that_is_meant_is_there() -> None:
    found = {
        intended for family in families() for verdict in verdicts(family.name).values() for _, intended in verdict.meant
    }
    assert set(INTENDED) - found == set()
