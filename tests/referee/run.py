"""Runs a script on a server and writes down what it answers.

A transcript is one entry a step: what was asked, and the code, the headers that matter, and the body or the events of
the answer. It is masked (`tests.referee.mask`) before anyone compares it.
"""

import asyncio
import base64
import contextlib
import gzip
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

import yaml
from tests.referee.fill import UnknownReference, fill, names, slug
from tests.referee.language import Ask, Close, Compact, Open, Read, Script, Step, Until
from tests.referee.mask import mask, ordered

from kubewright import clock
from kubewright.client import Transport
from kubewright.client.watch import Frames
from kubewright.cluster.wire.protobuf.envelope import open_envelope, unpack
from kubewright.cluster.wire.protobuf.scan import LENGTH, fields
from kubewright.cluster.wire.types import kind_type
from kubewright.http import Headers, HttpError, Request, Response

__all__ = ["Compaction", "SetupFailed", "Transcript", "run", "run_each"]

Transcript = list[dict[str, Any]]
Compaction = Callable[[int], Awaitable[None]]

#: What a client acts on. The others are of the connection (Date, Content-Length) or of no use to it (Audit-Id).
HEADERS = (
    "Allow",
    "Cache-Control",
    "Content-Encoding",
    "Content-Type",
    "ETag",
    "Last-Modified",
    "Location",
    "Retry-After",
    "Vary",
    "Warning",
    "WWW-Authenticate",
    "X-Content-Type-Options",
)
CAUSES = "details causes"
#: Nearly every answer has these, so they are not written down.
USUAL = {"Cache-Control": "no-cache, private", "Content-Type": "application/json"}
#: One of these says only that it is there: its value is a hash or a time of the server.
_PRESENT = ("Last-Modified",)
_USER_AGENT = (b"User-Agent", b"kubewright-referee")

#: Far more than any answer takes: the real garbage collector looks for new resources every 30 seconds.
_PATIENCE = 75.0
_PAUSE = 0.05


class SetupFailed(Exception):
    """What a script needs before its first step could not be had."""


async def run(
    key: str,
    script: Script,
    transport: Transport,
    compact: Compaction | None = None,
    known: Mapping[str, Any] | None = None,
) -> Transcript:
    """The masked transcript of a script, which is called `family/name`; `known` is what else it can refer to."""
    runner = _Runner(key, transport, compact or _no_compaction)
    runner.known |= known or {}
    try:
        if _mentions(script, "ns", runner.known):
            await runner.make_namespace()
        await runner.prepare(script)
        transcript = [await runner.take(step) for step in script.steps]
    finally:
        await runner.close()
    return mask(transcript, clock.now(), _prefixes(script))


async def run_each(key: str, script: Script, transport: Transport, every: int = 1) -> Transcript:
    """As `run`, but each step is masked by itself: what is wrong with one changes nothing of the next.

    Of every so many steps one is taken, the first among them; for the others stands an empty answer.
    """
    runner = _Runner(key, transport, _no_compaction)
    try:
        await runner.make_namespace()
        before = await runner.prepare(script)
        answers: Transcript = []
        for at, step in enumerate(script.steps):
            if at % every:
                answers.append({})
                continue
            answer = await runner.take(step)
            if isinstance(step, Open) and step.name in runner.watches:
                await runner.take(Close(name=step.name))
            answers.append(mask([*before, answer], clock.now())[-1])
        return answers
    finally:
        await runner.close()


async def _no_compaction(_: int) -> None:
    raise SetupFailed("this server cannot be told to compact")


def _prefixes(script: Script) -> list[str]:
    """From what a script has names generated."""
    bodies = [step.body for step in script.steps if isinstance(step, Ask) and isinstance(step.body, dict)]
    found = [body["metadata"].get("generateName") for body in bodies if isinstance(body.get("metadata"), dict)]
    return [prefix for prefix in found if isinstance(prefix, str) and prefix]


