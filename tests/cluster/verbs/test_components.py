"""How the parts of a control plane fare."""

import asyncio

from kubewright.cluster import Cluster


def told(*, controllers: str, nodes: int) -> dict[str, tuple[str, str]]:
    async def story() -> dict[str, tuple[str, str]]:
        async with Cluster(port=None, controllers=controllers, nodes=nodes) as cluster:
            found = await cluster.client().get("/api/v1/componentstatuses")
        conditions = {each["metadata"]["name"]: each["conditions"][0] for each in found["items"]}
        return {name: (each["status"], each["message"]) for name, each in conditions.items()}

    return asyncio.run(story())


def test_what_runs_is_well() -> None:
    well = ("True", "ok")
    assert told(controllers="all", nodes=1) == {"controller-manager": well, "etcd-0": well, "scheduler": well}


def test_what_does_not_run_is_not_found_at_its_port() -> None:
    found = told(controllers="none", nodes=0)
    refused = 'Get "https://127.0.0.1:{0}/healthz": dial tcp 127.0.0.1:{0}: connect: connection refused'
    assert found["controller-manager"] == ("False", refused.format(10257))
    assert found["scheduler"] == ("False", refused.format(10259))
    assert found["etcd-0"] == ("True", "ok")
