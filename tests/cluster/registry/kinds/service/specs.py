"""Services for the tests of their parts."""

from typing import Any

from kubewright.cluster.registry.kinds.service.defaults import fill_in

__all__ = ["HTTP", "Document", "filled", "service"]

Document = dict[str, Any]

HTTP: Document = {"name": "http", "port": 80}


def service(**spec: Any) -> Document:
    """A service `a`, as a client sends it."""
    return {"metadata": {"name": "a", "namespace": "default"}, "spec": {"ports": [{**HTTP}], **spec}, "status": {}}


def filled(**spec: Any) -> Document:
    """One with its defaults."""
    obj = service(**spec)
    fill_in(obj)
    return obj
