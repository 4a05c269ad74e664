"""The string formats Kubernetes checks, with its verdicts.

The API server takes these verdicts from Go's standard library and a few small validators, with all their leniencies: a
URI may be an absolute path, an IPv4 address may have leading zeros, "3 weeks" is a duration, a date-time may end in a
lower-case z. Each function below answers as they do, since an object that one server takes another must not refuse.
Formats that are not in the table are ignored, as Kubernetes ignores them; dashes in their names do not count.
"""

import re
from calendar import monthrange
from collections.abc import Callable
from functools import cache

from kubewright.schema.address import is_cidr, is_ipv4, is_ipv6
from kubewright.schema.expression import expression, whole
from kubewright.schema.mailbox import is_mailbox
from kubewright.schema.pattern import compile_pattern

__all__ = ["format_check", "known_format"]

_NUMERIC = {"integer": ("int32", "int64"), "number": ("float", "double")}


def known_format(name: str, type_: str) -> str:
    """Return `name` if the server heeds this format on `type_` (empty: no single type), else the empty string."""
    if type_ in ("", "string"):
        return name if name.replace("-", "") in _CHECKS else ""
    return name if name in _NUMERIC.get(type_, ()) else ""


def format_check(name: str) -> Callable[[str], bool] | None:
    """Return the check of a string format, or None for one that says nothing of strings."""
    return _CHECKS.get(name.replace("-", ""))


# Names


_short_name = whole("[a-z0-9]([-a-z0-9]*[a-z0-9])?")


@cache
def _hostname_pattern() -> Callable[[str], bool]:
    """Compiled on first use: its classes of Unicode letters, sixty times each, take RE2 a tenth of a second."""
    return compile_pattern(
        r"^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)"
        r"|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$"
    )


def _size(text: str) -> int:
    return len(text.encode(errors="replace"))


def _k8s_short_name(text: str) -> bool:
    return len(text) <= 63 and _short_name(text)


def _k8s_long_name(text: str) -> bool:
    # Label by label: one expression for the whole name would try every way to split it.
    return len(text) <= 253 and all(map(_short_name, text.split(".")))


def _hostname(text: str) -> bool:
    return _hostname_pattern()(text) and _size(text) <= 255 and all(_size(label) <= 63 for label in text.split("."))


# Addresses

_mac_shapes = tuple(
    whole(shape)
    for pairs in (6, 8, 20)
    for shape in (
        f"[0-9a-fA-F]{{2}}(:[0-9a-fA-F]{{2}}){{{pairs - 1}}}",
        f"[0-9a-fA-F]{{2}}(-[0-9a-fA-F]{{2}}){{{pairs - 1}}}",
        f"[0-9a-fA-F]{{4}}(\\.[0-9a-fA-F]{{4}}){{{pairs // 2 - 1}}}",
        f"[0-9a-fA-F]{{{2 * pairs}}}",
    )
)


def _mac(text: str) -> bool:
    return any(shape(text) for shape in _mac_shapes)


# URIs: what net/url.ParseRequestURI takes

