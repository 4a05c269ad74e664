"""Check that the documentation is true where a machine can tell.

Links inside the repository lead somewhere; blocks of Python are Python, and whatever they take from `kubewright`
exists; `make` targets and `kubewright` commands that a page names exist.

    python tools/docs.py          prints what is wrong, one a line, and fails if there is anything
"""

import ast
import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import kubewright
from kubewright.cli.main import COMMANDS

__all__ = ["faults", "main"]

#: A block of a page may await, as in a Python session.
_TOP_LEVEL_AWAIT = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


def faults(root: Path) -> Iterator[str]:
    """What is wrong with README.md and docs/ under `root`: page, line and fault."""
    targets = set(re.findall(r"^([a-z-]+):", (root / "Makefile").read_text(), re.MULTILINE))
    for page in [root / "README.md", root / "CHANGELOG.md", *sorted(root.glob("docs/**/*.md"))]:
        text = page.read_text()
        for fault, at in _page(text, page, targets):
            yield f"{page.relative_to(root)}:{text.count(chr(10), 0, at) + 1}: {fault}"


def _page(text: str, page: Path, targets: set[str]) -> Iterator[tuple[str, int]]:
    prose = re.sub(r"^```.*?^```", lambda block: re.sub(r"[^\n]", " ", block[0]), text, flags=re.DOTALL | re.MULTILINE)
    for link in re.finditer(r"\]\(([^)#:]+)(#[^)]*)?\)", prose):
        if not (page.parent / link[1]).exists():
            yield f"the link to {link[1]} leads nowhere", link.start()
    for block in re.finditer(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        for fault in _python(block[1]):
            yield fault, block.start()
    for target in re.finditer(r"(?:^\$ |`)make ([a-z-]+)", text, re.MULTILINE):
        if target[1] not in targets:
            yield f"there is no `make {target[1]}`", target.start()
    for command in re.finditer(r"(?:^\$ \S*|`)kubewright ([a-z]+)(?: ([a-z]+))?", text, re.MULTILINE):
        if not {command[1], f"{command[1]} {command[2]}"} & COMMANDS.keys() and not (
            command[2] is None and any(name.startswith(f"{command[1]} ") for name in COMMANDS)
        ):
            yield f"there is no `kubewright {command[1]}`", command.start()


def _python(code: str) -> Iterator[str]:
    try:
        tree = compile(code, "block", "exec", ast.PyCF_ONLY_AST | _TOP_LEVEL_AWAIT, dont_inherit=True)
    except SyntaxError as error:
        yield f"a block is no Python: {error.msg}, in its line {error.lineno}"
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "kw":
            if not hasattr(kubewright, node.attr):
                yield f"there is no kw.{node.attr}"
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("kubewright"):
            module = importlib.import_module(node.module or "")
            yield from (
                f"there is no {alias.name} in {node.module}" for alias in node.names if not hasattr(module, alias.name)
            )


def main() -> int:
    """Print the faults; the exit status is 1 if there is any."""
    found = list(faults(Path(__file__).resolve().parent.parent))
    for fault in found:
        print(fault)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
