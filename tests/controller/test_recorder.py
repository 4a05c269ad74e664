"""Events as they are sent."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from tests.controller.stage import WEB, Scene, play

from kubewright.cache import Key
from kubewright.client import Client, endpoint_of
from kubewright.client.api import Api
from kubewright.controller.children import Owner
from kubewright.controller.recorder import Recorder
from kubewright.entropy import Entropy
from kubewright.http import DisconnectedError, Request, Response
from kubewright.k8s.core.v1 import Node

EVENTS = "/apis/events.k8s.io/v1/namespaces/default/events"
SHOP = Owner(WEB, Key("default", "shop"), "11111111-2222-3333-4444-555555555555")


def recording(story: Callable[[Scene, Recorder], Any], *, sending: bool = True) -> Any:
    async def staged(scene: Scene) -> Any:
        recorder = Recorder(Api(Client(scene.wire)), "op", "op-here", Entropy(1))
        task = asyncio.create_task(recorder.run()) if sending else None
        try:
            return await story(scene, recorder)
        finally:
            if task is not None:
                task.cancel()

    return play(staged)


def tell(recorder: Recorder, note: str = "to 3", reason: str = "Scaled") -> None:
    recorder.record(SHOP, "Normal", reason, note, "Reconcile", "web")


async def events(scene: Scene) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await scene.client.get(EVENTS))["items"]
    return found


def test_an_event_says_what_happened_to_whom_and_who_says_so() -> None:
    async def story(scene: Scene, recorder: Recorder) -> Any:
        tell(recorder)
        await asyncio.sleep(1)
        [event] = await events(scene)
        return event

    event = recording(story)
    assert (event["reason"], event["note"], event["type"], event["action"]) == ("Scaled", "to 3", "Normal", "Reconcile")
    assert event["regarding"]["uid"] == SHOP.uid
    assert event["reportingInstance"] == "op-here"
    assert event["eventTime"].startswith("2000-01-01T00:00:0")


def test_the_same_again_is_counted_and_the_last_count_is_told() -> None:
    async def story(scene: Scene, recorder: Recorder) -> Any:
        for _ in range(7):
            tell(recorder)
            await asyncio.sleep(1)
        between = (await events(scene))[0]["series"]["count"]
        await asyncio.sleep(600)
        [event] = await events(scene)
        return between, event["series"]["count"]

    between, after = recording(story)
    assert between >= 2
    assert after == 7


def test_what_happens_again_after_its_event_was_deleted_is_told_anew() -> None:
    async def story(scene: Scene, recorder: Recorder) -> Any:
        for _ in range(2):
            tell(recorder)
            await asyncio.sleep(1)
        await scene.client.delete(EVENTS)
        for _ in range(9):
            tell(recorder)
            await asyncio.sleep(300)
        there = len(await events(scene))
        await asyncio.sleep(600)
        [event] = await events(scene)
        return there, event["series"]["count"]

    assert recording(story) == (1, 11)


@pytest.mark.parametrize("name", ["team:viewer", "Viewer", f"{'a' * 63}." * 3 + "a" * 61])
def test_an_object_whose_name_is_none_for_an_event_has_events_all_the_same(name: str) -> None:
    async def story(scene: Scene, recorder: Recorder) -> Any:
        recorder.record(Owner(WEB, Key("default", name), SHOP.uid), "Normal", "Scaled", "to 3", "Reconcile", "web")
        await asyncio.sleep(1)
        return [event["regarding"]["name"] for event in await events(scene)]

    assert recording(story) == [name]


def test_an_object_in_no_namespace_has_its_events_in_the_default_one() -> None:
    async def story(scene: Scene, recorder: Recorder) -> Any:
        recorder.record(Owner(endpoint_of(Node), Key("", "n1"), "u"), "Warning", "Full", "", "Look")
        await asyncio.sleep(1)
        return [event["metadata"]["namespace"] for event in await events(scene)]

    assert recording(story) == ["default"]


@pytest.mark.parametrize("code", [400, 403, 404, 413, 422])
def test_what_the_server_does_not_take_is_let_go(code: int) -> None:
    async def story(scene: Scene, recorder: Recorder) -> Any:
        scene.wire.refuse = lambda request: code
        tell(recorder)
        await asyncio.sleep(300)
        tried = len(scene.wire.writes)
        scene.wire.refuse = lambda request: None
        tell(recorder, reason="Later")
        await asyncio.sleep(1)
        return tried, [event["reason"] for event in await events(scene)]

    assert recording(story) == (1, ["Later"])


def test_that_events_are_not_taken_is_said_once_and_they_are_not_counted(caplog: pytest.LogCaptureFixture) -> None:
    async def story(scene: Scene, recorder: Recorder) -> int:
        scene.wire.refuse = lambda request: 403
        for _ in range(2):
            tell(recorder)
        tell(recorder, reason="Other")
        await asyncio.sleep(300)
        return len(scene.wire.writes)

    assert recording(story) == 2
    (said,) = [each.getMessage() for each in caplog.records if "is not taken" in each.getMessage()]
    assert said.startswith("An Event about WebServer shop: ")


def test_a_server_that_is_down_is_tried_again_in_order_and_not_for_ever() -> None:
    async def story(scene: Scene, recorder: Recorder) -> Any:
        scene.wire.refuse = lambda request: 503
        tell(recorder, reason="First")
        tell(recorder, reason="Second")
        await asyncio.sleep(30)
        scene.wire.refuse = lambda request: None
        await asyncio.sleep(30)
        told = [event["reason"] for event in await events(scene)]
        scene.wire.refuse = lambda request: 503
        tell(recorder, reason="Lost")
        scene.wire.writes.clear()
        await asyncio.sleep(3600)
        return sorted(told), len(scene.wire.writes)

    assert recording(story) == (["First", "Second"], 12)


def test_one_that_cannot_be_written_is_let_go_and_said(caplog: pytest.LogCaptureFixture) -> None:
    async def story(scene: Scene, recorder: Recorder) -> list[str]:
        tell(recorder, "no text: \udce4")
        tell(recorder, "fine")
        await asyncio.sleep(1)
        return [each["note"] for each in await events(scene)]

    assert recording(story) == ["fine"]
    assert "cannot be written" in caplog.text


def test_one_that_cannot_be_written_does_not_spoil_the_end() -> None:
    async def story(scene: Scene, recorder: Recorder) -> list[str]:
        tell(recorder, "no text: \udce4")
        tell(recorder, "fine")
        await recorder.finish()
        return [each["note"] for each in await events(scene)]

    assert recording(story, sending=False) == ["fine"]


def test_too_many_that_wait_are_dropped_and_that_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    async def story(scene: Scene, recorder: Recorder) -> int:
        for number in range(1100):
            owner = Owner(WEB, Key("default", f"shop-{number}"), f"u{number}")
            recorder.record(owner, "Normal", "Made", "", "Reconcile")
        return len(recorder._waiting)

    assert recording(story, sending=False) == 1000
    assert caplog.text.count("Events wait to be sent; more are dropped") == 1


def test_at_the_end_what_waits_is_sent_once_each_and_fails_nobody() -> None:
    async def story(scene: Scene, recorder: Recorder) -> Any:
        def refuse(request: Request) -> int | None:
            return 503 if b"Bad" in bytes(request.body or b"") else None  # type: ignore[arg-type]

        scene.wire.refuse = refuse
        for reason in ("Bad", "Good"):
            tell(recorder, reason=reason)
        await recorder.finish()
        return len(scene.wire.writes), [event["reason"] for event in await events(scene)]

    assert recording(story, sending=False) == (2, ["Good"])


def test_at_the_end_a_server_that_does_not_answer_is_not_waited_for_long(caplog: pytest.LogCaptureFixture) -> None:
    """Each by itself would have its minute, and a thousand may wait."""

    async def story(scene: Scene, recorder: Recorder) -> float:
        async def hang(request: Request) -> None:
            await asyncio.sleep(3600)

        scene.wire.delay = hang
        for number in range(20):
            tell(recorder, reason=f"Reason{number}")
        began = asyncio.get_running_loop().time()
        await recorder.finish()
        return asyncio.get_running_loop().time() - began

    assert recording(story, sending=False) == 5
    assert "20 Events could not be sent within 5 s" in caplog.text


def test_one_whose_answer_is_lost_is_there_once() -> None:
    async def story(scene: Scene, recorder: Recorder) -> Any:
        send = scene.wire.send
        lost: list[Response] = []

        async def forget(request: Request) -> Response:
            answer = await send(request)
            if request.method == "POST" and not lost:
                lost.append(answer)
                raise DisconnectedError("the answer is lost")
            return answer

        monkey.setattr(scene.wire, "send", forget)
        tell(recorder)
        await asyncio.sleep(60)
        return len(scene.wire.writes), [event["reason"] for event in await events(scene)]

    with pytest.MonkeyPatch.context() as monkey:
        assert recording(story) == (2, ["Scaled"])


def test_one_that_is_under_way_at_the_end_is_there_once() -> None:
    async def story(scene: Scene, recorder: Recorder) -> Any:
        send = scene.wire.send
        sent = asyncio.Event()

        async def hold(request: Request) -> Response:
            answer = await send(request)
            if request.method == "POST" and not sent.is_set():
                sent.set()
                await asyncio.sleep(3600)
            return answer

        monkey.setattr(scene.wire, "send", hold)
        task = asyncio.create_task(recorder.run())
        tell(recorder)
        await sent.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await recorder.finish()
        return [event["reason"] for event in await events(scene)]

    with pytest.MonkeyPatch.context() as monkey:
        assert recording(story, sending=False) == ["Scaled"]
