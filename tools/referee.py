"""The referee's own command: run scripts on the embedded server, record the real one, write the report.

python -m tools.referee run [family[/part of a name]]      compare the embedded server with what is recorded
python -m tools.referee record [family[/part of a name]]   ask the real server, and keep what it answers
python -m tools.referee verify [family[/part of a name]]   compare the real server with what is recorded
python -m tools.referee show family[/part of a name]       print what is recorded
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.referee.agreement import agreements
from tests.referee.drawn import VERBS, keep
from tests.referee.families import family, scripts
from tests.referee.language import Script
from tests.referee.record import Stale, recorded, write
from tests.referee.report import report
from tests.referee.run import SetupFailed, Transcript
from tests.referee.servers import Answers, ask_embedded, ask_real, draw_embedded, draw_real
from tests.referee.verdict import judge

__all__ = ["main"]


def main(arguments: list[str]) -> int:
    """Do what is asked; the exit status says whether all was well."""
    command, chosen = [*arguments, "", ""][:2]
    commands = {
        "run": _run,
        "record": _record,
        "verify": _verify,
        "drawn": lambda kind: _agree(draw_embedded(kind)),
        "record-drawn": _record_drawn,
        "verify-drawn": lambda kind: _agree(draw_real(kind)),
        "report": _report,
        "show": _show,
    }
    if command not in commands:
        print(__doc__)
        return 2
    return commands[command](chosen)


def _run(chosen: str) -> int:
    return _compare(scripts(chosen), ask_embedded(chosen))


def _record(chosen: str) -> int:
    failed = 0
    answers = ask_real(chosen)
    by_family: dict[str, dict[str, tuple[Script, Transcript]]] = {}
    for key, answer in answers.items():
        name, _, rest = key.partition("/")
        if isinstance(answer, SetupFailed) or _unfit(answer):
            failed += 1
            print(f"{key}: not recorded: {answer if isinstance(answer, SetupFailed) else _unfit(answer)}")
        else:
            by_family.setdefault(name, {})[rest] = (scripts(name)[key], answer)
    for name, kept in by_family.items():
        write(name, kept, set(family(name).scripts))
    print(f"{sum(map(len, by_family.values()))} scripts recorded, {failed} not")
    return int(failed > 0)


def _unfit(answer: Transcript) -> str:
    """Why an answer is none to be kept."""
    found = [(at, step) for at, step in enumerate(answer, 1) if {"timeout", "impossible", "broken"} & step.keys()]
    return "; ".join(f"step {at}: {step}"[:600] for at, step in found)


def _verify(chosen: str) -> int:
    return _compare(scripts(chosen), ask_real(chosen))


def _record_drawn(chosen: str) -> int:
    answers = draw_real(chosen)
    for kind in sorted({key.partition(" ")[0] for key in answers}):
        found = {verb: answers[f"{kind} {verb}"] for verb in VERBS}
        failed = [f"{kind} {verb}: {answer}" for verb, answer in found.items() if isinstance(answer, SetupFailed)]
        if failed:
            print("\n".join(failed))
            return 1
        keep(kind, {verb: answer for verb, answer in found.items() if not isinstance(answer, SetupFailed)})
    print(f"{sum(len(answer) for answer in answers.values() if isinstance(answer, list))} requests recorded")
    return 0


def _agree(answers: Answers) -> int:
    wrong = 0
    for found in agreements(answers):
        wrong += len(found.wrong) or int(bool(found.failure))
        print(f"{found.kind} {found.verb}: {found.total - len(found.wrong)} of {found.total} agree {found.failure}")
        for count, asked, difference in found.groups:
            print(f"  {count}x {asked}\n    {difference.path}")
            print(f"      expected {difference.expected}\n      got      {difference.got}")
    return int(wrong > 0)


def _compare(wanted: Mapping[str, Script], answers: Answers) -> int:
    verdicts = judge(wanted, answers)
    for verdict in verdicts:
        if not verdict.equal:
            print(f"{verdict}\n")
    equal = sum(verdict.equal for verdict in verdicts)
    print(f"{equal} of {len(verdicts)} scripts equal")
    return int(equal < len(verdicts))


def _report(_: str) -> int:
    page = report(judge(scripts(), ask_embedded()), agreements(draw_embedded()))
    Path("docs/fidelity.md").write_text(page)
    return 0


def _show(chosen: str) -> int:
    for key, script in scripts(chosen).items():
        print(f"{key}  [{' '.join(script.clauses)}]")
        try:
            for at, step in enumerate(recorded(key, script)):
                rest = {name: value for name, value in step.items() if name != "ask"}
                print(f"  {at + 1}. {step['ask']}\n     {json.dumps(rest, ensure_ascii=False)}")
        except Stale as error:
            print(f"  {error}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
