"""An account does what its roles say, and nothing else: over TLS, with its own token."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from kubewright.client import ApiError, Client, HttpTransport, load_kubeconfig
from kubewright.testing.sandbox import Sandbox, wait_for

RBAC = "/apis/rbac.authorization.k8s.io/v1"
Document = dict[str, Any]


async def code(asked: Any) -> int:
    """What became of a request."""
    try:
        await asked
    except ApiError as error:
        return error.code
    return 200


async def heeded(asked: Any, wanted: int) -> None:
    """Ask until it is answered as wanted: a real server hears of roles, and of accounts that go, a moment late."""
    async with asyncio.timeout(30):
        while await code(asked()) != wanted:  # noqa: ASYNC110 - the server tells nobody
            await asyncio.sleep(0.05)


class Town:
    """The administrator and bob, an account of the namespace, each with a client of his own."""

    def __init__(self, sandbox: Sandbox, admin: Client, token: str) -> None:
        access = load_kubeconfig(sandbox.kubeconfig)
        stranger = replace(access, token=token, certificate=None, key=None)
        self.admin, self.bob = admin, Client(HttpTransport(stranger))
        self.place = f"/api/v1/namespaces/{sandbox.namespace}"
        self.roles = f"{RBAC}/namespaces/{sandbox.namespace}/roles"
        self.bindings = f"{RBAC}/namespaces/{sandbox.namespace}/rolebindings"

    async def grant(self, name: str, *rules: Document) -> None:
        """Give bob a role."""
        await self.admin.create(self.roles, {"metadata": {"name": name}, "rules": list(rules)})
        subject = {"kind": "ServiceAccount", "name": "bob"}
        ref = {"kind": "Role", "name": name, "apiGroup": "rbac.authorization.k8s.io"}
        await self.admin.create(self.bindings, {"metadata": {"name": name}, "roleRef": ref, "subjects": [subject]})


async def settle(sandbox: Sandbox, admin: Client) -> Town:
    accounts = f"/api/v1/namespaces/{sandbox.namespace}/serviceaccounts"
    await admin.create(accounts, {"metadata": {"name": "bob"}})
    made = await admin.create(f"{accounts}/bob/token", {"spec": {"expirationSeconds": 600}})
    return Town(sandbox, admin, made["status"]["token"])


def test_an_account_does_what_its_role_says_and_nothing_else(cluster: Sandbox) -> None:
    async def story() -> None:
        async with cluster.client() as admin:
            town = await settle(cluster, admin)
            maps, secrets = f"{town.place}/configmaps", f"{town.place}/secrets"
            async with town.bob as bob:
                assert await code(bob.get(maps)) == 403
                await town.grant("r", {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["create", "list"]})
                await heeded(lambda: bob.get(maps), 200)
                assert await code(bob.create(maps, {"metadata": {"name": "a"}})) == 200
                assert await code(bob.get(f"{maps}/a")) == 403
                assert await code(bob.delete(f"{maps}/a")) == 403
                assert await code(bob.get(secrets)) == 403
                assert await code(bob.get("/api/v1/configmaps")) == 403
                assert await code(bob.get("/api/v1/namespaces/default/configmaps")) == 403
                await admin.delete(f"{town.bindings}/r")
                await heeded(lambda: bob.get(maps), 403)

    wait_for(story())


def test_an_account_gives_no_more_than_it_has(cluster: Sandbox) -> None:
    async def story() -> None:
        async with cluster.client() as admin:
            town = await settle(cluster, admin)
            async with town.bob as bob:
                group = "rbac.authorization.k8s.io"
                await town.grant("r", {"apiGroups": [group], "resources": ["roles"], "verbs": ["create", "list"]})
                await heeded(lambda: bob.get(town.roles), 200)
                rule = {"apiGroups": [group], "resources": ["roles"], "verbs": ["list"]}
                assert await code(bob.create(town.roles, {"metadata": {"name": "a"}, "rules": [rule]})) == 200
                more = {**rule, "verbs": ["list", "delete"]}
                with pytest.raises(
                    ApiError, match="is attempting to grant RBAC permissions not currently held"
                ) as caught:
                    await bob.create(town.roles, {"metadata": {"name": "b"}, "rules": [more]})
                assert caught.value.code == 403

    wait_for(story())


def test_a_token_ends_with_its_account(cluster: Sandbox) -> None:
    async def story() -> None:
        async with cluster.client() as admin:
            town = await settle(cluster, admin)
            async with town.bob as bob:
                await admin.delete(f"{town.place}/serviceaccounts/bob")
                await heeded(lambda: bob.get("/version"), 401)

    wait_for(story())
