"""The built-in kinds, asked of a real server: it takes what our types write, and nothing it serves is lost on us."""

import importlib
import json
import pkgutil
from datetime import UTC, datetime
from typing import Any

import pytest

import kubewright as kw
import kubewright.k8s
from kubewright.k8s.admissionregistration.v1 import (
    MatchResources,
    NamedRuleWithOperations,
    ServiceReference,
    ValidatingAdmissionPolicy,
    ValidatingAdmissionPolicyBinding,
    ValidatingAdmissionPolicyBindingSpec,
    ValidatingAdmissionPolicySpec,
    ValidatingWebhook,
    ValidatingWebhookConfiguration,
    Validation,
    WebhookClientConfig,
)
from kubewright.k8s.apps.v1 import (
    DaemonSet,
    DaemonSetSpec,
    Deployment,
    DeploymentSpec,
    DeploymentStrategy,
    RollingUpdateDeployment,
    StatefulSet,
    StatefulSetSpec,
)
from kubewright.k8s.autoscaling.v2 import (
    CrossVersionObjectReference,
    HorizontalPodAutoscaler,
    HorizontalPodAutoscalerSpec,
    MetricSpec,
    MetricTarget,
    ResourceMetricSource,
)
from kubewright.k8s.batch.v1 import CronJob, CronJobSpec, Job, JobSpec, JobTemplateSpec
from kubewright.k8s.coordination.v1 import Lease, LeaseSpec
from kubewright.k8s.core.v1 import (
    ConfigMap,
    Container,
    ContainerPort,
    EnvVar,
    EnvVarSource,
    HTTPGetAction,
    LimitRange,
    LimitRangeItem,
    LimitRangeSpec,
    Namespace,
    ObjectFieldSelector,
    PersistentVolumeClaim,
    PersistentVolumeClaimSpec,
    Pod,
    PodSpec,
    PodTemplateSpec,
    Probe,
    ResourceQuota,
    ResourceQuotaSpec,
    ResourceRequirements,
    Secret,
    Service,
    ServiceAccount,
    ServicePort,
    ServiceSpec,
    Toleration,
    VolumeResourceRequirements,
)
from kubewright.k8s.discovery.v1 import Endpoint, EndpointConditions, EndpointPort, EndpointSlice
from kubewright.k8s.meta.v1 import LabelSelector, LabelSelectorRequirement
from kubewright.k8s.networking.v1 import (
    HTTPIngressPath,
    HTTPIngressRuleValue,
    Ingress,
    IngressBackend,
    IngressClass,
    IngressClassSpec,
    IngressRule,
    IngressServiceBackend,
    IngressSpec,
    IPBlock,
    NetworkPolicy,
    NetworkPolicyIngressRule,
    NetworkPolicyPeer,
    NetworkPolicySpec,
    ServiceBackendPort,
)
from kubewright.k8s.node.v1 import RuntimeClass
from kubewright.k8s.policy.v1 import PodDisruptionBudget, PodDisruptionBudgetSpec
from kubewright.k8s.rbac.v1 import ClusterRole, PolicyRule, Role, RoleBinding, RoleRef, Subject
from kubewright.k8s.scheduling.v1 import PriorityClass
from kubewright.k8s.storage.v1 import CSIDriver, CSIDriverSpec, StorageClass
from kubewright.model.resource import definition_of
from kubewright.schema.crd import crd_of
from kubewright.testing.real import RealCluster

SPACE = "kubewright-k8s"
LABELS = {"app": "web"}
SELECTOR = LabelSelector(match_labels=LABELS)


def meta(name: str = "web") -> kw.ObjectMeta:
    return kw.ObjectMeta(name=name, namespace=SPACE, labels=LABELS)


def wide(name: str) -> kw.ObjectMeta:
    """The metadata of a cluster-wide object."""
    return kw.ObjectMeta(name=f"kubewright-{name}", labels=LABELS)


def pod_spec(**more: Any) -> PodSpec:
    container = Container(
        name="web",
        image="registry.example.com/web:1",
        ports=[ContainerPort(name="http", container_port=8080)],
        env=[
            EnvVar(name="LEVEL", value="info"),
            EnvVar(name="IP", value_from=EnvVarSource(field_ref=ObjectFieldSelector(field_path="status.podIP"))),
        ],
        resources=ResourceRequirements(limits={"cpu": kw.Quantity("500m"), "memory": kw.Quantity("64Mi")}),
        readiness_probe=Probe(http_get=HTTPGetAction(path="/ready", port="http"), period_seconds=5),
    )
    tolerations = [Toleration(key="dedicated", operator="Exists", effect="NoSchedule")]
    return PodSpec(containers=[container], tolerations=tolerations, **more)


def template(**more: Any) -> PodTemplateSpec:
    return PodTemplateSpec(metadata=kw.ObjectMeta(labels=LABELS), spec=pod_spec(**more))


