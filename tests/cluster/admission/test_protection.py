from typing import Any

import pytest
from tests.cluster.stage import Stage, play

CLAIM = {"spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}
VOLUME = {"spec": {"accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"}, "hostPath": {"path": "/x"}}}


@pytest.mark.parametrize(
    ("path", "body", "finalizer"),
    [
        ("/api/v1/namespaces/default/persistentvolumeclaims", CLAIM, "kubernetes.io/pvc-protection"),
        ("/api/v1/persistentvolumes", VOLUME, "kubernetes.io/pv-protection"),
        (
            "/apis/storage.k8s.io/v1/volumeattributesclasses",
            {"driverName": "example.com", "parameters": {"a": "b"}},
            "kubernetes.io/vac-protection",
        ),
    ],
)
def test_what_may_be_in_use_is_held_from_the_beginning(path: str, body: dict[str, Any], finalizer: str) -> None:
    async def story(stage: Stage) -> list[Any]:
        _, made = await stage.ask("POST", path, {"metadata": {"name": "a"}, **body})
        await stage.ask("DELETE", f"{path}/a")
        code, _ = await stage.ask("GET", f"{path}/a")
        return [made["metadata"]["finalizers"], code]

    assert play(story) == [[finalizer], 200]


def test_who_takes_the_finalizer_away_does_not_get_it_back() -> None:
    async def story(stage: Stage) -> Any:
        path = "/api/v1/persistentvolumes"
        await stage.ask("POST", path, {"metadata": {"name": "a"}, **VOLUME})
        merge = {"content-type": "application/merge-patch+json"}
        _, obj = await stage.ask("PATCH", f"{path}/a", {"metadata": {"finalizers": None}}, merge)
        return obj["metadata"].get("finalizers")

    assert play(story) is None
