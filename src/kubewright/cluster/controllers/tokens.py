"""The controller of tokens that are kept in Secrets: it fills them, and deletes those of accounts that are gone.

A Secret of this type names an account; what is missing of the token, the certificate of the authority and the namespace
is put into it. One that names no account there is, or another one of that name, is deleted.
"""

from base64 import b64encode
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import msgspec

from kubewright.cluster.call import Document
from kubewright.cluster.controllers.internal import Internal
from kubewright.cluster.controllers.queue import Queue
from kubewright.cluster.store import Record
from kubewright.cluster.verbs.options import DeleteOptions
from kubewright.cluster.wire.status import Failure

if TYPE_CHECKING:
    from kubewright.cluster.auth.accounts import Accounts

__all__ = ["TokenController"]

_TYPE: Final = "kubernetes.io/service-account-token"
_NAME: Final = "kubernetes.io/service-account.name"
_UID: Final = "kubernetes.io/service-account.uid"
_SECRETS: Final = "/secrets/"
_ACCOUNTS: Final = "/serviceaccounts/"


class TokenController:
    """Fills Secrets with tokens; `accounts` gives who signs them, `certificate` is of the cluster's authority."""

    def __init__(self, client: Internal, accounts: "Callable[[], Accounts]", certificate: str) -> None:
        self._client = client
        self._store = client.api.store
        self._accounts = accounts
        self._certificate = certificate
        self._secrets = client.resource("secrets")
        self._service_accounts = client.resource("serviceaccounts")
        self._queue = Queue("serviceaccount-token-controller", self._work)

    def start(self) -> None:
        """Follow the store, and look at every Secret."""
        self._ends = [
            self._store.listen(_SECRETS, self._secret),
            self._store.listen(_ACCOUNTS, self._account),
        ]
        for record in self._store.list(_SECRETS).records:
            self._secret(record)
        self._queue.start()

    async def stop(self) -> None:
        """Follow it no more."""
        for end in self._ends:
            end()
        await self._queue.stop()

    def _secret(self, record: Record) -> None:
        if record.value is not None and _TYPE.encode() in record.value:
            self._queue.add(record.key)

    def _account(self, record: Record) -> None:
        if record.value is not None and record.created != record.revision:
            return  # a change of an account is none of its tokens'
        namespace = record.key[len(_ACCOUNTS) :].partition("/")[0]
        for secret in self._store.list(f"{_SECRETS}{namespace}/").records:
            self._secret(secret)

    async def _work(self, key: str) -> None:
        _, _, namespace, name = key.split("/", 3)
        secret = self._client.document(self._secrets, namespace, name)
        if secret is None or secret.get("type") != _TYPE or "deletionTimestamp" in secret["metadata"]:
            return
        try:
            await self._settle(secret)
        except Failure as failure:
            if failure.code not in (404, 409):  # it went or changed meanwhile; then it is looked at again
                raise

    async def _settle(self, secret: Document) -> None:
        meta = secret["metadata"]
        namespace, name = meta["namespace"], meta["name"]
        notes = meta.get("annotations") or {}
        account = self._client.document(self._service_accounts, namespace, notes.get(_NAME, ""))
        if account is None or notes.get(_UID, account["metadata"]["uid"]) != account["metadata"]["uid"]:
            await self._client.delete(self._secrets, namespace, name, DeleteOptions(uid=meta["uid"]))
            return
        from kubewright.cluster.auth.accounts import Bound

        bound = Bound(account["metadata"]["name"], account["metadata"]["uid"])
        data = secret.get("data") or {}
        wanted = {"namespace": data.get("namespace") or _encoded(namespace)}
        if self._certificate:
            wanted["ca.crt"] = _encoded(self._certificate)
        wanted["token"] = data.get("token") or _encoded(self._accounts().issue_legacy(namespace, bound, name))
        if all(data.get(field) == value for field, value in wanted.items()):
            return
        changed: Document = msgspec.json.decode(msgspec.json.encode(secret))
        changed["data"] = dict(sorted((data | wanted).items()))
        changed["metadata"]["annotations"] = notes | {_NAME: bound.name, _UID: bound.uid}
        await self._client.update(self._secrets, namespace, name, changed)


def _encoded(text: str) -> str:
    return b64encode(text.encode()).decode()
