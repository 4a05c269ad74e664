"""Where a webhook is and which reviews it reads, as far as it can be judged without asking it.

The server's own reader of URLs is Go's; of what it refuses, the usual mistakes are known here.
"""

from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urlsplit

from kubewright.schema.expression import expression
from kubewright.schema.walk.errors import FieldError, invalid, required
from kubewright.schema.walk.golang import quote
from kubewright.schema.walk.names import resource_kind, subdomain

__all__ = ["check_client", "check_reviews"]

Document = dict[str, Any]

_FORM: Final = "; desired format: https://host[/path]"
_REVIEWS: Final = ("v1", "v1beta1")
_ESCAPE: Final = expression("%(?![0-9a-fA-F]{2}).{0,2}")
_SCHEME: Final = expression("[a-zA-Z][a-zA-Z0-9+.-]*:")


def check_client(client: Document, path: str) -> Iterator[FieldError]:
    """What is wrong with where a webhook is said to be, its certificates apart."""
    url, service = client.get("url"), client.get("service")
    if (url is None) == (service is None):
        yield required(path, "exactly one of url or service is required")
    elif url is not None:
        yield from _url(url, f"{path}.url")
    elif service is not None:
        yield from _service(service, f"{path}.service")


def _url(url: str, path: str) -> Iterator[FieldError]:
    if problem := _unreadable(url):
        yield required(path, f"url must be a valid URL: parse {quote(url)}: {problem}{_FORM}")
        return
    parts = urlsplit(url)
    if parts.scheme != "https":
        yield invalid(path, parts.scheme, f"'https' is the only allowed URL scheme{_FORM}")
    host = parts.netloc.rpartition("@")[2]
    if not host:
        yield invalid(path, host, f"host must be specified{_FORM}")
    if "@" in parts.netloc:
        yield invalid(path, parts.netloc.rpartition("@")[0], "user information is not permitted in the URL")
    if parts.fragment:
        yield invalid(path, parts.fragment, "fragments are not permitted in the URL")
    if parts.query:
        yield invalid(path, parts.query, "query parameters are not permitted in the URL")


def _unreadable(url: str) -> str:
    """Why Go cannot read a URL; empty if it can."""
    if any(ord(char) < 0x20 or ord(char) == 0x7F for char in url):
        return "net/url: invalid control character in URL"
    if url.startswith(":"):
        return "missing protocol scheme"
    rest = url.partition("#")[0].partition("?")[0]
    if found := _ESCAPE.search(rest):
        return f"invalid URL escape {quote(found[0])}"
    scheme = _SCHEME.match(url)
    if scheme is None and ":" in rest.partition("/")[0]:
        return "first path segment in URL cannot contain colon"
    try:
        authority = urlsplit(url).netloc.rpartition("@")[2]
    except ValueError:
        return "missing ']' in host"
    if " " in authority:
        return 'invalid character " " in host name'
    port = authority.rpartition("]")[2].partition(":")
    if port[1] and port[2] and not port[2].isdecimal():
        return f"invalid port {quote(':' + port[2])} after host"
    return ""


def _service(service: Document, path: str) -> Iterator[FieldError]:
    # The server hands the two over in the wrong order, and tells of them so.
    for name, given in (("name", "namespace"), ("namespace", "name")):
        if not service.get(given):
            yield required(f"{path}.{name}")
    port = service.get("port", 443)
    if not 1 <= port <= 65535:
        yield invalid(f"{path}.port", port, "port is not valid: must be between 1 and 65535, inclusive")
    place = service.get("path")
    if place is None or place in ("", "/"):
        return
    path = f"{path}.path"
    if place == "//":
        yield invalid(path, place, "segment[0] may not be empty")
        return
    if not place.startswith("/"):
        yield invalid(path, place, "must start with a '/'")
    for index, step in enumerate(place[1:].removesuffix("/").split("/")):
        if not step:
            yield invalid(path, place, f"segment[{index}] may not be empty")
            continue
        yield from (invalid(path, place, f"segment[{index}]: {complaint}") for complaint in subdomain(step))


def check_reviews(
    versions: list[str], path: str, *, why_required: str = "", any_version: bool = False
) -> Iterator[FieldError]:
    """What is wrong with the versions of reviews that a webhook reads; `any_version`: ours need not be among them."""
    if not versions:
        yield required(path, why_required)
        return
    for index, version in enumerate(versions):
        if version in versions[:index]:
            yield invalid(f"{path}[{index}]", version, "duplicate version")
        else:
            yield from (invalid(f"{path}[{index}]", version, complaint) for complaint in resource_kind(version))
    if not any_version and not any(version in _REVIEWS for version in versions):
        yield invalid(path, versions, f"must include at least one of {', '.join(_REVIEWS)}")
