"""Find code in `src/kubewright` that nobody uses.

A definition is used when its name occurs in the package or in `tools/` other than where it is defined; when a module
exports it in `__all__`; when README.md or docs/ mention it as code; or when it is called by a framework: an entry
point of pyproject.toml, a pytest hook or fixture, a dunder, what a class overrides of a base that is not ours. Tests
are no use: what only its test calls is dead. There is no list of exceptions: what is kept is used, exported or
documented.

    python tools/unused.py        prints what is unused, one a line, and fails if there is anything
"""

import ast
import pydoc
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from vulture import Vulture
from vulture.core import Item

__all__ = ["main", "unused"]

#: Generated modules are declarations: vulture would call each of their fields unused.
GENERATED = "*/kubewright/k8s/*/v*.py"

ENUMS = {"Enum", "Flag", "IntEnum", "IntFlag", "StrEnum"}


class Finder(Vulture):  # type: ignore[misc]  # vulture has no types
    """Vulture, without what the language or a library reads behind our back."""

    def __init__(self) -> None:
        super().__init__(ignore_names=["__*__", "pytest_*"], ignore_decorators=["@pytest.fixture"])
        self.fields: set[str] = set()
        self.imported: dict[str, str] = {}

    def visit_arg(self, node: ast.arg) -> None:
        """Say nothing of parameters: the caller's interface decides them."""

    def visit_Attribute(self, node: ast.Attribute) -> None:  # noqa: N802 - named by ast
        """Count an assignment to `self.x` as a definition; one to another's attribute is an effect on them."""
        if isinstance(node.ctx, ast.Load) or (isinstance(node.value, ast.Name) and node.value.id == "self"):
            super().visit_Attribute(node)

    def visit_Import(self, node: ast.Import) -> None:  # noqa: N802 - named by ast
        """Remember what a module is called here."""
        super().visit_Import(node)
        for alias in node.names:
            self.imported[alias.asname or alias.name.partition(".")[0]] = alias.name if alias.asname else ""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:  # noqa: N802 - named by ast
        """Likewise."""
        super().visit_ImportFrom(node)
        for alias in node.names:
            self.imported[alias.asname or alias.name] = f"{node.module}.{alias.name}"

    def overridden(self, node: ast.ClassDef) -> set[str]:
        """What a class defines that a base of it has, if that base is another project's."""
        inherited: set[str] = set()
        for base in node.bases:
            named = base.value if isinstance(base, ast.Subscript) else base
            first, _, rest = ast.unparse(named).partition(".")
            path = ".".join(filter(None, [self.imported.get(first) or first, rest]))
            if first in self.imported and not path.startswith("kubewright"):
                inherited.update(dir(pydoc.locate(path)))
        defined = {part.name for part in ast.walk(node) if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)}
        defined |= {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}
        return inherited & defined

    def visit_ClassDef(self, node: ast.ClassDef) -> None:  # noqa: N802 - named by ast
        """Take fields as used: annotations are the wire format of msgspec and dataclasses, enum members its values."""
        super().visit_ClassDef(node)
        self.used_names.update(self.overridden(node))
        enum = any(name(base) in ENUMS for base in node.bases)
        for statement in node.body:
            if isinstance(statement, ast.AnnAssign):
                self.fields.add(name(statement.target))
            elif isinstance(statement, ast.Assign) and enum:
                self.fields.update(map(name, statement.targets))


def name(node: ast.expr) -> str:
    """The last part of a dotted name."""
    return ast.unparse(node).rpartition(".")[2]


def documented(root: Path) -> Iterator[str]:
    """Every identifier that the documentation shows as code: between backticks, or in a fenced block."""
    for page in [root / "README.md", *root.glob("docs/**/*.md")]:
        for code in re.findall(r"```.*?```|`[^`\n]+`", page.read_text(), re.DOTALL):
            yield from re.findall(r"\w+", code)


def entry_points(root: Path) -> Iterator[str]:
    """The functions that pyproject.toml tells other programs to call."""
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    for group in [project.get("scripts", {}), *project.get("entry-points", {}).values()]:
        for reference in group.values():
            yield reference.partition(":")[2]


def unused(root: Path) -> list[Item]:
    """What nobody uses of the package under `root`, in the order of files and lines."""
    finder = Finder()
    finder.used_names.update(documented(root), entry_points(root))
    finder.scavenge([root / "src" / "kubewright", root / "tools"], exclude=[GENERATED])
    if finder.exit_code:
        raise SystemExit(finder.exit_code)
    return [
        item
        for item in finder.get_unused_code()
        if item.filename.is_relative_to(root / "src")
        and not (item.typ in {"attribute", "variable"} and item.name in finder.fields)
    ]


def main() -> int:
    """Print what is unused; the exit status is 1 if there is anything."""
    root = Path(__file__).resolve().parent.parent
    items = unused(root)
    for item in items:
        print(
            f"{item.filename.relative_to(root)}:{item.first_lineno}: {item.message}: use it, document it or delete it"
        )
    return int(bool(items))


if __name__ == "__main__":
    sys.exit(main())
