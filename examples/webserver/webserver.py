"""WebServer: so many pods of an image, behind a port."""

from typing import Annotated

import kubewright as kw


class WebServerSpec(kw.Model):
    """What the user wants."""

    image: Annotated[str, kw.MinLength(1)]
    """Container image of the server."""
    replicas: Annotated[kw.Int32, kw.Range(0, 100)] = 1
    """How many pods serve."""
    port: Annotated[kw.Int32, kw.Range(1, 65535)] = 80
    """The port the container listens on."""


class WebServerStatus(kw.Status):
    """What there is."""

    ready_replicas: kw.Int32 = 0
    """How many pods are ready."""


class WebServer(
    kw.Resource,
    group="web.example.com",
    version="v1",
    short_names=["ws"],
    columns=[
        kw.Column("Image", ".spec.image"),
        kw.Column("Replicas", ".spec.replicas"),
        kw.Column("Ready", ".status.readyReplicas"),
        kw.Column("Age", ".metadata.creationTimestamp"),
    ],
    scale=kw.Scale(".spec.replicas", ".status.readyReplicas"),
):
    """A web server: so many pods of an image, behind a port."""

    spec: WebServerSpec
    """What the user wants."""
    status: WebServerStatus = kw.field(default_factory=WebServerStatus)
    """What there is."""

    @kw.rule("replicas may not shrink by more than half at once")
    def gentle_shrink(self, old: "WebServer") -> bool:
        """Losing most of the pods at once is a mistake more often than a wish."""
        return self.spec.replicas * 2 >= old.spec.replicas
