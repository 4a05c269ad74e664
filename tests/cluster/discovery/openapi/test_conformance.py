"""What OpenAPI says of the API, held against the API: schemathesis draws requests from the documents.

Each operation of a few kinds is asked for in many ways, valid and not. Nothing may be a mistake of ours, and what is
answered must be of a form and a media type that the document tells.
"""

import asyncio
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.cluster.requests import CRD, Asked
from tests.cluster.stage import Stage
from tests.cluster.test_fuzz import asked, judge

from kubewright.cluster import Cluster
from kubewright.trials.loop import SimulatedLoop

DOCUMENTS = {
    "api/v1": ("configmaps", "secrets", "namespaces", "events"),
    "apis/coordination.k8s.io/v1": ("leases",),
    "apis/apiextensions.k8s.io/v1": ("customresourcedefinitions",),
    "apis/example.com/v1": ("widgets",),
}


def without_nulls(value: Any) -> Any:
    """The value without what Kubernetes writes for an absent time, whatever its documents say."""
    if isinstance(value, dict):
        return {key: without_nulls(member) for key, member in value.items() if member is not None}
    return [without_nulls(member) for member in value] if isinstance(value, list) else value


async def conform(stage: Stage, case: Any) -> None:
    # Imported here and below: it takes a second, and the everyday run does without.
    import requests
    import schemathesis
    from schemathesis.checks import content_type_conformance, response_schema_conformance

    prepared = requests.Request(**case.as_transport_kwargs(base_url="http://cluster")).prepare()
    body = prepared.body if isinstance(prepared.body, bytes) else str(prepared.body or "").encode()
    headers = {name: str(value) for name, value in prepared.headers.items() if name.lower() != "content-length"}
    what = Asked(str(prepared.method), prepared.path_url, headers, body)
    response, data = await asked(stage, what)
    judge(what, response, data)
    is_stream = "watch=" in what.target or "/watch/" in what.target
    if response.status < 400 and not is_stream and data:
        told = schemathesis.Response(
            response.status,
            {name.decode().lower(): [value.decode()] for name, value in response.headers.pairs},
            msgspec.json.encode(without_nulls(msgspec.json.decode(data))),
            prepared,
            0.0,
            verify=False,
        )
        case.validate_response(told, checks=[content_type_conformance, response_schema_conformance])


@pytest.mark.deep
@pytest.mark.parametrize("path", DOCUMENTS)
def test_the_api_is_what_its_documents_say(path: str) -> None:
    import schemathesis

    with asyncio.Runner(loop_factory=SimulatedLoop) as runner:
        cluster = Cluster(port=None, controllers="none", seed=1)
        stage = Stage(runner.run(cluster.__aenter__()))
        runner.run(stage.ask("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", CRD))
        runner.run(asyncio.sleep(6))
        _, document = runner.run(stage.ask("GET", f"/openapi/v3/{path}"))
        schema = schemathesis.openapi.from_dict(document)
        tried = 0
        for found in schema.get_all_operations():
            operation: Any = found.ok()  # type: ignore[union-attr]  # what is no operation fails here
            place = operation.path.replace("/namespaces/{namespace}/", "/")
            if not any(f"/{plural}" in place for plural in DOCUMENTS[path]):
                continue
            tried += 1

            @settings(
                max_examples=12, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
            )
            @given(case=operation.as_strategy(), name=st.sampled_from(["a", "b", "default", CRD["metadata"]["name"]]))
            def ask(case: Any, name: str) -> None:
                for parameter in ("namespace", "name"):
                    if parameter in case.path_parameters:
                        case.path_parameters[parameter] = "default" if parameter == "namespace" else name
                if isinstance(case.body, dict) and isinstance(case.body.get("metadata"), dict):
                    case.body["metadata"]["name"] = name
                runner.run(conform(stage, case))

            ask()
        assert tried >= 10
        runner.run(cluster.__aexit__(None, None, None))
