"""Connections to the ports of a pod, over one WebSocket.

| protocol                      | how                                                                                |
|-------------------------------|------------------------------------------------------------------------------------|
| `v4.channel.k8s.io`           | one connection for each port in the query, on two channels: data, and what is wrong |
| `SPDY/3.1+portforward.k8s.io` | any number, each two streams of SPDY (`spdy`) with the port in their headers        |
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, Final

from kubewright.cluster.nodes.ports import Line, find_port, serve_port
from kubewright.cluster.nodes.spdy import DATA, FIN, GOAWAY, PING, RST_STREAM, SYN_REPLY, SYN_STREAM, Frame, Frames
from kubewright.http.websocket import ClosedError, WebSocket

__all__ = ["CHANNELS", "TUNNEL", "forward"]

Document = dict[str, Any]

CHANNELS: Final = "v4.channel.k8s.io"
TUNNEL: Final = "SPDY/3.1+portforward.k8s.io"


async def forward(socket: WebSocket, pod: Document, listening: Mapping[int, str], ports: Sequence[int]) -> None:
    """Serve a WebSocket that leads to a pod, until its end."""
    session = _Tunnel(socket, pod, listening) if socket.subprotocol == TUNNEL else _Channels(socket, pod, listening)
    try:
        await session.run(ports)
    except ClosedError:
        pass
    finally:
        await session.stop()


class _Mailbox:
    """What comes on one connection, until it is read."""

    def __init__(self, send: Callable[[bytes], Coroutine[Any, Any, None]]) -> None:
        self._arrived: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._send = send

    def put(self, data: bytes | None) -> None:
        self._arrived.put_nowait(data)

    async def read(self) -> bytes | None:
        return await self._arrived.get()

    async def write(self, data: bytes) -> None:
        await self._send(data)


class _Session:
    """What the two protocols have in common: connections, and who serves them."""

    def __init__(self, socket: WebSocket, pod: Document, listening: Mapping[int, str]) -> None:
        self.socket = socket
        self._pod = pod
        self._listening = listening
        self._tasks: set[asyncio.Task[None]] = set()

    def serve(self, coming: Coroutine[Any, Any, None]) -> None:
        """Have a connection served."""
        task = asyncio.create_task(coming)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def connect(self, port: int, line: Line) -> str:
        """Lead a connection to a port, until its end; what was wrong, if anything was."""
        what = find_port(self._pod, port, self._listening)
        meta = self._pod["metadata"]
        about = f"error forwarding port {port} to pod {meta['name']}, uid {meta['uid']}:"
        if what is None:
            return f"{about} failed to connect to localhost:{port} inside namespace: connection refused"
        try:
            await serve_port(line, what)
        except OSError as error:
            return f"{about} {error}"
        return ""

    async def stop(self) -> None:
        """Serve no more."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


class _Channels(_Session):
    async def run(self, ports: Sequence[int]) -> None:
        boxes = []
        for index, port in enumerate(ports):
            box = _Mailbox(self._sender(2 * index))
            boxes.append(box)
            for channel in (2 * index, 2 * index + 1):
                await self.socket.send(bytes([channel]) + port.to_bytes(2, "little"))
            self.serve(self._lead(box, index, port, len(ports)))
        async for message in self.socket:
            data = message if isinstance(message, bytes) else message.encode()
            if data and data[0] % 2 == 0 and data[0] // 2 < len(boxes):
                boxes[data[0] // 2].put(data[1:])
        for box in boxes:
            box.put(None)

    def _sender(self, channel: int) -> Callable[[bytes], Coroutine[Any, Any, None]]:
        return lambda data: self.socket.send(bytes([channel]) + data)

    async def _lead(self, box: _Mailbox, index: int, port: int, count: int) -> None:
        if why := await self.connect(port, box):
            await self.socket.send(bytes([2 * index + 1]) + why.encode())
        if count == 1:
            # There is no way to say that a channel has ended; that of the only one is that of all.
            await self.socket.close()


class _Tunnel(_Session):
    def __init__(self, socket: WebSocket, pod: Document, listening: Mapping[int, str]) -> None:
        super().__init__(socket, pod, listening)
        self._frames = Frames()
        #: Streams that carry data, by number; those for what is wrong, by request.
        self._boxes: dict[int, _Mailbox] = {}
        self._errors: dict[str, int] = {}

    async def run(self, ports: Sequence[int]) -> None:
        async for message in self.socket:
            for frame in self._frames.feed(message if isinstance(message, bytes) else message.encode()):
                if frame.kind == GOAWAY:
                    return
                await self._take(frame)

    async def _take(self, frame: Frame) -> None:
        if frame.kind == SYN_STREAM:
            await self._open(frame)
        elif frame.kind == DATA and frame.stream in self._boxes:
            box = self._boxes[frame.stream]
            if frame.data:
                box.put(frame.data)
            if frame.flags & FIN:
                box.put(None)
        elif frame.kind == RST_STREAM and frame.stream in self._boxes:
            self._boxes[frame.stream].put(None)
        elif frame.kind == PING:
            await self._send(Frame(PING, data=frame.data))

    async def _open(self, frame: Frame) -> None:
        request, number = frame.headers.get("requestid", ""), frame.stream
        await self._send(Frame(SYN_REPLY, number))
        if frame.headers.get("streamtype") == "error":
            self._errors[request] = number
            return
        box = self._boxes[number] = _Mailbox(lambda data: self._send(Frame(DATA, number, data=data)))
        self.serve(self._lead(box, number, self._errors.pop(request, 0), int(frame.headers.get("port", "0"))))

    async def _lead(self, box: _Mailbox, number: int, error: int, port: int) -> None:
        why = await self.connect(port, box)
        if error:
            await self._send(Frame(DATA, error, FIN, data=why.encode()))
        await self._send(Frame(DATA, number, FIN))
        self._boxes.pop(number, None)

    async def _send(self, frame: Frame) -> None:
        await self.socket.send(self._frames.encode(frame))