def _mentions(script: Script, name: str, known: dict[str, Any]) -> bool:
    """Whether a script uses its own namespace, by its name or through one of the paths."""
    text = repr((script.setup, script.steps))
    within = f"/namespaces/{known[name]}"
    paths = [key for key, value in known.items() if within in value] + [name]
    return any(f"{{{path}}}" in text for path in paths)


class _Watch:
    def __init__(self, response: Response) -> None:
        self.response = response
        self.lines = self._lines(response)

    @staticmethod
    async def _lines(response: Response) -> AsyncIterator[Any]:
        if b"protobuf" in (response.headers.get(b"content-type") or b""):
            async for frame in _frames(response):
                yield frame
            return
        frames = Frames()
        async for piece in response:
            for line in frames.feed(piece):
                yield json.loads(line)


async def _frames(response: Response) -> AsyncIterator[Any]:
    """The events of a watch in protobuf."""
    waiting = b""
    async for piece in response:
        waiting += piece
        while len(waiting) >= 4 and len(waiting) - 4 >= (size := int.from_bytes(waiting[:4])):
            event, waiting = waiting[4 : 4 + size], waiting[4 + size :]
            found = dict(fields(event, "WatchEvent", {1: ("Type", LENGTH), 2: ("Object", LENGTH)}))
            inside = dict(fields(found[2], "RawExtension", {1: ("Raw", LENGTH)}))
            yield {"type": found[1].decode(), "object": _unpacked(inside[1])}


