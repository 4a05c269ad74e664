"""What makes a name, and what the server says of a bad one.

Each function returns the complaints about a text, none if it is good. Lengths are counted in
bytes, whatever the complaint calls them.
"""

import re
from collections.abc import Callable, Iterable

__all__ = ["label_key", "label_value", "namespace_name", "path_segment", "path_segment_prefix", "resource_kind"]

_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = rf"{_LABEL}(\.{_LABEL})*"
_KIND = "[a-z]([-a-z0-9]*[a-z0-9])?"
_KEY = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"


def _full(pattern: str) -> Callable[[str], bool]:
    matches = re.compile(pattern).fullmatch
    return lambda text: matches(text) is not None


_is_label, _is_kind, _is_key = _full(_LABEL), _full(_KIND), _full(_KEY)


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
    complaints = list(_too_long(text, 63, "characters"))
    if not _is_label(text):
        if _is_subdomain(text):
            complaints.append("must not contain dots")
        else:
            rule = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', "
            rule += "and must start and end with an alphanumeric character"
            complaints.append(_shape(rule, _LABEL, "my-name", "123-abc"))
    return complaints


def _subdomain(text: str) -> list[str]:
    complaints = list(_too_long(text, 253, "bytes"))
    if not _is_subdomain(text):
        rule = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', "
        rule += "and must start and end with an alphanumeric character"
        complaints.append(_shape(rule, _SUBDOMAIN, "example.com"))
    return complaints


def resource_kind(text: str) -> list[str]:
    """A kind, in lower case: a DNS label that starts with a letter (RFC 1035)."""
    complaints = list(_too_long(text, 63, "characters"))
    if not _is_kind(text):
        rule = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', "
        rule += "start with an alphabetic character, and end with an alphanumeric character"
        complaints.append(_shape(rule, _KIND, "my-name", "abc-123"))
    return complaints


_KEY_RULE = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
)


def label_key(text: str) -> list[str]:
    """The key of a label or annotation, or a finalizer: a name, perhaps after a domain and a slash."""
    shape = _shape(_KEY_RULE, _KEY, "MyName", "my.name", "123-abc")
    prefix, slash, name = text.rpartition("/")
    if "/" in prefix:
        optional = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
        return [f"a valid label key {shape} {optional}"]
    complaints = []
    if slash:
        parts = _subdomain(prefix) if prefix else ["must be non-empty"]
        complaints = [f"prefix part {complaint}" for complaint in parts]
    if not name:
        complaints.append("name part must be non-empty")
    complaints += [f"name part {complaint}" for complaint in _too_long(name, 63, "bytes")]
    if not _is_key(name):
        complaints.append(f"name part {shape}")
    return complaints


def label_value(text: str) -> list[str]:
    """The value of a label."""
    complaints = list(_too_long(text, 63, "bytes"))
    if text and not _is_key(text):
        rule = f"a valid label must be an empty string or {_KEY_RULE.removeprefix('must ')}"
        complaints.append(_shape(rule, f"({_KEY})?", "MyValue", "my_value", "12345"))
    return complaints


def path_segment(text: str) -> list[str]:
    """A name that can stand between two slashes."""
    if text in (".", ".."):
        return [f"may not be '{text}'"]
    return path_segment_prefix(text)


def path_segment_prefix(text: str) -> list[str]:
    """The beginning of such a name."""
    return [f"may not contain '{part}'" for part in ("/", "%") if part in text]
