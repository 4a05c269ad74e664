from typing import Any

from tests.cluster.registry.kinds.pod.specs import read

from kubewright.cluster.registry.kinds.pod.unserved import drop_unserved, drop_unserved_status


def test_what_belongs_to_features_that_are_off_is_dropped() -> None:
    signal = {"stopSignal": "SIGTERM"}
    sources = [{"podCertificate": {}}, {"clusterTrustBundle": {"path": "p"}}]
    spec = read(
        schedulingGroup={"podGroupName": "g"},
        containers=[
            {"name": "c", "lifecycle": signal},
            {"name": "d", "lifecycle": {**signal, "preStop": {"exec": {}}}},
        ],
        volumes=[{"name": "v", "projected": {"sources": sources}}],
    )["spec"]
    drop_unserved(spec)
    assert "schedulingGroup" not in spec
    assert "lifecycle" not in spec["containers"][0]
    assert spec["containers"][1]["lifecycle"] == {"preStop": {"exec": {}}}
    assert spec["volumes"][0]["projected"]["sources"] == [{}, {}]


def test_what_nodes_tell_of_such_features_is_dropped() -> None:
    mount = {"name": "v", "mountPath": "/v", "volumeStatus": {"image": {"imageRef": "r"}}}
    status: dict[str, Any] = {"containerStatuses": [{"name": "c", "volumeMounts": [mount]}]}
    status["nodeAllocatableResourceClaimStatuses"] = [{"resourceClaimName": "c"}]
    drop_unserved_status(status)
    assert status == {"containerStatuses": [{"name": "c", "volumeMounts": [{"name": "v", "mountPath": "/v"}]}]}