class _Runner:
    def __init__(self, key: str, transport: Transport, compact: Compaction) -> None:
        self.transport = transport
        self.compact = compact
        self.known = names(slug(key))
        self.watches: dict[str, _Watch] = {}
        self.last: Any = None

    async def make_namespace(self) -> None:
        body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": self.known["ns"]}}
        made = await self.take(_request("POST", "/api/v1/namespaces", body))
        if made["code"] != 201:
            raise SetupFailed(f"the namespace {self.known['ns']} could not be made: {json.dumps(made)[:400]}")

    async def prepare(self, script: Script) -> Transcript:
        """Do what must be done first; all of it must succeed."""
        answers = []
        for step in script.setup:
            answer = await self.take(step)
            if answer.get("code", 200) >= 300 or {"timeout", "impossible"} & answer.keys():
                raise SetupFailed(f"{answer['ask']} answered {json.dumps(answer)[:600]}")
            answers.append(answer)
        return answers

    async def close(self) -> None:
        for watch in self.watches.values():
            await self._end(watch)

    @staticmethod
    async def _end(watch: _Watch) -> None:
        watch.response.close()
        with contextlib.suppress(Exception):
            await watch.lines.aclose()  # type: ignore[attr-defined]  # an async generator, which has it

    async def take(self, step: Step) -> dict[str, Any]:
        try:
            return await self._take(step)
        except UnknownReference as error:  # an answer before has not what the real one has
            return {"ask": str(getattr(step, "ask", step))[:80], "impossible": str(error)}

    async def _take(self, step: Step) -> dict[str, Any]:
        match step:
            case Ask():
                return await self._ask(step)
            case Until():
                return await self._until(step)
            case Open():
                return await self._open(step)
            case Read():
                return await self._read(step)
            case Close():
                await self._end(self.watches.pop(step.name))
                return {"ask": f"close {step.name}"}
            case Compact():
                await self.compact(int(fill(step.version, self.known)))
                return {"ask": f"compact to {step.version}"}

    async def _send(self, ask: Ask) -> Response:
        body = fill(ask.body, self.known)
        if isinstance(body, str):
            body = body.encode()
        elif body is None:
            body = b""
        elif not isinstance(body, bytes):
            body = json.dumps(body, ensure_ascii=False).encode()
        headers = [(name.encode(), fill(value, self.known).encode()) for name, value in ask.headers]
        request = Request(ask.method, fill(ask.path, self.known), Headers([*headers, _USER_AGENT]), body)
        while True:
            response = await self.transport.send(request)
            if response.status != 429:
                return response
            # For a moment after a definition changed, the real server asks its clients to come back.
            told = await response.read()
            if b"storage is (re)initializing" not in told:
                return Response(response.status, response.headers, told)
            await asyncio.sleep(_PAUSE)

    async def _ask(self, ask: Ask) -> dict[str, Any]:
        try:
            async with asyncio.timeout(_PATIENCE):
                response = await self._send(ask)
                body = await response.read()
        except TimeoutError:
            return {"ask": ask.line, "timeout": True}
        except HttpError as error:
            return {"ask": ask.line, "broken": type(error).__name__}
        return self._answer(ask, response, body)

    def _answer(self, ask: Ask, response: Response, body: bytes) -> dict[str, Any]:
        if body[:2] == b"\x1f\x8b":
            body = gzip.decompress(body)
        answer = _head(ask, response)
        media = (response.headers.get(b"content-type") or b"").decode("latin-1")
        form, value = _read_body(media, body)
        _, self.last = _read_body(media, body)  # once more: what follows changes it in place, and it may be deep
        if ask.keep:
            self.known[ask.keep] = self.last
            self.known[f"{ask.keep}_etag"] = (response.headers.get(b"etag") or b"").decode().strip('"')
        _settle_causes(value, ask.look.unordered)
        for path in ask.look.unordered:
            _change(value, path.split(), lambda found: ordered(found) if isinstance(found, list) else found)
        for path in ask.look.masked:
            _change(value, path.split(), lambda _: "<masked>")
        for path in ask.look.without:
            _change(value, path.split(), lambda _: _GONE)
        if ask.look.only and form != "text" and response.status < 300:
            value = {path: _select(value, path.split()) for path in ask.look.only}
        if value is not None:
            answer[form] = value
        if ask.look.exact:
            answer["exact"] = body.decode(errors="replace")
        return answer

    async def _until(self, step: Until) -> dict[str, Any]:
        wanted = fill(step.has, self.known)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                while True:
                    answer = await self._ask(step.ask)
                    if answer.get("code") == step.code and _has(self.last, wanted):
                        return answer
                    await asyncio.sleep(_PAUSE)
        return {"ask": step.ask.line, "timeout": True, "last": answer}

    async def _open(self, step: Open) -> dict[str, Any]:
        try:
            async with asyncio.timeout(_PATIENCE):
                response = await self._send(step.ask)
                if response.status != 200:
                    return self._answer(step.ask, response, await response.read())
        except TimeoutError:
            return {"ask": step.ask.line, "timeout": True}
        self.watches[step.name] = _Watch(response)
        return _head(step.ask, response)

    async def _read(self, step: Read) -> dict[str, Any]:
        what = f"{step.count} events" if step.count else f"events to {step.stop or 'the end'}"
        answer: dict[str, Any] = {"ask": f"{what} of {step.name}"}
        if step.name not in self.watches:
            return {**answer, "closed": True}
        found: list[Any] = []
        try:
            async with asyncio.timeout(_PATIENCE):
                async for event in self.watches[step.name].lines:
                    if step.count and event.get("type") == "BOOKMARK":
                        continue  # they come when the server likes
                    found.append(event)
                    if len(found) == step.count or (step.stop and event.get("type") == step.stop):
                        break
                else:
                    answer["ended"] = True
        except TimeoutError:
            answer["timeout"] = True
        except HttpError as error:
            answer["broken"] = type(error).__name__
        if step.keep:
            self.known[step.keep] = found
        return {**answer, "events": ordered(found) if step.unordered else found}


def _request(method: str, path: str, body: Any) -> Ask:
    headers = (("Accept", "application/json"), ("Content-Type", "application/json"))
    return Ask(method=method, path=path, body=body, headers=headers)


def _head(ask: Ask, response: Response) -> dict[str, Any]:
    headers = _headers(response.headers)
    return {"ask": ask.line, "code": response.status, **({} if headers == USUAL else {"headers": headers})}


def _headers(headers: Headers) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in HEADERS:
        values = [value.decode("latin-1") for value in headers.all(name.lower().encode())]
        if values:
            shown = ["<present>"] if name in _PRESENT else values
            found[name] = shown[0] if len(shown) == 1 else shown
    return found


