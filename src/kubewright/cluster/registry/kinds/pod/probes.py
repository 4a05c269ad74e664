"""Probes, and what is done when a container starts and stops: each one action of several kinds."""

from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.rules.names import header_name
from kubewright.cluster.registry.rules.numbers import check_not_negative, check_port
from kubewright.schema.walk.errors import FieldError, forbidden, invalid, not_supported, required

__all__ = ["check_lifecycle", "check_probes"]

Document = dict[str, Any]

_COUNTS: Final = ("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold")
_ONE: Final = "may not specify more than 1 handler type"


def check_probes(container: Document, grace: int, path: str) -> Iterator[FieldError]:
    """What is wrong with the probes of a container."""
    for name in ("livenessProbe", "readinessProbe", "startupProbe"):
        probe = container.get(name)
        if probe is None:
            continue
        place = f"{path}.{name}"
        yield from _probe(probe, grace, place)
        period = probe.get("terminationGracePeriodSeconds")
        if name == "readinessProbe":
            if period is not None:
                yield invalid(f"{place}.terminationGracePeriodSeconds", period, "must not be set for readinessProbes")
        elif probe["successThreshold"] != 1:
            yield invalid(f"{place}.successThreshold", probe["successThreshold"], "must be 1")


def _probe(probe: Document, grace: int, path: str) -> Iterator[FieldError]:
    yield from _handler(probe, ("exec", "httpGet", "tcpSocket", "grpc"), grace, path)
    for name in _COUNTS:
        yield from check_not_negative(probe.get(name, 0), f"{path}.{name}")
    period = probe.get("terminationGracePeriodSeconds")
    if period is not None and period <= 0:
        yield invalid(f"{path}.terminationGracePeriodSeconds", period, "must be greater than 0")


def check_lifecycle(lifecycle: Document, grace: int, path: str) -> Iterator[FieldError]:
    """What is wrong with what is done when a container starts and stops."""
    for name in ("postStart", "preStop"):
        if name in lifecycle:
            yield from _handler(lifecycle[name], ("exec", "httpGet", "tcpSocket", "sleep"), grace, f"{path}.{name}")


def _handler(handler: Document, kinds: tuple[str, ...], grace: int, path: str) -> Iterator[FieldError]:
    found = ""
    for kind in kinds:
        if kind not in handler:
            continue
        place = f"{path}.{kind}"
        if found:
            yield forbidden(place, _ONE)
            continue
        found, action = kind, handler[kind]
        if kind == "exec":
            if not action.get("command"):
                yield required(f"{place}.command")
        elif kind == "httpGet":
            yield from _get(action, place)
        elif kind == "sleep":
            seconds = action["seconds"]
            if not 0 <= seconds <= grace:
                why = f"must be non-negative and less than terminationGracePeriodSeconds ({grace})"
                yield invalid(place, seconds, why)
        else:
            yield from check_port(action["port"], f"{place}.port")
    if not found:
        yield required(path, "must specify a handler type")


def _get(action: Document, path: str) -> Iterator[FieldError]:
    yield from check_port(action["port"], f"{path}.port")
    if action["scheme"] not in ("HTTP", "HTTPS"):
        yield not_supported(f"{path}.scheme", action["scheme"], ("HTTP", "HTTPS"))
    for header in action.get("httpHeaders") or ():
        for complaint in header_name(header["name"]):
            yield invalid(f"{path}.httpHeaders", header["name"], complaint)
