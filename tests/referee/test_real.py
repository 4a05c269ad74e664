"""The real server still answers as it was recorded."""

from pathlib import Path

import pytest
from tests.referee.families import scripts
from tests.referee.servers import ask_real
from tests.referee.verdict import judge

#: How often a script that is answered otherwise is asked again.
TIMES = 2


@pytest.mark.real
def test_the_recordings_are_what_the_real_server_answers(real_binaries: Path) -> None:
    """Or what it may answer: Go's maps have a random order, and its memory lags behind its store for a moment."""
    wrong = [verdict for verdict in judge(scripts(), ask_real(binaries=real_binaries)) if not verdict.equal]
    for _ in range(TIMES):
        again = [judge({v.key: v.script}, ask_real(v.key, binaries=real_binaries))[0] for v in wrong[:10]]
        wrong = [verdict for verdict in again if not verdict.equal] + wrong[10:]
    assert not wrong, "\n\n".join(map(str, wrong))
