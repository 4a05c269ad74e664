"""The controllers of what every namespace has: its ServiceAccount, its ConfigMap with the cluster's certificate.

Both are made when a namespace is, and made again when they are deleted; the ConfigMap is put right when it is changed.
Of all ServiceAccounts and ConfigMaps only those of these names are followed.
"""

from typing import Any, Final

import msgspec

from kubewright.cache import Change
from kubewright.client.endpoint import Document, Endpoint
from kubewright.client.errors import AlreadyExists, NotFound
from kubewright.cluster.controllers.furnish import ACCOUNT, CERTIFICATE, account, certificate_map, put_right
from kubewright.cluster.controllers.writes import MANAGER
from kubewright.controller.context import Context
from kubewright.controller.declaration import Controller, controller
from kubewright.controller.source import Only, Watch, only, watch

__all__ = ["root_certificate_publisher", "service_account_controller"]

_NAMESPACES: Final[Endpoint[Document]] = Endpoint("", "v1", "namespaces", "Namespace", False)
_ACCOUNTS: Final[Endpoint[Document]] = Endpoint("", "v1", "serviceaccounts", "ServiceAccount", True)
_MAPS: Final[Endpoint[Document]] = Endpoint("", "v1", "configmaps", "ConfigMap", True)
_OUR_ACCOUNTS: Final = only(_ACCOUNTS, fields=f"metadata.name={ACCOUNT}")
_OUR_MAPS: Final = only(_MAPS, fields=f"metadata.name={CERTIFICATE}")


def _to_namespace(kept: Only) -> Watch:
    """What becomes of these objects concerns their namespaces; that they come does not, for they are well then."""
    return watch(kept, map=lambda each: [("", each["metadata"]["namespace"])], predicates=[_was_there])


def _was_there(change: Change) -> bool:
    return change.old is not None


def _comes(change: Change) -> bool:
    """A namespace that is new to us: whatever else happens to it, it has what it needs."""
    return change.old is None or (change.new is not None and change.old.uid != change.new.uid)


@controller(
    _NAMESPACES,
    reads=[_OUR_ACCOUNTS],
    watches=[_to_namespace(_OUR_ACCOUNTS)],
    predicates=[_comes],
    status=False,
    concurrency=1,
    name="serviceaccount-controller",
)
async def service_account_controller(namespace: Document, ctx: Context) -> None:
    """Have the account that pods act for if they name none."""
    if ctx.get(_ACCOUNTS, ACCOUNT, ctx.name) is None:
        await _create(ctx, _ACCOUNTS, account())


def root_certificate_publisher(certificate: str) -> Controller[Any, Any]:
    """A controller that makes the certificate of the cluster's authority known in every namespace."""

    @controller(
        _NAMESPACES,
        reads=[_OUR_MAPS],
        watches=[_to_namespace(_OUR_MAPS)],
        predicates=[_comes],
        status=False,
        concurrency=1,
        name="root-ca-certificate-publisher-controller",
    )
    async def publish(namespace: Document, ctx: Context) -> None:
        found = ctx.get(_MAPS, CERTIFICATE, ctx.name)
        if found is None:
            await _create(ctx, _MAPS, certificate_map(certificate))
        elif (changed := put_right(found, certificate)) is not None:
            try:
                await ctx.live.raw.update(_MAPS.path(ctx.name, CERTIFICATE), changed, fieldManager=MANAGER)
            except NotFound:
                ctx.log.debug("The map of %s is gone already; its end makes us look again.", ctx.name)

    return publish


async def _create(ctx: Context, endpoint: Endpoint[Document], document: Document) -> None:
    try:
        await ctx.live.raw.ask(
            "POST", endpoint.path(ctx.name), {"fieldManager": MANAGER}, msgspec.json.encode(document)
        )
    except (AlreadyExists, NotFound) as error:
        ctx.log.debug("Somebody was quicker, or the namespace is gone: %s", error)
