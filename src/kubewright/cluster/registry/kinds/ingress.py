"""Ingresses: which service answers under which host and path; and the classes of what serves them."""

import re
from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.kinds.plain import PlainStatus, PlainStrategy
from kubewright.cluster.registry.kinds.service.judge import check_host
from kubewright.cluster.registry.rules.addresses import address_warnings, check_address, sloppy_address
from kubewright.cluster.registry.rules.names import check_label, check_subdomain
from kubewright.cluster.registry.rules.numbers import check_port
from kubewright.schema.walk.errors import FieldError, forbidden, invalid, not_supported, required, too_long
from kubewright.schema.walk.golang import quote
from kubewright.schema.walk.names import path_segment

__all__ = ["IngressClassStrategy", "IngressStatus", "IngressStrategy"]

Document = dict[str, Any]

_ANNOTATION: Final = "kubernetes.io/ingress.class"
_PATH_TYPES: Final = ("Exact", "ImplementationSpecific", "Prefix")
_SCOPES: Final = ("Cluster", "Namespace")
_LONGEST_CONTROLLER: Final = 250
_LABEL: Final = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_WILDCARD: Final = rf"\*\.{_LABEL}(\.{_LABEL})*"
_wildcard: Final = re.compile(_WILDCARD).fullmatch
_PATH: Final = r"[A-Za-z0-9/\-._~%!$&'()*+,;=:]+"
_path: Final = re.compile(_PATH).fullmatch


class IngressStrategy(PlainStrategy):
    """What is particular to ingresses."""

    def validate(self, obj: Document) -> list[FieldError]:
        errors = [*self.check_meta(obj), *_check_spec(obj["spec"])]
        named, said = obj["spec"].get("ingressClassName"), _annotated(obj)
        if named is not None and said is not None and named != said:
            why = "must match `ingressClassName` when both are specified"
            errors.append(invalid(f"annotations.{_ANNOTATION}", said, why))
        return errors

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        return [*self.check_meta_update(obj, old), *self.check_meta(obj), *_check_spec(obj["spec"])]

    def warnings(self, obj: Document, old: Document | None) -> list[str]:
        if old is not None or _annotated(obj) is None or obj["spec"].get("ingressClassName") is not None:
            return []
        return [f"annotation {quote(_ANNOTATION)} is deprecated, please use 'spec.ingressClassName' instead"]


class IngressStatus(PlainStatus):
    """The status of an ingress: where it is reached."""

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        errors = self.check_meta_update(obj, old)
        kept = {each.get("ip", "") for each in _reached(old)}
        for index, each in enumerate(_reached(obj)):
            path = f"status.loadBalancer.ingress[{index}]"
            if address := each.get("ip"):
                errors += check_address(address, f"{path}.ip", kept)
            errors += check_host(each.get("hostname", ""), f"{path}.hostname")
        return errors

    def warnings(self, obj: Document, old: Document | None) -> list[str]:
        return [
            warning
            for index, each in enumerate(_reached(obj))
            if each.get("ip")
            for warning in address_warnings(each["ip"], f"status.loadBalancer.ingress[{index}]")
        ]


class IngressClassStrategy(PlainStrategy):
    """What is particular to classes of ingresses."""

    def default(self, obj: Document) -> None:
        parameters = obj["spec"].get("parameters")
        if parameters is not None and parameters.get("scope") is None:
            parameters["scope"] = "Cluster"

    def check(self, obj: Document) -> list[FieldError]:
        spec = obj["spec"]
        return [*_controller(spec.get("controller", "")), *_parameters(spec.get("parameters"))]

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        errors = self.check_meta_update(obj, old)
        controller = obj["spec"].get("controller", "")
        if controller != old["spec"].get("controller", ""):
            errors.append(invalid("spec.controller", controller, "field is immutable"))
        return [*errors, *self.validate(obj)]


def _annotated(obj: Document) -> str | None:
    return (obj["metadata"].get("annotations") or {}).get(_ANNOTATION)


def _reached(obj: Document) -> list[Document]:
    return (obj["status"].get("loadBalancer") or {}).get("ingress") or []


# -- ingresses


def _check_spec(spec: Document) -> Iterator[FieldError]:
    rules, backend = spec.get("rules"), spec.get("defaultBackend")
    if not rules and backend is None:
        yield invalid("spec", rules, "either `defaultBackend` or `rules` must be specified")
    if backend is not None:
        yield from _backend(backend, "spec.defaultBackend")
    for index, rule in enumerate(rules or ()):
        yield from _rule(rule, f"spec.rules[{index}]")
    for index, tls in enumerate(spec.get("tls") or ()):
        for at, host in enumerate(tls.get("hosts") or ()):
            yield from _host(host, f"spec.tls[{index}].hosts[{at}]")
        if name := tls.get("secretName"):
            yield from check_subdomain(name, f"spec.tls[{index}].secretName")
    if (name := spec.get("ingressClassName")) is not None:
        yield from check_subdomain(name, "spec.ingressClassName")


