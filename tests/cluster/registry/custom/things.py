"""A CRD for tests: one kind, some versions, each with what a test needs."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from kubewright.cluster.registry.custom import Definition
from kubewright.cluster.registry.custom.definition import Converter
from kubewright.cluster.registry.custom.webhook import Webhook
from kubewright.schema.definition import read_crd

__all__ = ["Document", "converted", "crd", "defined", "schema", "slow_webhook", "thing", "version"]

Document = dict[str, Any]


def schema(**fields: Document) -> Document:
    """A schema whose `spec` has these fields."""
    return {"type": "object", "properties": {"spec": {"type": "object", "properties": fields}}}


def version(name: str = "v1", openapi: Document | None = None, *, storage: bool = True, **more: Any) -> Document:
    """One version."""
    anything = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    openapi = anything if openapi is None else openapi
    return {"name": name, "served": True, "storage": storage, "schema": {"openAPIV3Schema": openapi}, **more}


def crd(*versions: Document, plural: str = "things", scope: str = "Namespaced", **spec: Any) -> Document:
    """A CRD as a client sends it."""
    kind = plural.removesuffix("s").capitalize()
    names = {"plural": plural, "singular": kind.lower(), "kind": kind, "listKind": f"{kind}List"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.example.com"},
        "spec": {"group": "example.com", "scope": scope, "names": names, "versions": [*versions] or [version()]} | spec,
    }


def defined(*versions: Document, since: int = 0, webhook: Converter | None = None, **spec: Any) -> Definition:
    """A CRD as it is served."""
    read = read_crd(crd(*versions, **spec))
    return Definition(read, read.names, since=since, webhook=webhook)


def thing(spec: Document | None = None, api_version: str = "example.com/v1", **meta: Any) -> Document:
    """An object as it would be stored."""
    known = {"name": "a", "namespace": "default", "uid": "u", "generation": 1, "resourceVersion": "1"}
    document: Document = {"apiVersion": api_version, "kind": "Thing", "metadata": known | meta}
    return document | ({"spec": spec} if spec is not None else {})


def converted() -> Document:
    """A CRD of two versions, the first of which is stored; a webhook converts."""
    webhook = {"conversionReviewVersions": ["v1"], "clientConfig": {"url": "https://localhost:1"}}
    conversion = {"strategy": "Webhook", "webhook": webhook}
    return crd(version("v1"), version("v2", storage=False), conversion=conversion)


def slow_webhook(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Let webhooks convert by renaming the version, after some time."""

    async def convert(_: Webhook, objects: Sequence[Document], wanted: str) -> list[Document]:
        await asyncio.sleep(seconds)
        return [{**each, "apiVersion": wanted} for each in objects]

    monkeypatch.setattr(Webhook, "convert", convert)
