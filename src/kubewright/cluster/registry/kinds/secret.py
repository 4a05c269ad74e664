"""Secrets: like ConfigMaps, of bytes, and with types that ask for certain keys."""

from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from kubewright.cluster.patches.decode import kind
from kubewright.cluster.patches.syntax import syntax_error
from kubewright.cluster.registry.kinds.configmap import check_keys, check_lock
from kubewright.cluster.registry.strategy import Strategy
from kubewright.cluster.wire.base64 import size
from kubewright.schema.walk.errors import FieldError, invalid, required, too_long
from kubewright.schema.walk.names import odd_keys

__all__ = ["SecretStrategy"]

Document = dict[str, Any]
Data = Mapping[str, str]

_LIMIT = 1024 * 1024
_ACCOUNT = "kubernetes.io/service-account.name"


class SecretStrategy(Strategy):
    """What is particular to Secrets."""

    def default(self, obj: Document) -> None:
        obj.setdefault("type", "Opaque")
        # Texts are a way to write, not to keep.
        if texts := obj.pop("stringData", None):
            data = {**(obj.get("data") or {})}
            data |= {key: b64encode(text.encode()).decode() for key, text in texts.items()}
            obj["data"] = dict(sorted(data.items()))

    def prepare_update(self, obj: Document, old: Document) -> None:
        obj.setdefault("type", old["type"])

    def check(self, obj: Document) -> list[FieldError]:
        data: Data = obj.get("data") or {}
        errors = [error for key in odd_keys(data) for error in check_keys("data", key)]
        if size(data.values()) > _LIMIT:
            errors.append(too_long("data", _LIMIT))
        kind = obj.get("type", "")
        if kind == "kubernetes.io/service-account-token":
            if not (obj["metadata"].get("annotations") or {}).get(_ACCOUNT):
                errors.append(required(f"metadata.annotations[{_ACCOUNT}]"))
        elif kind in _TYPES:
            errors += _TYPES[kind](data)
        return errors

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        errors = self.check_meta_update(obj, old)
        if obj["type"] != old["type"]:
            errors.append(invalid("type", obj["type"], "field is immutable"))
        return [*errors, *check_lock(obj, old, "data"), *self.validate(obj)]

    def warnings(self, obj: Document, old: Document | None) -> list[str]:
        if obj.get("type") != "kubernetes.io/tls":
            return []
        return _pair(*(b64decode((obj.get("data") or {}).get(key, "")) for key in ("tls.crt", "tls.key")))


def _json(key: str) -> Callable[[Data], Iterator[FieldError]]:
    """A key that must be there and hold a JSON object."""

    def check(data: Data) -> Iterator[FieldError]:
        if key not in data:
            yield required(f"data[{key}]")
            return
        content = b64decode(data[key])
        why = syntax_error(content)
        if why is None:
            value = msgspec.json.decode(content)
            if isinstance(value, dict | None):
                return
            why = f"json: cannot unmarshal {kind(value)} into Go value of type map[string]interface {{}}"
        yield invalid(f"data[{key}]", "<secret contents redacted>", why)

    return check


def _basic(data: Data) -> Iterator[FieldError]:
    if not {"username", "password"} & data.keys():
        yield required("data[username]")
        yield required("data[password]")


def _ssh(data: Data) -> Iterator[FieldError]:
    if not data.get("ssh-privatekey"):
        yield required("data[ssh-privatekey]")


def _tls(data: Data) -> Iterator[FieldError]:
    return (required(f"data[{key}]") for key in ("tls.crt", "tls.key") if key not in data)


_TYPES: dict[str, Callable[[Data], Iterator[FieldError]]] = {
    "kubernetes.io/basic-auth": _basic,
    "kubernetes.io/dockercfg": _json(".dockercfg"),
    "kubernetes.io/dockerconfigjson": _json(".dockerconfigjson"),
    "kubernetes.io/ssh-auth": _ssh,
    "kubernetes.io/tls": _tls,
}


def _pair(certificate: bytes, key: bytes) -> list[str]:
    """What is odd about a certificate and its key, as far as it can be told without parsing them."""
    if b"-----BEGIN CERTIFICATE-----" not in certificate:
        return ["tls: failed to find any PEM data in certificate input"]
    if b"PRIVATE KEY-----" not in key:
        return ["tls: failed to find any PEM data in key input"]
    return []
