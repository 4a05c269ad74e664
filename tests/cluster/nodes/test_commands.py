"""What commands answer, and commands run through the server."""

import asyncio
import base64

import pytest
from tests.cluster.nodes.pods import PODS, Yard, make_pod, play

from kubewright.client.errors import ApiError
from kubewright.cluster.nodes.commands import Answer, answer, read_answers
from kubewright.errors import KubewrightError

SCRIPT = """
version: v1.2
cat /etc/config: {output: "a: 1"}
check: {error: "it is broken", code: 3}
one; two: both
"""
ANSWERS = read_answers(SCRIPT)


def in_base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


async def told(yard: Yard, query: list[tuple[str, str]], protocols: list[str]) -> list[str | bytes]:
    """Every message of a command, until its end."""
    socket = await yard.client.socket(f"{PODS}/web/exec", query, protocols)
    return [message async for message in socket]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["version"], Answer("v1.2\n")),
        (["version", "--short"], Answer("v1.2\n")),
        (["cat", "/etc/config"], Answer("a: 1\n")),
        (["sh", "-c", "cat /etc/config"], Answer("a: 1\n")),
        (["check"], Answer("", "it is broken\n", 3)),
        (["echo", "hello", "there"], Answer("hello there\n")),
        (["/bin/echo", "hello"], Answer("hello\n")),
        (["hostname"], Answer("web\n")),
        (["sh", "-c", "exit 7"], Answer(code=7)),
        (["sh", "-c", "sleep 1; exit 3; echo unheard"], Answer(code=3)),
        (["sh", "-c", "echo one;check\nversion"], Answer("one\nv1.2\n", "it is broken\n")),
        (["sh", "-c", "version && false && echo unheard"], Answer("v1.2\n", code=1)),
        (["sh", "-c", "echo 'a; b && c' d#e"], Answer("a; b && c d#e\n")),
        (["sh", "-c", "echo 'a\nb';\n\nversion\n"], Answer("a\nb\nv1.2\n")),
        (["sh", "-c", "false &&\necho unheard"], Answer(code=1)),
        (["sh", "-c", "one; two"], Answer("both\n")),
        (["sh", "-c", ""], Answer()),
        (["sh", "-c", "'"], Answer("", "sh: No closing quotation\n", 2)),
        (["cat"], Answer()),
        (["cat", "/etc/other"], Answer("", "cat: /etc/other: No such file or directory\n", 1)),
        (["nothing"], Answer("", "sh: nothing: not found\n", 127)),
        (["/bin/nothing"], Answer("", "sh: /bin/nothing: not found\n", 127)),
    ],
)
def test_a_command_answers_what_is_written_or_known(command: list[str], said: Answer) -> None:
    assert answer(command, ANSWERS, make_pod()) == said


@pytest.mark.parametrize(("container", "value"), [("", "one"), ("main", "one"), ("other", "two"), ("first", "three")])
def test_each_container_has_variables_of_its_own(container: str, value: str) -> None:
    def named(name: str, value: str) -> dict[str, object]:
        return {"name": name, "env": [{"name": "A", "value": value}]}

    pod = make_pod(containers=[named("main", "one"), named("other", "two")], initContainers=[named("first", "three")])
    assert answer(["sh", "-c", "env"], {}, pod, container) == Answer(f"HOSTNAME=web\nA={value}\n")


def test_a_star_stands_for_every_other_command() -> None:
    assert answer(["nothing"], read_answers('"*": ok'), make_pod()) == Answer("ok\n")


@pytest.mark.parametrize("text", ["- a\n", "a: {code: x}\n", "a: {stdout: x}\n"])
def test_a_script_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(KubewrightError, match=r"kubewright\.dev/exec"):
        read_answers(text)


def test_a_command_is_run_through_the_server() -> None:
    async def story(yard: Yard) -> list[tuple[int, str, bytes]]:
        await yard.create(stage={"exec": SCRIPT})
        await yard.until(1)
        api = yard.api
        done = [
            await api.exec("web", ["version"]),
            await api.exec("web", ["check"], container="main"),
            await api.exec("web", ["cat"], stdin=b"through and through"),
            await api.exec("web", ["sh", "-c", "cat"], stdin=b"through a shell"),
            await api.exec("web", ["sh"], stdin=b"version\ncheck\nexit 4\n"),
        ]
        return [(each.code, each.output, each.stderr) for each in done]

    assert play(story) == [
        (0, "v1.2\n", b""),
        (3, "", b"it is broken\n"),
        (0, "through and through", b""),
        (0, "through a shell", b""),
        (4, "v1.2\n", b"it is broken\n"),
    ]


