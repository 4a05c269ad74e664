"""Patterns as Kubernetes reads them: RE2, searched anywhere in the string.

A schema's `pattern` is a Go regular expression. Python's `re` differs from it in meaning (`\\d`, `$`, `\\s`) and in
cost: it backtracks, so a pattern from a stranger's CRD could stop the whole process. RE2 is linear in the text and of
the same family as Go's engine, so the verdict is the API server's.
"""

from collections.abc import Callable

import re2

from kubewright.cel.escapes import takes_bytes
from kubewright.errors import KubewrightError

__all__ = ["PatternError", "compile_pattern"]


class PatternError(KubewrightError):
    """A pattern that RE2 cannot read; Kubernetes would refuse the CRD for it as well."""


def compile_pattern(pattern: str) -> Callable[[str], bool]:
    """Return the function that says whether `pattern` is found in a string.

    Raises `PatternError` where Kubernetes would refuse the pattern too: look-around and back-references above all.
    """
    options = re2.Options()
    options.log_errors = False
    # Only the verdict is wanted: without groups RE2 stays in its automaton.
    options.never_capture = True
    if takes_bytes(pattern):
        raise _refused(pattern, "invalid escape sequence: \\C")
    try:
        regexp = re2.compile(_utf8(pattern), options)
    except re2.error as error:
        reason = error.args[0].decode(errors="replace") if isinstance(error.args[0], bytes) else str(error)
        raise _refused(pattern, reason) from None
    # The wrapper's search() builds match objects in Python and takes five times as long as the match itself.
    match, anywhere = regexp._regexp.Match, re2._re2.RE2.Anchor.UNANCHORED

    def found(text: str) -> bool:
        encoded = _utf8(text)
        span: tuple[int, int] = match(anywhere, encoded, 0, len(encoded))[0]
        return span[0] >= 0

    return found


def _refused(pattern: str, reason: str) -> PatternError:
    return PatternError(
        f"the pattern {pattern!r} is no RE2 expression ({reason}): write it without look-around and back-references"
    )


def _utf8(text: str) -> bytes:
    """Encode, with half surrogate pairs (legal in JSON's escapes) read as Go reads them: U+FFFD."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()
