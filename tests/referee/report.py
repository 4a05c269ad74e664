"""The report: clause by clause, what is meant to differ, and the agreement on drawn requests, as Markdown."""

from collections.abc import Sequence

from tests.referee.agreement import Agreement
from tests.referee.differences import UNSHOWN
from tests.referee.drawn import VERBS
from tests.referee.verdict import Verdict

from kubewright.cluster.registry.catalogue import builtin_entries
from kubewright.cluster.registry.kinds.index import STRATEGIES
from kubewright.version import KUBERNETES

__all__ = ["report"]

_HEAD = f"""# Fidelity

How the embedded API server compares with kube-apiserver {KUBERNETES}. This page is made by the run
(`python -m tools.referee report`); do not edit it.

The same scripts are sent to both servers. Compared are the status code, the headers a client acts on, the body and the
events of watches. Uids, times, resourceVersions and generated names are masked by position: the same value has the same
mask, and the order of versions is kept. Managed fields are compared as everything else is.
"""


def report(verdicts: Sequence[Verdict], agreements: Sequence[Agreement]) -> str:
    """The whole page."""
    parts = [
        _HEAD,
        _summary(verdicts, agreements),
        _clauses(verdicts),
        _meant(verdicts),
        _unvalidated(),
        _drawn(agreements),
    ]
    return "\n".join(part for part in parts if part)


def _summary(verdicts: Sequence[Verdict], agreements: Sequence[Agreement]) -> str:
    equal = sum(verdict.equal for verdict in verdicts)
    total = sum(found.total for found in agreements)
    agreeing = sum(found.total - len(found.wrong) for found in agreements if not found.failure)
    return (
        f"- Scripts: **{equal} of {len(verdicts)}** equal, with {sum(len(verdict.asked) for verdict in verdicts):,} "
        f"steps.\n- Drawn requests: **{agreeing:,} of {total:,}** answered the same.\n"
    )


def _clauses(verdicts: Sequence[Verdict]) -> str:
    """The table of clauses, then where scripts differ."""
    clauses = sorted({clause for verdict in verdicts for clause in verdict.script.clauses}, key=_order)
    lines = ["## Clauses", "", "| clause | scripts | equal |", "|---|---|---|"]
    for clause in clauses:
        proving = [verdict for verdict in verdicts if clause in verdict.script.clauses]
        wrong = [verdict.key for verdict in proving if not verdict.equal]
        said = "all" if not wrong else f"{len(proving) - len(wrong)}; not: " + "; ".join(wrong)
        lines.append(f"| {clause} | {len(proving)} | {said} |")
    lines += [
        "",
        "<details><summary>Which script proves what</summary>",
        "",
        "| script | clauses | verdict |",
        "|---|---|---|",
    ]
    for one in verdicts:
        said = "equal" if one.equal and not one.meant else "equal but for what is meant" if one.equal else "**differs**"
        lines.append(f"| {one.key} | {' '.join(one.script.clauses)} | {said} |")
    lines += ["", "</details>", ""]
    if wrong_ones := [verdict for verdict in verdicts if not verdict.equal]:
        lines += ["## Where it differs", ""]
        for verdict in wrong_ones:
            lines += [f"### {verdict.key}", "", "```text", *str(verdict).splitlines()[1:], "```", ""]
    return "\n".join(lines)


def _order(clause: str) -> tuple[str, int]:
    name, _, number = clause.partition("-")
    return name, int(number)


def _meant(verdicts: Sequence[Verdict]) -> str:
    lines = ["## Differences that are meant", ""]
    rows = {
        (one.key, intended.step, intended.path, intended.reason): None for one in verdicts for _, intended in one.meant
    }
    lines += ["| script | step | where | why |", "|---|---|---|---|"]
    lines += [f"| {key} | {step or 'all'} | `{path}` | {reason} |" for key, step, path, reason in rows]
    lines += ["", "No script shows these:", "", "| when | the real server | this one | why |", "|---|---|---|---|"]
    lines += [f"| {' | '.join(row)} |" for row in UNSHOWN]
    return "\n".join([*lines, ""])


def _unvalidated() -> str:
    """The resources that take any values."""
    rows = [
        f"| {entry.kind} | `{entry.group}/{entry.version}` | `{entry.plural}` |"
        for entry in builtin_entries()
        # What is only asked, such as a review, is answered by a verb of its own.
        if f"{entry.plural}.{entry.group}".rstrip(".") not in STRATEGIES and "update" in entry.verbs
    ]
    return "\n".join(
        [
            "## Served, not validated",
            "",
            "These built-in kinds are stored, listed, watched, patched and applied as all others are, in their Go",
            "types' structure; but their values are **not validated**, and nothing is filled in.",
            "",
            "| kind | version | resource |",
            "|---|---|---|",
            *rows,
            "",
        ]
    )


def _drawn(agreements: Sequence[Agreement]) -> str:
    lines = [
        "## Drawn requests",
        "",
        "For each kind and verb, mutations of a valid request: each part missing, null, of another type, out of range,",
        "twice, unknown, changed; each parameter with values it does not take. Requests answered the same, of all:",
        "",
        f"| kind | {' | '.join(VERBS)} |",
        f"|---|{'---|' * len(VERBS)}",
    ]
    by_kind: dict[str, dict[str, Agreement]] = {}
    for found in agreements:
        by_kind.setdefault(found.kind, {})[found.verb] = found
    for kind, verbs in by_kind.items():
        lines.append(f"| {kind} | {' | '.join(_cell(verbs.get(verb)) for verb in VERBS)} |")
    if any(found.wrong or found.failure for found in agreements):
        lines += [
            "",
            "### Disagreements",
            "",
            "Requests whose answers first differ in the same way stand together.",
            "",
        ]
    for found in agreements:
        if found.wrong or found.failure:
            lines += [f"**{found.kind} {found.verb}**", "", "```text", *([found.failure] if found.failure else [])]
            for count, asked, difference in found.groups:
                times = f" and {count - 1} more" if count > 1 else ""
                lines += [
                    f"{asked}{times}",
                    f"  {difference.path}: expected {difference.expected}, got {difference.got}",
                ]
            lines += ["```", ""]
    return "\n".join([*lines, ""])


def _cell(found: Agreement | None) -> str:
    if found is None:
        return ""
    return "failed" if found.failure else f"{found.total - len(found.wrong)}/{found.total}"
