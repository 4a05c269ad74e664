"""DISC-1, DISC-2, OAPI-1, OAPI-2, OAPI-3: every document is what kube-apiserver serves, descriptions apart."""

import json

import pytest
from tests.cluster.discovery.definitions import DEFINITIONS
from tests.cluster.discovery.record import AGGREGATED, RECORDED, ask, content, hashed, published, tellings
from tests.cluster.discovery.served import builtin_registry

from kubewright.cluster.discovery.answer import Discovery
from kubewright.testing.real import RealCluster


def test_every_document_is_as_recorded() -> None:
    told = {address: hashed(each) for address, each in tellings(content(Discovery(builtin_registry(*DEFINITIONS))))}
    assert told == json.loads(RECORDED.read_text())


def test_the_tags_of_aggregated_documents_are_the_servers_own() -> None:
    discovery = Discovery(builtin_registry())
    tags = [ask(discovery, path, Accept=AGGREGATED).headers.get(b"etag") for path in ("/api", "/apis")]
    assert [tag[:25] for tag in tags if tag is not None] == [b'"4D7E1BED90B364BC86049DD9', b'"A74552DF419C4697E3A22F67']


@pytest.mark.real
def test_every_document_is_what_a_real_server_tells(real_cluster: RealCluster) -> None:
    ours = dict(tellings(content(Discovery(builtin_registry(*DEFINITIONS)))))
    with published(real_cluster) as get:
        theirs = dict(tellings(get))
    assert ours.keys() == theirs.keys()
    assert [address for address in ours if ours[address] != theirs[address]] == []
