"""How objects of a CRD are converted, as far as it can be judged without asking the webhook."""

import base64
import binascii
import re
from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.rules.webhooks import check_client, check_reviews
from kubewright.schema.walk.errors import FieldError, forbidden, invalid, not_supported, required

__all__ = ["bundle_problem", "check_conversion"]

Document = dict[str, Any]

_PATH: Final = "spec.conversion"
_BLOCK: Final = re.compile(rb"-----BEGIN [^-]*-----([^-]*)-----END ")


def check_conversion(conversion: Document, *, any_bundle: bool) -> Iterator[FieldError]:
    """What is wrong with `spec.conversion`; `any_bundle`: a bundle that cannot be read is no matter yet."""
    strategy = conversion.get("strategy", "")
    if not strategy:
        yield required(f"{_PATH}.strategy")
    elif strategy not in ("None", "Webhook"):
        yield not_supported(f"{_PATH}.strategy", strategy, ("None", "Webhook"))
    webhook: Document = conversion.get("webhook") or {}
    client, reviews = webhook.get("clientConfig"), webhook.get("conversionReviewVersions") or []
    if strategy == "Webhook":
        yield from _client(client, any_bundle=any_bundle)
        yield from check_reviews(reviews, f"{_PATH}.conversionReviewVersions")
        return
    for name, given in (("webhookClientConfig", client is not None), ("conversionReviewVersions", bool(reviews))):
        if given:
            yield forbidden(f"{_PATH}.{name}", "should not be set when strategy is not set to Webhook")


def _client(client: Document | None, *, any_bundle: bool) -> Iterator[FieldError]:
    path = f"{_PATH}.webhookClientConfig"
    if client is None:
        yield required(path, "required when strategy is set to Webhook")
        return
    yield from check_client(client, path)
    bundle = client.get("caBundle")
    if bundle and not any_bundle and (problem := bundle_problem(bundle)):
        yield invalid(f"{path}.caBundle", bundle, problem)


def bundle_problem(bundle: str) -> str:
    """Why the certificates of a `caBundle`, which is base64, cannot be used; empty if they can."""
    try:
        data = base64.b64decode(bundle)
    except binascii.Error:
        data = b""
    if not data:
        return ""
    why = "unable to load root certificates: "
    if not _has_block(data):
        return why + "unable to parse bytes as PEM block"
    # Imported here: it takes long to load, and few CRDs have a bundle.
    from cryptography import x509

    try:
        found = x509.load_pem_x509_certificates(data)
    except ValueError as error:
        if b"-----BEGIN CERTIFICATE-----" not in data:
            return why + "no valid certificate authority data seen"
        return f"{why}failed to parse certificate: {error}"
    return "" if found else why + "no valid certificate authority data seen"


def _has_block(data: bytes) -> bool:
    """Whether there is something that is PEM, whatever is in it."""
    found = _BLOCK.search(data)
    if found is None:
        return False
    try:
        base64.b64decode(b"".join(found[1].split()), validate=True)
    except binascii.Error:
        return False
    return True
