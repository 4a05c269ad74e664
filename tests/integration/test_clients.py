"""The Python clients that others write with work on the cluster as they do on any: each has a story in `stories`."""

import os
import subprocess
import sys
from pathlib import Path

from kubewright.testing.sandbox import Sandbox, wait_for

STORIES = Path(__file__).parent / "stories"
CRD = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.clients.example.com"},
    "spec": {
        "group": "clients.example.com",
        "scope": "Namespaced",
        "names": {"plural": "widgets", "singular": "widget", "kind": "Widget"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "subresources": {"status": {}},
                "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}},
            }
        ],
    },
}


def told(story: str, cluster: Sandbox) -> list[str]:
    """What a story printed, in a process of its own: these clients leave threads and sockets behind."""
    words = [sys.executable, str(STORIES / f"{story}.py"), str(cluster.kubeconfig), cluster.namespace]
    environment = {**os.environ, "KUBECONFIG": str(cluster.kubeconfig)}
    done = subprocess.run(words, check=False, capture_output=True, text=True, timeout=60, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_official_client(cluster: Sandbox) -> None:
    assert told("official", cluster) == [
        "created {'k': '1'}",
        "listed a {'k': '2'}",
        "seen ADDED a MODIFIED a DELETED a",
        "gone 404",
    ]


def test_kr8s(cluster: Sandbox) -> None:
    assert told("kr8s_client", cluster) == [
        "created {'k': '1'}",
        "listed a {'k': '2'}",
        "seen ADDED a MODIFIED a DELETED a",
        "there False",
    ]


def test_kopf(cluster: Sandbox) -> None:
    wait_for(_define(cluster))
    assert told("kopf_operator", cluster) == ["create w 1", "update w 2", "delete w"]


async def _define(cluster: Sandbox) -> None:
    async with cluster.client() as client:
        await client.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", CRD)