_control = expression(r"[\x00-\x1f\x7f]")
_bad_escape = expression(r"%(?![0-9a-fA-F]{2})")
_scheme = expression(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
_userinfo = whole(r"[A-Za-z0-9\-._:~!$&'()*+,;=%@]*")
_port = whole("(:[0-9]*)?")
# In a host only bytes from 0x80 on may be escaped, and %25, the percent sign of an IPv6 zone.
_host = whole(r"([A-Za-z0-9\-_.~!$&'()*+,;=:\[\]<>\"\x80-\U0010ffff]|%25|%[89a-fA-F][0-9a-fA-F])*")
_zone_plain = whole(r"([A-Za-z0-9\-_.~!$&'()*+,;=:\[\]<>\"\x80-\U0010ffff]|%[0-9a-fA-F]{2})*")
_zone_escaped = expression(r"%([0-9a-fA-F]{2})")
_zone_allowed = whole(r"[A-Za-z0-9\-_.~!$&'()*+,;=:\[\]<>\" ]")


def _uri(text: str) -> bool:
    if _control.search(text) or not text or text.startswith(":"):
        return False
    if text == "*":
        return True
    scheme, rest = "", text
    if match := _scheme.match(text):
        scheme, rest = match[1].lower(), text[match.end() :]
    rest = rest.partition("?")[0]
    if not rest.startswith("/"):
        return bool(scheme)
    if scheme and rest.startswith("//"):
        authority, slash, path = rest[2:].partition("/")
        if not _authority(scheme, authority):
            return False
        rest = slash + path
    return not _bad_escape.search(rest)


def _authority(scheme: str, authority: str) -> bool:
    userinfo, _, host = authority.rpartition("@")
    return _uri_host(scheme, host) and _userinfo(userinfo) and not _bad_escape.search(userinfo)


def _uri_host(scheme: str, host: str) -> bool:
    bracket = host.rfind("[")
    if bracket > 0:
        return False
    if bracket == 0:
        close = host.rfind("]")
        return close > 0 and _port(host[close + 1 :]) and _uri_ipv6(host[1:close])
    first, last = host.find(":"), host.rfind(":")
    if first >= 0 and not _port(host[first if scheme in ("http", "https") else last :]):
        return False
    return _host(host)


def _uri_ipv6(literal: str) -> bool:
    address, mark, zone = literal.partition("%25")
    if mark:
        escapes = _zone_escaped.findall(zone)
        if not zone or not _zone_plain(zone):
            return False
        if not all(e == "25" or _zone_allowed(chr(int(e, 16))) for e in escapes):
            return False
    elif "%" in literal:
        return False
    return _host(address) and is_ipv6(address)


# Dates and durations

_date_shape = expression(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_time_shape = expression(r"([0-9]{2}):([0-9]{2}):([0-9]{2})([^\n][0-9]+)?(z|[+-][0-9]{2}:[0-9]{2})")


def _date(text: str) -> bool:
    match = _date_shape.fullmatch(text)
    if match is None:
        return False
    year, month, day = map(int, match.groups())
    # Year 0 exists in Go's calendar and is a leap year, as 2000 was.
    return 1 <= month <= 12 and 1 <= day <= monthrange(year or 2000, month)[1]


# What nearly every date-time looks like, apart from the last days of a month.
_usual_date_time = whole(
    r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]+)?Z"
)


def _date_time(text: str) -> bool:
    if _usual_date_time(text):
        return True
    # Further parts after a second "t" are not looked at.
    parts = text.lower().split("t")
    if len(parts) < 2 or not _date(parts[0]):
        return False
    match = _time_shape.fullmatch(parts[1])
    return match is not None and int(match[1]) <= 23 and int(match[2]) <= 59 and int(match[3]) <= 59


_NANOSECONDS = {
    "ns": 1,
    "us": 10**3,
    "µs": 10**3,
    "μs": 10**3,
    "ms": 10**6,
    "s": 10**9,
    "m": 60 * 10**9,
    "h": 3600 * 10**9,
}
_duration_part = expression(r"([0-9]*)(?:\.([0-9]*))?([^0-9.]+)")
# From the first of its digits or not at all: a long number without a unit would be tried from each of them.
_worded_part = expression(r"(?<![0-9])([0-9]+)[\t\n\f\r ]*([A-Za-zµ]+)")
# The last spelling of a unit is a prefix ("minutes", "weeks"), the others stand alone.
_WORDED_UNITS = (
    ("ns", "nano"),
    ("us", "µs", "micro"),
    ("ms", "milli"),
    ("s", "sec"),
    ("m", "min"),
    ("h", "hr", "hour"),
    ("d", "day"),
    ("w", "wk", "week"),
)


def _duration(text: str) -> bool:
    return _go_duration(text) or _worded_duration(text)


def _go_duration(text: str) -> bool:
    """Read "1h2m3.5s": at most 2**63 nanoseconds, one less if positive."""
    negative, rest = text.startswith("-"), text[1:] if text[:1] in ("-", "+") else text
    if rest == "0":
        return True
    total, at = 0, 0
    while at < len(rest):
        match = _duration_part.match(rest, at)
        if match is None or not (match[1] or match[2]) or match[3] not in _NANOSECONDS:
            return False
        at = match.end()
        unit = _NANOSECONDS[match[3]]
        # Leading zeros are free in Go, but Python refuses to read thousands of digits.
        whole = match[1].lstrip("0")
        if len(whole) > 19 or int(whole or 0) > 2**63 // unit:
            return False
        part = int(whole or 0) * unit + _fraction(match[2] or "", unit)
        # Go adds in 64 bits: two halves of the range make zero.
        total = (total + part) % 2**64
        if part > 2**63 or total > 2**63:
            return False
    return at > 0 and (total < 2**63 or negative)


