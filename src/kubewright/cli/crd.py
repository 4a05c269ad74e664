"""`kubewright crd`: print, compare and check CRDs."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kubewright.cli.sources import CommandError, load_crds, load_resources
from kubewright.model.yaml import dump_yaml
from kubewright.schema.crd import crds_of
from kubewright.schema.diff import diff_crds
from kubewright.schema.lint import lint_crd, size_findings

__all__ = ["diff", "lint", "print_crds"]


def print_crds(arguments: Sequence[str]) -> int:
    """`kubewright crd MODULE[:CLASS]`."""
    parser = argparse.ArgumentParser(
        prog="kubewright crd",
        description="Print the CRDs of the types in a module.",
        epilog="`kubewright crd diff A B` compares CRDs, `kubewright crd lint F` checks them.",
    )
    parser.add_argument(
        "target", metavar="MODULE[:CLASS,…]", help="a .py file or an importable module; some of its classes"
    )
    parser.add_argument("-o", "--output", choices=["yaml", "json"], default="yaml", help="the form (default: yaml)")
    parser.add_argument("-d", "--directory", type=Path, help="write one file for each CRD here instead of printing")
    parser.add_argument(
        "--max-description", type=_count, metavar="N", help="cut descriptions to N characters; 0 leaves them out"
    )
    options = parser.parse_args(arguments)
    crds = crds_of(load_resources(options.target), max_description=options.max_description)
    for crd in crds:
        for finding in size_findings(crd):
            print(f"kubewright: {crd['metadata']['name']}: {finding.message}", file=sys.stderr)
    if options.directory is None:
        print(_render(crds, options.output), end="")
        return 0
    options.directory.mkdir(parents=True, exist_ok=True)
    for crd in crds:
        path = options.directory / f"{crd['spec']['group']}_{crd['spec']['names']['plural']}.{options.output}"
        path.write_text(_render([crd], options.output))
        print(path)
    return 0


def diff(arguments: Sequence[str]) -> int:
    """`kubewright crd diff OLD NEW`."""
    parser = argparse.ArgumentParser(
        prog="kubewright crd diff",
        description="List what changed between two CRDs, and whether it breaks stored objects, clients or nobody.",
        epilog="Exits with 1 if anything breaks, with 2 if it cannot tell.",
    )
    parser.add_argument("old", metavar="OLD", help="a YAML or JSON file (- for standard input), or MODULE[:CLASS]")
    parser.add_argument("new", metavar="NEW", help="likewise")
    parser.add_argument("-o", "--output", choices=["text", "json"], default="text", help="the form (default: text)")
    options = parser.parse_args(arguments)
    if options.old == options.new == "-":
        raise CommandError("standard input can be read once: give OLD or NEW as a file.")
    old = {crd["metadata"]["name"]: crd for crd in load_crds(options.old)}
    new = {crd["metadata"]["name"]: crd for crd in load_crds(options.new)}
    if not old.keys() & new.keys():
        raise CommandError(f"{options.old} and {options.new} have no CRD of the same name: {', '.join([*old, *new])}.")
    rows = []
    for name in sorted(old.keys() | new.keys()):
        if name not in new:
            rows.append(
                {
                    "crd": name,
                    "path": "",
                    "change": "CRDRemoved",
                    "breaks": ["stored objects", "clients"],
                    "why": "the kind is gone",
                }
            )
        elif name not in old:
            rows.append({"crd": name, "path": "", "change": "CRDAdded", "breaks": [], "why": "a new kind"})
        else:
            rows += [{"crd": name, **_row(change)} for change in diff_crds(old[name], new[name])]
    if options.output == "json":
        print(json.dumps(rows, indent=2, ensure_ascii=False))
    else:
        for breaks in sorted({tuple(row["breaks"]) for row in rows}, key=len, reverse=True):
            print(f"breaks {' and '.join(breaks) or 'nobody'}:")
            for row in rows:
                if tuple(row["breaks"]) == breaks:
                    where = f"{row['crd']} {row['path']}".strip()
                    print(f"  {where}: {row['change']}: {row['why']}")
        broken = sum(bool(row["breaks"]) for row in rows)
        print(f"{_many(len(rows), 'change')}, {broken} of them breaking." if rows else "No changes.")
    return 1 if any(row["breaks"] for row in rows) else 0


def lint(arguments: Sequence[str]) -> int:
    """`kubewright crd lint FILE…`."""
    parser = argparse.ArgumentParser(
        prog="kubewright crd lint",
        description="Find what is legal in a CRD and yet a mistake, and what the server would refuse.",
        epilog="Exits with 1 if there is an error, with --strict also for a warning.",
    )
    parser.add_argument(
        "targets", metavar="F", nargs="+", help="a YAML or JSON file (- for standard input), or MODULE[:CLASS]"
    )
    parser.add_argument("--strict", action="store_true", help="count warnings as errors")
    parser.add_argument("-o", "--output", choices=["text", "json"], default="text", help="the form (default: text)")
    options = parser.parse_args(arguments)
    crds = [crd for target in options.targets for crd in load_crds(target)]
    found = [(crd.get("metadata", {}).get("name", "?"), finding) for crd in crds for finding in lint_crd(crd)]
    if options.output == "json":
        rows = [
            {"crd": name, "severity": f.severity, "code": f.code, "path": f.path, "message": f.message}
            for name, f in found
        ]
        print(json.dumps(rows, indent=2, ensure_ascii=False))
    else:
        for name, finding in found:
            print(f"{finding.severity}: {name} {finding.path}: {finding.message} [{finding.code}]")
        print(f"{_many(len(crds), 'CRD')}, {_many(len(found), 'finding')}.")
    fatal = ("error", "warning") if options.strict else ("error",)
    return 1 if any(finding.severity in fatal for _, finding in found) else 0


def _row(change: Any) -> dict[str, Any]:
    return {"path": change.path, "change": change.kind, "breaks": list(change.breaks), "why": change.why}


def _render(crds: list[dict[str, Any]], form: str) -> str:
    if form == "json":
        value = crds[0] if len(crds) == 1 else {"apiVersion": "v1", "kind": "List", "items": crds}
        return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    return "---\n".join(dump_yaml(crd) for crd in crds)


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of characters")
    return int(text)
