"""ConfigMaps: keys that can be file names, a limit on all of them together, and a lock."""

from collections.abc import Iterator
from typing import Any

from kubewright.cluster.registry.strategy import Strategy
from kubewright.cluster.wire.base64 import size
from kubewright.schema.walk.errors import FieldError, forbidden, invalid, too_long
from kubewright.schema.walk.names import config_key, odd_keys

__all__ = ["ConfigMapStrategy", "check_keys", "check_lock"]

Document = dict[str, Any]

_LIMIT = 1024 * 1024


class ConfigMapStrategy(Strategy):
    """What is particular to ConfigMaps."""

    def default(self, obj: Document) -> None:
        # That there is no data and that it is empty are one thing, here alone.
        if not obj.get("data"):
            obj.pop("data", None)

    def check(self, obj: Document) -> list[FieldError]:
        texts, blobs = obj.get("data") or {}, obj.get("binaryData") or {}
        errors: list[FieldError] = []
        for key in sorted({*odd_keys(texts), *(texts.keys() & blobs.keys())}):
            errors += check_keys("data", key)
            if key in blobs:
                errors.append(invalid(f"data[{key}]", key, "duplicate of key present in binaryData"))
        for key in sorted(odd_keys(blobs)):
            errors += check_keys("binaryData", key)
        length = len("".join(texts.values()).encode(errors="replace"))
        if length + size(blobs.values()) > _LIMIT:
            errors.append(too_long("[]", _LIMIT))
        return errors

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        return [
            *self.check_meta_update(obj, old),
            *check_lock(obj, old, "data", "binaryData"),
            *self.validate(obj),
        ]


def check_keys(field: str, key: str) -> Iterator[FieldError]:
    """What is wrong with a key of `data` or the like."""
    return (invalid(f"{field}[{key}]", key, complaint) for complaint in config_key(key))


def check_lock(obj: Document, old: Document, *fields: str) -> Iterator[FieldError]:
    """Once `immutable`, an object stays so, and its content too."""
    if old.get("immutable") is not True:
        return
    why = "field is immutable when `immutable` is set"
    if obj.get("immutable") is not True:
        yield forbidden("immutable", why)
    for field in fields:
        if obj.get(field) != old.get(field):
            yield forbidden(field, why)
