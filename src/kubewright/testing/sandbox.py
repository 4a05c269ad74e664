"""A cluster as one test sees it: a kubeconfig, a namespace of its own, and two ways to ask."""

import asyncio
import subprocess
import threading
from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

from kubewright.client import Client, load_kubeconfig
from kubewright.model.yaml import dump_yaml, load_yaml
from kubewright.testing.kubectl import run_kubectl
from kubewright.testing.real import find_kubectl

__all__ = ["Sandbox", "in_namespace", "wait_for"]

Value = TypeVar("Value")


@dataclass(frozen=True)
class Sandbox:
    """What the fixture `cluster` gives; whether the cluster is embedded or real, it does not tell."""

    kubeconfig: Path
    """Its current context is an administrator, in the test's own namespace."""

    server: str
    """The address of the API, https://host:port."""

    namespace: str
    """The test's own; it goes with the test, and so do cluster-scoped objects that the test makes."""

    def client(self) -> Client:
        """A client for the loop that is running; `async with` closes it."""
        return Client.connect(load_kubeconfig(self.kubeconfig))

    def kubectl(self, *arguments: str, input: str | None = None) -> subprocess.CompletedProcess[str]:  # noqa: A002 - as in subprocess
        """Run kubectl; what it printed and its status come back, whatever they are."""
        return run_kubectl(find_kubectl(), self.kubeconfig, self.kubeconfig.with_name("kubectl"), arguments, input)


def in_namespace(kubeconfig: Path, namespace: str, target: Path) -> None:
    """Write a copy of a kubeconfig to `target` whose contexts are in that namespace."""
    document = cast("dict[str, Any]", load_yaml(kubeconfig.read_bytes(), str(kubeconfig)))
    for context in document["contexts"]:
        context["context"]["namespace"] = namespace
    target.touch(mode=0o600)
    target.write_text(dump_yaml(document), encoding="utf-8")


def wait_for(coming: Coroutine[Any, Any, Value]) -> Value:
    """Run a coroutine to its end, whether or not a loop is running here: in a thread of its own."""
    results: list[Value] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(asyncio.run(coming))
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return results[0]
