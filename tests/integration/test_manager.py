"""Kubernetes' own kube-controller-manager works on our server, and comes to where our controllers come.

The program is the released one, started as on any cluster; the server has none of our controllers, and one of our
nodes. The story of a WebServer is played with its controllers and with ours, and what is there after each step is
compared. What it writes in its log as an error must be what it writes on a real server as well.
"""

import asyncio
import base64
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.examples.ground import EXAMPLES

from kubewright.client import Client
from kubewright.client.errors import NotFound
from kubewright.cluster import Cluster
from kubewright.entropy import SYSTEM
from kubewright.model.yaml import load_yaml
from kubewright.schema.crd import crd_of
from kubewright.testing.process import Child
from webserver import WebServer, app

pytestmark = pytest.mark.real

Document = dict[str, Any]

#: Its garbage collector looks only twice a minute for kinds that are new.
SECONDS = 60.0
CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
WEBS = "/apis/web.example.com/v1/namespaces/default/webservers"
WEB = f"{WEBS}/webserver-sample"
EVENTS = "/api/v1/namespaces/default/events"
#: What a WebServer leads to, by plural.
KINDS = {
    "deployments": "/apis/apps/v1/namespaces/default/deployments",
    "replicasets": "/apis/apps/v1/namespaces/default/replicasets",
    "pods": "/api/v1/namespaces/default/pods",
    "services": "/api/v1/namespaces/default/services",
    "endpoints": "/api/v1/namespaces/default/endpoints",
    "endpointslices": "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
}
#: What it says on a real server as well: no manifests are given; and it finds its memory behind its own writes, or
#: somebody else quicker, and tries again.
USUAL = re.compile(r"The manifest file is empty|is not as new as written version|the object has been modified")
#: What two clusters draw by chance.
CHANCE = [
    (r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "<uid>"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "<time>"),
    (r"10\.\d+\.\d+\.\d+", "<address>"),
    (r'"resourceVersion": "\d+"', '"resourceVersion": "<rv>"'),
    (r"(webserver-sample-[a-z0-9]{6,10})-[a-z0-9]{5}\b", r"\1-<pod>"),
    (r"(webserver-sample-service)-[a-z0-9]{5}\b", r"\1-<slice>"),
    (r"kube-api-access-[a-z0-9]{5}", "kube-api-access-<token>"),
    (r"\b[0-9a-f]{64}\b", "<container>"),
]


@asynccontextmanager
async def managed(binaries: Path, folder: Path) -> AsyncIterator[Cluster]:
    """A cluster of ours with their controllers, whose log is in that folder."""
    async with Cluster(controllers="none", nodes=1) as cluster:
        document: Any = load_yaml(cluster.kubeconfig.read_bytes(), "the kubeconfig")
        authority, key = folder / "ca.crt", folder / "sa.key"
        authority.write_bytes(base64.b64decode(document["clusters"][0]["cluster"]["certificate-authority-data"]))
        key.write_bytes(SYSTEM.private_key())
        options = [
            f"--kubeconfig={cluster.kubeconfig}",
            "--secure-port=0",
            "--use-service-account-credentials",
            "--kube-api-qps=500",  # it makes some forty accounts first: 5 s at the default rate
            "--kube-api-burst=500",
            f"--service-account-private-key-file={key}",
            f"--root-ca-file={authority}",
        ]
        manager = Child(binaries / "kube-controller-manager", options, folder / "manager.log")
        try:
            await until(lambda: cluster.client().get("/api/v1/namespaces/default/serviceaccounts/default"))
            yield cluster
        finally:
            await asyncio.to_thread(manager.stop)


async def until(holds: Callable[[], Awaitable[Any]]) -> None:
    async with asyncio.timeout(SECONDS):
        while True:
            try:
                if await holds():
                    return
            except NotFound:
                pass  # not yet
            await asyncio.sleep(0.1)


