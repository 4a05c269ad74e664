"""Pods on our nodes, on either cluster, seen with kubectl and with our client."""

import asyncio
import re
import subprocess
import urllib.request
from collections.abc import Awaitable, Callable

import pytest

from kubewright.client import SyncApi
from kubewright.client.api import Api
from kubewright.testing.real import find_kubectl
from kubewright.testing.sandbox import Sandbox

pytestmark = pytest.mark.usefixtures("kubectl")

POD = """
apiVersion: v1
kind: Pod
metadata:
  name: web
  labels: {app: web}
  annotations:
    kubewright.dev/log: |
      listening on 80
      ready
    kubewright.dev/ready-after: 500ms
    kubewright.dev/exec: |
      nginx -v: {error: "nginx version: nginx/1.29.0"}
      fail: {output: not today, code: 3}
spec:
  containers:
  - name: main
    image: nginx:1.29
    ports: [{containerPort: 80}]
"""


def played(cluster: Sandbox, story: Callable[[Api], Awaitable[None]]) -> None:
    async def run() -> None:
        async with cluster.client() as client:
            await story(Api(client))

    asyncio.run(run())


async def kubectl(cluster: Sandbox, *words: str, text: str | None = None) -> str:
    done: subprocess.CompletedProcess[str] = await asyncio.to_thread(cluster.kubectl, *words, input=text)
    assert done.returncode == 0, done.stderr
    return done.stdout


async def run_web(cluster: Sandbox) -> None:
    await kubectl(cluster, "apply", "-f", "-", text=POD)
    await kubectl(cluster, "wait", "pod/web", "--for=condition=Ready", "--timeout=30s")


def test_a_pod_becomes_ready_and_goes(cluster: Sandbox) -> None:
    async def story(api: Api) -> None:
        await run_web(cluster)
        shown = await kubectl(cluster, "get", "pod", "web", "--no-headers")
        assert shown.split()[:4] == ["web", "1/1", "Running", "0"]
        told = await kubectl(cluster, "describe", "pod", "web")
        for reason in ("Scheduled", "Pulled", "Created", "Started"):
            assert reason in told
        await kubectl(cluster, "delete", "pod", "web", "--timeout=30s")

    played(cluster, story)


def test_the_log_of_a_pod_is_shown(cluster: Sandbox) -> None:
    async def story(api: Api) -> None:
        await run_web(cluster)
        assert await kubectl(cluster, "logs", "web") == "listening on 80\nready\n"
        assert await kubectl(cluster, "logs", "web", "--tail=1") == "ready\n"
        assert await api.logs("web") == "listening on 80\nready\n"

    played(cluster, story)


def test_a_command_is_run_in_a_pod(cluster: Sandbox) -> None:
    async def story(api: Api) -> None:
        await run_web(cluster)
        assert await kubectl(cluster, "exec", "web", "--", "echo", "hello") == "hello\n"
        assert await kubectl(cluster, "exec", "-i", "web", "--", "cat", text="through") == "through"
        failed = await asyncio.to_thread(cluster.kubectl, "exec", "web", "--", "fail")
        assert (failed.returncode, failed.stdout) == (3, "not today\n")
        done = await api.exec("web", ["nginx", "-v"])
        assert (done.code, done.stdout, done.stderr) == (0, b"", b"nginx version: nginx/1.29.0\n")
        assert (await api.exec("web", ["cat"], stdin=b"through")).output == "through"

    played(cluster, story)


async def fetch(port: int) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.0\r\n\r\n")
    page = await reader.read()
    writer.close()
    return page


@pytest.mark.parametrize(
    ("protocol", "spelled"),
    [
        (
            "channel.k8s.io",
            [b"\x01", b"\x01not today\n", b"\x03command terminated with non-zero exit code: exit status 3"],
        ),
        (
            "base64.channel.k8s.io",
            [
                "1",
                "1bm90IHRvZGF5Cg==",
                "3Y29tbWFuZCB0ZXJtaW5hdGVkIHdpdGggbm9uLXplcm8gZXhpdCBjb2RlOiBleGl0IHN0YXR1cyAz",
            ],
        ),
    ],
)
def test_a_command_is_run_for_older_clients(cluster: Sandbox, protocol: str, spelled: list[str | bytes]) -> None:
    async def story(api: Api) -> None:
        await run_web(cluster)
        path = f"/api/v1/namespaces/{cluster.namespace}/pods/web/exec"
        socket = await api.raw.socket(path, [("command", "fail"), ("stdout", "1"), ("stderr", "1")], [protocol])
        assert [message async for message in socket] == spelled

    played(cluster, story)


@pytest.mark.parametrize(
    ("protocols", "spelled"),
    [
        (["binary.k8s.io"], [b"", b"listening on 80\nready\n"]),
        ([], [b"", b"listening on 80\nready\n"]),
        (["base64.binary.k8s.io"], ["", "bGlzdGVuaW5nIG9uIDgwCnJlYWR5Cg=="]),
    ],
)
def test_the_log_of_a_pod_is_told_in_messages(
    cluster: Sandbox, protocols: list[str], spelled: list[str | bytes]
) -> None:
    async def story(api: Api) -> None:
        await run_web(cluster)
        path = f"/api/v1/namespaces/{cluster.namespace}/pods/web/log"
        # Followed: of one that ends, kube-apiserver loses what comes together with the end.
        socket = await api.raw.socket(path, [("follow", "1")], protocols)
        assert [await socket.receive(), await socket.receive()] == spelled
        await socket.close()

    played(cluster, story)


def test_a_port_of_a_pod_is_reached(cluster: Sandbox) -> None:
    async def story(api: Api) -> None:
        await run_web(cluster)
        told = f"pod {cluster.namespace}/web, nginx:1.29, port 80\n".encode()
        async with api.port_forward("web", 80).listening() as port:
            assert (await fetch(port)).endswith(told)
        program = find_kubectl()
        forward = await asyncio.create_subprocess_exec(
            program,
            f"--kubeconfig={cluster.kubeconfig}",
            "port-forward",
            "pod/web",
            ":80",
            stdout=asyncio.subprocess.PIPE,
        )
        assert forward.stdout is not None
        try:
            said = re.match(rb"Forwarding from 127\.0\.0\.1:(\d+) -> 80", await forward.stdout.readline())
            assert said is not None
            pages = await asyncio.gather(*[fetch(int(said[1])) for _ in range(5)])
            assert all(page.endswith(told) for page in pages)
        finally:
            forward.terminate()
            await forward.wait()

    played(cluster, story)


def test_a_program_without_a_loop_reads_runs_and_reaches(cluster: Sandbox) -> None:
    asyncio.run(run_web(cluster))
    with SyncApi.connect(kubeconfig=cluster.kubeconfig) as api:
        assert api.logs("web", cluster.namespace).text() == "listening on 80\nready\n"
        assert next(iter(api.logs("web", cluster.namespace, follow=True))) == "listening on 80"
        assert api.exec("web", ["fail"], cluster.namespace)[:2] == (3, b"not today\n")
        with (
            api.port_forward("web", 80, cluster.namespace) as port,
            urllib.request.urlopen(f"http://127.0.0.1:{port}") as page,
        ):
            assert page.read() == f"pod {cluster.namespace}/web, nginx:1.29, port 80\n".encode()
