"""Talking to a Kubernetes API: where it is, who we are, what is asked and what comes back.

| module       | what it does                                                      |
|--------------|-------------------------------------------------------------------|
| `kubeconfig` | where the API is and with what credentials, from kubeconfig files |
| `transport`  | the seam: over HTTP, or to a handler in this process              |
| `client`     | the verbs, on paths and documents                                 |
| `watch`      | the stream of a watch becomes events                              |
| `errors`     | a refusal becomes an exception of its own kind                    |

    async with Client.connect(load_kubeconfig()) as client:
        print(await client.get("/api/v1/namespaces/default"))
"""

from kubewright.client.api import Api
from kubewright.client.client import Client
from kubewright.client.config import load_access
from kubewright.client.endpoint import Document, Endpoint, endpoint_of
from kubewright.client.errors import ApiError
from kubewright.client.kubeconfig import Access, KubeconfigError, load_kubeconfig
from kubewright.client.transport import HttpTransport, LocalTransport, Transport
from kubewright.client.watch import Event

__all__ = [
    "Access",
    "Api",
    "ApiError",
    "Client",
    "Document",
    "Endpoint",
    "Event",
    "HttpTransport",
    "KubeconfigError",
    "LocalTransport",
    "Transport",
    "endpoint_of",
    "load_access",
    "load_kubeconfig",
]
