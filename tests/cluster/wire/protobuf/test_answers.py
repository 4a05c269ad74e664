"""Protobuf as a real kube-apiserver reads and writes it, for an object of every kind in `recorded/kinds.yaml`."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.cluster.wire.test_answers import OWN, Server, codec_of, connect, kinds

from kubewright.cluster.wire.protobuf.envelope import open_envelope, unpack, write_object
from kubewright.cluster.wire.types import kind_type
from kubewright.testing.real import RealCluster

pytestmark = pytest.mark.real

PROTOBUF = "application/vnd.kubernetes.protobuf"
JSON = "application/json"


@pytest.fixture(scope="module")
def server(real_cluster: RealCluster) -> Iterator[Server]:
    with connect(real_cluster) as server:
        yield server


def create(server: Server, kind: str, body: bytes, media: str, accept: str) -> bytes:
    path = f"{kinds()[kind]['path']}?dryRun=All"
    server.connection.request("POST", path, body, {"Content-Type": media, "Accept": accept})
    response = server.connection.getresponse()
    said = response.read()
    assert response.status == 201, said
    return said


def without_own(document: dict[str, Any]) -> dict[str, Any]:
    for template in document.get("spec", {}).get("volumeClaimTemplates", ()):  # protobuf tells no kind inside an object
        template.pop("kind", None)
        template.pop("apiVersion", None)
    meta = {name: value for name, value in document["metadata"].items() if name not in OWN}
    return {name: value for name, value in document.items() if name not in ("kind", "apiVersion")} | {"metadata": meta}


@pytest.mark.parametrize("kind", kinds())
def test_we_read_what_the_real_server_writes(kind: str, server: Server) -> None:
    body = json.dumps(kinds()[kind]["object"]).encode()
    shown = json.loads(create(server, kind, body, JSON, JSON))
    said, raw = open_envelope(create(server, kind, body, JSON, PROTOBUF))
    assert (said.api_version, said.kind) == (shown["apiVersion"], shown["kind"])
    found = unpack(kind_type(said.api_version, said.kind), raw)
    written = json.loads(codec_of(kind).write({**found, "kind": said.kind, "apiVersion": said.api_version}))
    assert without_own(written) == without_own(shown)


@pytest.mark.parametrize("kind", kinds())
def test_the_real_server_reads_what_we_write(kind: str, server: Server) -> None:
    document = kinds()[kind]["object"]
    shown = json.loads(create(server, kind, json.dumps(document).encode(), JSON, JSON))
    sent = write_object(codec_of(kind).read(json.loads(json.dumps(document))).object)
    assert without_own(json.loads(create(server, kind, sent, PROTOBUF, JSON))) == without_own(shown)
