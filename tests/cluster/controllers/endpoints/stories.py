"""Stories of Services, told on every cluster."""

from typing import Any

from tests.cluster.controllers.ground import Ground, masked

__all__ = ["STORIES"]

LABELS = {"app": "web"}
PORTS = [{"name": "http", "port": 80, "targetPort": "http"}]


async def service(ground: Ground, name: str = "web", **spec: Any) -> None:
    """A Service that selects the pods of the stories."""
    await ground.create("services", name, spec={"selector": LABELS, "ports": PORTS, **spec})


async def pod(ground: Ground, name: str, ip: str, *, ready: bool = True, port: int = 8080, **spec: Any) -> None:
    """A pod that runs at an address."""
    ground.starts = False
    ports = [{"name": "http", "containerPort": port}]
    container = {"name": "main", "image": "nginx", "ports": ports}
    labels = spec.pop("labels", LABELS)
    document = {"containers": [container], "nodeName": "n1", **spec}
    await ground.create("pods", name, metadata={"labels": labels}, spec=document)
    await ground.start(name, ip, ready)


async def slices(ground: Ground, service: str = "web") -> list[Any]:
    """The slices of a Service, as they are."""
    found = await ground.all("endpointslices", labelSelector=f"kubernetes.io/service-name={service}")
    for each in found:
        each["endpoints"] = sorted(each["endpoints"] or [], key=lambda one: one["addresses"])
    return found


async def state(ground: Ground, service: str = "web") -> Any:
    """What is told about a Service, masked."""
    shown = [_plain(each, ground) for each in await slices(ground, service)]
    endpoints = _plain(await ground.get("endpoints", service), ground)
    # They are sorted by a hash that has uids in it.
    endpoints["subsets"] = sorted(endpoints.get("subsets") or [], key=repr)
    return sorted(shown, key=repr), endpoints


def _plain(document: dict[str, Any], ground: Ground) -> dict[str, Any]:
    """Without what depends on which of two changes a controller saw first."""
    shown: dict[str, Any] = masked(document, ground.namespace)
    for key in ("annotations", "generation"):
        shown["metadata"].pop(key, None)
    return shown


async def settled(ground: Ground, count: int, service: str = "web") -> Any:
    """Wait until slices and Endpoints have so many endpoints that are ready."""

    async def has() -> bool:
        found = await slices(ground, service)
        ready = sum(one["conditions"]["ready"] for each in found for one in each["endpoints"])
        subsets = (await ground.get("endpoints", service)).get("subsets") or []
        told = {one["ip"] for each in subsets for one in each.get("addresses", [])}
        return bool(found) and ready == len(told) == count

    await ground.until(has)
    return await state(ground, service)


async def tells_nothing(ground: Ground) -> Any:
    await service(ground)
    return await settled(ground, 0)


async def tells_where_pods_are(ground: Ground) -> Any:
    await service(ground)
    await settled(ground, 0)
    await pod(ground, "a", "10.2.0.1")
    await pod(ground, "b", "10.2.0.2", nodeName="n2")
    return await settled(ground, 2)


async def tells_which_are_ready(ground: Ground) -> Any:
    await pod(ground, "a", "10.2.0.1")
    await pod(ground, "b", "10.2.0.2", ready=False)
    await service(ground)
    before = await settled(ground, 1)
    await ground.start("b", "10.2.0.2", True)
    after = await settled(ground, 2)
    await ground.start("a", "10.2.0.1", False)
    return before, after, await settled(ground, 1)


async def tells_unready_ones_if_asked(ground: Ground) -> Any:
    await pod(ground, "a", "10.2.0.1", ready=False)
    await service(ground, publishNotReadyAddresses=True)
    return await settled(ground, 1)


async def has_a_subset_for_each_set_of_ports(ground: Ground) -> Any:
    await pod(ground, "a", "10.2.0.1", port=8080)
    await pod(ground, "b", "10.2.0.2", port=9090)
    await pod(ground, "c", "10.2.0.3", port=9090)
    more = [
        *PORTS,
        {"name": "metrics", "port": 81, "targetPort": 9100},
        {"name": "lost", "port": 82, "targetPort": "x"},
    ]
    await service(ground, ports=more)
    return await settled(ground, 3)


