"""Revisions as clients name them: reading a resourceVersion, waiting for one, and the token of a page."""

import asyncio
import base64
import binascii
import posixpath
from typing import Any, NamedTuple

import msgspec

from kubewright.cluster.store import Record, Store
from kubewright.cluster.verbs.status import Failure, bad_request, too_large_version
from kubewright.schema.walk.golang import quote

__all__ = ["Token", "fresh", "object_version", "read_token", "read_version"]

#: How long a reader waits for a revision that does not exist yet.
PATIENCE = 3.0
_UINT64 = 1 << 64


def read_version(text: str) -> int:
    """The number of a resourceVersion, 0 if there is none."""
    if not text:
        return 0
    if not (text.isascii() and text.isdigit()):
        raise _unreadable(text, "invalid syntax")
    if (number := int(text)) >= _UINT64:
        raise _unreadable(text, "value out of range")
    return number


def _unreadable(text: str, why: str) -> Failure:
    shown = quote(text)
    return bad_request(f"resourceVersion: Invalid value: {shown}: strconv.ParseUint: parsing {shown}: {why}")


def object_version(meta: dict[str, Any]) -> int:
    """The resourceVersion that an object names, 0 if none."""
    return read_version(meta.get("resourceVersion") or "")


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
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        token = msgspec.json.decode(data, type=Token)
    except (binascii.Error, ValueError) as error:
        raise bad_request(f"continue key is not valid: {error}") from None
    if token.form != "meta.k8s.io/v1":
        raise bad_request(f"continue key is not valid: server does not recognize this encoded version {token.form}")
    if token.revision == 0:
        raise bad_request("continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)")
    if not token.start:
        raise bad_request("continue key is not valid: encoded start key empty (version meta.k8s.io/v1)")
    start = token.start if token.start.startswith("/") else "/" + token.start
    if posixpath.normpath(start) != start:
        raise bad_request(f"continue key is not valid: {token.start}")
    return Place(prefix + start, token.revision)
