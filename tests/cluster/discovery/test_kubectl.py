"""kubectl's own reading of what is told: the same fields, types, kinds and verbs on ours as on a real server."""

import asyncio
import json
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.cluster.discovery.definitions import DEFINITIONS
from tests.cluster.discovery.record import published

from kubewright.cluster.cluster import Cluster
from kubewright.testing.real import RealCluster

QUESTIONS = [
    ("api-versions",),
    ("api-resources", "--output=wide", "--sort-by=name"),
    ("explain", "pods.spec.containers"),
    ("explain", "deployments", "--recursive"),
    ("explain", "customresourcedefinitions", "--recursive"),
    ("explain", "widgets", "--recursive"),
    ("explain", "widgets.spec.choice"),
    ("explain", "widgets", "--api-version=stable.example.com/v1beta1"),
    ("explain", "gadgets.metadata"),
    ("explain", "opens"),
    ("explain", "nosuch"),
    ("explain", "pods.spec.nosuch"),
    ("explain", "pods.spec", "--output=plaintext-openapiv2"),
    ("explain", "deployments", "--recursive", "--output=plaintext-openapiv2"),
    ("explain", "widgets.spec", "--output=plaintext-openapiv2"),
    ("explain", "widgets", "--recursive", "--output=plaintext-openapiv2"),
]
#: Of an explanation, what is not a description: where it is, and the fields with their types.
TOLD = re.compile(r"(GROUP|KIND|VERSION|RESOURCE|FIELD):.*|\s+\S+\t<.*|\s+enum: .*|(error|Error|the server).*")


@contextmanager
def private_cache(cluster: RealCluster) -> Iterator[RealCluster]:
    with tempfile.TemporaryDirectory() as cache:
        yield RealCluster(cluster.kubeconfig, cluster.server, cluster.program, Path(cache))


def answers(cluster: RealCluster) -> dict[tuple[str, ...], list[str]]:
    found = {}
    for question in QUESTIONS:
        answer = cluster.kubectl(*question)
        lines = (answer.stdout + answer.stderr).splitlines()
        if question[0] == "explain":
            lines = [line.rstrip() for line in lines if TOLD.fullmatch(line)]
        found[question] = lines
    return found


@pytest.mark.real
def test_kubectl_reads_the_same_on_both(real_cluster: RealCluster) -> None:
    async def ours() -> dict[tuple[str, ...], list[str]]:
        async with Cluster(controllers="none") as cluster:
            with private_cache(RealCluster(cluster.kubeconfig, "", real_cluster.program)) as reached:
                for crd in DEFINITIONS:
                    made = await asyncio.to_thread(reached.kubectl, "create", "--filename=-", input=json.dumps(crd))
                    assert not made.returncode, made.stderr
                return await asyncio.to_thread(answers, reached)

    with published(real_cluster), private_cache(real_cluster) as reached:
        theirs = answers(reached)
    found = asyncio.run(ours())
    for question in QUESTIONS:
        assert theirs[question], question
        assert found[question] == theirs[question], question
