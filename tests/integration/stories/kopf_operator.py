"""An operator written with kopf, and objects that it handles. Arguments: a kubeconfig, and a namespace.

The definition of its kind is there already. A handler that has done its work says so in the object, or lets it go.
"""

import asyncio
import logging
import sys
from typing import Any

import kopf
import kubernetes

#: It has no types.
OFFICIAL: Any = kubernetes
PLACE = ("clients.example.com", "v1")


@kopf.on.create(*PLACE, "widgets")
@kopf.on.update(*PLACE, "widgets")
def seen(spec: kopf.Spec, name: str, reason: str, patch: kopf.Patch, **_: Any) -> None:
    """Somebody wants something."""
    print(getattr(reason, "value", reason), name, spec["size"])
    patch.status["seen"] = spec["size"]


@kopf.on.delete(*PLACE, "widgets")
def let_go(name: str, **_: Any) -> None:
    """Somebody does not want it any more."""
    print("delete", name)


async def main(namespace: str) -> None:
    """Run the operator while objects come, change and go."""
    stop = asyncio.Event()
    running = asyncio.create_task(kopf.operator(namespaces=[namespace], standalone=True, stop_flag=stop))
    try:
        await asyncio.wait_for(asyncio.to_thread(use, namespace), 30)
    finally:
        stop.set()
        await running


def use(namespace: str) -> None:
    """Make an object, change it, and delete it, each when the operator is done with what was before."""
    with OFFICIAL.config.new_client_from_config(sys.argv[1]) as connection:
        api = OFFICIAL.client.CustomObjectsApi(connection)
        widgets = (*PLACE, namespace, "widgets")
        stream = OFFICIAL.watch.Watch().stream(api.list_namespaced_custom_object, *widgets, timeout_seconds=25)
        body = {"apiVersion": "/".join(PLACE), "kind": "Widget", "metadata": {"name": "w"}, "spec": {"size": 1}}
        api.create_namespaced_custom_object(*widgets, body)
        for event in stream:
            done = event["object"].get("status", {}).get("seen")
            if event["type"] == "DELETED":
                return
            if done == 1 and event["object"]["spec"]["size"] == 1:
                api.patch_namespaced_custom_object(*widgets, "w", {"spec": {"size": 2}})
            elif done == 2 and "deletionTimestamp" not in event["object"]["metadata"]:
                api.delete_namespaced_custom_object(*widgets, "w")


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING)
    asyncio.run(main(sys.argv[2]))
