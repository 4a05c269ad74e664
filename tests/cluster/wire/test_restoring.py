"""Objects out of a map of anything, as a strategic merge patch makes them; held against a real server."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.cluster.wire.test_answers import Server, codec_of, connect, kinds, mutations

from kubewright.cluster.patches import decode, strategic
from kubewright.cluster.patches.errors import PatchError
from kubewright.cluster.wire.builtin import builtin_codec
from kubewright.cluster.wire.codec import Undecodable
from kubewright.cluster.wire.patching import patch_type
from kubewright.model.resource import GroupVersionKind
from kubewright.model.steps import finish
from kubewright.schema.walk.golang import quote, sprint
from kubewright.testing.real import RealCluster

DEPLOYMENT = builtin_codec("apps", "v1", "Deployment")
SECRET = builtin_codec("", "v1", "Secret")
CRD = builtin_codec("apiextensions.k8s.io", "v1", "CustomResourceDefinition")


def test_what_fits_is_read_as_ever() -> None:
    document = {"metadata": {"name": "x", "labels": {}}, "data": {"a": "YQ==", "b": None}, "type": "t"}
    assert SECRET.restore(document).object == SECRET.read(document).object


@pytest.mark.parametrize(
    ("value", "restored"), [(2.0, 2), (2**31, -(2**31)), (2**32 + 5, 5), (-(2**31) - 1, 2**31 - 1), (2.0**80, 0)]
)
def test_whole_numbers_are_made_to_fit(value: float, restored: int) -> None:
    assert DEPLOYMENT.restore({"spec": {"replicas": value}}).object["spec"]["replicas"] == restored


def test_unknown_fields_are_told_by_name_and_without_the_keys_of_maps() -> None:
    schema = {"properties": {"k": {"zzz": 1}}, "aaa": 1}
    document = {"zzz": 1, "spec": {"versions": [{"schema": {"openAPIV3Schema": schema}}]}, "metadata": {'"': 1}}
    assert CRD.restore(document).complaints == [
        'unknown field "metadata.""',
        'unknown field "spec.versions[0].schema.openAPIV3Schema.aaa"',
        'unknown field "spec.versions[0].schema.openAPIV3Schema.properties.zzz"',
        'unknown field "zzz"',
    ]


@pytest.mark.parametrize(
    ("document", "wrong"),
    [
        ({"metadata": 1}, "cannot restore struct from: int64"),
        ({"metadata": {"labels": "x"}}, "cannot restore map from string"),
        ({"metadata": {"finalizers": {}}}, "cannot restore slice from map"),
        ({"metadata": {"name": 1}}, "cannot convert int64 to string"),
        ({"type": 1}, "cannot convert int64 to v1.SecretType"),
        ({"metadata": {"name": 1.5}}, "unrecognized type: string"),
        ({"metadata": {"name": 2**64}}, "unrecognized type: string"),
        ({"metadata": {"name": True}}, "unrecognized type: string"),
        ({"metadata": {"name": []}}, "unrecognized type: string"),
        ({"metadata": {"generation": "x"}}, "unrecognized type: int64"),
        ({"metadata": {"generation": 1.5}}, "cannot convert float64 to int64"),
        ({"immutable": 1}, "unrecognized type: bool"),
        ({"data": {"a": "?"}}, "error decoding from json: illegal base64 data at input byte 0"),
        ({"metadata": {"creationTimestamp": 5}}, "json: cannot unmarshal number into Go value of type string"),
        ({"type": 1, "metadata": {"name": 1}}, "cannot convert int64 to string"),
    ],
)
def test_the_first_field_that_does_not_fit_is_told(document: dict[str, Any], wrong: str) -> None:
    with pytest.raises(Undecodable) as refused:
        SECRET.restore(document)
    assert str(refused.value) == wrong


def test_a_type_that_reads_json_itself_tells_of_its_own_structs_alone() -> None:
    schema = {"items": {"properties": {"a": {"type": 5}}}}
    with pytest.raises(Undecodable, match=r"into Go struct field JSONSchemaProps\.properties\.type of type string$"):
        CRD.restore({"spec": {"versions": [{"schema": {"openAPIV3Schema": schema}}]}})


@pytest.fixture(scope="module")
def server(real_cluster: RealCluster) -> Iterator[Server]:
    with connect(real_cluster) as server:
        yield server


@pytest.mark.real
@pytest.mark.parametrize("kind", ["ConfigMap", "Lease", "ResourceQuota", "PodTemplate", "CustomResourceDefinition"])
def test_a_strategic_merge_patch_is_refused_as_the_real_server_does(kind: str, server: Server) -> None:
    document = kinds()[kind]["object"]
    group, _, version = document["apiVersion"].rpartition("/")
    types = patch_type(GroupVersionKind(group, version, document["kind"]))
    path = f"{kinds()[kind]['path']}/{document['metadata']['name']}"
    code, text = server.send("POST", kinds()[kind]["path"], json.dumps(document))
    assert code == 201, text
    live = json.loads(text)
    try:
        for case in mutations(kind):
            code, text = server.send("PATCH", f"{path}?dryRun=All&fieldValidation=Strict", case.body)
            patch = finish(decode.strategic_patch(case.body.encode()))
            message = json.loads(text).get("message", "") if text.startswith("{") else "panic"
            if (code == 422 and message.startswith(' "" is invalid: patch: ')) or code == 200:
                assert refusal(live, patch, types, kind) == (message if code == 422 else None), case.name
    finally:
        server.send("PATCH", path, '{"metadata":{"finalizers":null}}')
        server.send("DELETE", path)


def refusal(live: Any, patch: Any, types: Any, kind: str) -> str | None:
    """With which words we would refuse a patch."""
    try:
        complaints = codec_of(kind).restore(strategic.apply(live, patch, types)).complaints
        why = f"strict decoding error: {', '.join(complaints)}" if complaints else None
    except PatchError as error:
        return str(error)
    except Undecodable as error:
        why = str(error)
    return None if why is None else f' "" is invalid: patch: Invalid value: {quote(sprint(patch))}: {why}'