async def is_headless(ground: Ground) -> Any:
    await pod(ground, "a", "10.2.0.1", hostname="a", subdomain="web")
    await pod(ground, "b", "10.2.0.2")
    await service(ground, clusterIP="None")
    first = await settled(ground, 2)
    await service(ground, "bare", clusterIP="None", ports=None)
    return first, await settled(ground, 2, "bare")


async def follows_labels(ground: Ground) -> Any:
    await pod(ground, "a", "10.2.0.1")
    await pod(ground, "b", "10.2.0.2", labels={"app": "other"})
    await service(ground)
    await settled(ground, 1)
    await ground.patch("pods", "b", {"metadata": {"labels": LABELS}})
    await settled(ground, 2)
    await ground.patch("pods", "a", {"metadata": {"labels": {"app": "other"}}})
    one = await settled(ground, 1)
    await ground.patch("services", "web", {"spec": {"selector": {"app": "other"}}, "metadata": {"labels": {"x": "y"}}})

    async def moved() -> bool:
        found = await slices(ground)
        subsets = (await ground.get("endpoints", "web")).get("subsets") or [{}]
        told = [each["ip"] for each in subsets[0].get("addresses", [])]
        return [each["addresses"] for each in found[0]["endpoints"]] == [["10.2.0.1"]] == [told]

    await ground.until(moved)
    return one, await state(ground)


async def tells_who_is_going(ground: Ground) -> Any:
    await pod(ground, "a", "10.2.0.1")
    await ground.patch("pods", "a", {"metadata": {"finalizers": ["example.com/slow"]}})
    await service(ground)
    await settled(ground, 1)
    ground.holds = True
    await ground.delete("pods", "a")
    going = await settled(ground, 0)
    ground.holds = False
    await ground.patch("pods", "a", {"metadata": {"finalizers": None}})
    await ground.gone("pods", "a")

    async def empty() -> bool:
        return all(not each["endpoints"] for each in await slices(ground))

    await ground.until(empty)
    return going, await state(ground)


async def prefers_what_is_near(ground: Ground) -> Any:
    await pod(ground, "a", "10.2.0.1")
    await pod(ground, "b", "10.2.0.2", nodeName="n2")
    await pod(ground, "c", "10.2.0.3", ready=False)
    await service(ground, trafficDistribution="PreferSameNode")
    near = await settled(ground, 2)
    await ground.patch("services", "web", {"spec": {"trafficDistribution": None}})

    async def plain() -> bool:
        return all("hints" not in one for each in await slices(ground) for one in each["endpoints"])

    await ground.until(plain)
    return near, await state(ground)


async def comes_back(ground: Ground) -> Any:
    await pod(ground, "a", "10.2.0.1")
    await service(ground)
    await settled(ground, 1)
    name = (await slices(ground))[0]["metadata"]["name"]
    await ground.delete("endpointslices", name)
    await ground.delete("endpoints", "web")
    await settled(ground, 1)
    name = (await slices(ground))[0]["metadata"]["name"]
    await ground.patch("endpointslices", name, {"endpoints": []})
    return await settled(ground, 1)


async def goes_with_its_service(ground: Ground) -> Any:
    await pod(ground, "a", "10.2.0.1")
    await service(ground)
    await settled(ground, 1)
    await ground.delete("services", "web")
    await ground.gone("endpoints", "web")

    async def without() -> bool:
        return not await slices(ground)

    await ground.until(without)
    return await ground.events("web")


async def leaves_others_alone(ground: Ground) -> Any:
    await pod(ground, "a", "10.2.0.1")
    await service(ground, selector=None)
    await service(ground, "name", type="ExternalName", externalName="example.com", ports=None)
    await service(ground, "ours")
    await settled(ground, 1, "ours")
    return [each["metadata"]["name"] for each in await ground.all("endpoints")], len(await ground.all("endpointslices"))


STORIES = [
    tells_nothing,
    tells_where_pods_are,
    tells_which_are_ready,
    tells_unready_ones_if_asked,
    has_a_subset_for_each_set_of_ports,
    is_headless,
    follows_labels,
    tells_who_is_going,
    prefers_what_is_near,
    comes_back,
    goes_with_its_service,
    leaves_others_alone,
]
