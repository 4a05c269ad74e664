"""A list, page by page.

    async for pod in api.list(Pod): …          # one page in memory at a time
    page = await api.list(Pod)                 # all of it, with the resourceVersion it is of
    async for page in api.list(Pod).pages(): …

All pages are of one moment. When the server has forgotten that moment while we were reading (410), what was handed out
cannot be taken back: the iteration goes on behind it with the objects as they are then, and `await` reads everything
anew in one piece, as client-go's pager does, so that what it gives is of one moment in any case.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import msgspec

from kubewright.client.answer import ListHead, check_list
from kubewright.client.endpoint import Endpoint, EndpointError
from kubewright.client.errors import Expired

__all__ = ["PAGE", "Listing", "Page", "RawPage", "read_page"]

T = TypeVar("T")

#: Objects a page; client-go's number.
PAGE = 500

#: Asks for one page: how many objects at most (0: all), and the token of the page before.
Ask = Callable[[int, str], Awaitable[bytes]]


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Objects, and the resourceVersion they are of. `go_on` is the token of the next page, empty on the last."""

    items: list[T]
    resource_version: str
    go_on: str = ""
    #: Whether some objects before this page's may not be of its resourceVersion: the pages expired under way.
    mixed: bool = False


class _Meta(msgspec.Struct):
    resourceVersion: str = ""  # noqa: N815 - the wire's name
    go_on: str = msgspec.field(default="", name="continue")


class RawPage(ListHead, kw_only=True):
    """A page whose objects stay bytes."""

    metadata: _Meta = msgspec.field(default_factory=_Meta)


_read = msgspec.json.Decoder(RawPage).decode


def read_page(data: bytes, source: str) -> RawPage:
    """Take a list apart, without looking into its objects."""
    try:
        return _read(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise EndpointError(f"{source} is no list: {error}; it begins {data[:40]!r}.") from error


class Listing(Generic[T]):
    """A list that is read when it is awaited or iterated; each time anew."""

    def __init__(self, endpoint: Endpoint[T], ask: Ask, limit: int = PAGE) -> None:
        self._endpoint = endpoint
        self._ask = ask
        self._limit = limit
        self._source = f"a list of {endpoint.resource}"

    async def pages(self) -> AsyncIterator[Page[T]]:
        """Page by page."""
        token, mixed = "", False
        tokens: set[str] = set()
        while True:
            try:
                page = await self._page(self._limit, token, tokens)
            except Expired as error:
                if not token or not error.go_on:
                    raise
                token, mixed = error.go_on, True
                continue
            yield replace(page, mixed=True) if mixed else page
            token = page.go_on
            if not token:
                return

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in page.items:
                yield item

    def __await__(self) -> Generator[Any, None, Page[T]]:
        return self._all().__await__()

    async def _all(self) -> Page[T]:
        items: list[T] = []
        version, token = "", ""
        tokens: set[str] = set()
        while True:
            try:
                page = await self._page(self._limit, token, tokens)
            except Expired:
                if not token:
                    raise
                return await self._page(0, "", set())
            items += page.items
            version = version or page.resource_version
            token = page.go_on
            if not token:
                return Page(items, version)

    async def _page(self, limit: int, token: str, tokens: set[str]) -> Page[T]:
        """A page; `tokens` are those of the pages before, of which none comes again."""
        data = await self._ask(limit, token)
        raw = read_page(data, self._source)
        check_list(self._endpoint, raw, data, f"the answer to {self._source}")
        if raw.metadata.go_on in tokens:
            raise EndpointError(f"{self._source} has no end: a page of it leads back to an earlier one.")
        tokens.add(raw.metadata.go_on)
        read = self._endpoint.read
        items = [read(bytes(item), self._source) for item in raw.items or ()]
        return Page(items, raw.metadata.resourceVersion, raw.metadata.go_on)
