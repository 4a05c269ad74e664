"""Talking to a Kubernetes API: where it is, who we are, what is asked and what comes back.

| module         | what it does                                                              |
|----------------|---------------------------------------------------------------------------|
| `config`       | which API is meant when nobody says                                       |
| `kubeconfig`   | where the API is and with what credentials, from kubeconfig files         |
| `context`      | a context of ours in a kubeconfig, and out of it again                    |
| `in_cluster`   | the same, for a pod                                                       |
| `plugin`       | credentials from a program                                                |
| `credentials`  | those that are good now, and new ones after a 401                         |
| `certificates` | those of TLS, and what is wrong with them                                 |
| `proxy`        | by way of which proxy                                                     |
| `transport`    | the seam: over HTTP, or to a handler in this process                      |
| `client`       | the verbs, on paths and documents; time limits, attempts                  |
| `retry`        | which requests are sent again, and when                                   |
| `observer`     | every request is told                                                     |
| `notices`      | what the server warns of is logged, once                                  |
| `api`          | the typed client: kinds in, objects out                                   |
| `options`      | what requests can be told                                                 |
| `keywords`     | what nobody knows is refused                                              |
| `answer`       | whether an answer is what was asked for                                   |
| `endpoint`     | where the objects of a kind are, and as what they are read                |
| `discovery`    | which kinds a server has                                                  |
| `listing`      | a list, page by page                                                      |
| `watch`        | the stream of a watch becomes events                                      |
| `errors`       | a refusal becomes an exception of its own kind                            |
| `sync`         | the typed client without a loop                                           |

    async with Api.connect() as api:
        async for pod in api.list(Pod, namespace="default"):
            print(pod.metadata.name)
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kubewright.client.api import Api
    from kubewright.client.client import Client
    from kubewright.client.config import load_access
    from kubewright.client.endpoint import Document, Endpoint, endpoint_of
    from kubewright.client.errors import ApiError
    from kubewright.client.in_cluster import load_in_cluster
    from kubewright.client.kubeconfig import Access, KubeconfigError, load_kubeconfig
    from kubewright.client.listing import Listing, Page
    from kubewright.client.observer import Attempt, Observer
    from kubewright.client.retry import Retry
    from kubewright.client.sync import SyncApi
    from kubewright.client.transport import HttpTransport, LocalTransport, Transport
    from kubewright.client.watch import Event, TypedEvent, Watch

__all__ = [
    "Access",
    "Api",
    "ApiError",
    "Attempt",
    "Client",
    "Document",
    "Endpoint",
    "Event",
    "HttpTransport",
    "KubeconfigError",
    "Listing",
    "LocalTransport",
    "Observer",
    "Page",
    "Retry",
    "SyncApi",
    "Transport",
    "TypedEvent",
    "Watch",
    "endpoint_of",
    "load_access",
    "load_in_cluster",
    "load_kubeconfig",
]

#: Where the names live.
_PLACES = {
    "Api": "api",
    "Client": "client",
    "load_access": "config",
    "Document": "endpoint",
    "Endpoint": "endpoint",
    "endpoint_of": "endpoint",
    "ApiError": "errors",
    "load_in_cluster": "in_cluster",
    "Access": "kubeconfig",
    "KubeconfigError": "kubeconfig",
    "load_kubeconfig": "kubeconfig",
    "Listing": "listing",
    "Page": "listing",
    "Attempt": "observer",
    "Observer": "observer",
    "Retry": "retry",
    "SyncApi": "sync",
    "HttpTransport": "transport",
    "LocalTransport": "transport",
    "Transport": "transport",
    "Event": "watch",
    "TypedEvent": "watch",
    "Watch": "watch",
}


if not TYPE_CHECKING:  # who checks types must not take every name for one that is here

    def __getattr__(name: str) -> object:
        # A server that only notes itself in a kubeconfig need not wait for the whole client.
        if name in _PLACES:
            return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
