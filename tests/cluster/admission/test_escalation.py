"""AUTHZ-1: nobody gives what he has not."""

from typing import Any

from tests.cluster.auth.world import binding, role, rule
from tests.cluster.stage import Stage, play

RBAC = "/apis/rbac.authorization.k8s.io/v1"
ROLES = f"{RBAC}/namespaces/default/roles"
BINDINGS = f"{RBAC}/namespaces/default/rolebindings"
JANE = {"impersonate-user": "jane"}
WRITE = rule("create update patch", "*", "rbac.authorization.k8s.io")


def bare(name: str, *rules: dict[str, Any]) -> dict[str, Any]:
    """A role of whatever kind."""
    return {"metadata": {"name": name}, "rules": list(rules)}


async def grant(stage: Stage, *rules: dict[str, Any]) -> None:
    for path, document in (
        (f"{RBAC}/clusterroles", role("r", *rules)),
        (f"{RBAC}/clusterrolebindings", binding("b", "ClusterRole/r", "User/jane")),
    ):
        del document["kind"]
        await stage.client.create(path, document)


async def told(stage: Stage, method: str, path: str, body: Any, **headers: str) -> str:
    """What jane is told; empty if it was done. Of which kind it is the path says."""
    body.pop("kind", None)
    code, answer = await stage.ask(
        method, path, body, JANE | {key.replace("_", "-"): each for key, each in headers.items()}
    )
    return "" if code < 300 else f"{code} {answer['message'].replace(chr(10), ' ')}"


def test_a_role_holds_what_its_writer_may() -> None:
    async def story(stage: Stage) -> None:
        await grant(stage, WRITE, rule("get list", "pods"))
        assert await told(stage, "POST", ROLES, role("a", rule("get", "pods"))) == ""
        assert await told(stage, "POST", ROLES, role("b", rule("get delete", "pods"))) == (
            '403 roles.rbac.authorization.k8s.io "b" is forbidden: user "jane" (groups=["system:authenticated"]) is '
            "attempting to grant RBAC permissions not currently held: "
            '{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}'
        )
        assert (await told(stage, "PUT", f"{ROLES}/a", role("a", rule("*", "pods")))).startswith("403 roles")
        assert (await told(stage, "PUT", f"{ROLES}/new", role("new", rule("*", "pods")))).startswith("403 roles")

    play(story)


def test_finalizers_and_owners_may_go_without_that() -> None:
    async def story(stage: Stage) -> None:
        await grant(stage, WRITE)
        await stage.client.create(ROLES, bare("a", rule("*", "pods")))
        merge = {"content_type": "application/merge-patch+json"}
        assert await told(stage, "PATCH", f"{ROLES}/a", {"metadata": {"finalizers": ["a.b/c"]}}, **merge) == ""
        assert (await told(stage, "PATCH", f"{ROLES}/a", {"metadata": {"labels": {"a": "b"}}}, **merge)).startswith(
            "403"
        )

    play(story)


def test_who_may_escalate_or_bind_is_trusted() -> None:
    async def story(stage: Stage) -> None:
        group = "rbac.authorization.k8s.io"
        await grant(
            stage, WRITE, rule("escalate", "roles", group), rule("bind", "clusterroles", group, "cluster-admin")
        )
        assert await told(stage, "POST", ROLES, role("a", rule("*", "*", "*"))) == ""
        assert await told(stage, "POST", BINDINGS, binding("a", "ClusterRole/cluster-admin", "User/joe")) == ""
        assert (await told(stage, "POST", BINDINGS, binding("b", "Role/a", "User/jane"))).startswith("403")

    play(story)


def test_a_binding_gives_what_its_writer_may() -> None:
    async def story(stage: Stage) -> None:
        await grant(stage, WRITE, rule("get", "pods"))
        await stage.client.create(ROLES, bare("small", rule("get", "pods")))
        assert await told(stage, "POST", BINDINGS, binding("a", "Role/small", "User/joe")) == ""
        assert (await told(stage, "POST", BINDINGS, binding("b", "ClusterRole/edit", "User/joe"))) == ""  # it is empty
        assert (await told(stage, "POST", BINDINGS, binding("b", "ClusterRole/cluster-admin", "User/joe"))).endswith(
            '{APIGroups:["*"], Resources:["*"], Verbs:["*"]} {NonResourceURLs:["*"], Verbs:["*"]}'
        )
        assert await told(stage, "POST", BINDINGS, binding("c", "Role/gone", "User/joe")) == (
            '404 rolebindings.rbac.authorization.k8s.io "gone" not found'
        )
        assert await told(stage, "POST", BINDINGS, binding("c", "Pod/gone", "User/joe")) == (
            '500 unsupported role reference kind: "Pod"'
        )
        everywhere = f"{RBAC}/clusterrolebindings"
        assert await told(stage, "POST", everywhere, binding("c", "Role/small", "User/joe")) == (
            "400 Namespace parameter required."
        )

    play(story)


def test_who_gathers_rules_may_do_everything() -> None:
    async def story(stage: Stage) -> None:
        await grant(stage, WRITE)
        gathering = role("all", aggregationRule={"clusterRoleSelectors": [{"matchLabels": {"a": "b"}}]})
        assert await told(stage, "POST", f"{RBAC}/clusterroles", gathering) == (
            '403 clusterroles.rbac.authorization.k8s.io "all" is forbidden: must have cluster-admin privileges to use '
            "the aggregationRule"
        )

    play(story)
