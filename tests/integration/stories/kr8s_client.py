"""kr8s: create, watch, patch, list and delete. Arguments: a kubeconfig, and a namespace."""

import asyncio
import sys
from typing import Any

import kr8s.asyncio
from kr8s.asyncio.objects import ConfigMap


async def main(kubeconfig: str, namespace: str) -> None:
    """Play it, and print what was seen."""
    api = await kr8s.asyncio.api(kubeconfig=kubeconfig, namespace=namespace)
    document = {"metadata": {"name": "a", "labels": {"of": "test"}}, "data": {"k": "1"}}
    obj = await ConfigMap(document, api=api)
    await obj.create()
    print("created", dict(obj.data))
    told = asyncio.Event()
    seen: list[str] = []

    async def follow() -> None:
        async for kind, each in api.watch("configmaps", label_selector="of=test", since="0"):
            seen.append(f"{kind} {each.name}")
            told.set()
            if kind == "DELETED":
                return

    async with asyncio.timeout(20):
        following = asyncio.create_task(follow())
        await told.wait()
        await obj.patch({"data": {"k": "2"}})
        each: Any
        async for each in api.get("configmaps", label_selector="of=test"):
            print("listed", each.name, dict(each.data))
        await obj.delete()
        await following
    print("seen", *seen)
    print("there", await obj.exists())


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
