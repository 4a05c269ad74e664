"""WebServer: so many pods of an image, behind a port of every node.

What there shall be is a function of the WebServer (`deployment_for`, `service_for`), and so is what is told of it.

    kubewright run examples/webserver/webserver.py --embedded

`kubectl` then makes what is in `samples/`.
"""

from typing import Annotated

import kubewright as kw
from kubewright.client.errors import Invalid
from kubewright.k8s.apps.v1 import Deployment, DeploymentSpec
from kubewright.k8s.core.v1 import Container, ContainerPort, PodSpec, PodTemplateSpec, Service, ServicePort, ServiceSpec
from kubewright.k8s.meta.v1 import LabelSelector


class WebServerSpec(kw.Model):
    """What the user wants."""

    image: Annotated[str, kw.MinLength(1)]
    """Container image of the server."""
    replicas: Annotated[kw.Int32, kw.Range(0, 100)] = 1
    """How many pods serve."""
    port: Annotated[kw.Int32, kw.Range(1, 65535)] = 80
    """The port the container listens on."""
    node_port: Annotated[kw.Int32 | None, kw.Range(30000, 32767)] = None
    """The port of every node under which it is reached; the cluster chooses one unless it is given."""


class WebServerStatus(kw.Status):
    """What there is."""

    replicas: kw.Int32 = 0
    """How many pods there are."""
    ready_replicas: kw.Int32 = 0
    """How many of them are ready."""
    selector: str = ""
    """The labels by which the pods are found, for autoscalers."""
    node_port: kw.Int32 | None = None
    """The port of every node under which it is reached."""


class WebServer(
    kw.Resource,
    group="web.example.com",
    version="v1",
    short_names=["ws"],
    columns=[
        kw.Column("Image", ".spec.image"),
        kw.Column("Replicas", ".spec.replicas"),
        kw.Column("Ready", ".status.readyReplicas"),
        kw.Column("Available", '.status.conditions[?(@.type=="Available")].status'),
        kw.Column("Node-Port", ".status.nodePort", priority=1),
        kw.Column("Age", ".metadata.creationTimestamp"),
    ],
    scale=kw.Scale(".spec.replicas", ".status.replicas", ".status.selector"),
):
    """A web server: so many pods of an image, behind a port of every node."""

    spec: WebServerSpec
    """What the user wants."""
    status: WebServerStatus = kw.field(default_factory=WebServerStatus)
    """What there is."""

    @kw.rule("replicas may not shrink by more than half at once")
    def gentle_shrink(self, old: "WebServer") -> bool:
        """Losing most of the pods at once is a mistake more often than a wish; the last one may go."""
        return self.spec.replicas * 2 >= old.spec.replicas or old.spec.replicas == 1


@kw.controller(WebServer, owns=[Deployment, Service])
async def web_server(web: WebServer, ctx: kw.Context) -> None:
    """Make the world as the WebServer says, and say how far that is."""
    deployment_before = ctx.get(Deployment, web.metadata.name)
    deployment = await ctx.apply(deployment_for(web))
    service_before = ctx.get(Service, service_name(web))
    try:
        if has_other_ports(service_before):
            await ctx.live.patch(Service, service_name(web), {"spec": kw.to_dict(service_for(web).spec)}, ctx.namespace)
        service = await ctx.apply(service_for(web))
    except Invalid as error:  # a port that another Service has, or had a moment ago: it is told, and tried again
        web.status.set("Available", False, reason="ServiceRefused", message=str(error))
        ctx.event("ServiceRefused", str(error), type="Warning")
        raise kw.Retry(f"the Service is refused: {error}", after=5) from error
    for reason, note in [*deployment_news(deployment_before, deployment), *service_news(service_before, service)]:
        ctx.event(reason, note)
    report(web, deployment, service)


app = kw.Operator("web-operator", [web_server])


# What there shall be.


