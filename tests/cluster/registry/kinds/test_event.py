"""EVT-1: events of both groups."""

import asyncio
from typing import Any

import pytest
from tests.cluster.stage import Stage, play

from kubewright.cluster.registry.kinds.event import EventStrategy, NewEventStrategy, from_stored, to_stored
from kubewright.cluster.registry.kinds.plain import PlainStrategy, plain_strategy

TOLD = {
    "eventTime": "2020-01-01T00:00:00.000001Z",
    "action": "Binding",
    "reason": "Because",
    "reportingInstance": "me-1",
    "type": "Normal",
}


def core(**fields: Any) -> dict[str, Any]:
    meta = {"name": "a", "namespace": "web"}
    return {"apiVersion": "v1", "kind": "Event", "metadata": meta, "involvedObject": {"namespace": "web"}, **fields}


def new(**fields: Any) -> dict[str, Any]:
    told = {"regarding": {"namespace": "web"}, "reportingController": "example.com/me", **TOLD}
    meta = {"name": "a", "namespace": "web", "resourceVersion": "1"}
    return {"apiVersion": "events.k8s.io/v1", "kind": "Event", "metadata": meta, **told, **fields}


def strategy(kind: type[PlainStrategy]) -> PlainStrategy:
    return plain_strategy("events", namespaced=True, empty_status=None, kind=kind)


def judged(obj: dict[str, Any]) -> list[str]:
    kind = EventStrategy if obj["apiVersion"] == "v1" else NewEventStrategy
    return [str(error) for error in strategy(kind).validate(obj)]


def changed(obj: dict[str, Any], **fields: Any) -> list[str]:
    return [str(error) for error in strategy(NewEventStrategy).validate_update({**obj, **fields}, obj)]


def test_the_groups_call_the_same_otherwise() -> None:
    old = core(message="m", source={"component": "c"}, count=2, firstTimestamp="f", lastTimestamp="l", reason="r")
    assert from_stored(old) == {
        "apiVersion": "events.k8s.io/v1",
        "kind": "Event",
        "metadata": old["metadata"],
        "regarding": {"namespace": "web"},
        "note": "m",
        "deprecatedSource": {"component": "c"},
        "deprecatedCount": 2,
        "deprecatedFirstTimestamp": "f",
        "deprecatedLastTimestamp": "l",
        "reason": "r",
    }
    assert to_stored(from_stored(old)) == old


@pytest.mark.parametrize(
    ("obj", "said"),
    [
        (core(), []),
        (core(involvedObject={}), ['involvedObject.namespace: Invalid value: "": does not match event.namespace']),
        (core(eventTime="t", reportingComponent="me", reportingInstance="i", action="a", reason="r"), []),
        (
            core(eventTime="t", reportingComponent="me", reportingInstance="i", action="a" * 129, reason="r"),
            ['action: Invalid value: "": can have at most 128 characters'],
        ),
        (
            core(eventTime="t", reportingComponent="me", action="a", reason="r"),
            ["reportingInstance: Required value"],
        ),
        (new(), []),
        (new(type="Odd"), ['type: Invalid value: "": has invalid value: Odd']),
        (new(deprecatedCount=1), ['count: Invalid value: "": needs to be unset']),
        (new(deprecatedSource={"host": "h"}), ['source: Invalid value: "": needs to be unset']),
        (
            new(series={"count": 1}),
            ['series.count: Invalid value: "": should be at least 2', "series.lastObservedTime: Required value"],
        ),
        (new(eventTime=None), ["eventTime: Required value"]),
    ],
)
def test_each_group_asks_for_its_own(obj: dict[str, Any], said: list[str]) -> None:
    assert judged(obj) == said


def test_through_the_new_group_only_the_series_changes() -> None:
    assert changed(new(), series={"count": 2, "lastObservedTime": "t"}) == []
    assert changed(new(), note="other") == ['message: Invalid value: "other": field is immutable']
    assert changed(new(), reportingController="x") == ['reportingController: Invalid value: "x": field is immutable']
    assert changed(new(), reason="x") == ['reason: Invalid value: "x": field is immutable'] * 2


def test_an_event_is_kept_for_an_hour() -> None:
    async def story(stage: Stage) -> list[int]:
        path = "/api/v1/namespaces/default/events"
        await stage.ask("POST", path, {"metadata": {"name": "a"}, "involvedObject": {"namespace": "default"}})
        seen = []
        for wait in (3500, 200):
            await asyncio.sleep(wait)
            seen += [(await stage.ask("GET", f"{each}/a"))[0] for each in (path, f"/apis/events.k8s.io{path[4:]}")]
        return seen

    assert play(story) == [200, 200, 404, 404]
