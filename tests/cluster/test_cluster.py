import asyncio
import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from kubewright.client import Access, ApiError, Client, HttpTransport, load_kubeconfig
from kubewright.cluster import Cluster, ClusterError
from kubewright.cluster.auth.user import User
from kubewright.cluster.controllers.driver import UnknownController
from kubewright.cluster.store.disk import DiskError

NAMESPACES = "/api/v1/namespaces"


def test_it_is_reached_by_its_kubeconfig_over_tls_as_an_administrator() -> None:
    async def story() -> tuple[str, int]:
        async with Cluster() as cluster:
            mode = stat.S_IMODE(cluster.kubeconfig.stat().st_mode)
            async with Client.connect(load_kubeconfig(cluster.kubeconfig)) as client:
                made = await client.create(NAMESPACES, {"metadata": {"name": "web"}})
            return made["metadata"]["name"], mode

    assert asyncio.run(story()) == ("web", 0o600)


def test_nothing_is_left_of_it() -> None:
    async def story() -> Path:
        async with Cluster() as cluster:
            return cluster.kubeconfig

    assert not asyncio.run(story()).parent.exists()


def test_over_tls_nobody_in_particular_may_only_look_around() -> None:
    async def story() -> tuple[str, int]:
        async with Cluster() as cluster:
            access = load_kubeconfig(cluster.kubeconfig)
            stranger = Access(server=access.server, authority=access.authority)
            async with Client(HttpTransport(stranger)) as client:
                version = (await client.get("/version"))["gitVersion"]
                with pytest.raises(ApiError) as caught:
                    await client.get(NAMESPACES)
            return version, caught.value.code

    assert asyncio.run(story()) == ("v1.36.3", 403)


def test_a_bearer_token_is_its_users_and_another_is_nobodys() -> None:
    async def story() -> list[int]:
        async with Cluster(tokens={"secret": User("jane")}) as cluster:
            access = load_kubeconfig(cluster.kubeconfig)
            codes = []
            for token in ("secret", "other"):
                bearer = Access(server=access.server, authority=access.authority, token=token)
                async with Client(HttpTransport(bearer)) as client:
                    codes.append((await client.request("GET", NAMESPACES)).status)
            return codes

    assert asyncio.run(story()) == [403, 401]  # jane is known, and may do nothing here


def test_the_plain_port_asks_no_questions() -> None:
    async def story() -> int:
        async with (
            Cluster(port=None, plain_port=0) as cluster,
            Client(HttpTransport(Access(server=cluster.plain_server))) as client,
        ):
            return len((await client.get(NAMESPACES))["items"])

    assert asyncio.run(story()) == 4


def test_without_a_port_there_is_no_kubeconfig() -> None:
    async def story() -> None:
        async with Cluster(port=None) as cluster:
            assert (await cluster.client().get("/version"))["major"] == "1"
            with pytest.raises(ClusterError, match="serves on no port"):
                _ = cluster.kubeconfig
        with pytest.raises(ClusterError, match="not running"):
            cluster.client()

    asyncio.run(story())


def test_a_port_that_is_taken_is_told() -> None:
    async def story() -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            with pytest.raises(ClusterError, match="choose another port"):
                async with Cluster(port=taken.getsockname()[1]):
                    pass

    asyncio.run(story())


def test_a_controller_that_does_not_exist_is_told() -> None:
    async def story() -> None:
        with pytest.raises(UnknownController, match="there is no controller 'nope'"):
            async with Cluster(port=None, controllers="nope"):
                pass

    asyncio.run(story())


def test_what_it_kept_is_there_again_and_the_kubeconfig_still_opens(tmp_path: Path) -> None:
    async def story() -> None:
        async with Cluster(data=tmp_path / "data", kubeconfig=tmp_path / "kubeconfig") as cluster:
            made = await cluster.client().create(NAMESPACES, {"metadata": {"name": "web"}})
            port = int(cluster.server.rpartition(":")[2])
        async with (
            Cluster(data=tmp_path / "data", kubeconfig=tmp_path / "other", port=port),
            Client.connect(load_kubeconfig(tmp_path / "kubeconfig")) as client,
        ):
            again = await client.get(f"{NAMESPACES}/web")
            assert again["metadata"] == made["metadata"]
            newer = await client.create(NAMESPACES, {"metadata": {"name": "later"}})
            assert int(newer["metadata"]["resourceVersion"]) > int(made["metadata"]["resourceVersion"])

    asyncio.run(story())


def test_one_directory_is_for_one_cluster_at_a_time(tmp_path: Path) -> None:
    async def story() -> None:
        async with Cluster(port=None, data=tmp_path):
            with pytest.raises(DiskError, match="another server is using it"):
                async with Cluster(port=None, data=tmp_path):
                    pass
        async with Cluster(port=None, data=tmp_path):
            pass

    asyncio.run(story())


SCRIPT = """
import asyncio, hashlib, sys
from kubewright.cluster import Cluster
from kubewright.http import Headers, Request
from kubewright.trials.loop import run

async def story():
    seen = hashlib.sha256()
    async with Cluster(port=None, seed=int(sys.argv[1])) as cluster:
        client = cluster.client()
        async def ask(method, path, body=b"", media=b"application/json"):
            response = await client._transport.send(Request(method, path, Headers([(b"content-type", media)]), body))
            data = await response.read()
            seen.update(data + repr(sorted(response.headers.pairs)).encode())
            return data
        await ask("POST", "/api/v1/namespaces", b'{"metadata":{"name":"web","labels":{"a":"1","b":"2"}}}')
        maps = "/api/v1/namespaces/web/configmaps"
        for _ in range(5):
            await ask("POST", maps, b'{"metadata":{"generateName":"m-"},"data":{"b":"2","a":"1"}}')
        await asyncio.sleep(61)
        await ask("GET", maps)
        await ask("GET", "/apis")
        await ask("DELETE", "/api/v1/namespaces/web")
        await asyncio.sleep(5)
        await ask("GET", "/api/v1/namespaces")
        await ask("GET", "/api/v1/configmaps?labelSelector=!x")
    return seen.hexdigest()

print(run(story()))
"""


def test_a_seed_gives_the_same_bytes_in_every_run() -> None:
    def digest(seed: int, hash_seed: int) -> str:
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, str(seed)],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
        )
        return done.stdout

    assert digest(7, 1) == digest(7, 2) == digest(7, 3)
    assert digest(8, 1) != digest(7, 1)


def test_a_cluster_that_goes_on_gives_no_identifier_twice(tmp_path: Path) -> None:
    async def made(name: str) -> str:
        async with Cluster(port=None, data=tmp_path, seed=1, controllers="none") as cluster:
            path = "/api/v1/namespaces/default/configmaps"
            return str((await cluster.client().create(path, {"metadata": {"name": name}}))["metadata"]["uid"])

    assert asyncio.run(made("a")) != asyncio.run(made("b"))
