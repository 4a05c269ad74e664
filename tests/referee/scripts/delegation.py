"""Groups that are another server's: what an APIService says of whether it answers."""

from typing import Any

from tests.referee.language import Until, delete, get, patch, post, put, script, until

Document = dict[str, Any]

_ALL = "/apis/apiregistration.k8s.io/v1/apiservices"
_MINE = f"{_ALL}/v1.{{group}}"
_SLICES = "/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices"


def apiservice(**spec: Any) -> Document:
    """Says that the script's own group is served by a service of its own namespace."""
    return {
        "apiVersion": "apiregistration.k8s.io/v1",
        "kind": "APIService",
        "metadata": {"name": "v1.{group}"},
        "spec": {
            "group": "{group}",
            "version": "v1",
            "groupPriorityMinimum": 10,
            "versionPriority": 5,
            "service": {"namespace": "{ns}", "name": "s"},
            **spec,
        },
    }


def service(**spec: Any) -> Document:
    """Where it is to be."""
    ports = [{"name": "https", "port": 443}]
    return {"metadata": {"name": "s"}, "spec": {"ports": ports, "clusterIP": "None", **spec}}


def endpoints(port: str = "https", *, ready: bool | None = True) -> Document:
    """Who answers there."""
    conditions = {} if ready is None else {"conditions": {"ready": ready}}
    return {
        "metadata": {"name": "s-1", "labels": {"kubernetes.io/service-name": "s"}},
        "addressType": "IPv4",
        "endpoints": [{"addresses": ["192.0.2.1"], **conditions}],
        "ports": [{"name": port, "port": 443}],
    }


def told(reason: str, status: str = "False", **options: Any) -> Until:
    """Wait until an APIService says so."""
    condition = {"type": "Available", "status": status, "reason": reason}
    return until(get(_MINE, **options), has={"status": {"conditions": [condition]}})


SCRIPTS = (
    script(
        "the server of a group is not there",
        "DISC-1",
        post(_ALL, apiservice(), keep="a"),
        told("ServiceNotFound", keep="now"),
        get(_MINE, accept="application/json;as=Table;v=v1;g=meta.k8s.io"),
        patch(f"{_MINE}/status", "merge", {"status": {"conditions": None}, "metadata": {"labels": {"a": "b"}}}),
        told("ServiceNotFound"),
        put(_MINE, apiservice(service={"namespace": "{ns}", "name": "other"})),
        put(
            _MINE,
            {
                **apiservice(service={"namespace": "{ns}", "name": "other"}),
                "metadata": {"name": "v1.{group}", "resourceVersion": "{now.metadata.resourceVersion}"},
            },
        ),
        delete(_MINE),
        get(_MINE),
    ),
    script(
        "a group without a server is this server's",
        "DISC-1",
        post(_ALL, apiservice(service=None)),
        told("Local", "True", keep="now"),
        patch(_MINE, "merge", {"spec": {"service": {"namespace": "{ns}", "name": "s"}}}),
        told("ServiceNotFound"),
        patch(_MINE, "merge", {"spec": {"service": None}}),
        told("Local", "True"),
        put(f"{_MINE}/status", apiservice(service=None)),
        delete(_MINE),
    ),
    script(
        "the service of a group is not ready",
        "DISC-1",
        post(_ALL, apiservice()),
        told("ServiceNotFound"),
        post("{services}", service(ports=[{"name": "http", "port": 80}])),
        told("ServicePortError"),
        delete("{services}/s"),
        told("ServiceNotFound"),
        post("{services}", service()),
        told("EndpointsNotFound"),
        post(_SLICES, endpoints(ready=False)),
        told("MissingEndpoints"),
        put(f"{_SLICES}/s-1", endpoints("other")),
        delete(f"{_SLICES}/s-1"),
        told("EndpointsNotFound"),
        delete("{services}/s"),
        told("ServiceNotFound"),
        delete(_MINE),
    ),
)
