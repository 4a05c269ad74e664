"""`make demo`: an operator creates, scales, rolls, heals and cleans up, before the reader's eyes.

Server, built-in controllers, a node and the operator run in this process. Each step is told with the `kubectl` line
that would do it; what the cluster then shows is what `kubectl get` prints, for the server says it in columns. A step
that does not come true ends the story, and the exit code tells.
"""

import asyncio
import contextlib
import json
import logging
import signal
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tools.screen import Screen

import kubewright as kw
from kubewright import clock
from kubewright.client import ApiError, Client
from kubewright.client.api import Api
from kubewright.cluster import Cluster
from kubewright.cluster.nodes.stage import Stage, StageSpec
from kubewright.entropy import SYSTEM, Entropy
from kubewright.k8s.apps.v1 import Deployment, ReplicaSet
from kubewright.k8s.core.v1 import Pod, Service
from kubewright.model.yaml import load_yaml
from kubewright.schema.crd import crd_of, crds_of

__all__ = ["main", "tell"]

HOME: Final = Path(__file__).resolve().parents[1] / "examples" / "webserver"
sys.path.insert(0, str(HOME))

from webserver import WebServer, app  # noqa: E402

#: What is shown, with the namespace's path before it.
_SHOWN: Final = (
    "/apis/web.example.com/v1/namespaces/default/webservers",
    "/apis/apps/v1/namespaces/default/deployments",
    "/api/v1/namespaces/default/pods",
    "/api/v1/namespaces/default/services",
)
_TABLE: Final = b"application/json;as=Table;v=v1;g=meta.k8s.io,application/json"
_SAMPLE: Final = "examples/webserver/samples/webserver.yaml"
_NAME: Final = "webserver-sample"
_SERVICE: Final = f"{_NAME}-service"
_PORT: Final = 30010
#: Seconds within which a step comes true.
_PATIENCE: Final = 30.0
#: Seconds between two looks, and for which an end is shown before the story goes on, on a terminal.
_LOOK, _PAUSE = 0.1, 1.0
#: How pods fare where somebody watches: a start that takes no time would show nothing of a rollout.
_UNHURRIED: Final = {"start-after": "700ms", "stop-after": "300ms", "jitter": "0.5"}


@dataclass(frozen=True)
class Step:
    """Something a user does, and what comes of it."""

    title: str
    command: str
    act: Callable[[Api], Awaitable[None]]
    done: Callable[[Api], Awaitable[bool]]


async def tell(cluster: Cluster, screen: Screen, entropy: Entropy = SYSTEM) -> bool:
    """The whole story; whether every step came true."""
    client = cluster.client()
    if screen.live:
        await _slow_down(Api(client))
    for crd in crds_of([WebServer]):
        await client.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd)
    screen.say(f"A Kubernetes API is at {cluster.server or 'hand'}, and the operator of {HOME.name} runs.")
    async with app.running(client, entropy=entropy):
        for number, step in enumerate(STORY, 1):
            screen.say()
            screen.say(f"{number}. {step.title}", bold=True)
            screen.say(f"   $ {step.command}")
            if not await _live(step, Api(client), screen):
                screen.say(f"This did not come true within {_PATIENCE:g} seconds.")
                return False
    return True


async def _live(step: Step, api: Api, screen: Screen) -> bool:
    """Do what the step says, and watch until it has come true."""
    await step.act(api)
    started = clock.monotonic()
    while not (done := await step.done(api)) and clock.monotonic() - started < _PATIENCE:
        screen.draw(await _look(api.raw))
        await asyncio.sleep(_LOOK)
    screen.settle(await _look(api.raw))
    if screen.live:
        await asyncio.sleep(_PAUSE)
    return done


async def _slow_down(api: Api) -> None:
    """Have pods take as long to start and to stop as a reader needs to see it."""
    await api.raw.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd_of(Stage))
    made = Stage(metadata=kw.ObjectMeta(name="unhurried", namespace="default"), spec=StageSpec(settings=_UNHURRIED))
    await api.create(made)
    async for event in api.watch(Stage, namespace="default", name="unhurried"):
        if event.object.status.conditions:
            return


# What the cluster shows.


async def _look(client: Client) -> list[str]:
    """Tables of all kinds, as kubectl prints them."""
    lines: list[str] = []
    for path in _SHOWN:
        table = json.loads(await client.ask("GET", path, accept=_TABLE))
        if rows := _rows(table, path.rpartition("/")[2]):
            lines += ["", *rows]
    return ["   " + line for line in lines[1:]] or ["   Nothing is left."]


def _rows(table: dict[str, Any], kind: str) -> list[str]:
    columns = [index for index, each in enumerate(table["columnDefinitions"]) if not each["priority"]]
    heads = [table["columnDefinitions"][index]["name"].upper() for index in columns]
    found = [[_cell(row["cells"][index]) for index in columns] for row in table["rows"]]
    found = [row for row in found if (kind, row[0]) != ("services", "kubernetes")]
    if not found:
        return []
    widths = [max(map(len, column)) for column in zip(heads, *found, strict=True)]
    return ["   ".join(f"{c:<{w}}" for c, w in zip(row, widths, strict=True)).rstrip() for row in (heads, *found)]


def _cell(value: Any) -> str:
    return "" if value is None else "<none>" if value == "" else str(value)


# The story.


