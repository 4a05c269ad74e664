import asyncio
import json

import pytest
from tests.http.wire import Answer, answers

from kubewright.cluster import Cluster
from kubewright.cluster.front.neighbour import check_neighbour
from kubewright.cluster.wire.status import Failure
from kubewright.http import Headers, Request
from kubewright.http.message import Peer


class Here:
    """A connection from somewhere."""

    def __init__(self, address: str = "127.0.0.1", *, secure: bool = False) -> None:
        self.peer = Peer((address, 40000), secure=secure)

    @property
    def lost(self) -> asyncio.Event:
        return asyncio.Event()


def request(link: Here, **headers: str) -> Request:
    return Request("GET", "/api", Headers([(k.encode(), v.encode()) for k, v in headers.items()]), link=link)


@pytest.mark.parametrize("host", ["localhost", "LocalHost:8001", "127.0.0.1:8001", "127.3.2.1", "[::1]:8001", "[::1]"])
def test_this_machine_by_any_of_its_names_is_let_in(host: str) -> None:
    check_neighbour(request(Here(), host=host))
    check_neighbour(request(Here("::1"), host=host, origin=f"http://{host}"))


def test_an_old_client_need_not_say_whom_it_asks() -> None:
    check_neighbour(request(Here()))


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8001", "10.0.0.1:8001", "localhost.evil.example", "127.0.0.1.nip.io", "", "[::2]"],
)
def test_a_name_that_was_made_to_mean_this_machine_is_refused(host: str) -> None:
    with pytest.raises(Failure, match="the Host of this request is"):
        check_neighbour(request(Here(), host=host))


@pytest.mark.parametrize("origin", ["https://evil.example", "http://evil.example:8001", "null", "", "file://"])
def test_a_page_of_another_site_is_refused(origin: str) -> None:
    with pytest.raises(Failure, match="the Origin of this request is"):
        check_neighbour(request(Here(), host="127.0.0.1:8001", origin=origin))


def test_who_has_to_show_credentials_may_use_any_name() -> None:
    check_neighbour(request(Here(secure=True), host="kubernetes.default.svc", origin="https://console.example"))


def test_a_machine_that_was_opened_to_others_is_called_what_they_call_it() -> None:
    check_neighbour(request(Here("192.0.2.7"), host="build-server:8001"))


async def ask(port: int, *lines: str) -> Answer:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write("\r\n".join(["GET /api/v1/namespaces HTTP/1.1", *lines, "Connection: close", "", ""]).encode())
    data = await reader.read()
    writer.close()
    return answers(data)[0]


def test_the_plain_port_refuses_strangers_in_one_sentence() -> None:
    async def story() -> tuple[Answer, Answer, Answer]:
        async with Cluster(port=None, plain_port=0, controllers="none") as cluster:
            port = int(cluster.plain_server.rpartition(":")[2])
            good = await ask(port, f"Host: localhost:{port}")
            rebound = await ask(port, f"Host: evil.example:{port}")
            page = await ask(port, f"Host: 127.0.0.1:{port}", "Origin: https://evil.example")
            return good, rebound, page

    good, rebound, page = asyncio.run(story())
    assert (good.status, rebound.status, page.status) == (200, 403, 403)
    told = json.loads(rebound.body)
    assert (told["kind"], told["reason"]) == ("Status", "Forbidden")
    assert told["message"].startswith("forbidden: the plain port serves programs of this machine alone")
