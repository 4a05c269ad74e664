"""Media types: which the server has, and which one a request's Content-Type names.

    request_media(content_type: bytes | None, *, custom=False) -> str        # JSON, YAML or protobuf; Failure 415

A request without a Content-Type is JSON (some clients send none). Parameters are read, since a malformed one makes the
whole type unknown, and then ignored. Protobuf has no message for a custom resource.
"""

import re
from functools import lru_cache
from typing import Final

from kubewright.cluster.wire.status import unsupported_media_type

__all__ = ["JSON", "PROTOBUF", "SUPPORTED", "YAML", "request_media"]

JSON: Final = "application/json"
YAML: Final = "application/yaml"
PROTOBUF: Final = "application/vnd.kubernetes.protobuf"
#: As the server lists them, for custom resources too.
SUPPORTED: Final = (JSON, YAML, PROTOBUF)

_TOKEN: Final = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_TYPE: Final = re.compile(rf"\s*({_TOKEN}/{_TOKEN})\s*")
_PARAMETER: Final = re.compile(rf'\s*;\s*({_TOKEN})\s*=\s*({_TOKEN}|"(?:[^"\\\r\n]|\\[^\r\n])*")')
_END: Final = re.compile(r"\s*;?\s*")


def request_media(content_type: bytes | None, *, custom: bool = False) -> str:
    """The media type of a request's body: JSON, YAML or protobuf, or else a `Failure`."""
    if not content_type:
        return JSON
    media = _media(content_type)
    if media == PROTOBUF and custom:
        raise unsupported_media_type((JSON, YAML))
    if media is None:
        raise unsupported_media_type(SUPPORTED)
    return media


@lru_cache(256)
def _media(content_type: bytes) -> str | None:
    text = content_type.decode("latin-1")
    head, separator, rest = text.partition(";")
    found = _TYPE.fullmatch(head)
    if found is None or (media := found[1].lower()) not in SUPPORTED:
        return None
    rest = separator + rest
    seen: dict[str, str] = {}
    at = 0
    while parameter := _PARAMETER.match(rest, at):
        name, value = parameter[1].lower(), parameter[2]
        if seen.setdefault(name, value) != value:
            return None
        at = parameter.end()
    return media if _END.fullmatch(rest, at) else None
