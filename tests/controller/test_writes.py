"""What a write is about."""

import pytest
from tests.controller.stage import MAPS, Scene, controller, informer_of, play, stage

from kubewright.cache.header import UnreadableError
from kubewright.controller.writes import Target, read_target
from kubewright.k8s.core.v1 import ConfigMap


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/api/v1/pods", Target("/api/v1", "pods", "", "", "")),
        ("/api/v1/namespaces/a/pods", Target("/api/v1", "pods", "a", "", "")),
        ("/api/v1/namespaces/a/pods/b", Target("/api/v1", "pods", "a", "b", "")),
        ("/api/v1/namespaces/a/pods/b/status?x=1", Target("/api/v1", "pods", "a", "b", "status")),
        ("/api/v1/namespaces/a", Target("/api/v1", "namespaces", "", "a", "")),
        ("/api/v1/namespaces/a/finalize", Target("/api/v1", "namespaces", "", "a", "finalize")),
        ("/api/v1/namespaces", Target("/api/v1", "namespaces", "", "", "")),
        ("/apis/apps/v1/namespaces/a/deployments/b/scale", Target("/apis/apps/v1", "deployments", "a", "b", "scale")),
        ("/apis/g.x/v1/things/a%3Ab", Target("/apis/g.x/v1", "things", "", "a:b", "")),
        ("/healthz", None),
        ("/apis/apps/v1", None),
    ],
)
def test_a_path_says_which_object_it_is_about(path: str, target: Target | None) -> None:
    assert read_target(path) == target


def test_a_write_that_is_answered_with_garbage_leaves_its_object_unsure() -> None:
    async def story(scene: Scene) -> list[bool]:
        await scene.put(MAPS, "made")
        async with stage(scene, controller(reads=[ConfigMap])) as world:
            informer = informer_of(world, ConfigMap)
            before = informer.unsettled
            scene.wire.refuse = lambda request: 200 if request.method == "PATCH" else None
            with pytest.raises(UnreadableError):
                await world.api.raw.patch(f"{MAPS}/made", "merge", {"data": {"a": "1"}})
            return [before, informer.unsettled]

    assert play(story) == [False, True]
