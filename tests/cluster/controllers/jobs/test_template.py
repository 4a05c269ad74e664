"""The pods that a Job makes."""

from typing import Any

from tests.cluster.controllers.jobs.make import make_job, make_pod

from kubewright.cluster.controllers.jobs.facts import FAILURES, IGNORED_FAILURES, INDEX, TRACKING
from kubewright.cluster.controllers.jobs.template import pod_of


def test_a_pod_is_its_jobs_and_tracked() -> None:
    pod = pod_of(make_job())
    meta = pod["metadata"]
    assert meta["generateName"] == "one-"
    assert meta["finalizers"] == [TRACKING]
    assert meta["labels"]["batch.kubernetes.io/job-name"] == "one"
    assert [(each["kind"], each["uid"], each["controller"]) for each in meta["ownerReferences"]] == [("Job", "j", True)]
    assert "annotations" not in meta
    assert pod["spec"]["containers"] == [{"name": "main", "image": "i"}]


def test_finalizers_of_the_template_stay() -> None:
    template = {"metadata": {"finalizers": ["a/b", TRACKING]}, "spec": {"containers": [{"name": "main"}]}}
    assert pod_of(make_job(template=template))["metadata"]["finalizers"] == ["a/b", TRACKING]


def test_a_numbered_pod_says_its_number_everywhere() -> None:
    own = {"name": "JOB_COMPLETION_INDEX", "value": "mine"}
    template: dict[str, Any] = {
        "spec": {
            "initContainers": [{"name": "init"}],
            "containers": [{"name": "main"}, {"name": "set", "env": [own]}],
        }
    }
    job = make_job(template=template, completionMode="Indexed", completions=3)
    pod = pod_of(job, 2)
    assert pod["metadata"]["generateName"] == "one-2-"
    assert pod["metadata"]["labels"][INDEX] == pod["metadata"]["annotations"][INDEX] == "2"
    assert pod["spec"]["hostname"] == "one-2"
    source = {"fieldRef": {"fieldPath": f"metadata.labels['{INDEX}']"}}
    variable = {"name": "JOB_COMPLETION_INDEX", "valueFrom": source}
    assert [each["env"] for each in pod["spec"]["initContainers"]] == [[variable]]
    assert [each["env"] for each in pod["spec"]["containers"]] == [[variable], [own]]
    assert FAILURES not in pod["metadata"]["annotations"]


def test_a_long_name_leaves_room_for_the_number_and_the_rest() -> None:
    job = make_job(metadata={"name": "x" * 63}, completionMode="Indexed", completions=200)
    prefix = pod_of(job, 123)["metadata"]["generateName"]
    assert len(prefix) == 58
    assert prefix.endswith("x-123-")


def test_a_pod_takes_on_the_count_of_the_one_it_replaces() -> None:
    rules = [{"action": "Ignore", "onExitCodes": {"operator": "In", "values": [3]}}]
    job = make_job(completionMode="Indexed", completions=3, backoffLimitPerIndex=5, podFailurePolicy={"rules": rules})

    def counts(replaced: Any) -> tuple[str | None, str | None]:
        annotations = pod_of(job, 1, replaced)["metadata"]["annotations"]
        return annotations.get(FAILURES), annotations.get(IGNORED_FAILURES)

    assert counts(None) == ("0", None)
    assert counts(make_pod("a", "Failed", index=1, annotations={FAILURES: "2"})) == ("3", None)
    assert counts(make_pod("a", "Failed", index=1, code=3, annotations={FAILURES: "2"})) == ("2", "1")
