"""URLs as values: `url("https://example.com:80/a?b=c")` and its parts, read as Go's net/url reads them.

Only what a request line may hold is taken: an absolute URL or an absolute path.
"""

import re
from typing import Final

from kubewright.cel.conversions import utf8
from kubewright.cel.library.address import AddressError, parse_address
from kubewright.cel.library.overload import Overload
from kubewright.cel.memory import remembered
from kubewright.cel.values import EvaluationError, Native, Opaque, no_such_overload
from kubewright.model.selectors.names import quote

__all__ = ["OVERLOADS", "URL", "check_url", "string_to_url"]


class URL(Opaque):
    """The parts of a URL that CEL can ask for, and its whole text for equality."""

    __slots__ = ("host", "path", "query", "scheme", "whole")

    type_name = "kubernetes.URL"

    def __init__(self, scheme: str, host: str, path: str, query: str, whole: str) -> None:
        self.scheme = scheme
        self.host = host
        self.path = path
        self.query = query
        self.whole = whole

    def equals(self, other: Native) -> bool:
        if type(other) is not URL:
            raise no_such_overload()
        return self.whole == other.whole


class _Refused(Exception):
    """Why a text is no URL."""


_control: Final = re.compile(r"[\x00-\x1f\x7f]").search
_bad_escape: Final = re.compile(r"%(?![0-9a-fA-F]{2})").search
_escape: Final = re.compile(r"%([0-9a-fA-F]{2})")
_scheme: Final = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):").match
_is_userinfo: Final = re.compile(r"[A-Za-z0-9\-._:~!$&'()*+,;=%@]*").fullmatch
_is_port: Final = re.compile("(?::[0-9]*)?").fullmatch
_HOST: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~!$&'()*+,;=:[]<>\"")
_PATH: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~$&+,/:;=@")
# In a path that was written with escapes these may stand as they are as well.
_KEPT: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~$&+,/:;=@!'()*[]%")


def _split(text: str, *, request: bool) -> tuple[str, str, str, str]:
    """Scheme, host, path as written, query."""
    if _control(text):
        raise _Refused("net/url: invalid control character in URL")
    if not text and request:
        raise _Refused("empty url")
    if text == "*":
        return "", "", "*", ""
    if text.startswith(":"):
        raise _Refused("missing protocol scheme")
    scheme, rest = "", text
    if match := _scheme(text):
        scheme, rest = match[1].lower(), text[match.end() :]
    rest, _, query = rest.partition("?")
    if not rest.startswith("/"):
        if scheme:
            return scheme, "", "", query
        if request:
            raise _Refused("invalid URI for request")
    host = ""
    if (scheme or (not request and not rest.startswith("///"))) and rest.startswith("//"):
        authority, slash, path = rest[2:].partition("/")
        host, rest = _authority(scheme, authority), slash + path
    _check_escapes(rest)
    return scheme, host, rest, query


def _check_escapes(text: str) -> None:
    if reason := _escape_reason(text):
        raise _Refused(reason)


def _escape_reason(text: str) -> str:
    """What is wrong with the escapes in a text; empty if nothing is."""
    bad = _bad_escape(text)
    return f"invalid URL escape {quote(text[bad.start() : bad.start() + 3])}" if bad else ""


def _authority(scheme: str, authority: str) -> str:
    userinfo, at, host = authority.rpartition("@")
    host = _host(scheme, host)
    if at:
        if not _is_userinfo(userinfo):
            raise _Refused("net/url: invalid userinfo")
        _check_escapes(userinfo)
    return host


def _host(scheme: str, host: str) -> str:
    bracket = host.rfind("[")
    if bracket > 0:
        raise _Refused("invalid IP-literal")
    if bracket == 0:
        return _bracketed(host)
    first, last = host.find(":"), host.rfind(":")
    if first >= 0:
        port = host[first if scheme in ("http", "https") else last :]
        if not _is_port(port):
            raise _Refused(f"invalid port {quote(port)} after host")
    return _unescape_host(host)


