"""Named formats: `format.dns1123Label().validate(name)` gives the complaints about a text, or none.

The texts of the complaints are the server's, since rules put them into their messages.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import Final

from kubewright.cel.library.overload import Overload
from kubewright.cel.library.urls import check_url
from kubewright.cel.times import is_date, is_date_time
from kubewright.cel.values import NONE, Native, Opaque, Optional, no_such_overload
from kubewright.model.selectors.names import label_key, label_value

__all__ = ["FORMATS", "OVERLOADS", "Format"]


class Format(Opaque):
    """A named format; `regex_size` is the length of pattern that its price is reckoned with."""

    __slots__ = ("complaints", "name", "regex_size")

    type_name = "kubernetes.NamedFormat"

    def __init__(self, name: str, complaints: Callable[[str], list[str]], regex_size: int) -> None:
        self.name = name
        self.complaints = complaints
        self.regex_size = regex_size

    def equals(self, other: Native) -> bool:
        if type(other) is not Format:
            raise no_such_overload()
        return self.name == other.name


_LABEL: Final = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_LABEL_1035: Final = "[a-z]([-a-z0-9]*[a-z0-9])?"
_is_label: Final = re.compile(_LABEL).fullmatch
_is_label_1035: Final = re.compile(_LABEL_1035).fullmatch
_LABEL_RULE: Final = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with "
    f"an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '{_LABEL}')"
)
_SUBDOMAIN_RULE: Final = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    rf"end with an alphanumeric character (e.g. 'example.com', regex used for validation is '{_LABEL}(\.{_LABEL})*')"
)
_LABEL_1035_RULE: Final = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, "
    f"and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is "
    f"'{_LABEL_1035}')"
)


def _too_long(text: str, limit: int) -> list[str]:
    if len(text.encode(errors="replace")) > limit:
        return [f"must be no more than {limit} characters"]
    return []


def _masked(text: str, prefix: bool) -> str:
    """A prefix may end in a dash: the name made from it will not."""
    return text[:-2] + "a" if prefix and len(text) > 1 and text.endswith("-") else text


def _label(text: str, *, prefix: bool) -> list[str]:
    text = _masked(text, prefix)
    complaints = _too_long(text, 63)
    if not _is_label(text):
        complaints.append("must not contain dots" if _is_subdomain(text) else _LABEL_RULE)
    return complaints


def _is_subdomain(text: str) -> bool:
    # Label by label: one expression for the whole name would try every way to split it.
    return all(map(_is_label, text.split(".")))


def _subdomain(text: str, *, prefix: bool) -> list[str]:
    text = _masked(text, prefix)
    return [*_too_long(text, 253), *([] if _is_subdomain(text) else [_SUBDOMAIN_RULE])]


def _label_1035(text: str, *, prefix: bool) -> list[str]:
    text = _masked(text, prefix)
    return [*_too_long(text, 63), *([] if _is_label_1035(text) else [_LABEL_1035_RULE])]


def _uri(text: str) -> list[str]:
    reason = check_url(text)
    return [] if reason is None else [reason]


_is_uuid: Final = re.compile(
    "[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}"
).fullmatch
_is_base64: Final = re.compile(
    "(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})"
).fullmatch


def _shape(holds: Callable[[str], object], complaint: str) -> Callable[[str], list[str]]:
    return lambda text: [] if holds(text) else [complaint]


FORMATS: Final = {
    "dns1123Label": Format("DNS1123Label", partial(_label, prefix=False), 30),
    "dns1123Subdomain": Format("DNS1123Subdomain", partial(_subdomain, prefix=False), 60),
    "dns1035Label": Format("DNS1035Label", partial(_label_1035, prefix=False), 30),
    "qualifiedName": Format("QualifiedName", label_key, 60),
    "dns1123LabelPrefix": Format("DNS1123LabelPrefix", partial(_label, prefix=True), 30),
    "dns1123SubdomainPrefix": Format("DNS1123SubdomainPrefix", partial(_subdomain, prefix=True), 60),
    "dns1035LabelPrefix": Format("DNS1035LabelPrefix", partial(_label_1035, prefix=True), 30),
    "labelValue": Format("LabelValue", label_value, 40),
    "uri": Format("URI", _uri, 1103),
    "uuid": Format("uuid", _shape(_is_uuid, "does not match the UUID format"), 70),
    "byte": Format("byte", _shape(_is_base64, "invalid base64"), 84),
    "date": Format("date", _shape(is_date, "invalid date"), 71),
    "datetime": Format("datetime", _shape(is_date_time, "invalid datetime"), 71),
}


def validate(format_: Format, text: str) -> Optional:
    """The complaints about a text, if there are any."""
    complaints = format_.complaints(text)
    return Optional(complaints) if complaints else NONE


def named(name: str) -> Optional:
    """The format of that name, if there is one."""
    found = FORMATS.get(name)
    return NONE if found is None else Optional(found)


def _constant(format_: Format) -> Callable[[], Format]:
    return lambda: format_


OVERLOADS: Final = {
    "format-validate": Overload("validate", validate, ("kubernetes.NamedFormat", "string")),
    "format-named": Overload("format.named", named, ("string",)),
    **{f"format.{name}": Overload(f"format.{name}", _constant(format_), ()) for name, format_ in FORMATS.items()},
}
