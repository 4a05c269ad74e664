"""Stories of Jobs, told on every cluster."""

from typing import Any

from tests.cluster.controllers.ground import Ground, masked

__all__ = ["STORIES", "job", "outcome"]


def job(restart: str = "Never", node: str = "n1", **spec: Any) -> dict[str, Any]:
    """The spec of a Job."""
    container = {"name": "main", "image": "busybox"}
    template = {"spec": {"restartPolicy": restart, "containers": [container], "nodeName": node}}
    return {"spec": {"template": template, **spec}}


async def outcome(ground: Ground, name: str) -> dict[str, Any]:
    """What came of a Job: its status, its pods, what was told."""
    found = await ground.get("jobs", name)
    pods = await ground.all("pods")
    return {
        "status": masked(found["status"], ground.namespace),
        "annotations": found["metadata"].get("annotations"),
        "pods": sorted(
            (
                masked(each["metadata"].get("generateName", "")),
                (each.get("status") or {}).get("phase", ""),
                ",".join(each["metadata"].get("finalizers", [])),
                "deletionTimestamp" in each["metadata"],
                each["spec"].get("hostname", ""),
                str(sorted((each["metadata"].get("annotations") or {}).items())),
            )
            for each in pods
        ),
        "events": await ground.events(name),
    }


async def finished(ground: Ground, name: str) -> dict[str, Any]:
    """Wait until a Job is over, and everything was told."""

    async def over() -> bool:
        status = (await ground.get("jobs", name)).get("status") or {}
        kinds = {each["type"] for each in status.get("conditions", []) if each["status"] == "True"}
        if not kinds & {"Complete", "Failed"}:
            return False
        reasons = {reason for _, reason, *_ in await ground.events(name)}
        return bool(reasons - {"SuccessfulCreate", "SuccessfulDelete", "Resumed", "Suspended"})

    await ground.until(over)
    return await outcome(ground, name)


async def completes(ground: Ground) -> Any:
    ground.ending = lambda pod: 0
    await ground.create("jobs", "one", **job(completions=3, parallelism=2))
    return await finished(ground, "one")


async def completes_when_any_pod_has_succeeded(ground: Ground) -> Any:
    ground.ending = lambda pod: 0
    await ground.create("jobs", "one", **job(parallelism=2))
    return await finished(ground, "one")


async def runs_indexes(ground: Ground) -> Any:
    ground.ending = lambda pod: 0
    await ground.create("jobs", "one", **job(completions=4, parallelism=3, completionMode="Indexed"))
    return await finished(ground, "one")


async def fails_at_its_backoff_limit(ground: Ground) -> Any:
    ground.ending = lambda pod: 1
    await ground.create("jobs", "one", **job(backoffLimit=1))
    return await finished(ground, "one")


async def fails_at_its_deadline(ground: Ground) -> Any:
    await ground.create("jobs", "one", **job(parallelism=2, completions=2, activeDeadlineSeconds=3))
    return await finished(ground, "one")


async def is_suspended_and_resumed(ground: Ground) -> Any:
    await ground.create("jobs", "one", **job(completions=2, parallelism=2))
    await ground.until(lambda: _has(ground, ready=2))
    await ground.patch("jobs", "one", {"spec": {"suspend": True}})

    async def without_pods() -> bool:
        return not await ground.all("pods") and await _has(ground, terminating=0)

    await ground.until(without_pods)
    suspended = masked((await ground.get("jobs", "one"))["status"])
    ground.ending = lambda pod: 0
    await ground.patch("jobs", "one", {"spec": {"suspend": False}})
    return suspended, await finished(ground, "one")


async def is_made_suspended(ground: Ground) -> Any:
    ground.ending = lambda pod: 0
    await ground.create("jobs", "one", **job(suspend=True))
    await ground.until(lambda: _has(ground, ready=0))
    before = masked((await ground.get("jobs", "one"))["status"])
    await ground.patch("jobs", "one", {"spec": {"suspend": False}})
    return before, await finished(ground, "one")


async def scales_down(ground: Ground) -> Any:
    await ground.create("jobs", "one", **job(completions=3, parallelism=3))
    await ground.until(lambda: _has(ground, ready=3))
    await ground.patch("jobs", "one", {"spec": {"parallelism": 1}})
    await ground.until(lambda: _has(ground, ready=1, terminating=0))
    ground.ending = lambda pod: 0
    return await finished(ground, "one")


async def fails_by_its_failure_policy(ground: Ground) -> Any:
    ground.ending = lambda pod: 42 if "one-0" in pod["metadata"]["name"] else None
    rule = {"action": "FailJob", "onExitCodes": {"containerName": "main", "operator": "In", "values": [42]}}
    policy = {"rules": [rule]}
    spec = job(completions=2, parallelism=2, completionMode="Indexed", podFailurePolicy=policy)
    await ground.create("jobs", "one", **spec)
    return await finished(ground, "one")


