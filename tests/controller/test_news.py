"""Both ways of writing an Event are ones that a server takes."""

from typing import Any

import pytest
from tests.cluster.stage import Stage, play

from kubewright.cache import Key
from kubewright.client.api import Api
from kubewright.client.endpoint import endpoint_of
from kubewright.controller.children import Owner
from kubewright.controller.news import COUNT, SERIES, Form
from kubewright.controller.recorder import Recorder
from kubewright.k8s.apps.v1 import Deployment

OWNER = Owner(endpoint_of(Deployment), Key("default", "web"), "e2b3c0f6")


async def told(stage: Stage, form: Form, times: int) -> dict[str, Any]:
    recorder = Recorder(Api(stage.client), "keeper", "keeper-0", form=form)
    for _ in range(times):
        recorder.record(OWNER, "Normal", "Scaled", "Scaled up", "Reconcile", "deployment-controller")
    await recorder.finish()
    (event,) = (await stage.client.get("/api/v1/namespaces/default/events"))["items"]
    return dict(event)


def test_an_event_that_is_counted_says_which_controller_tells_it() -> None:
    async def story(stage: Stage) -> None:
        event = await told(stage, COUNT, 1)
        assert event["involvedObject"] == {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "name": "web",
            "namespace": "default",
            "uid": "e2b3c0f6",
        }
        assert (event["message"], event["reason"], event["count"]) == ("Scaled up", "Scaled", 1)
        assert event["source"] == {"component": "deployment-controller"}
        assert event["reportingComponent"] == "deployment-controller"
        assert event["firstTimestamp"] == event["lastTimestamp"]

    play(story)


@pytest.mark.parametrize("times", [2, 3])
def test_the_same_again_is_counted_each_time(times: int) -> None:
    async def story(stage: Stage) -> None:
        assert (await told(stage, COUNT, times))["count"] == times

    play(story)


def test_an_event_of_a_series_says_which_operator_tells_it() -> None:
    async def story(stage: Stage) -> None:
        event = await told(stage, SERIES, 2)
        assert (event["reportingComponent"], event["reportingInstance"]) == ("keeper", "keeper-0")
        assert event["series"]["count"] == 2
        assert event["action"] == "Reconcile"

    play(story)


@pytest.mark.parametrize("form", [COUNT, SERIES])
def test_a_note_too_long_for_the_server_is_cut(form: Form) -> None:
    async def story(stage: Stage) -> None:
        recorder = Recorder(Api(stage.client), "keeper", "keeper-0", form=form)
        recorder.record(OWNER, "Warning", "Odd", "ä" * 600, "Reconcile")
        await recorder.finish()
        (event,) = (await stage.client.get("/api/v1/namespaces/default/events"))["items"]
        assert event["message"] == "ä" * 510 + "…"

    play(story)


def test_events_told_as_one_have_the_note_of_the_last() -> None:
    async def story(stage: Stage) -> None:
        recorder = Recorder(Api(stage.client), "keeper", "keeper-0", form=COUNT)
        for number in range(12):
            recorder.record(OWNER, "Normal", "Scaled", f"to {number}", "Reconcile")
        await recorder.finish()
        events = (await stage.client.get("/api/v1/namespaces/default/events"))["items"]
        combined = [each for each in events if each["message"].startswith("(combined from similar events): ")]
        assert [(each["count"], each["message"].rpartition(": ")[2]) for each in combined] == [(3, "to 11")]

    play(story)
