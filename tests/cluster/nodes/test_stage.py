"""Stages: settings for all pods that they select."""

from typing import Any

import pytest
from tests.cluster.nodes.pods import Yard, play

from kubewright.cluster.nodes.stage import Stage
from kubewright.schema.crd import crd_of

CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
STAGES = "/apis/kubewright.dev/v1/namespaces/default/stages"


async def put(yard: Yard, name: str, labels: dict[str, str], **settings: str) -> None:
    spec: dict[str, Any] = {"selector": {"matchLabels": labels}, "settings": settings}
    document = {"apiVersion": "kubewright.dev/v1", "kind": "Stage", "metadata": {"name": name}, "spec": spec}
    await yard.client.create(STAGES, document)


def test_a_stage_sets_how_the_pods_fare_that_it_selects() -> None:
    async def story(yard: Yard) -> list[str]:
        await yard.client.create(CRDS, crd_of(Stage))
        await yard.until(5)
        await put(yard, "broken", {"app": "web"}, stage="image-pull-error")
        await yard.until(1)
        await yard.create("web", labels={"app": "web"})
        await yard.create("other", labels={"app": "other"})
        await yard.create("own", {"stage": "", "exit-code": "0"}, labels={"app": "web"}, restartPolicy="Never")
        await yard.until(1)
        before = [(await yard.get(name))["status"]["phase"] for name in ("web", "other", "own")]
        await yard.client.delete(f"{STAGES}/broken")
        await yard.until(1)
        return [*before, (await yard.get())["status"]["phase"]]

    assert play(story) == ["Pending", "Running", "Succeeded", "Running"]


@pytest.mark.parametrize(
    ("setting", "text", "why"),
    [
        ("colour", "red", "kubewright.dev/colour is no setting; there are stage, containers,"),
        ("exec", "- date", "kubewright.dev/exec is a document from commands to what they answer."),
        ("ports", "80: [a]", "kubewright.dev/ports: '80': ['a'] is no port with echo, host:port or a text."),
    ],
)
def test_a_stage_that_cannot_be_understood_says_so_and_counts_as_none(setting: str, text: str, why: str) -> None:
    async def story(yard: Yard) -> tuple[dict[str, Any], str]:
        await yard.client.create(CRDS, crd_of(Stage))
        await yard.until(5)
        await put(yard, "odd", {"app": "web"}, **{setting: text})
        await yard.until(1)
        await yard.create(labels={"app": "web"})
        await yard.until(1)
        (told,) = (await yard.client.get(f"{STAGES}/odd"))["status"]["conditions"]
        return told, (await yard.get())["status"]["phase"]

    told, phase = play(story)
    assert (told["type"], told["status"], told["reason"]) == ("Accepted", "False", "Invalid")
    assert told["message"].startswith(why)
    assert phase == "Running"