def _host(host: str, path: str) -> Iterator[FieldError]:
    if "*" not in host:
        yield from check_subdomain(host, path)
        return
    if len(host.encode(errors="replace")) > 253:
        yield invalid(path, host, "must be no more than 253 characters")
    if not _wildcard(host):
        rule = "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must "
        rule += "consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character"
        yield invalid(path, host, f"{rule} (e.g. '*.example.com', regex used for validation is '{_WILDCARD}')")


def _rule(rule: Document, path: str) -> Iterator[FieldError]:
    if host := rule.get("host"):
        if sloppy_address(host) is not None:
            yield invalid(f"{path}.host", host, "must be a DNS name, not an IP address")
        yield from _host(host, f"{path}.host")
    if (http := rule.get("http")) is None:
        return
    if not http["paths"]:
        yield required(f"{path}.http.paths")
    for index, each in enumerate(http["paths"] or ()):
        yield from _http_path(each, f"{path}.http.paths[{index}]")


def _http_path(each: Document, path: str) -> Iterator[FieldError]:
    kind, text = each.get("pathType"), each.get("path", "")
    if kind is None:
        yield required(f"{path}.pathType", "pathType must be specified")
        return
    if kind not in _PATH_TYPES:
        yield not_supported(f"{path}.pathType", kind, _PATH_TYPES)
    elif not text.startswith("/") and (text or kind != "ImplementationSpecific"):
        yield invalid(f"{path}.path", text, "must be an absolute path")
    if kind in ("Exact", "Prefix"):
        for part in ("//", "/./", "/../", "%2f", "%2F"):
            if part in text:
                yield invalid(f"{path}.path", text, f"must not contain '{part}'")
        for end in ("/..", "/."):
            if text.endswith(end):
                yield invalid(f"{path}.path", text, f"cannot end with '{end}'")
    yield from _backend(each["backend"], f"{path}.backend")


def _backend(backend: Document, path: str) -> Iterator[FieldError]:
    service, resource = backend.get("service"), backend.get("resource")
    if service is not None and resource is not None:
        yield invalid(path, "", "cannot set both resource and service backends")
    elif resource is not None:
        yield from _reference(resource, f"{path}.resource")
    elif service is None:
        yield invalid(path, "", "resource or service backend is required")
    else:
        if service["name"]:
            yield from check_label(service["name"], f"{path}.service.name")
        else:
            yield required(f"{path}.service.name")
        port = service.get("port") or {}
        name, number = port.get("name", ""), port.get("number", 0)
        if name and number:
            yield invalid(path, "", "cannot set both port name & port number")
        elif name:
            yield from check_port(name, f"{path}.service.port.name")
        elif number:
            yield from check_port(number, f"{path}.service.port.number")
        else:
            yield required(path, "port name or number is required")


def _reference(reference: Document, path: str) -> Iterator[FieldError]:
    """What is wrong with a reference to an object of any kind."""
    if (group := reference.get("apiGroup")) is not None:
        yield from check_subdomain(group, f"{path}.apiGroup")
    for name in ("kind", "name"):
        if not reference[name]:
            yield required(f"{path}.{name}")
        yield from (invalid(f"{path}.{name}", reference[name], why) for why in path_segment(reference[name]))


# -- classes


def _controller(name: str) -> Iterator[FieldError]:
    path = "spec.controller"
    if len(name.encode(errors="replace")) > _LONGEST_CONTROLLER:
        yield too_long(path, _LONGEST_CONTROLLER)
    if not name:
        yield required(path)
        return
    host, _, rest = name.partition("/")
    if not host or not rest:
        yield invalid(path, name, 'must be a domain-prefixed path (such as "acme.io/foo")')
        return
    yield from check_subdomain(host, path)
    if not _path(rest):
        yield invalid(path, rest, f"Invalid path (regex used for validation is '{_PATH}')")


def _parameters(parameters: Document | None) -> Iterator[FieldError]:
    if parameters is None:
        return
    path = "spec.parameters"
    yield from _reference(parameters, path)
    scope, namespace = parameters["scope"], parameters.get("namespace")
    if scope not in _SCOPES:
        yield not_supported(f"{path}.scope", scope, _SCOPES)
    elif scope == "Namespace" and namespace is None:
        yield required(f"{path}.namespace", "`parameters.scope` is set to 'Namespace'")
    elif scope == "Namespace" and namespace is not None:
        yield from check_label(namespace, f"{path}.namespace")
    elif namespace is not None:
        yield forbidden(f"{path}.namespace", "`parameters.scope` is set to 'Cluster'")
