"""A relay between a client and a server, whose connections can be frozen."""

import asyncio
import contextlib

__all__ = ["Relay"]


class Relay:
    """Carries bytes to a server; connections can be frozen, so that neither side learns anything."""

    def __init__(self, host: str, port: int) -> None:
        self._target = host, port
        self._open: dict[asyncio.Event, None] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.port = 0

    async def __aenter__(self) -> "Relay":
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *error: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def freeze(self) -> int:
        """Let nothing more pass on the connections there are; how many they are."""
        for flows in self._open:
            flows.clear()
        return len(self._open)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        flows = asyncio.Event()
        flows.set()
        self._open[flows] = None
        there, back = await asyncio.open_connection(*self._target)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(_copy(reader, back, flows))
                group.create_task(_copy(there, writer, flows))
        finally:
            del self._open[flows]
            self._tasks.discard(task)
            writer.close()
            back.close()


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter, flows: asyncio.Event) -> None:
    with contextlib.suppress(ConnectionError):
        while data := await source.read(65536):
            await flows.wait()
            target.write(data)
            await target.drain()
        target.close()