async def _create(api: Api) -> None:
    sample: Any = load_yaml((HOME / "samples" / "webserver.yaml").read_bytes(), _SAMPLE)
    await api.raw.create(_SHOWN[0], sample)


async def _is_ready(api: Api, replicas: int, image: str) -> bool:
    """Whether there are so many pods of that image, all ready, and Deployment and WebServer say so."""
    web = await api.get(WebServer, _NAME, "default")
    said: set[int | None] = {web.status.ready_replicas}
    async for deployment in api.list(Deployment, namespace="default"):
        said |= {deployment.status.updated_replicas, deployment.status.available_replicas}
    pods = [pod async for pod in api.list(Pod, namespace="default")]
    ready = [pod for pod in pods if any(each.type == "Ready" and each.status == "True" for each in _conditions(pod))]
    images = {container.image for pod in pods for container in pod.spec.containers}
    return len(pods) == len(ready) == replicas and said == {replicas} and images == {image}


def _conditions(pod: Pod) -> Sequence[Any]:
    return pod.status.conditions or ()


async def _scale(api: Api) -> None:
    await api.raw.patch(f"{_SHOWN[0]}/{_NAME}/scale", "merge", {"spec": {"replicas": 4}})


async def _change_image(api: Api) -> None:
    await api.patch(WebServer, _NAME, {"spec": {"image": "nginx:1.23.0"}}, "default")


async def _delete_service(api: Api) -> None:
    await api.delete(Service, _SERVICE, "default")


async def _has_service(api: Api) -> bool:
    with contextlib.suppress(ApiError):
        service = await api.get(Service, _SERVICE, "default")
        ports = [port.node_port for port in service.spec.ports or ()]
        return service.spec.type == "NodePort" and ports == [_PORT]
    return False


async def _edit_service(api: Api) -> None:
    await api.patch(Service, _SERVICE, {"spec": {"selector": {"webserver": "nobody"}}}, "default")


async def _selects_again(api: Api) -> bool:
    service = await api.get(Service, _SERVICE, "default")
    return (service.spec.selector or {}).get("webserver") == _NAME


async def _delete(api: Api) -> None:
    await api.delete(WebServer, _NAME, "default")


async def _is_gone(api: Api) -> bool:
    kinds = (WebServer, Deployment, ReplicaSet, Pod, Service)
    left = [each.metadata.name for kind in kinds async for each in api.list(kind, namespace="default")]
    return left == ["kubernetes"]


STORY: Final = (
    Step(
        "A WebServer of three replicas: the operator makes a Deployment and a Service, the cluster the pods",
        f"kubectl apply -f {_SAMPLE}",
        _create,
        lambda api: _is_ready(api, 3, "nginx:1.23.1"),
    ),
    Step(
        "Scaled to four",
        f"kubectl scale webserver {_NAME} --replicas=4",
        _scale,
        lambda api: _is_ready(api, 4, "nginx:1.23.1"),
    ),
    Step(
        "Another image: the pods are replaced, a few at a time",
        f'kubectl patch webserver {_NAME} --type=merge -p \'{{"spec":{{"image":"nginx:1.23.0"}}}}\'',
        _change_image,
        lambda api: _is_ready(api, 4, "nginx:1.23.0"),
    ),
    Step(
        "Somebody deletes the Service: it comes back, with the same port",
        f"kubectl delete service {_SERVICE}",
        _delete_service,
        _has_service,
    ),
    Step(
        "Somebody points it elsewhere: it is put right",
        f'kubectl patch service {_SERVICE} -p \'{{"spec":{{"selector":{{"webserver":"nobody"}}}}}}\'',
        _edit_service,
        _selects_again,
    ),
    Step(
        "The WebServer is deleted: nothing of it is left",
        f"kubectl delete webserver {_NAME}",
        _delete,
        _is_gone,
    ),
)


# The program.

_ON: Final = """
How to go on
  read      examples/webserver/webserver.py      the whole operator
  write     docs/tutorial.md                     from an empty folder to this
  run       .venv/bin/kubewright run examples/webserver/webserver.py --embedded
            and in another terminal kubectl, with the kubeconfig that it names"""
_STAYS: Final = """
Or now: the cluster is still there, and the operator runs on it.
  export KUBECONFIG={kubeconfig}
  kubectl apply -f {sample}
  kubectl get webservers,pods
Ctrl-C ends it."""


async def _run() -> int:
    screen = Screen()
    over = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, over.set)
    async with Cluster() as cluster:
        telling = asyncio.create_task(tell(cluster, screen))
        ending = asyncio.create_task(over.wait())
        await asyncio.wait({telling, ending}, return_when=asyncio.FIRST_COMPLETED)
        if not telling.done():
            telling.cancel()
            await asyncio.gather(telling, return_exceptions=True)
            return 130
        if not telling.result():
            return 1
        screen.say(_ON)
        if screen.live:
            async with app.running(cluster.client()):
                screen.say(_STAYS.format(kubeconfig=cluster.kubeconfig, sample=_SAMPLE))
                await ending
        ending.cancel()
    return 0


def main() -> int:
    """Tell the story; 0 if all of it came true."""
    # That this machine is slow is no part of the story, and a line of the log would tear the table.
    logging.getLogger("kubewright.watchdog").setLevel(logging.ERROR)
    return asyncio.run(_run())


if __name__ == "__main__":
    sys.exit(main())
