from typing import Any

from tests.cluster.stage import CONFIGMAPS, Stage, play


def reference(uid: str, **more: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": uid, **more}


def test_owners_that_stand_twice_are_one_and_the_writer_is_told() -> None:
    owners = [reference("1"), reference("2"), dict(reversed(reference("1").items())), reference("2", controller=True)]

    async def story(stage: Stage) -> tuple[Any, bytes | None]:
        answer = await stage.send("POST", CONFIGMAPS, {"metadata": {"name": "a", "ownerReferences": owners}})
        _, kept = await stage.ask("GET", f"{CONFIGMAPS}/a")
        return kept["metadata"]["ownerReferences"], answer.headers.get(b"warning")

    kept, warning = play(story)
    assert kept == [reference("1"), reference("2"), reference("2", controller=True)]
    assert warning is not None
    assert warning.endswith(b'duplicate UID(s) observed: 1"')


def test_owners_by_the_thousand_are_compared_in_one_pass() -> None:
    owners = [reference(str(number)) for number in range(20_000)]  # pair by pair this would take a minute

    async def story(stage: Stage) -> int:
        _, made = await stage.ask("POST", CONFIGMAPS, {"metadata": {"name": "a", "ownerReferences": owners}})
        return len(made["metadata"]["ownerReferences"])

    assert play(story) == 20_000
