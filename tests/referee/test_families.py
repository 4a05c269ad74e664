"""The scripts themselves: every one recorded, and none in another's way."""

import re

from tests.referee.families import families, scripts
from tests.referee.fill import slug
from tests.referee.record import RECORDED, recorded


def test_every_script_is_recorded_as_it_is() -> None:
    for key, script in scripts().items():
        recorded(key, script)


def test_no_recording_is_left_of_a_family_that_is_gone() -> None:
    names = {family.name for family in families()}
    assert {path.stem for path in RECORDED.glob("*.json")} == names


def test_no_two_scripts_share_a_namespace() -> None:
    found = [slug(key) for key in scripts()]
    assert len(found) == len(set(found))


def test_every_script_proves_a_clause() -> None:
    for script in scripts().values():
        assert script.clauses
        assert all(re.fullmatch(r"[A-Z]+-\d+", clause) for clause in script.clauses)