def _bracketed(host: str) -> str:
    close = host.rfind("]")
    if close < 0:
        raise _Refused("missing ']' in host")
    port = host[close + 1 :]
    if not _is_port(port):
        raise _Refused(f"invalid port {quote(port)} after host")
    name, mark, zone = host[1:close].partition("%25")
    address = _unescape_host(name)
    if mark:
        address += _unescape_host(mark + zone, zone=True)
    try:
        version = parse_address(address).version
    except AddressError as error:
        raise _Refused(f"invalid host: {error}") from None
    if version == 4:
        raise _Refused("invalid IP-literal")
    return f"[{address}]{port}"


def _unescape_host(text: str, *, zone: bool = False) -> str:
    place = 0
    while place < len(text):
        char = text[place]
        if char != "%":
            if char < "\x80" and char not in _HOST:
                raise _Refused(f"invalid character {quote(char)} in host name")
            place += 1
            continue
        escape = text[place : place + 3]
        if not _escape.fullmatch(escape):
            raise _Refused(f"invalid URL escape {quote(escape)}")
        code = int(escape[1:], 16)
        # A host may escape what is not ASCII; a zone what it could have written, and a space.
        allowed = code == 0x20 or chr(code) in _HOST if zone else code >= 0x80
        if escape != "%25" and not allowed:
            raise _Refused(f"invalid URL escape {quote(escape)}")
        place += 3
    return _unescape(text)


def _unescape(text: str) -> str:
    if "%" not in text:
        return text
    raw = re.sub(rb"%([0-9a-fA-F]{2})", lambda match: bytes((int(match[1], 16),)), utf8(text))
    return raw.decode(errors="replace")


def _escaped_path(written: str) -> str:
    """The path as a URL writes it: as it was written where that is an encoding, else encoded anew."""
    if _KEPT.issuperset(written) or written == "*":
        return written
    raw = re.sub(rb"%([0-9a-fA-F]{2})", lambda match: bytes((int(match[1], 16),)), utf8(written))
    return "".join(chr(byte) if byte in _PATH else f"%{byte:02X}" for byte in raw)


def check_url(text: str) -> str | None:
    """Why a text is no URL of a request; None if it is one."""
    try:
        _split(text, request=True)
    except _Refused as reason:
        return f"parse {quote(text)}: {reason}"
    return None


def _read(text: str) -> URL:
    reason = check_url(text)
    if reason is None:
        # Read again: a request has no fragment, and a URL has.
        document, _, fragment = text.partition("#")
        try:
            scheme, host, path, query = _split(document, request=False)
        except _Refused as refusal:
            reason = f"parse {quote(document)}: {refusal}"
        else:
            if not _bad_escape(fragment):
                return URL(scheme, host, _escaped_path(path), query, text)
            reason = f"parse {quote(text)}: {_escape_reason(fragment)}"
    raise EvaluationError(f"URL parse error during conversion from string: {reason}")


#: `url(text)`.
string_to_url: Final = remembered(_read)
#: Whether a text is a URL of a request.
is_url: Final = remembered(lambda text: check_url(text) is None)


def _hostname(url: URL) -> str:
    host = _without_port(url.host)[0]
    return host[1:-1] if host.startswith("[") and host.endswith("]") else host


def _port(url: URL) -> str:
    return _without_port(url.host)[1]


def _without_port(host: str) -> tuple[str, str]:
    name, colon, port = host.rpartition(":")
    return (name, port) if colon and _is_port(colon + port) else (host, "")


def query_of(url: URL) -> dict[str, list[str]]:
    """The parameters of the query; those that cannot be read are left out."""
    found: dict[str, list[str]] = {}
    for part in url.query.split("&"):
        if not part or ";" in part or _bad_escape(part):
            continue
        key, _, value = part.partition("=")
        found.setdefault(_unescape(key.replace("+", " ")), []).append(_unescape(value.replace("+", " ")))
    return found


_U: Final = "kubernetes.URL"

OVERLOADS: Final = {
    "string_to_url": Overload("url", string_to_url, ("string",)),
    "is_url_string": Overload("isURL", is_url, ("string",)),
    "url_get_scheme": Overload("getScheme", lambda url: url.scheme, (_U,)),
    "url_get_host": Overload("getHost", lambda url: url.host, (_U,)),
    "url_get_hostname": Overload("getHostname", _hostname, (_U,)),
    "url_get_port": Overload("getPort", _port, (_U,)),
    "url_get_escaped_path": Overload("getEscapedPath", lambda url: url.path, (_U,)),
    "url_get_query": Overload("getQuery", query_of, (_U,)),
}
