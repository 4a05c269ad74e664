"""Secrets: like ConfigMaps, of bytes, and with types that ask for certain keys."""

from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from kubewright.cluster.patches.syntax import syntax_error_in_steps
from kubewright.cluster.registry.kinds.configmap import check_keys, check_lock
from kubewright.cluster.registry.rules.pause import PAUSE, Pausing, paused
from kubewright.cluster.wire.base64 import size
from kubewright.schema.walk.errors import FieldError, invalid, required, too_long
from kubewright.schema.walk.names import odd_keys

__all__ = ["SecretStrategy"]

Document = dict[str, Any]
Data = Mapping[str, str]

_LIMIT = 1024 * 1024
_ACCOUNT = "kubernetes.io/service-account.name"
#: What JSON is that begins so; else it is a number, or what a Secret may hold.
_KINDS: Final = {b'"': "string", b"[": "array", b"t": "bool", b"f": "bool"}


class SecretStrategy(Pausing):
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

    def rules(self, obj: Document, old: Document | None) -> Iterator[FieldError]:
        data: Data = obj.get("data") or {}
        kind = obj.get("type", "")
        if old is not None:
            yield from self.check_meta_update(obj, old)
            if kind != old["type"]:
                yield invalid("type", kind, "field is immutable")
            yield from check_lock(obj, old, "data")
        yield from self.check_meta(obj)
        for key in odd_keys(data):
            yield from check_keys("data", key)
        if size(data.values()) > _LIMIT:
            yield too_long("data", _LIMIT)
        if kind == "kubernetes.io/service-account-token":
            if not (obj["metadata"].get("annotations") or {}).get(_ACCOUNT):
                yield required(f"metadata.annotations[{_ACCOUNT}]")
        elif kind in _TYPES:
            yield from _TYPES[kind](data)

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
        why = yield from paused(syntax_error_in_steps(content), PAUSE)
        if why is None:
            # What it is shows at its beginning; what is in it is not asked.
            opening = content.lstrip()[:1]
            if opening in (b"{", b"n"):
                return
            what = _KINDS.get(opening, "number")
            why = f"json: cannot unmarshal {what} into Go value of type map[string]interface {{}}"
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
