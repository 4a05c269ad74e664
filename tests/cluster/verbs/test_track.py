import asyncio
from typing import Any

import pytest
from tests.cluster.stage import CONFIGMAPS, Stage, play

from kubewright.cluster.registry.tracking import NeedsConversion
from kubewright.cluster.verbs.track import settled


async def _manager(stage: Stage, agent: str, query: str = "") -> Any:
    body = {"metadata": {"generateName": "c-"}, "data": {"k": "1"}}
    _, obj = await stage.ask("POST", f"{CONFIGMAPS}{query}", body, {"user-agent": agent})
    return obj["metadata"]["managedFields"][0]["manager"]


@pytest.mark.parametrize(
    ("agent", "manager"),
    [
        ("prog/v1 (linux)", "prog"),
        ("no slash", "no slash"),
        ("/x", "unknown"),
        ("x" * 200, "x" * 128),
        ("a\u00e9\u200bb/1", "a\u00e9b"),
        ("\u00e9" * 100, "\u00e9" * 64),
    ],
)
def test_a_program_is_called_by_its_name(agent: str, manager: str) -> None:
    async def story(stage: Stage) -> None:
        assert await _manager(stage, agent) == manager

    play(story)


def test_a_name_in_the_request_counts_first() -> None:
    async def story(stage: Stage) -> None:
        assert await _manager(stage, "prog/v1", "?fieldManager=given") == "given"

    play(story)


class _Webhook:
    def __init__(self) -> None:
        self.asked: list[str] = []

    async def fetch(self, document: dict[str, Any], version: str) -> None:
        self.asked.append(version)


class _Call:
    def __init__(self) -> None:
        self.warnings = ["before"]


def test_what_needs_a_webhook_is_done_again_when_it_has_answered() -> None:
    webhook, call = _Webhook(), _Call()

    async def work() -> str:
        call.warnings.append("told")
        if not webhook.asked:
            raise NeedsConversion(webhook, {}, "v2")  # type: ignore[arg-type]  # all that is asked of it
        return "done"

    assert asyncio.run(settled(call, work)) == "done"  # type: ignore[arg-type]  # all that is asked of it
    assert (webhook.asked, call.warnings) == (["v2"], ["before", "told"])