class Story:
    """A WebServer on a cluster, and what there is after each step."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def play(self) -> dict[str, list[str]]:
        """What there is when it runs, when it is scaled, when it has another image, and when it is deleted."""
        client, seen = self._client, {}
        await client.create(CRDS, crd_of(WebServer))
        await until(lambda: client.get(WEBS))
        async with app.running(client):
            sample: Any = load_yaml((EXAMPLES / "webserver/samples/webserver.yaml").read_bytes(), "the sample")
            await client.create(WEBS, sample)
            seen["created"] = await self._settled(3)
            await client.patch(WEB, "merge", {"spec": {"replicas": 4}})
            seen["scaled"] = await self._settled(4)
            await client.patch(WEB, "merge", {"spec": {"image": "nginx:1.23.0"}})
            seen["rolled"] = await self._settled(4)
            await client.delete(WEB)
            await until(self._gone)
            seen["deleted"] = await self._shown()
        return seen

    async def _settled(self, pods: int) -> list[str]:
        """What there is once the operator says it is done, the Service leads to every pod, and nothing is ending."""

        async def holds() -> bool:
            web = await self._client.get(WEB)
            status = web.get("status", {})
            said = {each["type"]: each["status"] for each in status.get("conditions", [])}
            done = status.get("observedGeneration") == web["metadata"]["generation"] and said == {
                "Available": "True",
                "Progressing": "False",
            }
            return done and await self._led() == [pods, pods, pods, pods] and not await self._ending()

        await until(holds)
        return await self._shown()

    async def _led(self) -> list[int]:
        """How many pods there are, and to how many the Service leads: addresses, and ends of slices, all and ready."""
        subsets = [part for each in await self._found("endpoints") for part in each.get("subsets") or []]
        ends = [end for each in await self._found("endpointslices") for end in each.get("endpoints") or []]
        ready = [end for end in ends if end["conditions"]["ready"]]
        addresses = [address for part in subsets for address in part.get("addresses") or []]
        return [len(await self._found("pods")), len(addresses), len(ends), len(ready)]

    async def _ending(self) -> int:
        """How many pods are ending, as those say that have made them: they hear of an end last."""
        makers = [each for plural in ("deployments", "replicasets") for each in await self._found(plural)]
        return sum(each["status"].get("terminatingReplicas", 0) for each in makers)

    async def _gone(self) -> bool:
        return not any([await self._found(plural) for plural in KINDS])

    async def _found(self, plural: str) -> list[Document]:
        """All of a kind, but what is the server's own."""
        items = (await self._client.get(KINDS[plural]))["items"]
        return [each for each in items if each["metadata"]["name"] != "kubernetes"]

    async def _shown(self) -> list[str]:
        """All that there is, and what controllers have told of it; without what is chance."""
        lines = [_shown(plural, each) for plural in KINDS for each in await self._found(plural)]
        # Events are told beside the work: what has been told of pods by now is chance.
        told = {
            f"{event['source']['component']} {event['reason']}"
            for event in (await self._client.get(EVENTS))["items"]
            if event["involvedObject"]["kind"] == "Deployment"
        }
        return "\n".join([*sorted(map(_without_chance, lines)), *sorted(told)]).splitlines()


def _shown(plural: str, found: Document) -> str:
    meta = {key: found["metadata"].get(key) for key in ("name", "labels", "annotations", "ownerReferences")}
    if plural.startswith("endpoint"):
        # What the last write was for depends on which news came together.
        (meta["annotations"] or {}).pop("endpoints.kubernetes.io/last-change-trigger-time", None)
        meta["annotations"] = meta["annotations"] or None
    elif plural == "replicasets":
        # In how many steps pods are replaced depends on which become ready together.
        found = {**found, "status": {**found["status"], "observedGeneration": None}}
    else:
        meta["generation"] = found["metadata"].get("generation")
    return f"{plural} {json.dumps({**found, 'metadata': meta}, indent=1, sort_keys=True)}"


def _without_chance(text: str) -> str:
    for pattern, replacement in CHANCE:
        text = re.sub(pattern, replacement, text)
    return text


def test_a_web_server_comes_to_the_same(real_binaries: Path, tmp_path: Path) -> None:
    async def with_theirs() -> dict[str, list[str]]:
        async with managed(real_binaries, tmp_path) as cluster:
            return await Story(cluster.client()).play()

    async def with_ours() -> dict[str, list[str]]:
        async with Cluster() as cluster:
            return await Story(cluster.client()).play()

    theirs, ours = asyncio.run(with_theirs()), asyncio.run(with_ours())
    for step, seen in theirs.items():
        assert seen == ours[step], step
    log = (tmp_path / "manager.log").read_text().splitlines()
    assert [line for line in log if re.match(r"[EWF]\d{4} ", line) and not USUAL.search(line)] == []
