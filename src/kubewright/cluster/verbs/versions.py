"""Revisions as clients name them: reading a resourceVersion, waiting for one, and the token of a page."""

import asyncio
import base64
import json
import posixpath
from typing import Any, NamedTuple

import msgspec

from kubewright.cluster.patches.syntax import syntax_error
from kubewright.cluster.store import Record, Store
from kubewright.cluster.wire.status import Failure, bad_request, broken, too_large_version
from kubewright.cluster.wire.unreadable import text_of
from kubewright.schema.expression import expression
from kubewright.schema.walk.golang import quote

__all__ = [
    "BadVersion",
    "Token",
    "asked_version",
    "fresh",
    "listed_version",
    "object_version",
    "read_token",
    "read_version",
]

#: How long a reader waits for a revision that does not exist yet.
PATIENCE = 3.0
_UINT64 = 1 << 64
_NO_BASE64 = expression(r"[^A-Za-z0-9_-]")
_INTEGER = expression(r"-?[0-9]{1,19}")
_SURROGATE = expression("[\ud800-\udfff]")
_INT64 = 1 << 63


class _Number(str):
    """A number of a JSON text, as it stands there."""

    __slots__ = ()


#: How Go calls what stands in a JSON text, and the members of a token with their types.
_WORDS = {str: "string", bool: "bool", _Number: "number", list: "array", dict: "object"}
_MEMBERS = {"v": ("form", "string"), "rv": ("revision", "int64"), "start": ("start", "string")}


class BadVersion(ValueError):
    """A text that is no resourceVersion, with what Go says of it; who asked decides what the client hears."""


def read_version(text: str) -> int:
    """The number of a resourceVersion, 0 if there is none."""
    if not text:
        return 0
    if not (text.isascii() and text.isdigit()):
        raise BadVersion(f"strconv.ParseUint: parsing {quote(text)}: invalid syntax")
    digits = text.lstrip("0")[:21]  # so many are too many already
    if (number := int(digits or "0")) >= _UINT64:
        raise BadVersion(f"strconv.ParseUint: parsing {quote(text)}: value out of range")
    return number


def asked_version(text: str) -> int:
    """The resourceVersion of a get or a watch. What is none there, the server takes for a mistake of its own."""
    try:
        return read_version(text)
    except BadVersion as error:
        raise broken(f"resourceVersion: Invalid value: {quote(text)}: {error}") from None


def listed_version(text: str) -> int:
    """The resourceVersion of a list."""
    try:
        return read_version(text)
    except BadVersion as error:
        raise bad_request(f"invalid resource version: resourceVersion: Invalid value: {quote(text)}: {error}") from None


def object_version(meta: dict[str, Any]) -> int:
    """The resourceVersion that an object names, 0 if none."""
    try:
        return read_version(meta.get("resourceVersion") or "")
    except BadVersion as error:
        raise broken(str(error)) from None


async def fresh(store: Store, version: int) -> None:
    """Wait until the store has come to a revision; give up after three seconds."""
    if version <= store.revision:
        return
    reached = asyncio.Event()

    def notice(record: Record) -> None:
        if record.revision >= version:
            reached.set()

    end = store.listen("/", notice)
    try:
        async with asyncio.timeout(PATIENCE):
            await reached.wait()
    except TimeoutError:
        raise too_large_version(version, store.revision) from None
    finally:
        end()


class Token(msgspec.Struct, rename={"form": "v", "revision": "rv"}):
    """Where a paged list goes on: behind which key, and at which revision; -1 for whatever is newest."""

    form: str = ""
    revision: int = 0
    start: str = ""

    def write(self) -> str:
        """The token as the client gets it."""
        return base64.urlsafe_b64encode(msgspec.json.encode(self)).rstrip(b"=").decode()


class Place(NamedTuple):
    """What a token means."""

    key: str
    revision: int


def read_token(text: str, prefix: str) -> Place:
    """The key to begin at, under a prefix without its last slash, and the revision; refused if it is no token."""
    token = _decode_token(text)
    if token.form != "meta.k8s.io/v1":
        raise _invalid(f": server does not recognize this encoded version {token.form}")
    if token.revision == 0:
        raise _invalid(": incorrect encoded start resourceVersion (version meta.k8s.io/v1)")
    if not token.start:
        raise _invalid(": encoded start key empty (version meta.k8s.io/v1)")
    start = token.start if token.start.startswith("/") else "/" + token.start
    if posixpath.normpath(start) != start:
        raise _invalid(f": {token.start}")
    return Place(prefix + start, token.revision)


def _decode_token(text: str) -> Token:
    # Go stops at the first character that is no base64, or where four of them are left incomplete.
    bad = _NO_BASE64.search(text)
    at = bad.start() if bad is not None else len(text) - 1 if len(text) % 4 == 1 else -1
    if at >= 0:
        raise _invalid(f": illegal base64 data at input byte {at}")
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if (why := syntax_error(data)) is not None:
        raise _invalid(f": {why}")
    value = json.loads(text_of(data), parse_int=_Number, parse_float=_Number)
    if value is not None and not isinstance(value, dict):
        raise _invalid(f": json: cannot unmarshal {_WORDS[type(value)]} into Go value of type storage.continueToken")
    token = Token()
    for key, member in (value or {}).items():
        if (known := _MEMBERS.get(key.lower())) is None or member is None:
            continue
        name, go = known
        if go == "int64":
            if type(member) is _Number and _INTEGER.fullmatch(member) and -_INT64 <= int(member) < _INT64:
                token.revision = int(member)
                continue
        elif type(member) is str:
            setattr(token, name, _SURROGATE.sub("\ufffd", member))
            continue
        got = _WORDS[type(member)] + (f" {member}" if type(member) is _Number and go == "int64" else "")
        raise _invalid(f": json: cannot unmarshal {got} into Go struct field continueToken.{key.lower()} of type {go}")
    return token


def _invalid(why: str) -> Failure:
    return bad_request(f"invalid continue token: continue key is not valid{why}")
