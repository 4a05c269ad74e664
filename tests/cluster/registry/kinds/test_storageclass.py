from typing import Any

import pytest
from tests.cluster.stage import Stage, play

CLASSES = "/apis/storage.k8s.io/v1/storageclasses"
MERGE = {"content-type": "application/merge-patch+json"}


def made(**fields: Any) -> dict[str, Any]:
    async def story(stage: Stage) -> dict[str, Any]:
        _, found = await stage.ask(
            "POST", CLASSES, {"metadata": {"name": "a"}, "provisioner": "example.com/p", **fields}
        )
        return dict(found)

    return play(story)


def zone(*values: str) -> dict[str, Any]:
    return {"matchLabelExpressions": [{"key": "zone", "values": [*values]}]}


def test_volumes_are_deleted_and_bound_at_once_unless_said_otherwise() -> None:
    found = made()
    assert (found["reclaimPolicy"], found["volumeBindingMode"]) == ("Delete", "Immediate")


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"provisioner": ""}, "provisioner"),
        ({"provisioner": "a/b/c"}, "provisioner"),
        ({"parameters": {"": "x"}}, "parameters"),
        ({"parameters": {str(number): "" for number in range(513)}}, "parameters"),
        ({"parameters": {"a": "x" * 262144}}, "parameters"),
        ({"reclaimPolicy": "Recycle"}, "reclaimPolicy"),
        ({"volumeBindingMode": "x"}, "volumeBindingMode"),
        ({"allowedTopologies": [zone()]}, "allowedTopologies[0].matchLabelExpressions[0].values"),
        ({"allowedTopologies": [zone("a", "a")]}, "allowedTopologies[0].matchLabelExpressions[0].values[1]"),
        ({"allowedTopologies": [zone("a", "b"), zone("b", "a")]}, "allowedTopologies[1].matchLabelExpressions"),
        ({"allowedTopologies": [{}]}, "allowedTopologies[0].matchLabelExpressions"),
    ],
)
def test_what_is_wrong_is_told_where_it_is(fields: dict[str, Any], field: str) -> None:
    assert {cause["field"] for cause in made(**fields)["details"]["causes"]} == {field}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"provisioner": "example.com/q"}, 422),
        ({"parameters": {"a": "b"}}, 422),
        ({"reclaimPolicy": "Retain"}, 422),
        ({"volumeBindingMode": "WaitForFirstConsumer"}, 422),
        ({"allowVolumeExpansion": True, "mountOptions": ["ro"]}, 200),
    ],
)
def test_how_volumes_are_made_stays(change: dict[str, Any], code: int) -> None:
    async def story(stage: Stage) -> int:
        await stage.ask("POST", CLASSES, {"metadata": {"name": "a"}, "provisioner": "example.com/p"})
        found, _ = await stage.ask("PATCH", f"{CLASSES}/a", change, MERGE)
        return found

    assert play(story) == code