def labels_for(web: WebServer) -> dict[str, str]:
    """What the pods of a WebServer are found by."""
    return {"app": "webserver", "webserver": web.metadata.name}


def service_name(web: WebServer) -> str:
    """What its Service is called."""
    return f"{web.metadata.name}-service"


def deployment_for(web: WebServer) -> Deployment:
    """The pods that serve."""
    labels = labels_for(web)
    ports = [ContainerPort(name="http", container_port=web.spec.port)]
    container = Container(name="webserver", image=web.spec.image, ports=ports)
    return Deployment(
        metadata=kw.ObjectMeta(name=web.metadata.name, labels=labels),
        spec=DeploymentSpec(
            replicas=web.spec.replicas,
            selector=LabelSelector(match_labels=labels),
            template=PodTemplateSpec(metadata=kw.ObjectMeta(labels=labels), spec=PodSpec(containers=[container])),
        ),
    )


def service_for(web: WebServer) -> Service:
    """The way to them. A Service that is made anew has the port of the one before, so that clients find it again."""
    port = ServicePort(name="http", port=80, target_port="http")
    if (node_port := web.spec.node_port or web.status.node_port) is not None:
        port.node_port = node_port
    return Service(
        metadata=kw.ObjectMeta(name=service_name(web), labels=labels_for(web)),
        spec=ServiceSpec(type="NodePort", selector=labels_for(web), ports=[port]),
    )


def has_other_ports(service: Service | None) -> bool:
    """Whether somebody gave the Service a port: to apply ours would leave theirs, and the two might not go together."""
    return service is not None and any((each.port, each.protocol) != (80, "TCP") for each in service.spec.ports or ())


# What is told of it.


def report(web: WebServer, deployment: Deployment, service: Service) -> None:
    """Write down what there is."""
    wanted, there = web.spec.replicas, deployment.status
    ready, updated = there.ready_replicas or 0, there.updated_replicas or 0
    web.status.replicas = there.replicas or 0
    web.status.ready_replicas = ready
    web.status.selector = ",".join(f"{key}={value}" for key, value in labels_for(web).items())
    web.status.node_port = next((port.node_port for port in service.spec.ports or () if port.node_port), None)
    message = f"{ready} of {wanted} pods are ready"
    web.status.set("Available", ready >= wanted, reason="Ready" if ready >= wanted else "PodsMissing", message=message)
    stuck = next((each for each in there.conditions or () if each.reason == "ProgressDeadlineExceeded"), None)
    if stuck is not None:
        web.status.set("Progressing", False, reason="Stuck", message=stuck.message or "")
        return
    seen = (there.observed_generation or 0) >= (deployment.metadata.generation or 0)
    done = seen and updated == ready == (there.replicas or 0) == wanted
    message = "" if done else f"{updated} of {wanted} pods are of {web.spec.image}"
    web.status.set("Progressing", not done, reason="Done" if done else "RollingOut", message=message)


def deployment_news(before: Deployment | None, after: Deployment) -> list[tuple[str, str]]:
    """What has become of the pods, as Events tell it."""
    if before is None:
        return [("DeploymentCreated", f"{after.metadata.name}: {after.spec.replicas} pods of {_image(after)}")]
    news = []
    if before.spec.replicas != after.spec.replicas:
        news.append(("Scaled", f"from {before.spec.replicas} to {after.spec.replicas} pods"))
    if _image(before) != _image(after):
        news.append(("ImageChanged", f"from {_image(before)} to {_image(after)}"))
    return news


def service_news(before: Service | None, after: Service) -> list[tuple[str, str]]:
    """What has become of the way to them."""
    if before is None:
        return [("ServiceCreated", after.metadata.name)]
    return [("ServiceCorrected", after.metadata.name)] if before.spec != after.spec else []


def _image(deployment: Deployment) -> str:
    pod = deployment.spec.template.spec
    return (pod.containers[0].image or "") if pod is not None and pod.containers else ""
