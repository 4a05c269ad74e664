import pytest
from tests.cluster.discovery.definitions import DEFINITIONS
from tests.cluster.discovery.served import builtin, custom

from kubewright.cluster.discovery.openapi.operations import (
    Operation,
    group_path,
    resource_paths,
    root_paths,
    version_path,
)
from kubewright.cluster.registry.resource import Resource
from kubewright.model.resource import GroupVersionKind


def resource(plural: str, group: str = "") -> Resource:
    return next(each for each in builtin() if (each.group, each.names.plural) == (group, plural))


def operations(of: Resource) -> dict[tuple[str, str], Operation]:
    return {(path.path, operation.method): operation for path in resource_paths(of) for operation in path.operations}


WIDGETS = custom(DEFINITIONS[0])[0]


def test_operations_are_named_by_verb_group_version_scope_and_kind() -> None:
    found = {operation.id for operation in operations(resource("deployments", "apps")).values()}
    assert {
        "listAppsV1DeploymentForAllNamespaces",
        "listAppsV1NamespacedDeployment",
        "createAppsV1NamespacedDeployment",
        "deleteAppsV1CollectionNamespacedDeployment",
        "readAppsV1NamespacedDeploymentScale",
        "watchAppsV1DeploymentListForAllNamespaces",
        "watchAppsV1NamespacedDeployment",
    } <= found


def test_no_two_operations_share_their_name() -> None:
    names = [operation.id for each in builtin() for operation in operations(each).values()]
    assert len(set(names)) == len(names)


def test_a_group_of_several_words_becomes_one() -> None:
    assert version_path("rbac.authorization.k8s.io", "v1").tag == "rbacAuthorization_v1"
    assert group_path("rbac.authorization.k8s.io").operations[0].id == "getRbacAuthorizationAPIGroup"


@pytest.mark.parametrize("method", ["post", "put", "patch"])
def test_whatever_writes_takes_field_validation(method: str) -> None:
    """kubectl looks for it on PATCH, to know whether the server validates."""
    found = [op for of in (resource("pods"), WIDGETS) for (_, verb), op in operations(of).items() if verb == method]
    assert found
    assert all("fieldValidation" in op.parameters for op in found if op.action != "connect")


def test_only_built_in_kinds_take_strategic_merge_patches() -> None:
    strategic = "application/strategic-merge-patch+json"
    path = "/apis/stable.example.com/v1/namespaces/{namespace}/widgets/{name}"
    assert strategic not in operations(WIDGETS)[path, "patch"].consumes
    assert strategic in operations(resource("nodes"))["/api/v1/nodes/{name}", "patch"].consumes


def test_only_built_in_kinds_have_the_old_paths_to_watch() -> None:
    assert not [path for path, _ in operations(WIDGETS) if "/watch/" in path]
    assert operations(resource("nodes"))["/api/v1/watch/nodes/{name}", "get"].action == "watch"


def test_a_verb_that_is_missing_has_no_operation() -> None:
    found = operations(resource("namespaces"))
    assert ("/api/v1/namespaces", "delete") not in found
    assert [*operations(resource("bindings"))] == [("/api/v1/namespaces/{namespace}/bindings", "post")]


def test_delete_answers_with_what_it_returns() -> None:
    pods = operations(resource("pods"))["/api/v1/namespaces/{namespace}/pods/{name}", "delete"]
    maps = operations(resource("configmaps"))["/api/v1/namespaces/{namespace}/configmaps/{name}", "delete"]
    assert pods.responses["200"] == "io.k8s.api.core.v1.Pod"
    assert maps.responses["200"] == "io.k8s.apimachinery.pkg.apis.meta.v1.Status"


def test_a_proxy_takes_every_method_and_a_path() -> None:
    found = operations(resource("services"))
    path = "/api/v1/namespaces/{namespace}/services/{name}/proxy"
    assert {method for at, method in found if at == path} == {
        *("get", "put", "post", "delete", "options", "head", "patch"),
    }
    assert found[f"{path}/{{path}}", "get"].id == "connectCoreV1GetNamespacedServiceProxyWithPath"


def test_the_scale_of_a_crd_is_a_scale_that_is_about_the_custom_kind() -> None:
    found = operations(WIDGETS)["/apis/stable.example.com/v1/namespaces/{namespace}/widgets/{name}/scale", "put"]
    assert found.body == "io.k8s.api.autoscaling.v1.Scale"
    assert found.kind == GroupVersionKind("stable.example.com", "v1", "Widget")


def test_the_server_tells_of_itself() -> None:
    assert {name: path.path for name, path in root_paths().items()} == {
        ".well-known/openid-configuration": "/.well-known/openid-configuration/",
        "api": "/api/",
        "apis": "/apis/",
        "openid/v1/jwks": "/openid/v1/jwks/",
        "version": "/version/",
    }
