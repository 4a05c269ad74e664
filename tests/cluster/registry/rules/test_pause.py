import json
from copy import deepcopy
from typing import Any

import pytest
from tests.cluster.stage import Stage, play

from kubewright.cluster.registry.rules.pause import PAUSE, found
from kubewright.cluster.registry.strategy import Lengthy
from kubewright.cluster.verbs.turn import LARGE
from kubewright.model.steps import counted
from kubewright.schema.walk.errors import required

CORE, APPS, BATCH = (
    "/api/v1/namespaces/default",
    "/apis/apps/v1/namespaces/default",
    "/apis/batch/v1/namespaces/default",
)


def spec(count: int, name: str = "V", **more: Any) -> dict[str, Any]:
    """A pod with many variables and many containers."""
    wide = {"name": "wide", "image": "i", "env": [{"name": f"{name}{number}"} for number in range(count)]}
    others = [{"name": f"c{number}", "image": "i"} for number in range(count // 20)]
    return {"containers": [wide, *others], **more}


def template(pod: dict[str, Any]) -> dict[str, Any]:
    return {"metadata": {"labels": {"a": "b"}}, "spec": pod}


def replicated(pod: dict[str, Any]) -> dict[str, Any]:
    return {"selector": {"matchLabels": {"a": "b"}}, "template": template(pod)}


def job(pod: dict[str, Any]) -> dict[str, Any]:
    return {"template": template({**pod, "restartPolicy": "Never"})}


KINDS: dict[str, Any] = {
    f"{CORE}/pods": lambda pod: {"spec": pod},
    f"{CORE}/podtemplates": lambda pod: {"template": template(pod)},
    f"{CORE}/replicationcontrollers": lambda pod: {"spec": {"template": template(pod)}},
    f"{APPS}/deployments": lambda pod: {"spec": replicated(pod)},
    f"{APPS}/replicasets": lambda pod: {"spec": replicated(pod)},
    f"{APPS}/statefulsets": lambda pod: {"spec": replicated(pod)},
    f"{APPS}/daemonsets": lambda pod: {"spec": replicated(pod)},
    f"{BATCH}/jobs": lambda pod: {"spec": job(pod)},
    f"{BATCH}/cronjobs": lambda pod: {"spec": {"schedule": "* * * * *", "jobTemplate": {"spec": job(pod)}}},
}


@pytest.mark.parametrize("path", KINDS)
def test_rules_of_many_containers_and_variables_pause_and_find_the_same(path: str) -> None:
    async def told(stage: Stage) -> tuple[int, int, int]:
        resource = stage.cluster.api.registry.find(*named(path))
        assert resource is not None
        code, made = await stage.ask("POST", path, {"metadata": {"name": "a"}, **KINDS[path](spec(5000))})
        assert code == 201, made
        code, status = await stage.ask(
            "POST", path, {"metadata": {"name": "b"}, **KINDS[path](spec(5000, "not good="))}
        )
        assert code == 422
        errors, steps = counted(resource.strategy.judge_in_steps(made, made))
        assert errors == resource.strategy.validate_update(made, made)
        return len(errors), steps, len(status["details"]["causes"])

    errors, steps, causes = play(told)
    assert errors == 0
    assert steps >= 6
    assert causes == 5000


def named(path: str) -> tuple[str, str, str]:
    parts = path.split("/")
    return ("", "v1", parts[-1]) if parts[1] == "api" else (parts[2], parts[3], parts[-1])


def test_what_takes_long_of_a_small_object_is_done_in_steps() -> None:
    async def story(stage: Stage) -> tuple[int, str, int]:
        strategy = stage.cluster.api.registry.find("", "v1", "pods").strategy  # type: ignore[union-attr]
        await stage.ask("POST", f"{CORE}/serviceaccounts", {"metadata": {"name": "default"}})
        code, old = await stage.ask("POST", f"{CORE}/pods", {"metadata": {"name": "a"}, "spec": spec(150)})
        assert code == 201, old
        new = deepcopy(old)
        new["spec"]["containers"][0]["env"] = spec(150, "W")["containers"][0]["env"]
        size = len(json.dumps(new))
        code, status = await stage.ask("PUT", f"{CORE}/pods/a", new)
        with pytest.raises(Lengthy):
            strategy.validate_update(new, old)
        assert counted(strategy.judge_in_steps(new, old))[1] > 20
        return code, status["message"], size

    code, message, size = play(story)
    assert code == 422
    assert "pod updates may not change fields other than" in message
    assert size < LARGE


def test_pauses_are_no_errors() -> None:
    wrong = required("a")
    assert found([PAUSE, wrong, PAUSE]) == [wrong]
