"""The operator as a user of kubewright writes it; run with `kubewright run`, as it would be."""

import kubewright as kw
from bench.operator.kind import WebServer
from kubewright.k8s.apps.v1 import Deployment, DeploymentSpec
from kubewright.k8s.core.v1 import (
    Container,
    ContainerPort,
    PodSpec,
    PodTemplateSpec,
    Service,
    ServicePort,
    ServiceSpec,
)
from kubewright.k8s.meta.v1 import LabelSelector

__all__ = ["app", "deployment_for", "service_for", "web_server"]


def deployment_for(web: WebServer) -> Deployment:
    """The pods."""
    labels = {"app.kubernetes.io/name": web.metadata.name}
    container = Container(name="web", image=web.spec.image, ports=[ContainerPort(container_port=web.spec.port)])
    return Deployment(
        metadata=kw.ObjectMeta(name=web.metadata.name, labels=labels),
        spec=DeploymentSpec(
            replicas=web.spec.replicas,
            selector=LabelSelector(match_labels=labels),
            template=PodTemplateSpec(metadata=kw.ObjectMeta(labels=labels), spec=PodSpec(containers=[container])),
        ),
    )


def service_for(web: WebServer) -> Service:
    """Their port."""
    labels = {"app.kubernetes.io/name": web.metadata.name}
    return Service(
        metadata=kw.ObjectMeta(name=web.metadata.name, labels=labels),
        spec=ServiceSpec(
            selector=labels,
            cluster_ip="None",
            ports=[ServicePort(name="http", port=80, target_port=web.spec.port)],
        ),
    )


@kw.controller(WebServer, owns=[Deployment, Service], concurrency=32)
async def web_server(web: WebServer, ctx: kw.Context) -> None:
    """Have both there."""
    deployment = await ctx.apply(deployment_for(web))
    await ctx.apply(service_for(web))
    ready = (deployment.status.ready_replicas if deployment.status else 0) or 0
    web.status.ready_replicas = ready
    web.status.set("Available", ready == web.spec.replicas, reason="Rollout")


app = kw.Operator("web-operator", [web_server])
