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


_KINDS: Final = ("initContainers", "containers", "ephemeralContainers")


def _refuse(status: int, why: str) -> Response:
    return Response(status, _TEXT, why.encode())
