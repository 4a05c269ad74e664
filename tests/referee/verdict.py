"""Answers against the recording: equal, or where they differ, and whether that is meant."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.referee.compare import Difference, differences
from tests.referee.differences import Intended, reason_for
from tests.referee.language import Script
from tests.referee.record import Stale, recorded
from tests.referee.run import SetupFailed, Transcript

__all__ = ["Verdict", "judge"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What came of one script; `failure` says why nothing could be compared."""

    key: str
    script: Script
    failure: str = ""
    wrong: list[Difference] = field(default_factory=list)
    meant: list[tuple[Difference, Intended]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    @property
    def equal(self) -> bool:
        """Whether the answers are those of the real server, apart from what is meant to differ."""
        return not self.failure and not self.wrong

    def __str__(self) -> str:
        lines = [f"{self.key}  [{' '.join(self.script.clauses)}]"]
        if self.failure:
            lines.append(f"  {self.failure}")
        for step in sorted({found.step for found in self.wrong}):
            lines.append(f"  step {step}: {self.asked[step - 1] if step <= len(self.asked) else 'not asked'}")
            for found in self.wrong:
                if found.step == step:
                    lines += [f"    {found.path}", f"      expected {found.expected}", f"      got      {found.got}"]
        return "\n".join(lines)


def judge(scripts: Mapping[str, Script], answers: Mapping[str, Transcript | SetupFailed]) -> list[Verdict]:
    """A verdict on each script."""
    return [_verdict(key, script, answers[key]) for key, script in scripts.items()]


def _verdict(key: str, script: Script, answer: Transcript | SetupFailed) -> Verdict:
    try:
        expected = recorded(key, script)
    except Stale as error:
        return Verdict(key=key, script=script, failure=str(error))
    if isinstance(answer, SetupFailed):
        return Verdict(key=key, script=script, failure=f"its setup failed: {answer}")
    wrong: list[Difference] = []
    meant: list[tuple[Difference, Intended]] = []
    for found in differences(expected, answer):
        reason = reason_for(key, found)
        if reason is None:
            wrong.append(found)
        else:
            meant.append((found, reason))
    asked = [str(step["ask"]) for step in expected]
    return Verdict(key=key, script=script, wrong=wrong, meant=meant, asked=asked)
