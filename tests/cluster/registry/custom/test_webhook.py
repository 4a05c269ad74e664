import asyncio
import base64
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.cluster.registry.custom.things import thing

from kubewright.cluster.auth.authority import Authority
from kubewright.cluster.registry.custom.webhook import Address, Webhook
from kubewright.cluster.registry.view import ConversionFailed
from kubewright.entropy import Entropy
from kubewright.http import Handler, Headers, Pool, Request, Response, Server

Document = dict[str, Any]
AUTHORITY = Authority.mint(Entropy(1))
BUNDLE = base64.b64encode(AUTHORITY.credential.certificate).decode()
HEAD = "conversion webhook for example.com/v1, Kind=Thing failed: "


async def convert(request: Request) -> Response:
    """A webhook that does what it is asked, and tells where it was asked."""
    review = msgspec.json.decode(await request.read())
    asked = review["request"]
    objects = [
        each | {"apiVersion": asked["desiredAPIVersion"], "spec": {"at": request.target}} for each in asked["objects"]
    ]
    response = {"uid": asked["uid"], "result": {"status": "Success"}, "convertedObjects": objects}
    return Response(200, body=msgspec.json.encode(review | {"response": response}))


def asked(handler: Handler, directory: Path, client: Callable[[int], Document]) -> list[Document]:
    """What comes of asking a webhook that `client` describes, given the port it listens on."""

    async def story() -> list[Document]:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        credential = AUTHORITY.server(["127.0.0.1", "hook.default.svc"])
        (directory / "crt").write_bytes(credential.certificate)
        (directory / "key").write_bytes(credential.key)
        context.load_cert_chain(directory / "crt", directory / "key")
        server, pool = Server(handler), Pool()
        try:
            port = await server.listen("127.0.0.1", 0, context)

            def resolve(namespace: str, name: str, wanted: int) -> Address | None:
                return ("127.0.0.1", port) if (namespace, name, wanted) == ("default", "hook", 443) else None

            conversion = {"webhook": {"clientConfig": client(port), "conversionReviewVersions": ["v1"]}}
            webhook = Webhook(conversion, Entropy(1), lambda: pool, resolve)
            return await webhook.convert([thing()], "example.com/v2")
        finally:
            await pool.close()
            await server.stop(0)

    return asyncio.run(story())


def by_url(port: int) -> Document:
    return {"url": f"https://127.0.0.1:{port}/convert", "caBundle": BUNDLE}


def test_objects_come_back_in_the_version_that_was_asked_for(tmp_path: Path) -> None:
    [converted] = asked(convert, tmp_path, by_url)
    assert (converted["apiVersion"], converted["spec"]) == ("example.com/v2", {"at": "/convert?timeout=30s"})


def test_a_service_is_found_where_the_cluster_says_it_is(tmp_path: Path) -> None:
    service = {"namespace": "default", "name": "hook", "path": "/there", "port": 443}
    [converted] = asked(convert, tmp_path, lambda _: {"service": service, "caBundle": BUNDLE})
    assert converted["spec"] == {"at": "/there?timeout=30s"}


def failure(handler: Handler, directory: Path, client: Callable[[int], Document] = by_url) -> str:
    with pytest.raises(ConversionFailed) as failed:
        asked(handler, directory, client)
    return str(failed.value)


def test_a_service_that_nobody_knows_is_not_found(tmp_path: Path) -> None:
    client = {"service": {"namespace": "default", "name": "other"}, "caBundle": BUNDLE}
    assert failure(convert, tmp_path, lambda _: client) == (
        f'{HEAD}Post "https://other.default.svc:443/?timeout=30s": service "other" not found'
    )


def test_a_webhook_that_is_not_there_refuses_the_connection(tmp_path: Path) -> None:
    assert failure(convert, tmp_path, lambda _: {"url": "https://127.0.0.1:1/x", "caBundle": BUNDLE}) == (
        f'{HEAD}Post "https://127.0.0.1:1/x?timeout=30s": dial tcp 127.0.0.1:1: connect: connection refused'
    )


def test_a_certificate_of_an_authority_that_nobody_knows_is_not_trusted(tmp_path: Path) -> None:
    told = failure(convert, tmp_path, lambda port: {"url": f"https://127.0.0.1:{port}/x"})
    assert told.endswith("tls: failed to verify certificate: x509: certificate signed by unknown authority")


def test_a_bundle_may_hold_the_certificate_of_the_webhook_itself(tmp_path: Path) -> None:
    def client(port: int) -> Document:
        own = base64.b64encode((tmp_path / "crt").read_bytes()).decode()
        return {"url": f"https://127.0.0.1:{port}/convert", "caBundle": own}

    [converted] = asked(convert, tmp_path, client)
    assert converted["apiVersion"] == "example.com/v2"


def answering(status: int, body: bytes = b"sorry") -> Handler:
    async def answer(request: Request) -> Response:
        await request.read()
        return Response(status, Headers([(b"Content-Type", b"text/plain")]), body)

    return answer


_STRUCT = r'struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }'


# The words were recorded of the real server.
@pytest.mark.parametrize(
    ("handler", "problem"),
    [
        (answering(500), 'an error on the server ("sorry") has prevented the request from succeeding'),
        (answering(404), "the server could not find the requested resource"),
        (answering(400), "the server rejected our request for an unknown reason"),
        (answering(403), "sorry"),
        (answering(503), "the server is currently unable to handle the request"),
        (answering(418), "the server responded with the status code 418 but did not return more information"),
        (answering(200, b""), "0-length response with status code: 200 and content type: text/plain"),
        (
            answering(200, b"not json"),
            "couldn't get version/kind; json parse error: json: cannot unmarshal string into Go value of type "
            + _STRUCT,
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_answer_is_told_in_the_words_of_gos_client(handler: Handler, problem: str, tmp_path: Path) -> None:
    assert failure(handler, tmp_path) == HEAD + problem
