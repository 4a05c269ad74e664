"""The real server still answers as it was recorded."""

from pathlib import Path

import pytest
from tests.referee.families import scripts
from tests.referee.servers import ask_real
from tests.referee.verdict import judge


@pytest.mark.real
def test_the_recordings_are_what_the_real_server_answers(real_binaries: Path) -> None:
    wrong = [str(verdict) for verdict in judge(scripts(), ask_real(binaries=real_binaries)) if not verdict.equal]
    assert not wrong, "\n\n".join(wrong)