def test_a_container_that_does_not_run_runs_no_command() -> None:
    async def story(yard: Yard) -> str:
        await yard.create(stage={"start-after": "1h"})
        await yard.until(1)
        with pytest.raises(ApiError) as refused:
            await yard.api.exec("web", ["version"])
        return str(refused.value)

    assert 'container not found ("main")' in play(story)


BROKEN = "command terminated with non-zero exit code: exit status 3"
CAUSES = '"details":{"causes":[{"reason":"ExitCode","message":"3"}]}'
STATUS = f'{{"metadata":{{}},"status":"Failure","message":"{BROKEN}","reason":"NonZeroExitCode",{CAUSES}}}'


@pytest.mark.parametrize(
    ("protocols", "heard"),
    [
        (["v5.channel.k8s.io"], [b"\x01", b"\x01v1.2\n", b"\x02it is broken\n", b"\x03" + STATUS.encode()]),
        (["v4.channel.k8s.io"], [b"\x01", b"\x01v1.2\n", b"\x02it is broken\n", b"\x03" + STATUS.encode()]),
        (["channel.k8s.io"], [b"\x01", b"\x01v1.2\n", b"\x02it is broken\n", b"\x03" + BROKEN.encode()]),
        ([], [b"\x01", b"\x01v1.2\n", b"\x02it is broken\n", b"\x03" + BROKEN.encode()]),
        (["v4.base64.channel.k8s.io"], ["1", "1djEuMgo=", "2aXQgaXMgYnJva2VuCg==", "3" + in_base64(STATUS)]),
        (["base64.channel.k8s.io"], ["1", "1djEuMgo=", "2aXQgaXMgYnJva2VuCg==", "3" + in_base64(BROKEN)]),
    ],
)
def test_each_protocol_tells_the_same_in_its_way(protocols: list[str], heard: list[str | bytes]) -> None:
    async def story(yard: Yard) -> list[str | bytes]:
        await yard.create(stage={"exec": SCRIPT})
        await yard.until(1)
        words = [("command", "sh"), ("command", "-c"), ("command", "version; check")]
        return await told(yard, [("stdout", "1"), ("stderr", "1"), *words], protocols)

    assert play(story) == heard


@pytest.mark.parametrize(
    ("wanted", "heard"),
    [("stdout", [b"\x01", b"\x01v1.2\n"]), ("stderr", [b"\x02", b"\x02it is broken\n"])],
)
def test_who_does_not_want_to_hear_a_stream_does_not(wanted: str, heard: list[bytes]) -> None:
    async def story(yard: Yard) -> list[str | bytes]:
        await yard.create(stage={"exec": SCRIPT})
        await yard.until(1)
        words = [("command", "sh"), ("command", "-c"), ("command", "version; check; true")]
        return await told(yard, [(wanted, "1"), *words], ["channel.k8s.io"])

    assert play(story) == heard


def test_what_is_put_in_may_be_in_base64() -> None:
    async def story(yard: Yard) -> list[str | bytes]:
        await yard.create()
        await yard.until(1)
        words = [("stdin", "1"), ("stdout", "1"), ("command", "cat")]
        socket = await yard.client.socket(f"{PODS}/web/exec", words, ["base64.channel.k8s.io"])
        for message in ("0?", "", "0" + in_base64("through")):
            await socket.send(message)
        heard = [await socket.receive(), await socket.receive()]
        await socket.close()
        return heard

    assert play(story) == ["1", "1" + in_base64("through")]


def test_who_attaches_sees_what_is_written_until_the_end() -> None:
    async def story(yard: Yard) -> list[bytes]:
        await yard.create(stage={"log": "one\n+5s two\n", "exit-code": "0", "exit-after": "9s"}, restartPolicy="Never")
        await yard.until(1)
        socket = await yard.client.socket(f"{PODS}/web/attach", [("stdout", "true")], ["v5.channel.k8s.io"])
        async with asyncio.timeout(60):
            return [message async for message in socket if isinstance(message, bytes)]

    assert play(story) == [b"\x01", b"\x01one\n", b"\x01two\n", b'\x03{"metadata":{},"status":"Success"}']
