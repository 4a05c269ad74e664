"""Names inside objects, each as one part of an answer."""

from collections.abc import Iterator
from typing import Final

from kubewright.schema.expression import whole
from kubewright.schema.walk.errors import FieldError, invalid
from kubewright.schema.walk.names import namespace_name, subdomain

__all__ = ["check_label", "check_subdomain", "header_name", "underscored_subdomain", "variable_name"]

_PART: Final = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
_underscored: Final = whole(rf"{_PART}(\.{_PART})*")
_header: Final = whole("[-A-Za-z0-9]+")


def check_label(value: str, path: str) -> Iterator[FieldError]:
    """What is wrong with a DNS label (RFC 1123)."""
    return (invalid(path, value, complaint) for complaint in namespace_name(value))


def check_subdomain(value: str, path: str) -> Iterator[FieldError]:
    """What is wrong with a name that most objects could have."""
    return (invalid(path, value, complaint) for complaint in subdomain(value))


def underscored_subdomain(text: str) -> list[str]:
    """DNS labels with dots between them, in which underscores may stand."""
    complaints = ["must be no more than 253 characters"] if len(text.encode(errors="replace")) > 253 else []
    if not _underscored(text):
        rule = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', "
        rule += "and must start and end with an alphanumeric character "
        complaints.append(f"{rule}(e.g. 'example.com', regex used for validation is '{_PART}(\\.{_PART})*')")
    return complaints


def variable_name(text: str) -> list[str]:
    """What is said against the name of an environment variable; nearly anything will do."""
    complaints = [] if text else ["environment variable name must be non-empty"]
    if not (text.isascii() and text.isprintable()) or "=" in text:
        rule = "a valid environment variable name must consist only of printable ASCII characters other than '='"
        complaints.append(rule)
    return complaints


def header_name(text: str) -> list[str]:
    """What is said against the name of an HTTP header."""
    if _header(text):
        return []
    rule = "a valid HTTP header must consist of alphanumeric characters or '-'"
    return [f"{rule} (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')"]