OBJECTS: list[kw.Resource] = [
    ServiceAccount(metadata=meta("default"), automount_service_account_token=False),
    ConfigMap(metadata=meta(), data={"a": "b"}, binary_data={"c": b"\xff\x00"}),
    Secret(metadata=meta(), type="Opaque", data={"token": b"hunter2"}),
    Service(
        metadata=meta(),
        spec=ServiceSpec(selector=LABELS, ports=[ServicePort(name="http", port=80, target_port="http")]),
    ),
    Pod(metadata=meta(), spec=pod_spec()),
    Deployment(
        metadata=meta(),
        spec=DeploymentSpec(
            replicas=0,
            selector=SELECTOR,
            template=template(),
            strategy=DeploymentStrategy(
                type="RollingUpdate", rolling_update=RollingUpdateDeployment(max_surge="25%", max_unavailable=0)
            ),
        ),
    ),
    StatefulSet(metadata=meta(), spec=StatefulSetSpec(service_name="web", selector=SELECTOR, template=template())),
    DaemonSet(metadata=meta(), spec=DaemonSetSpec(selector=SELECTOR, template=template())),
    Job(metadata=meta(), spec=JobSpec(template=template(restart_policy="Never"), backoff_limit=2)),
    CronJob(
        metadata=meta(),
        spec=CronJobSpec(
            schedule="*/5 * * * *",
            job_template=JobTemplateSpec(spec=JobSpec(template=template(restart_policy="OnFailure"))),
        ),
    ),
    Ingress(
        metadata=meta(),
        spec=IngressSpec(
            rules=[
                IngressRule(
                    host="web.example.com",
                    http=HTTPIngressRuleValue(
                        paths=[
                            HTTPIngressPath(
                                path="/",
                                path_type="Prefix",
                                backend=IngressBackend(
                                    service=IngressServiceBackend(name="web", port=ServiceBackendPort(number=80))
                                ),
                            )
                        ]
                    ),
                )
            ]
        ),
    ),
    IngressClass(metadata=wide("edge"), spec=IngressClassSpec(controller="example.com/edge")),
    NetworkPolicy(
        metadata=meta(),
        spec=NetworkPolicySpec(
            pod_selector=LabelSelector(
                match_expressions=[LabelSelectorRequirement(key="app", operator="In", values=["web"])]
            ),
            ingress=[
                NetworkPolicyIngressRule(
                    from_=[NetworkPolicyPeer(ip_block=IPBlock(cidr="10.0.0.0/8", except_=["10.1.0.0/16"]))]
                )
            ],
        ),
    ),
    HorizontalPodAutoscaler(
        metadata=meta(),
        spec=HorizontalPodAutoscalerSpec(
            scale_target_ref=CrossVersionObjectReference(api_version="apps/v1", kind="Deployment", name="web"),
            max_replicas=5,
            metrics=[
                MetricSpec(
                    type="Resource",
                    resource=ResourceMetricSource(
                        name="memory", target=MetricTarget(type="AverageValue", average_value=kw.Quantity("1500m"))
                    ),
                )
            ],
        ),
    ),
    PodDisruptionBudget(metadata=meta(), spec=PodDisruptionBudgetSpec(max_unavailable="30%", selector=SELECTOR)),
    PersistentVolumeClaim(
        metadata=meta(),
        spec=PersistentVolumeClaimSpec(
            access_modes=["ReadWriteOnce"],
            resources=VolumeResourceRequirements(requests={"storage": kw.Quantity("1Gi")}),
        ),
    ),
    StorageClass(metadata=wide("slow"), provisioner="example.com/slow", parameters={"a": "b"}),
    CSIDriver(metadata=wide("driver"), spec=CSIDriverSpec(attach_required=False)),
    Lease(
        metadata=meta(),
        spec=LeaseSpec(
            holder_identity="me", lease_duration_seconds=15, renew_time=datetime(2025, 3, 18, 7, 41, 12, 5, tzinfo=UTC)
        ),
    ),
    PriorityClass(metadata=wide("high"), value=1000, description="First."),
    RuntimeClass(metadata=wide("sandboxed"), handler="sandboxed"),
    LimitRange(
        metadata=meta(),
        spec=LimitRangeSpec(limits=[LimitRangeItem(type="Container", default={"cpu": kw.Quantity("100m")})]),
    ),
    ResourceQuota(metadata=meta(), spec=ResourceQuotaSpec(hard={"pods": kw.Quantity("100"), "cpu": kw.Quantity("50")})),
    EndpointSlice(
        metadata=meta(),
        address_type="IPv4",
        endpoints=[Endpoint(addresses=["192.0.2.1"], conditions=EndpointConditions(ready=True))],
        ports=[EndpointPort(name="http", port=8080)],
    ),
    Role(metadata=meta(), rules=[PolicyRule(verbs=["get"], api_groups=[""], resources=["pods"])]),
    RoleBinding(
        metadata=meta(),
        role_ref=RoleRef(api_group="rbac.authorization.k8s.io", kind="Role", name="web"),
        subjects=[Subject(kind="ServiceAccount", name="default", namespace=SPACE)],
    ),
    ClusterRole(metadata=wide("reader"), rules=[PolicyRule(verbs=["get"], non_resource_urls=["/version"])]),
    ValidatingWebhookConfiguration(
        metadata=wide("check"),
        webhooks=[
            ValidatingWebhook(
                name="check.example.com",
                side_effects="None",
                admission_review_versions=["v1"],
                client_config=WebhookClientConfig(service=ServiceReference(namespace=SPACE, name="web", path="/check")),
            )
        ],
    ),
    ValidatingAdmissionPolicy(
        metadata=wide("policy"),
        spec=ValidatingAdmissionPolicySpec(
            failure_policy="Ignore",
            match_constraints=MatchResources(
                resource_rules=[
                    NamedRuleWithOperations(
                        api_groups=["example.com"], api_versions=["v1"], operations=["CREATE"], resources=["things"]
                    )
                ]
            ),
            validations=[Validation(expression="object.metadata.name != 'bad'", message="a bad name")],
        ),
    ),
    ValidatingAdmissionPolicyBinding(
        metadata=wide("binding"),
        spec=ValidatingAdmissionPolicyBindingSpec(policy_name="kubewright-policy", validation_actions=["Deny"]),
    ),
]