def _fraction(digits: str, unit: int) -> int:
    """The nanoseconds of a fraction, in float64 and with the digits that fit 63 bits, as Go computes them."""
    value, scale = 0, 1.0
    for digit in digits:
        if value > (2**63 - 1) // 10 or value * 10 + int(digit) > 2**63:
            break
        value, scale = value * 10 + int(digit), scale * 10
    return int(float(value) * (float(unit) / scale))


def _worded_duration(text: str) -> bool:
    """Read "3 weeks" or "10 min": one known unit anywhere is enough."""
    known = False
    for count, word in _worded_part.findall(text):
        if len(count.lstrip("0")) > 19 or int(count.lstrip("0") or 0) >= 2**63:
            return False
        unit = word.lower()
        known = known or any(unit in names or unit.startswith(names[-1]) for names in _WORDED_UNITS)
    return known


# Numbers that carry a check digit, and the rest

_card = whole(
    "4[0-9]{12}([0-9]{3})?|5[1-5][0-9]{14}|6(011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}"
    "|3(0[0-5]|[68][0-9])[0-9]{11}|(2131|1800|35[0-9]{3})[0-9]{11}"
)
_isbn10_shape, _isbn13_shape = whole("[0-9]{9}[0-9X]"), whole("[0-9]{13}")
_separators = expression(r"[\t\n\f\r -]+")
_channel = r"[\t\n\f\r ]*(0|[1-9][0-9]?|1[0-9][0-9]?|2[0-4][0-9]|25[0-5])[\t\n\f\r ]*"


def _credit_card(text: str) -> bool:
    digits = re.sub("[^0-9]+", "", text)
    if not _card(digits):
        return False
    odd = sum(map(int, digits[-1::-2]))
    even = sum(sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (odd + even) % 10 == 0


def _isbn10(text: str) -> bool:
    digits = _separators.sub("", text)
    if not _isbn10_shape(digits):
        return False
    return sum(place * (10 if digit == "X" else int(digit)) for place, digit in enumerate(digits, 1)) % 11 == 0


def _isbn13(text: str) -> bool:
    digits = _separators.sub("", text)
    return _isbn13_shape(digits) and sum(int(d) * (3 if i % 2 else 1) for i, d in enumerate(digits)) % 10 == 0


def _ssn(text: str) -> bool:
    return len(text) == 11 and _ssn_shape(text)


_ssn_shape = whole("[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}")
_hex = "[0-9a-fA-F]"

_CHECKS: dict[str, Callable[[str], bool]] = {
    "bsonobjectid": whole(f"{_hex}{{24}}"),
    "byte": whole("([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})"),
    "cidr": is_cidr,
    "creditcard": _credit_card,
    "date": _date,
    "datetime": _date_time,
    "duration": _duration,
    "email": is_mailbox,
    "hexcolor": whole(f"#?({_hex}{{3}}|{_hex}{{6}})"),
    "hostname": _hostname,
    "ipv4": is_ipv4,
    "ipv6": is_ipv6,
    "isbn": lambda text: _isbn10(text) or _isbn13(text),
    "isbn10": _isbn10,
    "isbn13": _isbn13,
    "k8slongname": _k8s_long_name,
    "k8sshortname": _k8s_short_name,
    "mac": _mac,
    "password": lambda text: True,
    "rgbcolor": whole(rf"rgb\({_channel},{_channel},{_channel}\)"),
    "ssn": _ssn,
    "uri": _uri,
    "uuid": whole(f"{_hex}{{8}}-?{_hex}{{4}}-?{_hex}{{4}}-?{_hex}{{4}}-?{_hex}{{12}}"),
    "uuid3": whole(f"{_hex}{{8}}-?{_hex}{{4}}-?3{_hex}{{3}}-?{_hex}{{4}}-?{_hex}{{12}}"),
    "uuid4": whole(f"{_hex}{{8}}-?{_hex}{{4}}-?4{_hex}{{3}}-?[89abAB]{_hex}{{3}}-?{_hex}{{12}}"),
    "uuid5": whole(f"{_hex}{{8}}-?{_hex}{{4}}-?5{_hex}{{3}}-?[89abAB]{_hex}{{3}}-?{_hex}{{12}}"),
}
