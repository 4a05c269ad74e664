"""A watch over a WebSocket, for clients that cannot read an answer while it comes, such as browsers.

Each event is a text message, the line that it would have been otherwise; what the client sends is ignored. When the
watch ends the socket is closed, and when the socket is closed the watch ends. A client must say where it comes from
(`Origin`, whatever it is), and may name one subprotocol, which is then spoken though it means nothing.
"""

import asyncio

from kubewright.http import DisconnectedError, Request, Response

__all__ = ["upgrade"]


def upgrade(request: Request, watch: Response) -> Response:
    """A watch that has begun, on a WebSocket if `request` asks for one."""
    # Loaded when it is needed: hardly any client asks for it.
    from kubewright.http.websocket import WebSocket, accept, wanted

    if not wanted(request):
        return watch

    async def talk(socket: WebSocket) -> None:
        async def hear() -> None:
            async for _ in socket:
                pass
            watch.close()

        hearing = asyncio.create_task(hear())
        try:
            async for event in watch:
                await socket.send(event.decode())
        except DisconnectedError:  # cut off, for it did not keep up
            socket.abort()
        finally:
            watch.close()
            hearing.cancel()

    offered = [name.strip() for line in request.headers.all(b"sec-websocket-protocol") for name in line.split(b",")]
    if not request.headers.get(b"origin"):
        answer = Response(403)
    elif len(offered) > 1:
        answer = Response(400)
    else:
        answer = accept(request, talk, [name.decode("latin-1") for name in offered])
    if answer.status != 101:
        watch.close()
    return answer
