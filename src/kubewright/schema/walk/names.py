"""What makes a name, and what the server says of a bad one.

Each function returns the complaints about a text, none if it is good. Lengths are counted in
bytes, whatever the complaint calls them.
"""

import re
from collections.abc import Callable, Iterable

from kubewright.model.selectors.names import label_key, label_value

__all__ = [
    "config_key",
    "label_key",
    "label_value",
    "namespace_name",
    "odd_keys",
    "path_segment",
    "path_segment_prefix",
    "resource_kind",
    "subdomain",
]

_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_KEY = "[-._a-zA-Z0-9]+"
_KIND = "[a-z]([-a-z0-9]*[a-z0-9])?"
_SHORT = 63


def _full(pattern: str) -> Callable[[str], bool]:
    matches = re.compile(pattern).fullmatch
    return lambda text: matches(text) is not None


_is_label, _is_kind, _is_key = _full(_LABEL), _full(_KIND), _full(_KEY)
#: Every good one that is not quite as long as it may be, or begins with a dot and another.
_usual_key = re.compile(r"\.?[-_a-zA-Z0-9][-._a-zA-Z0-9]{0,250}").fullmatch


def _is_short_label(text: str) -> bool:
    """Nearly every name there is."""
    return len(text) <= _SHORT and _is_label(text)


def _is_subdomain(text: str) -> bool:
    return all(map(_is_label, text.split(".")))


def _shape(rule: str, pattern: str, *examples: str) -> str:
    listed = " or ".join(f"'{example}', " for example in examples)
    return f"{rule} (e.g. {listed}regex used for validation is '{pattern}')"


def _too_long(text: str, limit: int, unit: str) -> Iterable[str]:
    if len(text.encode(errors="replace")) > limit:
        yield f"must be no more than {limit} {unit}"


def namespace_name(text: str) -> list[str]:
    """A DNS label (RFC 1123)."""
    if _is_short_label(text):
        return []
    complaints = list(_too_long(text, 63, "characters"))
    if not _is_label(text):
        if _is_subdomain(text):
            complaints.append("must not contain dots")
        else:
            rule = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', "
            rule += "and must start and end with an alphanumeric character"
            complaints.append(_shape(rule, _LABEL, "my-name", "123-abc"))
    return complaints


def subdomain(text: str) -> list[str]:
    """DNS labels with dots between them (RFC 1123): what most objects are called."""
    if _is_short_label(text):
        return []
    complaints = list(_too_long(text, 253, "characters"))
    if not _is_subdomain(text):
        rule = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', "
        rule += "and must start and end with an alphanumeric character"
        complaints.append(_shape(rule, rf"{_LABEL}(\.{_LABEL})*", "example.com"))
    return complaints


def resource_kind(text: str) -> list[str]:
    """A kind, in lower case: a DNS label that starts with a letter (RFC 1035)."""
    complaints = list(_too_long(text, 63, "characters"))
    if not _is_kind(text):
        rule = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', "
        rule += "start with an alphabetic character, and end with an alphanumeric character"
        complaints.append(_shape(rule, _KIND, "my-name", "abc-123"))
    return complaints


def config_key(text: str) -> list[str]:
    """A key of a ConfigMap or Secret, which can become the name of a file."""
    complaints = list(_too_long(text, 253, "characters"))
    if not _is_key(text):
        rule = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'"
        complaints.append(_shape(rule, _KEY, "key.name", "KEY_NAME", "key-name"))
    if text in (".", ".."):
        complaints.append(f"must not be '{text}'")
    elif text.startswith(".."):
        complaints.append("must not start with '..'")
    return complaints


def odd_keys(texts: Iterable[str]) -> list[str]:
    """Those of many keys at which `config_key` has to look."""
    return [text for text in texts if not _usual_key(text)]


def path_segment(text: str) -> list[str]:
    """A name that can stand between two slashes."""
    if text in (".", ".."):
        return [f"may not be '{text}'"]
    return path_segment_prefix(text)


def path_segment_prefix(text: str) -> list[str]:
    """The beginning of such a name."""
    return [f"may not contain '{part}'" for part in ("/", "%") if part in text]