async def ignores_failures_by_its_policy(ground: Ground) -> Any:
    failed: list[str] = []

    def ending(pod: dict[str, Any]) -> int:
        failed.append(pod["metadata"]["uid"])
        return 3 if pod["metadata"]["uid"] == failed[0] else 0

    ground.ending = ending
    policy = {"rules": [{"action": "Ignore", "onExitCodes": {"operator": "In", "values": [3]}}]}
    await ground.create("jobs", "one", **job(backoffLimit=0, podFailurePolicy=policy))
    return await finished(ground, "one")


async def succeeds_by_its_success_policy(ground: Ground) -> Any:
    ground.ending = lambda pod: 0 if "one-0" in pod["metadata"]["name"] else None
    policy = {"rules": [{"succeededIndexes": "0"}]}
    spec = job(completions=3, parallelism=3, completionMode="Indexed", successPolicy=policy)
    await ground.create("jobs", "one", **spec)
    return await finished(ground, "one")


async def gives_up_an_index(ground: Ground) -> Any:
    ground.ending = lambda pod: 1 if "one-1" in pod["metadata"]["name"] else 0
    spec = job(completions=3, parallelism=3, completionMode="Indexed", backoffLimitPerIndex=0)
    await ground.create("jobs", "one", **spec)
    return await finished(ground, "one")


async def fails_at_too_many_failed_indexes(ground: Ground) -> Any:
    ground.ending = lambda pod: 1 if "one-1" in pod["metadata"]["name"] else None
    spec = job(completions=3, parallelism=3, completionMode="Indexed", backoffLimitPerIndex=0, maxFailedIndexes=0)
    await ground.create("jobs", "one", **spec)
    return await finished(ground, "one")


async def replaces_a_deleted_pod(ground: Ground) -> Any:
    await ground.create("jobs", "one", **job())
    await ground.until(lambda: _has(ground, ready=1))
    pod = (await ground.all("pods"))[0]["metadata"]
    await ground.delete("pods", pod["name"])
    await ground.gone("pods", pod["name"])
    ground.ending = lambda pod: 0
    return await finished(ground, "one")


async def is_deleted_after_a_while(ground: Ground) -> Any:
    ground.ending, ground.runs = lambda pod: 0, 3.0
    await ground.create("jobs", "one", **job(ttlSecondsAfterFinished=2))
    await ground.until(lambda: _has(ground, ready=1))
    await ground.gone("jobs", "one")

    async def without_pods() -> bool:
        return not await ground.all("pods")

    await ground.until(without_pods)
    return await ground.events("one")


async def leaves_its_pods_when_it_is_deleted(ground: Ground) -> Any:
    await ground.create("jobs", "one", **job(parallelism=2, completions=2))
    await ground.until(lambda: _has(ground, ready=2))
    await ground.delete("jobs", "one", propagationPolicy="Orphan")
    await ground.gone("jobs", "one")

    async def untracked() -> bool:
        return all("finalizers" not in each["metadata"] for each in await ground.all("pods"))

    await ground.until(untracked)
    return [masked(each["metadata"].get("ownerReferences")) for each in await ground.all("pods")]


async def takes_its_pods_along(ground: Ground) -> Any:
    await ground.create("jobs", "one", **job(parallelism=2, completions=2))
    await ground.until(lambda: _has(ground, ready=2))
    await ground.delete("jobs", "one", propagationPolicy="Background")

    async def without_pods() -> bool:
        return not await ground.all("pods")

    await ground.until(without_pods)
    return await ground.events("one")


async def takes_pods_that_nobody_controls(ground: Ground) -> Any:
    labels = {"app": "one"}
    document = job(manualSelector=True, selector={"matchLabels": labels})
    document["spec"]["template"]["metadata"] = {"labels": labels}
    template = document["spec"]["template"]
    await ground.create("pods", "alone", metadata={"labels": labels}, spec=template["spec"])
    await ground.create("jobs", "one", **document)
    await ground.until(lambda: _has(ground, ready=1))
    # There may be another for a moment: made before that one was seen, and then one too many.
    taken = (await ground.get("pods", "alone"))["metadata"].get("finalizers")
    await ground.patch("pods", "alone", {"metadata": {"labels": {"app": "other"}}})
    await ground.until(lambda: _has(ground, ready=1, active=1))

    async def let_go() -> bool:
        return "ownerReferences" not in (await ground.get("pods", "alone"))["metadata"]

    await ground.until(let_go)
    alone = (await ground.get("pods", "alone"))["metadata"]
    return taken, alone.get("finalizers")


async def _has(ground: Ground, **numbers: int) -> bool:
    status = (await ground.get("jobs", "one")).get("status") or {}
    return all(status.get(key, -1) == number for key, number in numbers.items())


STORIES = [
    completes,
    completes_when_any_pod_has_succeeded,
    runs_indexes,
    fails_at_its_backoff_limit,
    fails_at_its_deadline,
    is_suspended_and_resumed,
    is_made_suspended,
    scales_down,
    fails_by_its_failure_policy,
    ignores_failures_by_its_policy,
    succeeds_by_its_success_policy,
    gives_up_an_index,
    fails_at_too_many_failed_indexes,
    replaces_a_deleted_pod,
    is_deleted_after_a_while,
    leaves_its_pods_when_it_is_deleted,
    takes_its_pods_along,
    takes_pods_that_nobody_controls,
]
