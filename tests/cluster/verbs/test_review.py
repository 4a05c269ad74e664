"""AUTHZ-1: reviews of what somebody may do. What they answer is compared with the real server's in the referee."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.cluster.stage import Stage, play

ACCESS = "/apis/authorization.k8s.io/v1"
JANE = {"impersonate-user": "jane"}


def review(kind: str, spec: Any, headers: dict[str, str] | None = None) -> tuple[int, Any]:
    async def story(stage: Stage) -> tuple[int, Any]:
        return await stage.ask("POST", f"{ACCESS}/{kind}", {"spec": spec}, headers or JANE)

    return play(story)


def test_who_may_is_told_by_what() -> None:
    code, answer = review("selfsubjectaccessreviews", {"nonResourceAttributes": {"path": "/api", "verb": "get"}})
    assert (code, answer["status"]) == (
        201,
        {
            "allowed": True,
            "reason": 'RBAC: allowed by ClusterRoleBinding "system:discovery" of ClusterRole "system:discovery" '
            'to Group "system:authenticated"',
        },
    )


def test_who_asks_about_others_must_be_allowed_to() -> None:
    spec = {"user": "joe", "resourceAttributes": {"verb": "get", "resource": "pods"}}
    assert review("subjectaccessreviews", spec)[0] == 403
    assert review("subjectaccessreviews", spec, {"accept": "*/*"})[1]["status"] == {"allowed": False}


def test_nothing_is_kept_of_a_review() -> None:
    async def story(stage: Stage) -> None:
        at = stage.cluster.store.revision
        await stage.ask("POST", f"{ACCESS}/selfsubjectaccessreviews", {"spec": {"resourceAttributes": {}}})
        assert stage.cluster.store.revision == at

    play(story)


def test_all_that_may_be_done_is_told_with_what_is_missing() -> None:
    async def story(stage: Stage) -> Any:
        ref = {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "gone"}
        binding = {"metadata": {"name": "b"}, "roleRef": ref, "subjects": [{"kind": "User", "name": "jane"}]}
        await stage.client.create("/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings", binding)
        return (await stage.ask("POST", f"{ACCESS}/selfsubjectrulesreviews", {"spec": {"namespace": "default"}}, JANE))[
            1
        ]

    status = play(story)["status"]
    assert status["evaluationError"] == 'role.rbac.authorization.k8s.io "gone" not found'
    assert {"verbs": ["create"], "apiGroups": ["authentication.k8s.io"], "resources": ["selfsubjectreviews"]} in status[
        "resourceRules"
    ]


_NAMES = (
    *("user", "groups", "extra", "uid", "resourceAttributes", "nonResourceAttributes", "namespace", "verb", "resource"),
    *("path", "fieldSelector", "labelSelector", "rawSelector", "requirements", "key", "operator", "values"),
)
_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(_NAMES), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    "kind",
    [
        "selfsubjectaccessreviews",
        "subjectaccessreviews",
        "namespaces/default/localsubjectaccessreviews",
        "selfsubjectrulesreviews",
    ],
)
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(spec=st.dictionaries(st.sampled_from(_NAMES), _values, max_size=4))
def test_whatever_is_asked_is_answered(kind: str, spec: Any) -> None:
    assert review(kind, spec, {"accept": "application/json"})[0] in (201, 400, 422)
