"""Memcached: a cache of so many nodes, each a pod.

The nodes are a Deployment's pods; which they are is read from memory and kept in the status.

    kubewright run examples/memcached/memcached.py --embedded

`kubectl` then makes what is in `samples/`.
"""

from collections.abc import Iterable
from typing import Annotated

import kubewright as kw
from kubewright.k8s.apps.v1 import Deployment, DeploymentSpec
from kubewright.k8s.core.v1 import Container, ContainerPort, Pod, PodSpec, PodTemplateSpec
from kubewright.k8s.meta.v1 import LabelSelector

IMAGE = "memcached:1.6.38-alpine"


class MemcachedSpec(kw.Model):
    """What the user wants."""

    size: Annotated[kw.Int32, kw.Range(0, 50)]
    """How many nodes the cache has."""


class MemcachedStatus(kw.Status):
    """What there is."""

    nodes: Annotated[list[str], kw.ListSet()] = kw.field(default_factory=list)
    """The names of the pods."""
    replicas: kw.Int32 = 0
    """How many there are."""
    selector: str = ""
    """The labels by which the pods are found, for autoscalers."""


class Memcached(
    kw.Resource,
    group="cache.example.com",
    version="v1alpha1",
    columns=[
        kw.Column("Size", ".spec.size"),
        kw.Column("Nodes", ".status.replicas"),
        kw.Column("Age", ".metadata.creationTimestamp"),
    ],
    scale=kw.Scale(".spec.size", ".status.replicas", ".status.selector"),
):
    """A cache of so many nodes."""

    spec: MemcachedSpec
    """What the user wants."""
    status: MemcachedStatus = kw.field(default_factory=MemcachedStatus)
    """What there is."""


def cache_of(pod: Pod) -> Iterable[str]:
    """The Memcached that a pod belongs to: pods have a ReplicaSet for an owner, so their label says it."""
    name = (pod.metadata.labels or {}).get("memcached")
    return [name] if name else []


PODS = kw.only(Pod, labels="app=memcached")  # all others need not be kept in memory


@kw.controller(Memcached, owns=[Deployment], reads=[PODS], watches=[kw.watch(PODS, map=cache_of)])
async def memcached(cache: Memcached, ctx: kw.Context) -> None:
    """Have the nodes there, and list them."""
    labels = labels_for(cache)
    deployment = await ctx.apply(deployment_for(cache))
    pods = [pod for pod in ctx.list(Pod, labels=labels) if pod.metadata.deletion_timestamp is None]
    cache.status.nodes = sorted(pod.metadata.name for pod in pods)
    cache.status.replicas = len(pods)
    cache.status.selector = ",".join(f"{key}={value}" for key, value in labels.items())
    ready, size = deployment.status.ready_replicas or 0, cache.spec.size
    message = f"{ready} of {size} nodes are ready"
    cache.status.set("Available", ready >= size, reason="Ready" if ready >= size else "NodesMissing", message=message)


app = kw.Operator("memcached-operator", [memcached])


def labels_for(cache: Memcached) -> dict[str, str]:
    """What the pods of a cache are found by."""
    return {"app": "memcached", "memcached": cache.metadata.name}


def deployment_for(cache: Memcached) -> Deployment:
    """The nodes."""
    labels = labels_for(cache)
    container = Container(
        name="memcached",
        image=IMAGE,
        command=["memcached", "-m=64", "-o", "modern", "-v"],
        ports=[ContainerPort(name="memcached", container_port=11211)],
    )
    return Deployment(
        metadata=kw.ObjectMeta(name=cache.metadata.name, labels=labels),
        spec=DeploymentSpec(
            replicas=cache.spec.size,
            selector=LabelSelector(match_labels=labels),
            template=PodTemplateSpec(metadata=kw.ObjectMeta(labels=labels), spec=PodSpec(containers=[container])),
        ),
    )
