from typing import Any

from tests.cluster.stage import Stage, play

SERVICES = "/api/v1/namespaces/default/services"
ADDRESSES = "/apis/networking.k8s.io/v1/ipaddresses"
HTTP = {"name": "http", "port": 80}


def service(name: str = "a", **spec: Any) -> dict[str, Any]:
    return {"metadata": {"name": name}, "spec": {"ports": [HTTP], **spec}}


async def taken(stage: Stage) -> list[str]:
    _, found = await stage.ask("GET", ADDRESSES)
    return [item["metadata"]["name"] for item in found["items"]]


def test_the_api_has_the_first_address() -> None:
    async def story(stage: Stage) -> tuple[Any, list[str]]:
        _, found = await stage.ask("GET", f"{SERVICES}/kubernetes")
        return found, await taken(stage)

    found, addresses = play(story)
    assert addresses == ["10.0.0.1"]
    assert found["spec"] == {
        "ports": [{"name": "https", "protocol": "TCP", "port": 443, "targetPort": 6443}],
        "clusterIP": "10.0.0.1",
        "clusterIPs": ["10.0.0.1"],
        "type": "ClusterIP",
        "sessionAffinity": "None",
        "ipFamilies": ["IPv4"],
        "ipFamilyPolicy": "SingleStack",
        "internalTrafficPolicy": "Cluster",
    }
    assert found["status"] == {"loadBalancer": {}}


def test_what_is_deleted_frees_its_address() -> None:
    async def story(stage: Stage) -> list[list[str]]:
        steps = []
        await stage.ask("POST", SERVICES, service(clusterIP="10.0.0.5"))
        steps.append(await taken(stage))
        await stage.ask("DELETE", f"{SERVICES}/a")
        steps.append(await taken(stage))
        return steps

    assert play(story) == [["10.0.0.1", "10.0.0.5"], ["10.0.0.1"]]


def test_who_waits_for_a_finalizer_keeps_its_address_until_it_goes() -> None:
    async def story(stage: Stage) -> list[list[str]]:
        steps = []
        body = service(clusterIP="10.0.0.5")
        body["metadata"]["finalizers"] = ["example.com/f"]
        await stage.ask("POST", SERVICES, body)
        await stage.ask("DELETE", f"{SERVICES}/a")
        steps.append(await taken(stage))
        merge = {"content-type": "application/merge-patch+json"}
        await stage.ask("PATCH", f"{SERVICES}/a/status", {"metadata": {"finalizers": None}}, merge)
        steps.append(await taken(stage))
        return steps

    assert play(story) == [["10.0.0.1", "10.0.0.5"], ["10.0.0.1"]]


def test_who_is_refused_takes_nothing() -> None:
    async def story(stage: Stage) -> tuple[int, list[str]]:
        code, _ = await stage.ask("POST", SERVICES, service(sessionAffinity="x"))
        return code, await taken(stage)

    assert play(story) == (422, ["10.0.0.1"])


def test_a_second_service_of_the_same_name_takes_nothing() -> None:
    async def story(stage: Stage) -> tuple[int, list[str]]:
        await stage.ask("POST", SERVICES, service(clusterIP="10.0.0.5"))
        code, _ = await stage.ask("POST", SERVICES, service())
        return code, await taken(stage)

    assert play(story) == (409, ["10.0.0.1", "10.0.0.5"])


def test_a_dry_run_takes_nothing() -> None:
    async def story(stage: Stage) -> tuple[int, int, list[str]]:
        first, _ = await stage.ask("POST", f"{SERVICES}?dryRun=All", service(type="NodePort"))
        await stage.ask("POST", SERVICES, service(clusterIP="10.0.0.5"))
        second, _ = await stage.ask("DELETE", f"{SERVICES}/a?dryRun=All")
        return first, second, await taken(stage)

    assert play(story) == (201, 200, ["10.0.0.1", "10.0.0.5"])


def test_a_seed_gives_the_same_addresses_to_the_same_writes() -> None:
    async def story(stage: Stage) -> list[Any]:
        found = []
        for name in ("a", "b"):
            _, made = await stage.ask("POST", SERVICES, service(name, type="NodePort"))
            found.append((made["spec"]["clusterIP"], made["spec"]["ports"][0]["nodePort"]))
        return found

    assert play(story, seed=5) == play(story, seed=5) != play(story, seed=6)


def test_two_hundred_services_have_two_hundred_addresses() -> None:
    async def story(stage: Stage) -> set[str]:
        found = set()
        for number in range(200):
            _, made = await stage.ask("POST", SERVICES, service(f"s{number}"))
            found.add(made["spec"]["clusterIP"])
        return found

    assert len(play(story)) == 200


def test_endpoints_go_with_their_service() -> None:
    async def story(stage: Stage) -> list[int]:
        endpoints = "/api/v1/namespaces/default/endpoints"
        await stage.ask("POST", SERVICES, service())
        await stage.ask("POST", endpoints, {"metadata": {"name": "a"}})
        before, _ = await stage.ask("GET", f"{endpoints}/a")
        await stage.ask("DELETE", f"{SERVICES}/a")
        after, _ = await stage.ask("GET", f"{endpoints}/a")
        return [before, after]

    assert play(story) == [200, 404]


def test_a_service_that_is_balanced_no_more_has_no_balancer() -> None:
    async def story(stage: Stage) -> list[Any]:
        merge = {"content-type": "application/merge-patch+json"}
        await stage.ask("POST", SERVICES, service(type="LoadBalancer"))
        status = {"status": {"loadBalancer": {"ingress": [{"ip": "1.2.3.4"}]}}}
        _, first = await stage.ask("PATCH", f"{SERVICES}/a/status", status, merge)
        _, second = await stage.ask("PATCH", f"{SERVICES}/a", {"spec": {"type": "ClusterIP"}}, merge)
        return [first["status"]["loadBalancer"], second["status"]["loadBalancer"]]

    assert play(story) == [{"ingress": [{"ip": "1.2.3.4", "ipMode": "VIP"}]}, {}]


def test_addresses_that_are_written_oddly_are_told() -> None:
    async def story(stage: Stage) -> list[str]:
        response = await stage.send("POST", SERVICES, service(externalIPs=["2001:DB8::1"]))
        return [value.decode() for name, value in response.headers if name.lower() == b"warning"]

    told = play(story)
    assert len(told) == 2
    assert "should be in RFC 5952 canonical format" in told[0]


def test_a_cluster_that_goes_on_knows_what_is_taken(tmp_path: Any) -> None:
    async def first(stage: Stage) -> None:
        await stage.ask(
            "POST", SERVICES, service(clusterIP="10.0.0.5", type="NodePort", ports=[HTTP | {"nodePort": 30001}])
        )

    async def second(stage: Stage) -> list[Any]:
        _, address = await stage.ask("POST", SERVICES, service("b", clusterIP="10.0.0.5"))
        _, port = await stage.ask("POST", SERVICES, service("b", type="NodePort", ports=[HTTP | {"nodePort": 30001}]))
        return [answer["details"]["causes"][0]["message"].rpartition(": ")[2] for answer in (address, port)]

    play(first, data=tmp_path)
    assert play(second, data=tmp_path) == ["provided IP is already allocated", "provided port is already allocated"]
