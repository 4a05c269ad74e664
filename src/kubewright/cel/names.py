"""Names that no variable may have, and how properties that have them are spelled."""

import re

__all__ = ["KEYWORDS", "RESERVED", "escape"]

# Words that the grammar itself needs, and words that are kept for later.
KEYWORDS = frozenset(("true", "false", "null", "in"))
RESERVED = frozenset(
    (
        "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package",
        "namespace", "return", "var", "void", "while",
    )
)  # fmt: skip

_ESCAPED = {"__": "__underscores__", ".": "__dot__", "-": "__dash__", "/": "__slash__"}
_NAME = re.compile(r"[a-zA-Z_./-][a-zA-Z0-9_./-]*")
_SPECIAL = re.compile(r"__|[-./]")


def escape(name: str) -> str | None:
    """A property's name as expressions spell it; None when there is no way to."""
    if name in RESERVED or name in KEYWORDS:
        return f"__{name}__"
    if _NAME.fullmatch(name) is None:
        return None
    return _SPECIAL.sub(lambda found: _ESCAPED[found[0]], name)
