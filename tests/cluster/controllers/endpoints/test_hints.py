"""For whom endpoints are meant."""

from typing import Any

import pytest
from tests.cluster.controllers.endpoints.make import make_service

from kubewright.cluster.controllers.endpoints.hints import hint

Document = dict[str, Any]


def endpoint(ready: bool = True, **rest: Any) -> Document:
    return {"addresses": ["10.2.0.1"], "conditions": {"ready": ready}, "zone": "east", "nodeName": "n1", **rest}


@pytest.mark.parametrize(
    ("distribution", "hints"),
    [
        (None, None),
        ("Nonsense", None),
        ("PreferClose", {"forZones": [{"name": "east"}]}),
        ("PreferSameZone", {"forZones": [{"name": "east"}]}),
        ("PreferSameNode", {"forZones": [{"name": "east"}], "forNodes": [{"name": "n1"}]}),
    ],
)
def test_an_endpoint_is_for_its_zone_and_node_if_the_service_prefers_what_is_near(
    distribution: str | None, hints: Document | None
) -> None:
    new: Document = {"endpoints": [endpoint(), endpoint(ready=False)]}
    hint(make_service(trafficDistribution=distribution), [new], [], [])
    assert [each.get("hints") for each in new["endpoints"]] == [hints, None]


def test_a_slice_that_has_other_hints_is_replaced_and_one_that_has_the_right_ones_is_not() -> None:
    right = {"endpoints": [endpoint(hints={"forZones": [{"name": "east"}]})]}
    wrong = {"endpoints": [endpoint(hints={"forZones": [{"name": "west"}]})]}
    update: list[Document] = []
    hint(make_service(trafficDistribution="PreferClose"), [], update, [right, wrong])
    assert update == [right]
    update = []
    hint(make_service(), [], update, [right])
    assert update == [{"endpoints": [endpoint()]}]
    assert right["endpoints"][0]["hints"]
