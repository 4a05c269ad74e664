"""The official Python client: create, watch, patch, list and delete. Arguments: a kubeconfig, and a namespace."""

import sys
import threading
from typing import Any

import kubernetes

#: It has no types.
OFFICIAL: Any = kubernetes


def main(kubeconfig: str, namespace: str) -> None:
    """Play it, and print what was seen."""
    with OFFICIAL.config.new_client_from_config(kubeconfig) as connection:
        api = OFFICIAL.client.CoreV1Api(connection)
        body = OFFICIAL.client.V1ConfigMap(metadata={"name": "a", "labels": {"of": "test"}}, data={"k": "1"})
        print("created", api.create_namespaced_config_map(namespace, body).data)
        told = threading.Event()
        seen: list[str] = []

        def follow() -> None:
            stream = OFFICIAL.watch.Watch().stream(api.list_namespaced_config_map, namespace, label_selector="of=test")
            for event in stream:
                seen.append(f"{event['type']} {event['object'].metadata.name}")
                told.set()
                if event["type"] == "DELETED":
                    return

        follower = threading.Thread(target=follow)
        follower.start()
        told.wait(20)
        api.patch_namespaced_config_map("a", namespace, {"data": {"k": "2"}})
        for each in api.list_namespaced_config_map(namespace, label_selector="of=test").items:
            print("listed", each.metadata.name, each.data)
        api.delete_namespaced_config_map("a", namespace)
        follower.join(20)
        print("seen", *seen)
        try:
            api.read_namespaced_config_map("a", namespace)
        except OFFICIAL.client.ApiException as error:
            print("gone", error.status)


if __name__ == "__main__":
    main(*sys.argv[1:])