def covers(whole: Any, part: Any) -> bool:
    """Whether all of `part` is in `whole`, which may say more."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(key in whole and covers(whole[key], part[key]) for key in part)
    if isinstance(part, list):
        return isinstance(whole, list) and all(any(covers(each, wanted) for each in whole) for wanted in part)
    return bool(whole == part)


@pytest.fixture(scope="module")
def namespace(real_cluster: RealCluster) -> str:
    made = json.dumps(kw.to_dict(Namespace(metadata=kw.ObjectMeta(name=SPACE))))
    result = real_cluster.kubectl("create", "--validate=strict", "-f", "-", input=made)
    assert result.returncode == 0, result.stderr
    return SPACE


@pytest.mark.real
@pytest.mark.usefixtures("namespace")
def test_the_server_takes_what_our_types_write_and_we_read_what_it_keeps(real_cluster: RealCluster) -> None:
    for made in OBJECTS:
        sent = kw.to_dict(made)
        result = real_cluster.kubectl("create", "--validate=strict", "-f", "-", "-o", "json", input=json.dumps(sent))
        assert result.returncode == 0, result.stderr
        kept = json.loads(result.stdout)
        assert covers(kept, sent), made.kind
        read = kw.from_dict(kept, type(made))
        assert kw.to_dict(read) == kept
        assert read.metadata.name == made.metadata.name


def kinds() -> dict[tuple[str, str], type[kw.Resource]]:
    """Group and version, and plural → class."""
    found: dict[tuple[str, str], type[kw.Resource]] = {}
    for module in pkgutil.walk_packages(kubewright.k8s.__path__, "kubewright.k8s."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, type) and issubclass(value, kw.Resource) and value.__module__ == module.name:
                definition = definition_of(value)
                found[definition.gvk.api_version, definition.plural] = value
    return found


@pytest.mark.real
@pytest.mark.usefixtures("namespace")
def test_whatever_the_server_serves_is_read_and_written_without_loss(real_cluster: RealCluster) -> None:
    classes, seen = kinds(), set()
    for resource in served(real_cluster):
        cls = classes[resource["api_version"], resource["name"]]
        definition = definition_of(cls)
        assert (definition.scope == "Namespaced") == resource["namespaced"], cls
        assert definition.short_names == tuple(resource.get("shortNames", ())), cls
        if "list" not in resource["verbs"]:
            continue
        listed = raw(real_cluster, f"{resource['prefix']}/{resource['name']}")
        for item in listed["items"]:
            assert kw.to_dict(kw.from_dict(item, cls)) == item
            seen.add(cls.kind)
    assert len(seen) >= 15


def served(cluster: RealCluster) -> list[dict[str, Any]]:
    """The resources of all of Kubernetes' own groups, without subresources."""
    prefixes = {"v1": "/api/v1"}
    for group in raw(cluster, "/apis")["groups"]:
        if not group["name"].endswith(".example.com"):
            prefixes |= {version["groupVersion"]: f"/apis/{version['groupVersion']}" for version in group["versions"]}
    return [
        {**resource, "api_version": api_version, "prefix": prefix}
        for api_version, prefix in prefixes.items()
        for resource in raw(cluster, prefix)["resources"]
        if "/" not in resource["name"]
    ]


def raw(cluster: RealCluster, path: str) -> Any:
    result = cluster.kubectl("get", "--raw", path)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


class RunnerSpec(kw.Model):
    template: PodTemplateSpec
    claims: list[PersistentVolumeClaim] = kw.field(default_factory=list)
    selector: LabelSelector | None = None


class Runner(kw.Resource, group="k8s.example.com", version="v1"):
    spec: RunnerSpec


@pytest.mark.real
def test_the_server_takes_a_crd_that_holds_built_in_types(real_cluster: RealCluster) -> None:
    crd = crd_of(Runner)
    result = real_cluster.kubectl("create", "--validate=strict", "-f", "-", "-o", "json", input=json.dumps(crd))
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["spec"]["versions"] == crd["spec"]["versions"]
