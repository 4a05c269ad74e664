from tests.cluster.registry.kinds.pod.specs import read

from kubewright.cluster.registry.kinds.pod.amounts import total


def _container(name: str, cpu: str, **fields: str) -> dict[str, object]:
    return {"name": name, "resources": {"requests": {"cpu": cpu}}, **fields}


def test_what_runs_before_counts_if_it_is_more() -> None:
    spec = read(containers=[_container("a", "1"), _container("b", "2")], initContainers=[_container("i", "5")])["spec"]
    assert {name: str(amount) for name, amount in total(spec, "requests").items()} == {"cpu": "5"}


def test_what_goes_on_running_counts_beside_the_others() -> None:
    sidecar = _container("s", "1", restartPolicy="Always")
    spec = read(containers=[_container("a", "2")], initContainers=[sidecar, _container("i", "1500m")])["spec"]
    assert {name: str(amount) for name, amount in total(spec, "requests").items()} == {"cpu": "3"}


def test_a_pod_as_a_whole_asks_for_what_its_containers_ask_for() -> None:
    spec = read(containers=[_container("a", "1")], resources={"limits": {"cpu": "4", "memory": "1Gi"}})["spec"]
    assert spec["resources"]["requests"] == {"cpu": "1", "memory": "1Gi"}


def test_large_pages_of_containers_limit_the_pod() -> None:
    huge = {"name": "c", "resources": {"limits": {"hugepages-2Mi": "4Mi", "memory": "1Mi"}}}
    spec = read(containers=[huge], resources={"requests": {"memory": "1Mi"}})["spec"]
    assert spec["resources"]["limits"] == {"hugepages-2Mi": "4Mi"}
    assert spec["resources"]["requests"]["hugepages-2Mi"] == "4Mi"


def test_a_pod_that_says_nothing_as_a_whole_is_asked_nothing() -> None:
    assert read(containers=[_container("a", "1")], resources={})["spec"]["resources"] == {}
