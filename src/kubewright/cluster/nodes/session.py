"""A command in a container, or what runs there already, with somebody at the other end."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from kubewright.cluster.nodes.channels import STDERR, STDOUT, Channels
from kubewright.cluster.nodes.commands import Answer, answer, is_shell, passes_on

__all__ = ["run_command"]

Document = dict[str, Any]

_PROMPT: Final = b"# "


async def run_command(
    channels: Channels,
    command: Sequence[str],
    answers: Mapping[str, Answer],
    pod: Document,
    container: str,
    *,
    stdin: bool,
    tty: bool,
) -> None:
    """Do as the script says, and tell how it ended."""
    error = STDOUT if tty else STDERR
    if stdin and is_shell(command):
        await channels.finish(await _shell(channels, answers, pod, container, error, tty=tty))
        return
    if stdin and passes_on(command, answers):
        while (data := await channels.read()) is not None:
            await channels.write(STDOUT, data)
        await channels.finish(0)
        return
    done = answer(command, answers, pod, container)
    await channels.write(STDOUT, done.output.encode())
    await channels.write(error, done.error.encode())
    await channels.finish(done.code)


async def _shell(
    channels: Channels, answers: Mapping[str, Answer], pod: Document, container: str, error: int, *, tty: bool
) -> int:
    """Line by line, until there are no more, or one says `exit`; a terminal sees what it types."""
    rest, code = b"", 0
    if tty:
        await channels.write(STDOUT, _PROMPT)
    while (data := await channels.read()) is not None:
        data = data.replace(b"\r", b"\n")
        if tty:
            await channels.write(STDOUT, data.replace(b"\n", b"\r\n"))
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            words = line.decode(errors="replace").split()
            script = ["sh", "-c", line.decode(errors="replace")]
            done = answer(script, answers, pod, container) if words else Answer(code=code)
            code = done.code
            if words[:1] == ["exit"]:
                return code
            await channels.write(STDOUT, done.output.encode())
            await channels.write(error, done.error.encode())
            if tty:
                await channels.write(STDOUT, _PROMPT)
    return code
