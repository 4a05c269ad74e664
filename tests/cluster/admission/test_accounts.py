"""What the referee cannot see: that an account is waited for, and that nobody asks for one where none are made."""

from typing import Any

from tests.cluster.stage import Stage, play

PODS = "/api/v1/namespaces/new/pods"
POD = {"metadata": {"name": "p"}, "spec": {"containers": [{"name": "c", "image": "i:1"}]}}
NAMESPACE = {"metadata": {"name": "new"}}


async def make_pod_at_once(stage: Stage) -> tuple[int, Any]:
    await stage.ask("POST", "/api/v1/namespaces", NAMESPACE)
    return await stage.ask("POST", PODS, POD)


def test_the_account_of_a_new_namespace_is_waited_for() -> None:
    code, pod = play(make_pod_at_once, controllers="serviceaccount")
    assert code == 201
    assert pod["spec"]["serviceAccountName"] == "default"
    assert [mount["mountPath"] for mount in pod["spec"]["containers"][0]["volumeMounts"]] == [
        "/var/run/secrets/kubernetes.io/serviceaccount"
    ]


def test_an_account_that_does_not_come_is_missed_in_the_end() -> None:
    async def story(stage: Stage) -> tuple[int, Any]:
        stage.cluster.api.accounts = True
        return await make_pod_at_once(stage)

    code, status = play(story)
    assert code == 403
    assert status["message"].endswith(
        'error looking up service account new/default: serviceaccount "default" not found'
    )


def test_without_the_controller_of_accounts_a_pod_needs_none() -> None:
    code, pod = play(make_pod_at_once)
    assert code == 201
    assert "serviceAccountName" not in pod["spec"]
    assert "volumes" not in pod["spec"]


def test_an_account_that_somebody_else_has_made_is_given_all_the_same() -> None:
    async def story(stage: Stage) -> tuple[int, Any]:
        await stage.ask("POST", "/api/v1/namespaces", NAMESPACE)
        await stage.ask("POST", "/api/v1/namespaces/new/serviceaccounts", {"metadata": {"name": "default"}})
        return await stage.ask("POST", PODS, POD)

    code, pod = play(story)
    assert code == 201
    assert pod["spec"]["serviceAccountName"] == "default"