def _read_body(content_type: str, body: bytes) -> tuple[str, Any]:
    """How a body is written down, and as what."""
    if not body:
        return "body", None
    kind = content_type.partition(";")[0]
    try:
        if kind.endswith(("/json", "+json")) or (kind == "text/plain" and body[:1] == b"{"):
            return "body", json.loads(body)
        if body.startswith(b"k8s\0"):
            return "protobuf", _unpacked(body)
        if kind.endswith(("/yaml", "+yaml")):
            return "yaml", yaml.load(body, Loader=yaml.BaseLoader)
        return "text", body.decode()
    except UnicodeDecodeError:
        return "bytes", base64.b64encode(body).decode()
    except ValueError:
        return "text", body.decode(errors="replace")


def _unpacked(body: bytes) -> Any:
    """What a body in protobuf says, as JSON would have it."""
    said, raw = open_envelope(body)
    shared = said.kind == "Status" or said.group == "meta.k8s.io"
    document = unpack(kind_type("meta.k8s.io/v1" if shared else said.api_version, said.kind), raw)
    return {"kind": said.kind, "apiVersion": said.api_version} | document


def _settle_causes(value: Any, unordered: tuple[str, ...]) -> None:
    """Put the causes of a refusal in order, in the list and in the message.

    A schema's properties and an object's labels are maps, which the real server walks in random order. So are the
    causes of every custom resource; of a built-in kind they are in order, unless a script says `details causes`.
    """
    if not isinstance(value, dict) or value.get("kind") != "Status" or not isinstance(value.get("details"), dict):
        return
    details = value["details"]
    causes = details.get("causes", [])
    custom = details.get("group", "").endswith("example.com")
    if len(causes) < 2 or not (custom or CAUSES in unordered):
        return
    told = _as_told(causes)
    details["causes"] = ordered(causes)
    value["message"] = value.get("message", "").replace(told, _as_told(details["causes"]))


def _as_told(causes: list[dict[str, Any]]) -> str:
    """How a message lists the causes: what two of them say alike is told once."""
    said = dict.fromkeys(f"{cause.get('field')}: {cause.get('message')}" for cause in causes)
    return f"[{', '.join(said)}]"


def _has(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, dict):
        return isinstance(value, dict) and all(key in value and _has(value[key], item) for key, item in wanted.items())
    if isinstance(wanted, tuple) and (not isinstance(value, list) or len(value) != len(wanted)):
        return False
    if isinstance(wanted, list | tuple):
        return isinstance(value, list) and all(any(_has(item, one) for item in value) for one in wanted)
    return wanted is None or value == wanted


_GONE = object()


def _change(value: Any, path: list[str], change: Any) -> None:
    """Change in place what stands at a path; where there is nothing, nothing happens."""
    head, *rest = path
    if head == "**":
        for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            _change(item, path, change)
        _change(value, rest, change)
        return
    if isinstance(value, list):
        chosen: list[Any] = list(range(len(value))) if head == "*" else [int(head)] if head.isdigit() else []
        chosen = [at for at in chosen if at < len(value)]
    elif isinstance(value, dict):
        chosen = list(value) if head == "*" else [head] if head in value else []
    else:
        return
    for key in chosen:
        if rest:
            _change(value[key], rest, change)
        else:
            value[key] = change(value[key])
            if value[key] is _GONE:
                del value[key]


def _select(value: Any, path: list[str]) -> Any:
    """What stands at a path, a list of it if the path has a `*`; None where there is nothing."""
    if not path:
        return value
    head, *rest = path
    if head == "*":
        if isinstance(value, dict):
            return {key: _select(item, rest) for key, item in value.items()}
        return [_select(item, rest) for item in value] if isinstance(value, list) else None
    if isinstance(value, list) and head.isdigit():
        return _select(value[int(head)], rest) if int(head) < len(value) else None
    return _select(value.get(head), rest) if isinstance(value, dict) else None
