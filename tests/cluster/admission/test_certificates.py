import asyncio
from typing import Any

from tests.cluster.stage import Stage, play

Document = dict[str, Any]
REQUESTS = "/apis/certificates.k8s.io/v1/certificatesigningrequests"
SPEC = {"request": "eA==", "signerName": "example.com/s", "usages": ["client auth"], "username": "eve", "uid": "u"}


def made(spec: Document) -> Document:
    return {"metadata": {"name": "a"}, "spec": spec}


def test_a_request_says_who_made_it_and_not_what_he_says() -> None:
    async def story(stage: Stage) -> Document:
        code, answer = await stage.ask("POST", REQUESTS, made({**SPEC}))
        assert code == 201
        spec: Document = answer["spec"]
        return spec

    spec = play(story)
    assert spec["username"] != "eve"
    assert "system:masters" in spec["groups"]
    assert "uid" not in spec


def test_a_request_stays_as_it_was_made() -> None:
    async def story(stage: Stage) -> tuple[Document, Document]:
        _, before = await stage.ask("POST", REQUESTS, made({**SPEC}))
        changed = {**before, "spec": {**SPEC, "signerName": "example.com/other"}}
        code, after = await stage.ask("PUT", f"{REQUESTS}/a", changed)
        assert code == 200
        return before["spec"], after["spec"]

    before, after = play(story)
    assert before == after


def test_what_is_decided_is_dated_once() -> None:
    async def story(stage: Stage) -> list[Document]:
        await stage.ask("POST", REQUESTS, made({**SPEC}))
        merge = {"content-type": "application/merge-patch+json"}
        seen = []
        for message in ("a", "b"):
            condition = {"type": "Approved", "status": "True", "reason": "R", "message": message}
            body = {"status": {"conditions": [condition]}}
            code, answer = await stage.ask("PATCH", f"{REQUESTS}/a/approval", body, merge)
            assert code == 200
            seen += answer["status"]["conditions"]
            await asyncio.sleep(60)  # simulated
        return seen

    first, second = play(story)
    assert first["lastTransitionTime"] == second["lastTransitionTime"] == first["lastUpdateTime"]
    assert second["lastUpdateTime"] > first["lastUpdateTime"]
