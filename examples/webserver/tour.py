"""The embedded control plane, in one process: the type's CRD goes in, and the API behaves as Kubernetes' does."""

import asyncio
import json

from kubewright.client import ApiError, Client
from kubewright.cluster import Cluster
from kubewright.schema.crd import crd_of
from webserver import WebServer

CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
SERVERS = "/apis/web.example.com/v1/namespaces/default/webservers"


async def established(client: Client) -> None:
    """Wait until the new kind is served."""
    async for event in client.watch(CRDS, timeoutSeconds=30):
        conditions = json.loads(bytes(event.object)).get("status", {}).get("conditions") or []
        if any(each["type"] == "Established" and each["status"] == "True" for each in conditions):
            return


async def main() -> None:
    """Define, create, be refused, scale."""
    async with Cluster() as cluster:
        client = cluster.client()
        print(f"a Kubernetes API at {cluster.server}")
        await client.create(CRDS, crd_of(WebServer))
        await established(client)
        web = {"apiVersion": "web.example.com/v1", "kind": "WebServer", "metadata": {"name": "web"}}
        made = await client.create(SERVERS, web | {"spec": {"image": "nginx"}})
        print(f"created {made['metadata']['name']}, with its defaults: {made['spec']}")
        try:
            await client.create(SERVERS, web | {"metadata": {"name": "bad"}, "spec": {"image": "", "replicas": 500}})
        except ApiError as refused:
            print(f"refused, in the server's words: {refused}")
        changed = await client.patch(f"{SERVERS}/web/scale", "merge", {"spec": {"replicas": 3}})
        print(f"scaled to {changed['spec']['replicas']}")


asyncio.run(main())
