from typing import Any

import pytest
from tests.cluster.stage import Stage, play

CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims"
CLASSES = "/apis/storage.k8s.io/v1/storageclasses"
MERGE = {"content-type": "application/merge-patch+json"}


def grown(*, bound: bool = True, expands: bool | None = True, name: str = "c", size: str = "2Gi") -> tuple[int, str]:
    async def story(stage: Stage) -> tuple[int, str]:
        storage: dict[str, Any] = {"metadata": {"name": "c"}, "provisioner": "example.com/p"}
        await stage.ask("POST", CLASSES, storage if expands is None else storage | {"allowVolumeExpansion": expands})
        spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
        await stage.ask("POST", CLAIMS, {"metadata": {"name": "a"}, "spec": spec | {"storageClassName": name}})
        if bound:
            await stage.ask("PATCH", f"{CLAIMS}/a/status", {"status": {"phase": "Bound"}}, MERGE)
        change = {"spec": {"resources": {"requests": {"storage": size}}}}
        code, answer = await stage.ask("PATCH", f"{CLAIMS}/a", change, MERGE)
        return code, answer.get("message", "")

    return play(story)


def test_a_bound_claim_of_a_class_that_expands_grows() -> None:
    assert grown() == (200, "")


@pytest.mark.parametrize(("expands", "name"), [(False, "c"), (None, "c"), (True, "d"), (True, "")])
def test_without_such_a_class_it_does_not(expands: bool | None, name: str) -> None:
    code, message = grown(expands=expands, name=name)
    assert code == 403
    assert "only dynamically provisioned pvc can be resized and the storageclass that provisions" in message


def test_what_stays_as_large_is_no_business_of_the_class() -> None:
    assert grown(expands=False, size="1024Mi")[0] == 200


def test_a_claim_that_is_not_bound_has_no_room_to_grow() -> None:
    assert grown(bound=False)[0] == 422
