"""The log of a container, at once or as it is written.

text = await api.logs("web")
async for line in api.logs("web", follow=True, tail=10):
    print(line)
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from typing import Any

from kubewright.http import Response

__all__ = ["Log"]


class Log:
    """`await` it for the whole text; `async for` its lines, without their ends. Asked for when it is read."""

    def __init__(self, ask: Callable[[], Awaitable[Response]]) -> None:
        self._ask = ask

    def __await__(self) -> Generator[Any, None, str]:
        return self._read().__await__()

    async def _read(self) -> str:
        async with await self._ask() as response:
            return (await response.read()).decode(errors="replace")

    async def __aiter__(self) -> AsyncIterator[str]:
        rest = b""
        async with await self._ask() as response:
            async for piece in response:
                *lines, rest = (rest + piece).split(b"\n")
                for line in lines:
                    yield line.decode(errors="replace")
        if rest:
            yield rest.decode(errors="replace")
