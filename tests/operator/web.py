"""The operator that the tests run: a WebServer becomes a Deployment and a Service."""

from typing import Annotated, Any

import kubewright as kw
from kubewright.client import Client
from kubewright.k8s.apps.v1 import Deployment, DeploymentSpec
from kubewright.k8s.core.v1 import Container, ContainerPort, PodSpec, PodTemplateSpec, Service, ServicePort, ServiceSpec
from kubewright.k8s.meta.v1 import LabelSelector
from kubewright.schema.crd import crd_of

__all__ = ["WEBS", "WebServer", "deployment_for", "install", "make", "service_for", "web_server"]

WEBS = "/apis/web.example.com/v1/namespaces/{}/webservers"


class WebServerSpec(kw.Model):
    """What the user wants."""

    image: Annotated[str, kw.MinLength(1)]
    replicas: Annotated[int, kw.Range(0, 100)] = 1


class WebServerStatus(kw.Status):
    """What there is."""

    ready_replicas: int = 0


class WebServer(kw.Resource, group="web.example.com", version="v1", short_names=["ws"]):
    """A web server."""

    spec: WebServerSpec
    status: WebServerStatus = kw.field(default_factory=WebServerStatus)


def deployment_for(web: WebServer) -> Deployment:
    """The pods that serve."""
    labels = {"app": web.metadata.name}
    return Deployment(
        metadata=kw.ObjectMeta(name=web.metadata.name, labels=labels),
        spec=DeploymentSpec(
            replicas=web.spec.replicas,
            selector=LabelSelector(match_labels=labels),
            template=PodTemplateSpec(
                metadata=kw.ObjectMeta(labels=labels),
                spec=PodSpec(
                    containers=[Container(name="web", image=web.spec.image, ports=[ContainerPort(container_port=80)])]
                ),
            ),
        ),
    )


def service_for(web: WebServer) -> Service:
    """The way to them."""
    labels = {"app": web.metadata.name}
    return Service(
        metadata=kw.ObjectMeta(name=web.metadata.name, labels=labels),
        spec=ServiceSpec(selector=labels, ports=[ServicePort(port=80)]),
    )


@kw.controller(WebServer, owns=[Deployment, Service])
async def web_server(web: WebServer, ctx: kw.Context) -> kw.Requeue | None:
    """Make the world as the WebServer says."""
    deployment = await ctx.apply(deployment_for(web))
    await ctx.apply(service_for(web))
    ready = deployment.status.ready_replicas or 0
    web.status.ready_replicas = ready
    web.status.set("Available", ready == web.spec.replicas, reason="Rollout")
    return None


async def install(client: Client, *kinds: type[kw.Resource]) -> None:
    """Have the server serve these kinds."""
    for kind in kinds or (WebServer,):
        crd = crd_of(kind)
        await client.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd)


async def make(client: Client, name: str, namespace: str = "default", **spec: Any) -> Any:
    """A WebServer."""
    document = {
        "apiVersion": "web.example.com/v1",
        "kind": "WebServer",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"image": "nginx", **spec},
    }
    return await client.create(WEBS.format(namespace), document)
