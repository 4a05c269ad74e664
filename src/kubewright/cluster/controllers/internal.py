"""The verbs as a controller calls them: in this process, with documents for bodies, and a `Failure` for an answer.

Every write goes the way a client's goes, through defaults, admission and validation, under the controller's own name.
"""

from collections.abc import Coroutine
from typing import Any

import msgspec

from kubewright.cluster.call import Api, Call, Document
from kubewright.cluster.registry.resource import Resource
from kubewright.cluster.verbs.create import create
from kubewright.cluster.verbs.delete import delete_object
from kubewright.cluster.verbs.options import DeleteOptions
from kubewright.cluster.verbs.patch import patch
from kubewright.cluster.verbs.update import update
from kubewright.cluster.wire.media import JSON
from kubewright.cluster.wire.negotiate import Output
from kubewright.errors import KubewrightError
from kubewright.http import Headers, Request, Response

__all__ = ["Internal"]

_OUTPUT = Output()


class Internal:
    """A client without a connection; `agent` is who the objects say has written them."""

    def __init__(self, api: Api, agent: str) -> None:
        self.api = api
        self._agent = agent.encode()

    def resource(self, plural: str, group: str = "", version: str = "v1") -> Resource:
        """A built-in resource."""
        resource = self.api.registry.find(group, version, plural)
        if resource is None:
            raise KubewrightError(
                f"{plural} of {group or 'the core'} {version} are not served; a controller needs them."
            )
        return resource

    def document(self, resource: Resource, namespace: str, name: str) -> Document | None:
        """An object as it is now, of a kind that is served as it is stored."""
        record = self.api.store.get(resource.key(namespace, name))
        return resource.view.document(record) if record is not None else None

    async def create(self, resource: Resource, namespace: str, document: Document) -> None:
        """Make an object."""
        await _answered(create(self._call("POST", resource, namespace, "", document)))

    async def update(
        self, resource: Resource, namespace: str, name: str, document: Document, subresource: str = ""
    ) -> Document:
        """Replace an object, or a part of it; the answer is what it is now."""
        call = self._call("PUT", resource, namespace, name, document, subresource=subresource)
        return await _answered(update(call))

    async def patch(self, resource: Resource, namespace: str, name: str, document: Document, media: str) -> None:
        """Change an object."""
        await _answered(patch(self._call("PATCH", resource, namespace, name, document, media=media)))

    async def delete(self, resource: Resource, namespace: str, name: str, options: DeleteOptions) -> None:
        """Delete an object, or begin to."""
        await delete_object(self._call("DELETE", resource, namespace, name), options)

    def _call(
        self,
        method: str,
        resource: Resource,
        namespace: str,
        name: str,
        document: Document | None = None,
        *,
        media: str = JSON,
        subresource: str = "",
    ) -> Call:
        headers = Headers([(b"Content-Type", media.encode()), (b"User-Agent", self._agent)])
        body = msgspec.json.encode(document) if document is not None else b""
        request = Request(method, resource.key(namespace, name), headers, body)
        part = resource.subresource(subresource) if subresource else None
        return Call(self.api, request, resource, namespace, name, part, {}, _OUTPUT)


async def _answered(coming: Coroutine[Any, Any, Response]) -> Document:
    response = await coming
    assert isinstance(response.body, bytes)
    document: Document = msgspec.json.decode(response.body)
    return document
