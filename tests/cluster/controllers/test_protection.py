import asyncio
from typing import Any

from tests.cluster.controllers.house import House, within

from kubewright.cluster.controllers.protection import classes_of

_CLASSES = "volumeattributesclasses"

CLAIM: dict[str, Any] = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
USING: dict[str, Any] = {
    "nodeName": "n",
    "containers": [{"name": "c", "image": "i"}],
    "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "c"}}],
}
VOLUME: dict[str, Any] = {
    "capacity": {"storage": "1Gi"},
    "accessModes": ["ReadWriteOnce"],
    "hostPath": {"path": "/x"},
}


def test_a_claim_that_nobody_uses_goes_at_once() -> None:
    async def story(house: House) -> None:
        made = await house.make("persistentvolumeclaims", "default", "c", spec=CLAIM)
        assert made["metadata"]["finalizers"] == ["kubernetes.io/pvc-protection"]
        await house.delete("persistentvolumeclaims", "default", "c")
        await asyncio.sleep(0.1)
        assert house.get("persistentvolumeclaims", "default", "c") is None

    within(story)


def test_a_claim_waits_for_the_pods_that_use_it() -> None:
    async def story(house: House) -> None:
        await house.make("persistentvolumeclaims", "default", "c", spec=CLAIM)
        await house.make("pods", "default", "p", spec=USING)
        await house.delete("persistentvolumeclaims", "default", "c")
        await asyncio.sleep(3600)
        assert house.get("persistentvolumeclaims", "default", "c") is not None
        await house.merge("pods", "default", "p", {"spec": {"activeDeadlineSeconds": 5}})
        house.store.commit("/pods/default/p", house.store.get("/pods/default/p").revision, None)  # type: ignore[union-attr]
        await asyncio.sleep(0.1)
        assert house.get("persistentvolumeclaims", "default", "c") is None

    within(story)


def test_a_pod_on_no_node_keeps_no_claim() -> None:
    async def story(house: House) -> None:
        await house.make("persistentvolumeclaims", "default", "c", spec=CLAIM)
        await house.make("pods", "default", "p", spec={**USING, "nodeName": ""})
        await house.delete("persistentvolumeclaims", "default", "c")
        await asyncio.sleep(0.1)
        assert house.get("persistentvolumeclaims", "default", "c") is None

    within(story)


def test_a_volume_waits_while_it_is_bound() -> None:
    async def story(house: House) -> None:
        await house.make("persistentvolumes", "", "v", spec=VOLUME)
        volume = house.resource("persistentvolumes")
        bound = house.get("persistentvolumes", "", "v")
        assert bound is not None
        bound["status"]["phase"] = "Bound"
        await house.client.update(volume, "", "v", bound, "status")
        await house.delete("persistentvolumes", "", "v")
        await asyncio.sleep(3600)
        left = house.get("persistentvolumes", "", "v")
        assert left is not None
        left["status"]["phase"] = "Released"
        await house.client.update(volume, "", "v", left, "status")
        await asyncio.sleep(0.1)
        assert house.get("persistentvolumes", "", "v") is None

    within(story)


def test_a_namespace_with_a_claim_ends() -> None:
    async def story(house: House) -> None:
        await house.make("namespaces", "", "web")
        await house.make("persistentvolumeclaims", "web", "c", spec=CLAIM)
        await house.delete("namespaces", "", "web")
        await asyncio.sleep(60)
        assert house.get("namespaces", "", "web") is None

    within(story)


def test_a_class_of_attributes_waits_for_the_claims_and_volumes_that_have_it() -> None:
    async def story(house: House) -> None:
        made = await house.make(_CLASSES, "", "c", driverName="d", parameters={"a": "b"})
        assert made["metadata"]["finalizers"] == ["kubernetes.io/vac-protection"]
        await house.make("persistentvolumeclaims", "default", "p", spec={**CLAIM, "volumeAttributesClassName": "c"})
        await house.delete(_CLASSES, "", "c")
        await asyncio.sleep(3600)
        assert house.get(_CLASSES, "", "c") is not None
        await house.delete("persistentvolumeclaims", "default", "p")
        await asyncio.sleep(0.1)
        assert house.get(_CLASSES, "", "c") is None

    within(story)


def test_a_claim_keeps_the_class_that_it_has_and_the_one_it_is_to_get() -> None:
    status = {"currentVolumeAttributesClassName": "b", "modifyVolumeStatus": {"targetVolumeAttributesClassName": "c"}}
    claim = {"spec": {"volumeAttributesClassName": "a"}, "status": status}
    assert [*classes_of(claim)] == ["a", "b", "c"]
