"""How far the embedded server agrees on drawn requests, by kind and verb."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from tests.referee.compare import Difference, differences
from tests.referee.drawn import VERBS, drawn, kept
from tests.referee.kinds import KINDS
from tests.referee.run import SetupFailed, Transcript

__all__ = ["Agreement", "agreements"]


class Agreement(NamedTuple):
    """What came of one kind and verb; `wrong` is each request that is answered otherwise, and where."""

    kind: str
    verb: str
    total: int
    wrong: list[tuple[str, list[Difference]]]
    failure: str = ""

    @property
    def groups(self) -> list[tuple[int, str, Difference]]:
        """The disagreements by their first difference: how many, the first of them, the difference."""
        firsts = [(asked, found[0]) for asked, found in self.wrong]
        counts = Counter((found.path, found.expected, found.got) for _, found in firsts)
        shown: dict[tuple[str, str, str], tuple[str, Difference]] = {}
        for asked, found in firsts:
            shown.setdefault((found.path, found.expected, found.got), (asked, found))
        return [(count, *shown[key]) for key, count in counts.most_common()]


def agreements(answers: Mapping[str, Transcript | SetupFailed]) -> list[Agreement]:
    """One for each kind and verb that was asked."""
    asked = [(kind, verb) for kind in KINDS for verb in VERBS if f"{kind} {verb}" in answers]
    records = {kind: kept(kind) for kind, _ in asked}
    return [_agreement(kind, verb, records[kind].get(verb), answers[f"{kind} {verb}"]) for kind, verb in asked]


def _agreement(kind: str, verb: str, record: object, answer: Transcript | SetupFailed) -> Agreement:
    total = len(drawn()[f"{kind} {verb}"].steps)
    if not isinstance(record, dict) or record["script"] != drawn()[f"{kind} {verb}"].digest:
        return Agreement(
            kind, verb, total, [], "run `python -m tools.referee record-drawn` where there are real servers"
        )
    if isinstance(answer, SetupFailed):
        return Agreement(kind, verb, total, [], f"its setup failed: {answer}")
    wrong = []
    for one, other in zip(record["steps"], answer, strict=True):
        if other and (found := differences([one], [other])):
            wrong.append((str(one["ask"]), found))
    return Agreement(kind, verb, total, wrong)
