"""What every operator here is for: so many pods of an image, behind a port."""

from typing import Annotated

import kubewright as kw

__all__ = ["DEPLOYMENTS", "SERVICES", "WEBSERVERS", "WebServer", "WebServerSpec", "WebServerStatus"]

WEBSERVERS = "/apis/web.example.com/v1/namespaces/default/webservers"
DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"
SERVICES = "/api/v1/namespaces/default/services"


class WebServerSpec(kw.Model):
    """What the user wants."""

    image: Annotated[str, kw.MinLength(1)]
    replicas: Annotated[kw.Int32, kw.Range(0, 100)] = 1
    port: Annotated[kw.Int32, kw.Range(1, 65535)] = 80


class WebServerStatus(kw.Status):
    """What there is."""

    ready_replicas: kw.Int32 = 0


class WebServer(kw.Resource, group="web.example.com", version="v1"):
    """A web server."""

    spec: WebServerSpec
    status: WebServerStatus = kw.field(default_factory=WebServerStatus)
