"""Which caches an operator needs: one for each kind, holding all that any of its controllers wants of it. Pure.

Two controllers that want different objects of a kind share one watch of both, and each sees its own. A kind of which
everybody wants to know only that something changed is kept as metadata alone.
"""

from collections.abc import Iterable
from typing import Any

from kubewright.cache import Selection
from kubewright.client.endpoint import Endpoint, endpoint_of
from kubewright.controller.declaration import Controller
from kubewright.model.selectors import LabelSelector

__all__ = ["select", "wanted_by"]


def wanted_by(controller: Controller[Any, Any]) -> dict[Endpoint[Any], Selection]:
    """What one controller wants of each kind."""
    found: dict[Endpoint[Any], Selection] = {}

    def want(endpoint: Endpoint[Any], labels: LabelSelector | None = None, *, metadata_only: bool = False) -> None:
        namespaces = controller.namespaces if endpoint.namespaced else ()
        wanted = Selection(endpoint, namespaces, labels or LabelSelector(), metadata_only=metadata_only)
        found[endpoint] = union(found[endpoint], wanted) if endpoint in found else wanted

    want(controller.endpoint, controller.labels)
    for endpoint in (*controller.owns, *controller.reads):
        want(endpoint)
    for watch in controller.watches:
        want(endpoint_of(watch.kind), metadata_only=True)
    return found


def select(controllers: Iterable[Controller[Any, Any]]) -> dict[Endpoint[Any], Selection]:
    """What all of them want of each kind."""
    found: dict[Endpoint[Any], Selection] = {}
    for controller in controllers:
        for endpoint, wanted in wanted_by(controller).items():
            found[endpoint] = union(found[endpoint], wanted) if endpoint in found else wanted
    return found


def union(one: Selection, other: Selection) -> Selection:
    """The smallest selection that holds both; labels can be or-ed by no server, so different ones are all objects."""
    everywhere = not one.namespaces or not other.namespaces
    # A class reads whole objects; one that is none would read plain documents for all.
    endpoint = one.endpoint if one.endpoint.model is not None else other.endpoint
    return Selection(
        endpoint,
        () if everywhere else (*one.namespaces, *other.namespaces),
        one.labels if one.labels == other.labels else LabelSelector(),
        metadata_only=one.metadata_only and other.metadata_only,
    )
