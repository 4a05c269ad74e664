"""What a kubelet answers when it is asked: logs, commands, ports. One handler for all our nodes.

    GET  /containerLogs/<namespace>/<pod>/<container>
    GET  /exec/<namespace>/<pod>/<container>, /attach/…, /portForward/<namespace>/<pod>     (as WebSockets)

An API server in the same process calls it; any other reaches it over TLS.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any, Final
from urllib.parse import parse_qs, unquote

from kubewright import clock
from kubewright.cache import Change, Informer, Key
from kubewright.cluster.nodes.logs import Line, LogOptions, Run, find_run, read_lines, read_options, render
from kubewright.cluster.nodes.script import Script
from kubewright.http import Headers, Request, Response

__all__ = ["KubeletServer"]

Document = dict[str, Any]
Query = dict[str, list[str]]

_TEXT: Final = Headers([(b"Content-Type", b"text/plain")])


class KubeletServer:
    """Answers for all pods of an informer."""

    def __init__(self, script: Script, pods: Callable[[], Informer | None]) -> None:
        self._script = script
        self._pods = pods

    def __call__(self, request: Request) -> Response:
        """Answer a request."""
        parts = [unquote(part) for part in request.path.strip("/").split("/")]
        query = parse_qs(request.query, keep_blank_values=True)
        if parts == ["healthz"]:
            return Response(200, _TEXT, b"ok")
        if len(parts) >= 3 and parts[0] in ("containerLogs", "exec", "attach", "portForward"):
            pod = self._find(parts[1], parts[2])
            if pod is None:
                missing = f'pod "{parts[2]}" does not exist' if parts[0] == "containerLogs" else "pod does not exist"
                return _refuse(404, missing)
            if parts[0] == "containerLogs" and len(parts) == 4:
                return self._log(pod, parts[3], query)
            if parts[0] == "portForward":
                return self._forward(request, pod, query)
            if parts[0] in ("exec", "attach") and len(parts) in (4, 5):
                return self._stream(request, pod, parts[-1], query, attach=parts[0] == "attach")
        return _refuse(404, "404 page not found")

    def _find(self, namespace: str, name: str) -> Document | None:
        informer = self._pods()
        cached = informer.get(Key(namespace, name)) if informer is not None else None
        return cached.document() if cached is not None else None

    # Logs.

    def _log(self, pod: Document, container: str, query: Query) -> Response:
        spec = pod["spec"]
        names = {each["name"] for kind in _KINDS for each in spec.get(kind) or ()}
        if container not in names:
            return _refuse(404, f'container "{container}" not found in pod "{pod["metadata"]["name"]}"')
        now = clock.now().timestamp()
        options = read_options(query, now)
        run = find_run(pod, container, previous=options.previous)
        if isinstance(run, str):
            return _refuse(400, run)
        lines = list(read_lines(self._script.of(pod).log, run))
        written = [line for line in lines if line.at <= now]
        if not options.follow or run.ended is not None:
            return Response(200, _TEXT, render(written, options))
        return Response(200, _TEXT, self._follow(pod, container, run, options, lines))

    async def _follow(
        self, pod: Document, container: str, run: Run, options: LogOptions, lines: list[Line]
    ) -> AsyncIterator[bytes]:
        """What is written, and then what is being written, until the container ends."""
        meta = pod["metadata"]
        ended = asyncio.Event()

        def hear(change: Change) -> None:
            if change.key != (meta["namespace"], meta["name"]):
                return
            now = change.new.document() if change.new is not None and change.new.uid == meta["uid"] else None
            then = find_run(now, container, previous=False) if now is not None else None
            if not isinstance(then, Run) or then.ended is not None or then.begun != run.begun:
                ended.set()

        informer = self._pods()
        assert informer is not None
        subscription = informer.subscribe(hear)
        try:
            now = clock.now().timestamp()
            written = [line for line in lines if line.at <= now]
            yield render(written, options)
            rest = LogOptions(timestamps=options.timestamps)
            for line in lines[len(written) :]:
                try:
                    async with asyncio.timeout(max(0.0, line.at - clock.now().timestamp())):
                        await ended.wait()
                        return
                except TimeoutError:
                    yield render([line], rest)
            await ended.wait()
        finally:
            subscription.cancel()

    # Commands.

    def _stream(self, request: Request, pod: Document, container: str, query: Query, *, attach: bool) -> Response:
        # Loaded when they are wanted: most clusters never are asked.
        from kubewright.cluster.nodes.channels import PROTOCOLS, STDERR, STDOUT, Channels
        from kubewright.cluster.nodes.commands import read_answers
        from kubewright.cluster.nodes.session import run_command
        from kubewright.http.websocket import WebSocket, accept

        run = find_run(pod, container, previous=False)
        if isinstance(run, str) or run.ended is not None:
            return _refuse(500, f'container not found ("{container}")')
        stdin, tty = "input" in query, "tty" in query
        heard = [channel for channel, name in ((STDOUT, "output"), (STDERR, "error")) if name in query]
        script = self._script.of(pod)
        answers = read_answers(script.exec)

        async def talk(socket: WebSocket) -> None:
            channels = Channels(socket, heard)
            await channels.greet()
            if not attach:
                await run_command(channels, query.get("command", []), answers, pod, container, stdin=stdin, tty=tty)
                return
            lines = list(read_lines(script.log, run))

            async def show() -> None:
                async for piece in self._follow(pod, container, run, LogOptions(), lines):
                    await channels.write(STDOUT, piece)
                await channels.finish(0)

            await socket.attended(show())

        return accept(request, talk, PROTOCOLS)

    # Ports.

    def _forward(self, request: Request, pod: Document, query: Query) -> Response:
        from kubewright.cluster.nodes.forward import CHANNELS, TUNNEL, forward
        from kubewright.cluster.nodes.ports import read_ports
        from kubewright.http.websocket import accept

        named = [word for value in query.get("port", ()) for word in value.split(",")]
        if not all(word.isdecimal() and 0 < int(word) < 65536 for word in named):
            return _refuse(400, f"port {','.join(named)!r} must be numbers from 1 to 65535")
        if pod["status"].get("phase") != "Running":
            return _refuse(500, f'pod not found ("{pod["metadata"]["name"]}_{pod["metadata"]["namespace"]}")')
        listening = read_ports(self._script.of(pod).ports)
        ports = [int(word) for word in named]
        return accept(request, lambda socket: forward(socket, pod, listening, ports), (TUNNEL, CHANNELS))


_KINDS: Final = ("initContainers", "containers", "ephemeralContainers")


def _refuse(status: int, why: str) -> Response:
    return Response(status, _TEXT, why.encode())
