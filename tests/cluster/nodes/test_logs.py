"""What containers have written, as a value and as it is asked for."""

import asyncio
from typing import Any

import pytest
from tests.cluster.nodes.pods import PODS, Yard, play

from kubewright.client.errors import ApiError
from kubewright.cluster.nodes.logs import LogOptions, Run, read_lines, render

LOG = "listening on 80\n+2s GET /\n+4s GET /more\n"
LINES = list(read_lines(LOG, Run(100.0, None)))


def test_lines_come_at_their_times() -> None:
    assert [(line.at, line.text) for line in LINES] == [
        (100.0, "listening on 80\n"),
        (102.0, "GET /\n"),
        (104.0, "GET /more\n"),
    ]


def test_a_container_that_has_ended_wrote_nothing_after() -> None:
    assert [line.at for line in read_lines(LOG, Run(100.0, 103.0))] == [100.0, 102.0]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (LogOptions(), "listening on 80\nGET /\nGET /more\n"),
        (LogOptions(tail=1), "GET /more\n"),
        (LogOptions(tail=0), ""),
        (LogOptions(since=101.0), "GET /\nGET /more\n"),
        (LogOptions(since=101.0, tail=1, timestamps=True), "1970-01-01T00:01:44.000000000Z GET /more\n"),
        (LogOptions(limit=5), "liste"),
    ],
)
def test_what_is_asked_for_is_answered(options: LogOptions, text: str) -> None:
    assert render(LINES, options).decode() == text


def test_the_log_of_a_pod_is_read_through_the_server() -> None:
    async def story(yard: Yard) -> tuple[str, str, list[str]]:
        await yard.create(stage={"log": LOG})
        await yard.until(3)
        whole = await yard.api.logs("web")
        last = await yard.api.logs("web", tail=1, timestamps=True)
        return whole, last, [line async for line in yard.api.logs("web", since=2)]

    whole, last, lines = play(story)
    assert whole == "listening on 80\nGET /\n"
    assert last == "2000-01-01T00:00:02.000000000Z GET /\n"
    assert lines == ["GET /"]


def test_a_log_is_followed_until_its_container_ends() -> None:
    async def story(yard: Yard) -> list[tuple[float, str]]:
        await yard.create(stage={"log": LOG, "exit-code": "0", "exit-after": "10s"}, restartPolicy="Never")
        await yard.until(1)
        loop = asyncio.get_running_loop()
        begun = loop.time() - 1
        seen = [(round(loop.time() - begun), line) async for line in yard.api.logs("web", follow=True)]
        return [*seen, (round(loop.time() - begun), "")]

    assert play(story) == [(1, "listening on 80"), (2, "GET /"), (4, "GET /more"), (10, "")]


def test_a_container_that_was_begun_anew_has_two_logs() -> None:
    async def story(yard: Yard) -> str:
        await yard.create(stage={"stage": "crash-loop", "log": "no such file\n"})
        await yard.until(5)
        return await yard.api.logs("web", previous=True)

    assert play(story) == "no such file\n"


@pytest.mark.parametrize(
    ("stage", "query", "why"),
    [
        ({"start-after": "1h"}, {}, 'container "main" in pod "web" is waiting to start: ContainerCreating'),
        (
            {"stage": "image-pull-error"},
            {},
            'container "main" in pod "web" is waiting to start: image can\'t be pulled',
        ),
        ({}, {"previous": True}, 'previous terminated container "main" in pod "web" not found'),
        ({}, {"container": "other"}, "container other is not valid for pod web"),
    ],
)
def test_why_there_is_no_log(stage: dict[str, str], query: dict[str, Any], why: str) -> None:
    async def story(yard: Yard) -> tuple[int, str]:
        await yard.create(stage=stage)
        await yard.until(0.5)
        with pytest.raises(ApiError) as refused:
            await yard.api.logs("web", **query)
        return refused.value.code, str(refused.value)

    code, told = play(story)
    assert code == 400
    assert why in told


def test_a_pod_that_is_deleted_ends_its_followed_log() -> None:
    async def story(yard: Yard) -> list[str]:
        await yard.create(stage={"log": "hello"})
        await yard.until(1)

        async def follow() -> list[str]:
            return [line async for line in yard.api.logs("web", follow=True)]

        following = asyncio.create_task(follow())
        await yard.until(1)
        await yard.client.delete(f"{PODS}/web")
        return await following

    assert play(story) == ["hello"]


@pytest.mark.parametrize(
    ("protocols", "heard"),
    [
        (["binary.k8s.io"], [b"", b"hello\n"]),
        ([], [b"", b"hello\n"]),
        (["other", "base64.binary.k8s.io"], ["", "aGVsbG8K"]),
    ],
)
def test_a_log_may_be_told_in_messages(protocols: list[str], heard: list[str | bytes]) -> None:
    async def story(yard: Yard) -> list[str | bytes]:
        await yard.create(stage={"log": "hello"})
        await yard.until(1)
        socket = await yard.client.socket(f"{PODS}/web/log", [], protocols)
        return [message async for message in socket]

    assert play(story) == heard


def test_who_hears_no_more_of_a_followed_log_ends_it() -> None:
    async def story(yard: Yard) -> list[str | bytes]:
        await yard.create(stage={"log": "hello"})
        await yard.until(1)
        socket = await yard.client.socket(f"{PODS}/web/log", [("follow", "1")], ["binary.k8s.io"])
        heard = [await socket.receive(), await socket.receive()]
        await socket.close()
        return heard

    assert play(story) == [b"", b"hello\n"]
