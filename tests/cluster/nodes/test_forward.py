"""Connections to the ports of pods: what listens there, and the two ways to it."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cluster.nodes.pods import PODS, Yard, make_pod, play

from kubewright.client.forward import ForwardError
from kubewright.cluster.nodes.forward import TUNNEL
from kubewright.cluster.nodes.ports import find_port, read_ports
from kubewright.cluster.nodes.spdy import DATA, FIN, PING, SYN_REPLY, SYN_STREAM, Frame, FrameError, Frames
from kubewright.errors import KubewrightError

GET = b"GET / HTTP/1.0\r\n\r\n"
CONTAINER = {"name": "main", "image": "nginx:1.29", "ports": [{"containerPort": 80}]}


def pod_with(*ports: int) -> dict[str, object]:
    pod = make_pod(
        containers=[{"name": "main", "image": "nginx", "ports": [{"containerPort": port} for port in ports]}]
    )
    pod["metadata"]["namespace"] = "default"
    return pod


def test_a_declared_port_tells_which_pod_it_is() -> None:
    assert find_port(pod_with(80), 80, {}) == "pod default/web, nginx, port 80"
    assert find_port(pod_with(80), 81, {}) is None


def test_every_port_is_open_where_none_is_declared() -> None:
    assert find_port(pod_with(), 81, {}) == "pod default/web, nginx, port 81"


def test_settings_say_what_listens() -> None:
    listening = read_ports("80: echo\n81: 127.0.0.1:3000\n")
    assert listening == {80: "echo", 81: "127.0.0.1:3000"}
    assert find_port(pod_with(80), 81, listening) == "127.0.0.1:3000"


@pytest.mark.parametrize("text", ["- 80\n", "http: echo\n", "80: [a]\n", "65536: echo\n"])
def test_settings_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(KubewrightError, match=r"kubewright\.dev/ports"):
        read_ports(text)


@given(st.lists(st.dictionaries(st.text(max_size=20).map(str.lower), st.text(max_size=20))), st.integers(1, 50))
def test_frames_are_read_as_they_were_written_however_they_are_cut(blocks: list[dict[str, str]], size: int) -> None:
    sent = [Frame(SYN_STREAM, 2 * number + 1, headers=block) for number, block in enumerate(blocks)]
    sent.append(Frame(DATA, 1, FIN, data=b"x" * 70))
    here, there = Frames(), Frames()
    wire = b"".join(here.encode(frame) for frame in sent)
    seen = [frame for at in range(0, len(wire), size) for frame in there.feed(wire[at : at + size])]
    assert [(each.kind, each.stream, each.flags, each.headers) for each in seen] == [
        (each.kind, each.stream, each.flags, {name.lower(): value for name, value in each.headers.items()})
        for each in sent
    ]


@pytest.mark.parametrize("wire", [b"\x80\x02\x00\x01\x00\x00\x00\x00", b"\x80\x03\x00\x01\x00\x00\x00\x0c" + b"x" * 12])
def test_what_is_no_spdy_is_refused(wire: bytes) -> None:
    with pytest.raises(FrameError):
        list(Frames().feed(wire))


def test_a_port_is_reached_through_the_server() -> None:
    async def story(yard: Yard) -> tuple[bytes, bytes, str]:
        await yard.create(stage={"ports": "9000: echo"}, containers=[CONTAINER])
        await yard.until(1)
        async with await yard.api.port_forward("web", 80).open() as line:
            await line.write(GET)
            page = await line.read()
        async with await yard.api.port_forward("web", 9000).open() as line:
            await line.write(b"hello")
            echo = await line.read()
        async with await yard.api.port_forward("web", 81).open() as line:
            with pytest.raises(ForwardError) as refused:
                await line.read()
        return page, echo, str(refused.value)

    page, echo, refused = play(story)
    assert page.endswith(b"\r\n\r\npod default/web, nginx:1.29, port 80\n")
    assert echo == b"hello"
    assert "connection refused" in refused


def test_many_connections_go_through_one_tunnel() -> None:
    async def story(yard: Yard) -> dict[int, bytes]:
        await yard.create(stage={"ports": "9000: echo"}, containers=[CONTAINER])
        await yard.until(1)
        socket = await yard.client.socket(f"{PODS}/web/portforward", [], [TUNNEL])
        frames = Frames()
        ports = {1: "9000", 5: "9000", 9: "81"}
        for number, port in ports.items():
            request = {"port": port, "requestid": str(number)}
            for stream, kind in ((number, "error"), (number + 2, "data")):
                await socket.send(frames.encode(Frame(SYN_STREAM, stream, headers={**request, "streamtype": kind})))
            await socket.send(frames.encode(Frame(DATA, number + 2, FIN, data=f"to {number}".encode())))
        await socket.send(frames.encode(Frame(PING, data=b"\x00\x00\x00\x07")))
        seen: dict[int, bytes] = {}
        ended: set[int] = set()
        answered = False
        async with asyncio.timeout(10):
            while len(ended) < 6 or not answered:
                message = await socket.receive()
                assert isinstance(message, bytes)
                for frame in frames.feed(message):
                    answered = answered or frame.kind == PING
                    if frame.kind == SYN_REPLY:
                        seen[frame.stream] = b""
                    if frame.kind == DATA:
                        seen[frame.stream] += frame.data
                        ended |= {frame.stream} if frame.flags & FIN else set()
        await socket.close()
        return seen

    seen = play(story)
    assert (seen[3], seen[7], seen[11]) == (b"to 1", b"to 5", b"")
    assert (seen[1], seen[5]) == (b"", b"")
    assert b"connection refused" in seen[9]
