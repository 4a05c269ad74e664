"""The conversion webhooks of scripts, each path another way to answer. Over TLS, as a server demands."""

import base64
import contextlib
import copy
import json
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from tests.http.certificates import Authority

from kubewright.http import Headers, Request, Response, Server

__all__ = ["webhooks"]

_JSON = Headers([(b"Content-Type", b"application/json")])


@contextlib.asynccontextmanager
async def webhooks() -> AsyncIterator[dict[str, str]]:
    """What scripts refer to: `{webhook}` is where they are, `{ca}` who vouches for them, `{nobody}` a closed port."""
    with tempfile.TemporaryDirectory() as folder:
        authority = Authority(Path(folder))
        server = Server(_answer)
        port = await server.listen("127.0.0.1", 0, authority.server())
        closing = Server(_answer)
        closed = await closing.listen("127.0.0.1", 0)
        await closing.stop(0)
        try:
            yield {
                "webhook": f"https://127.0.0.1:{port}",
                "nobody": f"https://127.0.0.1:{closed}",
                "ca": base64.b64encode(authority.file.read_bytes()).decode(),
            }
        finally:
            await server.stop(0)


async def _answer(request: Request) -> Response:
    way = request.path.strip("/")
    if way == "broken":
        return Response(500, Headers(), b"no")
    if way == "text":
        return Response(200, Headers(), b"hello")
    review = json.loads(await request.read())
    asked = review["request"]
    wanted = asked["desiredAPIVersion"]
    made = [_convert(document, wanted) for document in asked["objects"]]
    answer: dict[str, Any] = {"uid": asked["uid"], "convertedObjects": made, "result": {"status": "Success"}}
    _spoil(way, answer)
    return Response(200, _JSON, json.dumps({**review, "request": None, "response": answer}).encode())


def _convert(document: dict[str, Any], wanted: str) -> dict[str, Any]:
    """In v2 what was `x` is called `y`."""
    made = copy.deepcopy(document)
    made["apiVersion"] = wanted
    spec = made.get("spec", {})
    for old, new in (("x", "y"),) if wanted.endswith("/v2") else (("y", "x"),):
        if old in spec:
            spec[new] = spec.pop(old)
    return made


def _spoil(way: str, answer: dict[str, Any]) -> None:
    objects = answer["convertedObjects"]
    if way == "refuses":
        answer["result"] = {"status": "Failure", "message": "I will not"}
        answer["convertedObjects"] = []
    elif way == "silent":
        answer["result"] = {"status": "Failure"}
    elif way == "other-uid":
        answer["uid"] = "00000000-0000-4000-8000-000000000001"
    elif way == "fewer":
        answer["convertedObjects"] = objects[1:]
    elif way == "renames":
        for made in objects:
            made["metadata"]["name"] += "x"
    elif way == "labels":
        for made in objects:
            made["metadata"]["labels"] = {"converted": "yes"}
            made["metadata"]["finalizers"] = ["example.com/sneaked"]
    elif way == "unconverted":
        for made in objects:
            made["apiVersion"] = made["apiVersion"].rpartition("/")[0] + "/v9"
