"""All of `kubewright.k8s` as one: every module loads, every class can be read, nothing loads unasked."""

import importlib
import pkgutil
import subprocess
import sys
from typing import Any

import pytest

import kubewright as kw
import kubewright.k8s
from kubewright.model import meta
from kubewright.model.meta import fields_of
from kubewright.model.resource import definition_of

MODULES = [found.name for found in pkgutil.walk_packages(kubewright.k8s.__path__, "kubewright.k8s.") if not found.ispkg]


def classes(module: str) -> list[Any]:
    loaded = importlib.import_module(module)
    return [getattr(loaded, name) for name in loaded.__all__]


def kinds() -> list[Any]:
    return [cls for module in MODULES for cls in classes(module) if issubclass(cls, kw.Resource)]


def test_all_groups_are_there() -> None:
    groups = {module.split(".")[2] for module in MODULES}
    assert groups == {
        "admissionregistration", "apiextensions", "apiregistration", "apiserverinternal", "apps", "authentication",
        "authorization", "autoscaling", "batch", "certificates", "coordination", "core", "discovery", "events",
        "flowcontrol", "meta", "networking", "node", "policy", "rbac", "resource", "scheduling", "storage",
        "storagemigration",
    }  # fmt: skip


@pytest.mark.parametrize("module", MODULES)
def test_the_fields_of_every_class_fit_together(module: str) -> None:
    for cls in classes(module):
        meta._check_fields(cls, fields_of(cls))  # users' classes are checked when they are defined


@pytest.mark.parametrize("module", MODULES)
def test_every_class_reads_an_empty_document_and_sends_nothing_of_it(module: str) -> None:
    for cls in classes(module):
        assert kw.to_dict(kw.decode(b"{}", cls)) == {}


@pytest.mark.parametrize("module", MODULES)
def test_every_generated_class_can_be_made_of_nothing(module: str) -> None:
    for cls in classes(module):
        if cls.__module__ == module:
            constants = {"apiVersion", "kind"} if issubclass(cls, kw.Resource) else set()
            assert kw.to_dict(cls()).keys() == constants


def test_no_two_kinds_share_a_version_and_a_plural() -> None:
    found = [(definition.group, definition.version, definition.plural) for definition in map(definition_of, kinds())]
    assert len({*found}) == len(found) > 80


def test_kinds_know_what_discovery_says_of_them() -> None:
    by_name = {(cls.api_version, cls.kind): definition_of(cls) for cls in kinds()}
    node, pod, endpoints = by_name["v1", "Node"], by_name["v1", "Pod"], by_name["v1", "Endpoints"]
    assert (node.scope, node.plural, node.short_names) == ("Cluster", "nodes", ("no",))
    assert (pod.scope, pod.categories, pod.status_subresource) == ("Namespaced", ("all",), True)
    assert (endpoints.plural, endpoints.singular, endpoints.short_names) == ("endpoints", "endpoints", ("ep",))
    assert not by_name["authorization.k8s.io/v1", "SubjectAccessReview"].status_subresource


def test_subresource_kinds_are_there() -> None:
    names = {(cls.api_version, cls.kind) for cls in kinds()}
    assert names >= {
        ("autoscaling/v1", "Scale"), ("policy/v1", "Eviction"), ("v1", "Binding"),
        ("authentication.k8s.io/v1", "TokenRequest"),
    }  # fmt: skip


def test_names_on_the_wire_are_those_of_kubernetes() -> None:
    pod_status = importlib.import_module("kubewright.k8s.core.v1").PodStatus
    wires = {field.name: field.wire for field in fields_of(pod_status)}
    assert (wires["pod_ips"], wires["host_ip"], wires["qos_class"]) == ("podIPs", "hostIP", "qosClass")


def loaded_by(statement: str) -> set[str]:
    program = f"import sys; {statement}; print(*[name for name in sys.modules if name.startswith('kubewright.k8s.')])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return {name for name in done.stdout.split() if name.count(".") == 3}


def test_importing_the_package_loads_no_group() -> None:
    assert loaded_by("import kubewright, kubewright.k8s") == set()


def test_importing_a_group_loads_what_it_refers_to_and_no_more() -> None:
    assert loaded_by("import kubewright.k8s.apps.v1") == {
        "kubewright.k8s.apps.v1", "kubewright.k8s.core.v1", "kubewright.k8s.meta.v1",
    }  # fmt: skip
