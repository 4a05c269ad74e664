"""Specs of pods, read and filled in as the server does it."""

from collections.abc import Iterable
from typing import Any

from kubewright.cluster.registry.kinds.pod.defaults import default_pod
from kubewright.cluster.registry.kinds.pod.spec import check_spec
from kubewright.cluster.wire.builtin import builtin_codec
from kubewright.schema.walk.errors import FieldError

__all__ = ["checked", "container", "read", "told", "volume"]

Document = dict[str, Any]


def read(**spec: Any) -> Document:
    """A pod of one container that says this, too."""
    document = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}}
    body = {"containers": [{"name": "c", "image": "i"}], **spec}
    pod: Document = builtin_codec("", "v1", "Pod").read({**document, "spec": body}).object
    default_pod(pod)
    return pod


def told(errors: Iterable[FieldError]) -> list[str]:
    return [str(error) for error in errors]


def checked(**spec: Any) -> list[str]:
    """What is wrong with such a pod."""
    pod = read(**spec)
    return told(check_spec(pod["spec"], "spec", pod=pod["metadata"]))


def container(**fields: Any) -> list[str]:
    """What is wrong with a pod whose container says this."""
    return checked(containers=[{"name": "c", "image": "i", **fields}])


def volume(**source: Any) -> list[str]:
    """What is wrong with a pod that has such a volume."""
    return checked(volumes=[{"name": "v", **source}])
