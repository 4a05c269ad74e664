"""AUTHN-1: tokens that are kept in Secrets."""

import asyncio
from base64 import b64decode
from typing import Any

from tests.cluster.controllers.house import House, within

from kubewright.cluster.auth.token import AUDIENCES

TYPE = "kubernetes.io/service-account-token"


async def put(house: House, name: str, account: str, **notes: str) -> dict[str, Any] | None:
    annotations = {"kubernetes.io/service-account.name": account, **notes}
    await house.make("secrets", "default", name, {"annotations": annotations}, type=TYPE)
    await asyncio.sleep(0.1)
    return house.get("secrets", "default", name)


def test_a_secret_of_an_account_is_filled_with_a_token_that_is_good() -> None:
    async def story(house: House) -> None:
        account = await house.make("serviceaccounts", "default", "bob")
        secret = await put(house, "s", "bob")
        assert secret is not None
        data = {key: b64decode(value).decode() for key, value in secret["data"].items()}
        assert (data["namespace"], data["ca.crt"]) == ("default", "the certificate")
        assert secret["metadata"]["annotations"]["kubernetes.io/service-account.uid"] == account["metadata"]["uid"]
        found = house.access.accounts.identify(data["token"], AUDIENCES)
        assert found is not None
        assert found.user.name == "system:serviceaccount:default:bob"

    within(story)


def test_a_secret_of_no_account_is_deleted() -> None:
    async def story(house: House) -> None:
        await asyncio.sleep(0.1)
        assert await put(house, "s", "nobody") is None
        assert await put(house, "t", "default", **{"kubernetes.io/service-account.uid": "another"}) is None

    within(story)


def test_a_secret_goes_with_its_account() -> None:
    async def story(house: House) -> None:
        await house.make("serviceaccounts", "default", "bob")
        assert await put(house, "s", "bob") is not None
        await house.delete("serviceaccounts", "default", "bob")
        await asyncio.sleep(0.1)
        assert house.get("secrets", "default", "s") is None

    within(story)


def test_what_is_taken_out_of_a_secret_is_put_back() -> None:
    async def story(house: House) -> None:
        await house.make("serviceaccounts", "default", "bob")
        before = await put(house, "s", "bob")
        assert before is not None
        await house.merge("secrets", "default", "s", {"data": {"token": None, "mine": "eA=="}})
        await asyncio.sleep(0.1)
        after = house.get("secrets", "default", "s")
        assert after is not None
        assert after["data"] == before["data"] | {"mine": "eA=="}

    within(story)
