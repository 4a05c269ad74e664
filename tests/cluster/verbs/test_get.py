import asyncio

import pytest
from tests.cluster.registry.custom.things import converted, slow_webhook
from tests.cluster.stage import Stage, play

CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
THINGS = "/apis/example.com/v1/namespaces/default/things"


def test_what_changes_while_a_webhook_converts_it_is_read_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    slow_webhook(monkeypatch, 1.0)

    async def story(stage: Stage) -> tuple[int, int, int]:
        await stage.client.create(CRDS, converted())
        await asyncio.sleep(0.1)
        thing = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a"}}
        made = await stage.client.create(THINGS, thing)
        reading = asyncio.create_task(stage.ask("GET", f"{THINGS.replace('v1', 'v2')}/a"))
        await asyncio.sleep(0.5)
        patched = await stage.client.patch(f"{THINGS}/a", "merge", {"spec": {"x": 1}})
        code, read = await reading
        versions = [int(each["metadata"]["resourceVersion"]) for each in (made, read, patched)]
        assert versions[0] < versions[2]
        return code, versions[0], versions[1]

    code, made, read = play(story)
    assert code == 200
    assert read == made
