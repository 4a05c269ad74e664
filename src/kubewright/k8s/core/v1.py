"""The kinds of core/v1 and their parts: Binding, ComponentStatus, ConfigMap, Endpoints, Event, LimitRange, Namespace,
Node, PersistentVolume, PersistentVolumeClaim, Pod, PodTemplate, ReplicationController, ResourceQuota, Secret, Service,
ServiceAccount.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from typing import Annotated

from kubewright.k8s.meta.v1 import LabelSelector
from kubewright.model.fields import REQUIRED, field
from kubewright.model.markers import Atomic, Default, Granular, ListMap, ListSet
from kubewright.model.metadata import ObjectMeta
from kubewright.model.model import Model
from kubewright.model.quantity import Quantity
from kubewright.model.resource import Resource
from kubewright.model.shape import Int32, IntOrString, MicroTime, Time
from kubewright.model.status import Condition

__all__ = [
    "AWSElasticBlockStoreVolumeSource",
    "Affinity",
    "AppArmorProfile",
    "AttachedVolume",
    "AzureDiskVolumeSource",
    "AzureFilePersistentVolumeSource",
    "AzureFileVolumeSource",
    "Binding",
    "CSIPersistentVolumeSource",
    "CSIVolumeSource",
    "Capabilities",
    "CephFSPersistentVolumeSource",
    "CephFSVolumeSource",
    "CinderPersistentVolumeSource",
    "CinderVolumeSource",
    "ClientIPConfig",
    "ClusterTrustBundleProjection",
    "ComponentCondition",
    "ComponentStatus",
    "ConfigMap",
    "ConfigMapEnvSource",
    "ConfigMapKeySelector",
    "ConfigMapNodeConfigSource",
    "ConfigMapProjection",
    "ConfigMapVolumeSource",
    "Container",
    "ContainerExtendedResourceRequest",
    "ContainerImage",
    "ContainerPort",
    "ContainerResizePolicy",
    "ContainerRestartRule",
    "ContainerRestartRuleOnExitCodes",
    "ContainerState",
    "ContainerStateRunning",
    "ContainerStateTerminated",
    "ContainerStateWaiting",
    "ContainerStatus",
    "ContainerUser",
    "DaemonEndpoint",
    "DownwardAPIProjection",
    "DownwardAPIVolumeFile",
    "DownwardAPIVolumeSource",
    "EmptyDirVolumeSource",
    "EndpointAddress",
    "EndpointPort",
    "EndpointSubset",
    "Endpoints",
    "EnvFromSource",
    "EnvVar",
    "EnvVarSource",
    "EphemeralContainer",
    "EphemeralVolumeSource",
    "Event",
    "EventSeries",
    "EventSource",
    "ExecAction",
    "FCVolumeSource",
    "FileKeySelector",
    "FlexPersistentVolumeSource",
    "FlexVolumeSource",
    "FlockerVolumeSource",
    "GCEPersistentDiskVolumeSource",
    "GRPCAction",
    "GitRepoVolumeSource",
    "GlusterfsPersistentVolumeSource",
    "GlusterfsVolumeSource",
    "HTTPGetAction",
    "HTTPHeader",
    "HostAlias",
    "HostIP",
    "HostPathVolumeSource",
    "ISCSIPersistentVolumeSource",
    "ISCSIVolumeSource",
    "ImageVolumeSource",
    "ImageVolumeStatus",
    "KeyToPath",
    "Lifecycle",
    "LifecycleHandler",
    "LimitRange",
    "LimitRangeItem",
    "LimitRangeSpec",
    "LinuxContainerUser",
    "LoadBalancerIngress",
    "LoadBalancerStatus",
    "LocalObjectReference",
    "LocalVolumeSource",
    "ModifyVolumeStatus",
    "NFSVolumeSource",
    "Namespace",
    "NamespaceCondition",
    "NamespaceSpec",
    "NamespaceStatus",
    "Node",
    "NodeAddress",
    "NodeAffinity",
    "NodeAllocatableResourceClaimStatus",
    "NodeCondition",
    "NodeConfigSource",
    "NodeConfigStatus",
    "NodeDaemonEndpoints",
    "NodeFeatures",
    "NodeRuntimeHandler",
    "NodeRuntimeHandlerFeatures",
    "NodeSelector",
    "NodeSelectorRequirement",
    "NodeSelectorTerm",
    "NodeSpec",
    "NodeStatus",
    "NodeSwapStatus",
    "NodeSystemInfo",
    "ObjectFieldSelector",
    "ObjectReference",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "PersistentVolumeClaimCondition",
    "PersistentVolumeClaimSpec",
    "PersistentVolumeClaimStatus",
    "PersistentVolumeClaimTemplate",
    "PersistentVolumeClaimVolumeSource",
    "PersistentVolumeSpec",
    "PersistentVolumeStatus",
    "PhotonPersistentDiskVolumeSource",
    "Pod",
    "PodAffinity",
    "PodAffinityTerm",
    "PodAntiAffinity",
    "PodCertificateProjection",
    "PodCondition",
    "PodDNSConfig",
    "PodDNSConfigOption",
    "PodExtendedResourceClaimStatus",
    "PodIP",
    "PodOS",
    "PodReadinessGate",
    "PodResourceClaim",
    "PodResourceClaimStatus",
    "PodSchedulingGate",
    "PodSchedulingGroup",
    "PodSecurityContext",
    "PodSpec",
    "PodStatus",
    "PodTemplate",
    "PodTemplateSpec",
    "PortStatus",
    "PortworxVolumeSource",
    "PreferredSchedulingTerm",
    "Probe",
    "ProjectedVolumeSource",
    "QuobyteVolumeSource",
    "RBDPersistentVolumeSource",
    "RBDVolumeSource",
    "ReplicationController",
    "ReplicationControllerCondition",
    "ReplicationControllerSpec",
    "ReplicationControllerStatus",
    "ResourceClaim",
    "ResourceFieldSelector",
    "ResourceHealth",
    "ResourceQuota",
    "ResourceQuotaSpec",
    "ResourceQuotaStatus",
    "ResourceRequirements",
    "ResourceStatus",
    "SELinuxOptions",
    "ScaleIOPersistentVolumeSource",
    "ScaleIOVolumeSource",
    "ScopeSelector",
    "ScopedResourceSelectorRequirement",
    "SeccompProfile",
    "Secret",
    "SecretEnvSource",
    "SecretKeySelector",
    "SecretProjection",
    "SecretReference",
    "SecretVolumeSource",
    "SecurityContext",
    "Service",
    "ServiceAccount",
    "ServiceAccountTokenProjection",
    "ServicePort",
    "ServiceSpec",
    "ServiceStatus",
    "SessionAffinityConfig",
    "SleepAction",
    "StorageOSPersistentVolumeSource",
    "StorageOSVolumeSource",
    "Sysctl",
    "TCPSocketAction",
    "Taint",
    "Toleration",
    "TopologySelectorLabelRequirement",
    "TopologySelectorTerm",
    "TopologySpreadConstraint",
    "TypedLocalObjectReference",
    "TypedObjectReference",
    "Volume",
    "VolumeDevice",
    "VolumeMount",
    "VolumeMountStatus",
    "VolumeNodeAffinity",
    "VolumeProjection",
    "VolumeResourceRequirements",
    "VolumeStatus",
    "VsphereVirtualDiskVolumeSource",
    "WeightedPodAffinityTerm",
    "WindowsSecurityContextOptions",
]


class AWSElasticBlockStoreVolumeSource(Model):
    fs_type: str | None = None
    partition: Int32 | None = None
    read_only: bool | None = None
    volume_id: str = field(default=REQUIRED, wire="volumeID")


class Affinity(Model):
    node_affinity: NodeAffinity | None = None
    pod_affinity: PodAffinity | None = None
    pod_anti_affinity: PodAntiAffinity | None = None


class AppArmorProfile(Model):
    localhost_profile: str | None = None
    type: str = REQUIRED


class AttachedVolume(Model):
    device_path: str = REQUIRED
    name: str = REQUIRED


class AzureDiskVolumeSource(Model):
    caching_mode: Annotated[str | None, Default("ReadWrite")] = None
    disk_name: str = REQUIRED
    disk_uri: str = field(default=REQUIRED, wire="diskURI")
    fs_type: Annotated[str | None, Default("ext4")] = None
    kind: Annotated[str | None, Default("Shared")] = None
    read_only: Annotated[bool | None, Default(False)] = None


class AzureFilePersistentVolumeSource(Model):
    read_only: bool | None = None
    secret_name: str = REQUIRED
    secret_namespace: str | None = None
    share_name: str = REQUIRED


class AzureFileVolumeSource(Model):
    read_only: bool | None = None
    secret_name: str = REQUIRED
    share_name: str = REQUIRED


class CSIPersistentVolumeSource(Model):
    controller_expand_secret_ref: SecretReference | None = None
    controller_publish_secret_ref: SecretReference | None = None
    driver: str = REQUIRED
    fs_type: str | None = None
    node_expand_secret_ref: SecretReference | None = None
    node_publish_secret_ref: SecretReference | None = None
    node_stage_secret_ref: SecretReference | None = None
    read_only: bool | None = None
    volume_attributes: dict[str, str] = field(default_factory=dict)
    volume_handle: str = REQUIRED


class CSIVolumeSource(Model):
    driver: str = REQUIRED
    fs_type: str | None = None
    node_publish_secret_ref: LocalObjectReference | None = None
    read_only: bool | None = None
    volume_attributes: dict[str, str] = field(default_factory=dict)


class Capabilities(Model):
    add: Annotated[list[str], Atomic()] = field(default_factory=list)
    drop: Annotated[list[str], Atomic()] = field(default_factory=list)


class CephFSPersistentVolumeSource(Model):
    monitors: Annotated[list[str], Atomic()] = field(default_factory=list, required=True)
    path: str | None = None
    read_only: bool | None = None
    secret_file: str | None = None
    secret_ref: SecretReference | None = None
    user: str | None = None


class CephFSVolumeSource(Model):
    monitors: Annotated[list[str], Atomic()] = field(default_factory=list, required=True)
    path: str | None = None
    read_only: bool | None = None
    secret_file: str | None = None
    secret_ref: LocalObjectReference | None = None
    user: str | None = None


class CinderPersistentVolumeSource(Model):
    fs_type: str | None = None
    read_only: bool | None = None
    secret_ref: SecretReference | None = None
    volume_id: str = field(default=REQUIRED, wire="volumeID")


class CinderVolumeSource(Model):
    fs_type: str | None = None
    read_only: bool | None = None
    secret_ref: LocalObjectReference | None = None
    volume_id: str = field(default=REQUIRED, wire="volumeID")


class ClientIPConfig(Model):
    timeout_seconds: Int32 | None = None


class ClusterTrustBundleProjection(Model):
    label_selector: LabelSelector | None = None
    name: str | None = None
    optional: bool | None = None
    path: str = REQUIRED
    signer_name: str | None = None


class ComponentCondition(Model):
    error: str | None = None
    message: str | None = None
    status: str = REQUIRED
    type: str = REQUIRED


class ConfigMapEnvSource(Model):
    name: Annotated[str | None, Default("")] = None
    optional: bool | None = None


class ConfigMapKeySelector(Model, markers=[Atomic()]):
    key: str = REQUIRED
    name: Annotated[str | None, Default("")] = None
    optional: bool | None = None


class ConfigMapNodeConfigSource(Model):
    kubelet_config_key: str = REQUIRED
    name: str = REQUIRED
    namespace: str = REQUIRED
    resource_version: str | None = None
    uid: str | None = None


class ConfigMapProjection(Model):
    items: Annotated[list[KeyToPath], Atomic()] = field(default_factory=list)
    name: Annotated[str | None, Default("")] = None
    optional: bool | None = None


class ConfigMapVolumeSource(Model):
    default_mode: Int32 | None = None
    items: Annotated[list[KeyToPath], Atomic()] = field(default_factory=list)
    name: Annotated[str | None, Default("")] = None
    optional: bool | None = None


class Container(Model):
    args: Annotated[list[str], Atomic()] = field(default_factory=list)
    command: Annotated[list[str], Atomic()] = field(default_factory=list)
    env: Annotated[list[EnvVar], ListMap("name")] = field(default_factory=list)
    env_from: Annotated[list[EnvFromSource], Atomic()] = field(default_factory=list)
    image: str | None = None
    image_pull_policy: str | None = None
    lifecycle: Lifecycle | None = None
    liveness_probe: Probe | None = None
    name: str = REQUIRED
    ports: Annotated[list[ContainerPort], ListMap("container_port", "protocol")] = field(default_factory=list)
    readiness_probe: Probe | None = None
    resize_policy: Annotated[list[ContainerResizePolicy], Atomic()] = field(default_factory=list)
    resources: ResourceRequirements | None = None
    restart_policy: str | None = None
    restart_policy_rules: Annotated[list[ContainerRestartRule], Atomic()] = field(default_factory=list)
    security_context: SecurityContext | None = None
    startup_probe: Probe | None = None
    stdin: bool | None = None
    stdin_once: bool | None = None
    termination_message_path: str | None = None
    termination_message_policy: str | None = None
    tty: bool | None = None
    volume_devices: Annotated[list[VolumeDevice], ListMap("device_path")] = field(default_factory=list)
    volume_mounts: Annotated[list[VolumeMount], ListMap("mount_path")] = field(default_factory=list)
    working_dir: str | None = None


class ContainerExtendedResourceRequest(Model):
    container_name: str = REQUIRED
    request_name: str = REQUIRED
    resource_name: str = REQUIRED


class ContainerImage(Model):
    names: Annotated[list[str], Atomic()] = field(default_factory=list)
    size_bytes: int | None = None


class ContainerPort(Model):
    container_port: Int32 = REQUIRED
    host_ip: str | None = field(default=None, wire="hostIP")
    host_port: Int32 | None = None
    name: str | None = None
    protocol: Annotated[str | None, Default("TCP")] = None


class ContainerResizePolicy(Model):
    resource_name: str = REQUIRED
    restart_policy: str = REQUIRED


class ContainerRestartRule(Model):
    action: str = REQUIRED
    exit_codes: ContainerRestartRuleOnExitCodes | None = None


class ContainerRestartRuleOnExitCodes(Model):
    operator: str = REQUIRED
    values: Annotated[list[Int32], ListSet()] = field(default_factory=list)


class ContainerState(Model):
    running: ContainerStateRunning | None = None
    terminated: ContainerStateTerminated | None = None
    waiting: ContainerStateWaiting | None = None


class ContainerStateRunning(Model):
    started_at: Time | None = None


class ContainerStateTerminated(Model):
    container_id: str | None = field(default=None, wire="containerID")
    exit_code: Int32 = REQUIRED
    finished_at: Time | None = None
    message: str | None = None
    reason: str | None = None
    signal: Int32 | None = None
    started_at: Time | None = None


class ContainerStateWaiting(Model):
    message: str | None = None
    reason: str | None = None


class ContainerStatus(Model):
    allocated_resources: dict[str, Quantity] = field(default_factory=dict)
    allocated_resources_status: Annotated[list[ResourceStatus], ListMap("name")] = field(default_factory=list)
    container_id: str | None = field(default=None, wire="containerID")
    image: str = REQUIRED
    image_id: str = field(default=REQUIRED, wire="imageID")
    last_state: ContainerState | None = None
    name: str = REQUIRED
    ready: bool = REQUIRED
    resources: ResourceRequirements | None = None
    restart_count: Int32 = REQUIRED
    started: bool | None = None
    state: ContainerState | None = None
    stop_signal: str | None = None
    user: ContainerUser | None = None
    volume_mounts: Annotated[list[VolumeMountStatus], ListMap("mount_path")] = field(default_factory=list)


class ContainerUser(Model):
    linux: LinuxContainerUser | None = None


class DaemonEndpoint(Model):
    port: Int32 = field(default=REQUIRED, wire="Port")


class DownwardAPIProjection(Model):
    items: Annotated[list[DownwardAPIVolumeFile], Atomic()] = field(default_factory=list)


class DownwardAPIVolumeFile(Model):
    field_ref: ObjectFieldSelector | None = None
    mode: Int32 | None = None
    path: str = REQUIRED
    resource_field_ref: ResourceFieldSelector | None = None


class DownwardAPIVolumeSource(Model):
    default_mode: Int32 | None = None
    items: Annotated[list[DownwardAPIVolumeFile], Atomic()] = field(default_factory=list)


class EmptyDirVolumeSource(Model):
    medium: str | None = None
    size_limit: Quantity | None = None


class EndpointAddress(Model, markers=[Atomic()]):
    hostname: str | None = None
    ip: str = REQUIRED
    node_name: str | None = None
    target_ref: ObjectReference | None = None


class EndpointPort(Model, markers=[Atomic()]):
    app_protocol: str | None = None
    name: str | None = None
    port: Int32 = REQUIRED
    protocol: str | None = None


class EndpointSubset(Model):
    addresses: Annotated[list[EndpointAddress], Atomic()] = field(default_factory=list)
    not_ready_addresses: Annotated[list[EndpointAddress], Atomic()] = field(default_factory=list)
    ports: Annotated[list[EndpointPort], Atomic()] = field(default_factory=list)


class EnvFromSource(Model):
    config_map_ref: ConfigMapEnvSource | None = None
    prefix: str | None = None
    secret_ref: SecretEnvSource | None = None


class EnvVar(Model):
    name: str = REQUIRED
    value: str | None = None
    value_from: EnvVarSource | None = None


class EnvVarSource(Model):
    config_map_key_ref: ConfigMapKeySelector | None = None
    field_ref: ObjectFieldSelector | None = None
    file_key_ref: FileKeySelector | None = None
    resource_field_ref: ResourceFieldSelector | None = None
    secret_key_ref: SecretKeySelector | None = None


class EphemeralContainer(Model):
    args: Annotated[list[str], Atomic()] = field(default_factory=list)
    command: Annotated[list[str], Atomic()] = field(default_factory=list)
    env: Annotated[list[EnvVar], ListMap("name")] = field(default_factory=list)
    env_from: Annotated[list[EnvFromSource], Atomic()] = field(default_factory=list)
    image: str | None = None
    image_pull_policy: str | None = None
    lifecycle: Lifecycle | None = None
    liveness_probe: Probe | None = None
    name: str = REQUIRED
    ports: Annotated[list[ContainerPort], ListMap("container_port", "protocol")] = field(default_factory=list)
    readiness_probe: Probe | None = None
    resize_policy: Annotated[list[ContainerResizePolicy], Atomic()] = field(default_factory=list)
    resources: ResourceRequirements | None = None
    restart_policy: str | None = None
    restart_policy_rules: Annotated[list[ContainerRestartRule], Atomic()] = field(default_factory=list)
    security_context: SecurityContext | None = None
    startup_probe: Probe | None = None
    stdin: bool | None = None
    stdin_once: bool | None = None
    target_container_name: str | None = None
    termination_message_path: str | None = None
    termination_message_policy: str | None = None
    tty: bool | None = None
    volume_devices: Annotated[list[VolumeDevice], ListMap("device_path")] = field(default_factory=list)
    volume_mounts: Annotated[list[VolumeMount], ListMap("mount_path")] = field(default_factory=list)
    working_dir: str | None = None


class EphemeralVolumeSource(Model):
    volume_claim_template: PersistentVolumeClaimTemplate | None = None


class EventSeries(Model):
    count: Int32 | None = None
    last_observed_time: MicroTime | None = None


class EventSource(Model):
    component: str | None = None
    host: str | None = None


class ExecAction(Model):
    command: Annotated[list[str], Atomic()] = field(default_factory=list)


class FCVolumeSource(Model):
    fs_type: str | None = None
    lun: Int32 | None = None
    read_only: bool | None = None
    target_wwns: Annotated[list[str], Atomic()] = field(default_factory=list, wire="targetWWNs")
    wwids: Annotated[list[str], Atomic()] = field(default_factory=list)


class FileKeySelector(Model, markers=[Atomic()]):
    key: str = REQUIRED
    optional: Annotated[bool | None, Default(False)] = None
    path: str = REQUIRED
    volume_name: str = REQUIRED


class FlexPersistentVolumeSource(Model):
    driver: str = REQUIRED
    fs_type: str | None = None
    options: dict[str, str] = field(default_factory=dict)
    read_only: bool | None = None
    secret_ref: SecretReference | None = None


class FlexVolumeSource(Model):
    driver: str = REQUIRED
    fs_type: str | None = None
    options: dict[str, str] = field(default_factory=dict)
    read_only: bool | None = None
    secret_ref: LocalObjectReference | None = None


class FlockerVolumeSource(Model):
    dataset_name: str | None = None
    dataset_uuid: str | None = field(default=None, wire="datasetUUID")


class GCEPersistentDiskVolumeSource(Model):
    fs_type: str | None = None
    partition: Int32 | None = None
    pd_name: str = REQUIRED
    read_only: bool | None = None


class GRPCAction(Model):
    port: Int32 = REQUIRED
    service: Annotated[str | None, Default("")] = None


class GitRepoVolumeSource(Model):
    directory: str | None = None
    repository: str = REQUIRED
    revision: str | None = None


class GlusterfsPersistentVolumeSource(Model):
    endpoints: str = REQUIRED
    endpoints_namespace: str | None = None
    path: str = REQUIRED
    read_only: bool | None = None


class GlusterfsVolumeSource(Model):
    endpoints: str = REQUIRED
    path: str = REQUIRED
    read_only: bool | None = None


class HTTPGetAction(Model):
    host: str | None = None
    http_headers: Annotated[list[HTTPHeader], Atomic()] = field(default_factory=list)
    path: str | None = None
    port: IntOrString = REQUIRED
    scheme: str | None = None


class HTTPHeader(Model):
    name: str = REQUIRED
    value: str = REQUIRED


class HostAlias(Model):
    hostnames: Annotated[list[str], Atomic()] = field(default_factory=list)
    ip: str = REQUIRED


class HostIP(Model):
    ip: str = REQUIRED


class HostPathVolumeSource(Model):
    path: str = REQUIRED
    type: str | None = None


class ISCSIPersistentVolumeSource(Model):
    chap_auth_discovery: bool | None = None
    chap_auth_session: bool | None = None
    fs_type: str | None = None
    initiator_name: str | None = None
    iqn: str = REQUIRED
    iscsi_interface: Annotated[str | None, Default("default")] = None
    lun: Int32 = REQUIRED
    portals: Annotated[list[str], Atomic()] = field(default_factory=list)
    read_only: bool | None = None
    secret_ref: SecretReference | None = None
    target_portal: str = REQUIRED


class ISCSIVolumeSource(Model):
    chap_auth_discovery: bool | None = None
    chap_auth_session: bool | None = None
    fs_type: str | None = None
    initiator_name: str | None = None
    iqn: str = REQUIRED
    iscsi_interface: Annotated[str | None, Default("default")] = None
    lun: Int32 = REQUIRED
    portals: Annotated[list[str], Atomic()] = field(default_factory=list)
    read_only: bool | None = None
    secret_ref: LocalObjectReference | None = None
    target_portal: str = REQUIRED


class ImageVolumeSource(Model):
    pull_policy: str | None = None
    reference: str | None = None


class ImageVolumeStatus(Model):
    image_ref: str = REQUIRED


class KeyToPath(Model):
    key: str = REQUIRED
    mode: Int32 | None = None
    path: str = REQUIRED


class Lifecycle(Model):
    post_start: LifecycleHandler | None = None
    pre_stop: LifecycleHandler | None = None
    stop_signal: str | None = None


class LifecycleHandler(Model):
    exec: ExecAction | None = None
    http_get: HTTPGetAction | None = None
    sleep: SleepAction | None = None
    tcp_socket: TCPSocketAction | None = None


class LimitRangeItem(Model):
    default: dict[str, Quantity] = field(default_factory=dict)
    default_request: dict[str, Quantity] = field(default_factory=dict)
    max: dict[str, Quantity] = field(default_factory=dict)
    max_limit_request_ratio: dict[str, Quantity] = field(default_factory=dict)
    min: dict[str, Quantity] = field(default_factory=dict)
    type: str = REQUIRED


class LimitRangeSpec(Model):
    limits: Annotated[list[LimitRangeItem], Atomic()] = field(default_factory=list, required=True)


class LinuxContainerUser(Model):
    gid: int = REQUIRED
    supplemental_groups: Annotated[list[int], Atomic()] = field(default_factory=list)
    uid: int = REQUIRED


class LoadBalancerIngress(Model):
    hostname: str | None = None
    ip: str | None = None
    ip_mode: str | None = None
    ports: Annotated[list[PortStatus], Atomic()] = field(default_factory=list)


class LoadBalancerStatus(Model):
    ingress: Annotated[list[LoadBalancerIngress], Atomic()] = field(default_factory=list)


class LocalObjectReference(Model, markers=[Atomic()]):
    name: Annotated[str | None, Default("")] = None


class LocalVolumeSource(Model):
    fs_type: str | None = None
    path: str = REQUIRED


class ModifyVolumeStatus(Model):
    status: str = REQUIRED
    target_volume_attributes_class_name: str | None = None


class NFSVolumeSource(Model):
    path: str = REQUIRED
    read_only: bool | None = None
    server: str = REQUIRED


class NamespaceCondition(Model):
    last_transition_time: Time | None = None
    message: str | None = None
    reason: str | None = None
    status: str = REQUIRED
    type: str = REQUIRED


class NamespaceSpec(Model):
    finalizers: Annotated[list[str], Atomic()] = field(default_factory=list)


class NamespaceStatus(Model):
    conditions: Annotated[list[NamespaceCondition], ListMap("type")] = field(default_factory=list)
    phase: str | None = None


class NodeAddress(Model):
    address: str = REQUIRED
    type: str = REQUIRED


class NodeAffinity(Model):
    preferred_during_scheduling_ignored_during_execution: Annotated[list[PreferredSchedulingTerm], Atomic()] = field(
        default_factory=list
    )
    required_during_scheduling_ignored_during_execution: NodeSelector | None = None


class NodeAllocatableResourceClaimStatus(Model):
    containers: Annotated[list[str], ListSet()] = field(default_factory=list)
    resource_claim_name: str = REQUIRED
    resources: dict[str, Quantity] = field(default_factory=dict, required=True)


class NodeCondition(Model):
    last_heartbeat_time: Time | None = None
    last_transition_time: Time | None = None
    message: str | None = None
    reason: str | None = None
    status: str = REQUIRED
    type: str = REQUIRED


class NodeConfigSource(Model):
    config_map: ConfigMapNodeConfigSource | None = None


class NodeConfigStatus(Model):
    active: NodeConfigSource | None = None
    assigned: NodeConfigSource | None = None
    error: str | None = None
    last_known_good: NodeConfigSource | None = None


class NodeDaemonEndpoints(Model):
    kubelet_endpoint: DaemonEndpoint | None = None


class NodeFeatures(Model):
    supplemental_groups_policy: bool | None = None


class NodeRuntimeHandler(Model):
    features: NodeRuntimeHandlerFeatures | None = None
    name: Annotated[str | None, Default("")] = None


class NodeRuntimeHandlerFeatures(Model):
    recursive_read_only_mounts: bool | None = None
    user_namespaces: bool | None = None


class NodeSelector(Model, markers=[Atomic()]):
    node_selector_terms: Annotated[list[NodeSelectorTerm], Atomic()] = field(default_factory=list, required=True)


class NodeSelectorRequirement(Model):
    key: str = REQUIRED
    operator: str = REQUIRED
    values: Annotated[list[str], Atomic()] = field(default_factory=list)


class NodeSelectorTerm(Model, markers=[Atomic()]):
    match_expressions: Annotated[list[NodeSelectorRequirement], Atomic()] = field(default_factory=list)
    match_fields: Annotated[list[NodeSelectorRequirement], Atomic()] = field(default_factory=list)


class NodeSpec(Model):
    config_source: NodeConfigSource | None = None
    external_id: str | None = field(default=None, wire="externalID")
    pod_cidr: str | None = field(default=None, wire="podCIDR")
    pod_cidrs: Annotated[list[str], ListSet()] = field(default_factory=list, wire="podCIDRs")
    provider_id: str | None = field(default=None, wire="providerID")
    taints: Annotated[list[Taint], Atomic()] = field(default_factory=list)
    unschedulable: bool | None = None


class NodeStatus(Model):
    addresses: Annotated[list[NodeAddress], ListMap("type")] = field(default_factory=list)
    allocatable: dict[str, Quantity] = field(default_factory=dict)
    capacity: dict[str, Quantity] = field(default_factory=dict)
    conditions: Annotated[list[NodeCondition], ListMap("type")] = field(default_factory=list)
    config: NodeConfigStatus | None = None
    daemon_endpoints: NodeDaemonEndpoints | None = None
    declared_features: Annotated[list[str], Atomic()] = field(default_factory=list)
    features: NodeFeatures | None = None
    images: Annotated[list[ContainerImage], Atomic()] = field(default_factory=list)
    node_info: NodeSystemInfo | None = None
    phase: str | None = None
    runtime_handlers: Annotated[list[NodeRuntimeHandler], Atomic()] = field(default_factory=list)
    volumes_attached: Annotated[list[AttachedVolume], Atomic()] = field(default_factory=list)
    volumes_in_use: Annotated[list[str], Atomic()] = field(default_factory=list)


class NodeSwapStatus(Model):
    capacity: int | None = None


class NodeSystemInfo(Model):
    architecture: str = REQUIRED
    boot_id: str = field(default=REQUIRED, wire="bootID")
    container_runtime_version: str = REQUIRED
    kernel_version: str = REQUIRED
    kube_proxy_version: str = REQUIRED
    kubelet_version: str = REQUIRED
    machine_id: str = field(default=REQUIRED, wire="machineID")
    operating_system: str = REQUIRED
    os_image: str = REQUIRED
    swap: NodeSwapStatus | None = None
    system_uuid: str = field(default=REQUIRED, wire="systemUUID")


class ObjectFieldSelector(Model, markers=[Atomic()]):
    api_version: str | None = None
    field_path: str = REQUIRED


class ObjectReference(Model, markers=[Atomic()]):
    api_version: str | None = None
    field_path: str | None = None
    kind: str | None = None
    name: str | None = None
    namespace: str | None = None
    resource_version: str | None = None
    uid: str | None = None


class PersistentVolumeClaimCondition(Model):
    last_probe_time: Time | None = None
    last_transition_time: Time | None = None
    message: str | None = None
    reason: str | None = None
    status: str = REQUIRED
    type: str = REQUIRED


class PersistentVolumeClaimSpec(Model):
    access_modes: Annotated[list[str], Atomic()] = field(default_factory=list)
    data_source: TypedLocalObjectReference | None = None
    data_source_ref: TypedObjectReference | None = None
    resources: VolumeResourceRequirements | None = None
    selector: LabelSelector | None = None
    storage_class_name: str | None = None
    volume_attributes_class_name: str | None = None
    volume_mode: str | None = None
    volume_name: str | None = None


class PersistentVolumeClaimStatus(Model):
    access_modes: Annotated[list[str], Atomic()] = field(default_factory=list)
    allocated_resource_statuses: Annotated[dict[str, str], Granular()] = field(default_factory=dict)
    allocated_resources: dict[str, Quantity] = field(default_factory=dict)
    capacity: dict[str, Quantity] = field(default_factory=dict)
    conditions: Annotated[list[PersistentVolumeClaimCondition], ListMap("type")] = field(default_factory=list)
    current_volume_attributes_class_name: str | None = None
    modify_volume_status: ModifyVolumeStatus | None = None
    phase: str | None = None


class PersistentVolumeClaimTemplate(Model):
    metadata: ObjectMeta | None = None
    spec: PersistentVolumeClaimSpec = REQUIRED


class PersistentVolumeClaimVolumeSource(Model):
    claim_name: str = REQUIRED
    read_only: bool | None = None


class PersistentVolumeSpec(Model):
    access_modes: Annotated[list[str], Atomic()] = field(default_factory=list)
    aws_elastic_block_store: AWSElasticBlockStoreVolumeSource | None = None
    azure_disk: AzureDiskVolumeSource | None = None
    azure_file: AzureFilePersistentVolumeSource | None = None
    capacity: dict[str, Quantity] = field(default_factory=dict)
    cephfs: CephFSPersistentVolumeSource | None = None
    cinder: CinderPersistentVolumeSource | None = None
    claim_ref: Annotated[ObjectReference | None, Granular()] = None
    csi: CSIPersistentVolumeSource | None = None
    fc: FCVolumeSource | None = None
    flex_volume: FlexPersistentVolumeSource | None = None
    flocker: FlockerVolumeSource | None = None
    gce_persistent_disk: GCEPersistentDiskVolumeSource | None = None
    glusterfs: GlusterfsPersistentVolumeSource | None = None
    host_path: HostPathVolumeSource | None = None
    iscsi: ISCSIPersistentVolumeSource | None = None
    local: LocalVolumeSource | None = None
    mount_options: Annotated[list[str], Atomic()] = field(default_factory=list)
    nfs: NFSVolumeSource | None = None
    node_affinity: VolumeNodeAffinity | None = None
    persistent_volume_reclaim_policy: str | None = None
    photon_persistent_disk: PhotonPersistentDiskVolumeSource | None = None
    portworx_volume: PortworxVolumeSource | None = None
    quobyte: QuobyteVolumeSource | None = None
    rbd: RBDPersistentVolumeSource | None = None
    scale_io: ScaleIOPersistentVolumeSource | None = field(default=None, wire="scaleIO")
    storage_class_name: str | None = None
    storageos: StorageOSPersistentVolumeSource | None = None
    volume_attributes_class_name: str | None = None
    volume_mode: str | None = None
    vsphere_volume: VsphereVirtualDiskVolumeSource | None = None


class PersistentVolumeStatus(Model):
    last_phase_transition_time: Time | None = None
    message: str | None = None
    phase: str | None = None
    reason: str | None = None


class PhotonPersistentDiskVolumeSource(Model):
    fs_type: str | None = None
    pd_id: str = field(default=REQUIRED, wire="pdID")


class PodAffinity(Model):
    preferred_during_scheduling_ignored_during_execution: Annotated[list[WeightedPodAffinityTerm], Atomic()] = field(
        default_factory=list
    )
    required_during_scheduling_ignored_during_execution: Annotated[list[PodAffinityTerm], Atomic()] = field(
        default_factory=list
    )


class PodAffinityTerm(Model):
    label_selector: LabelSelector | None = None
    match_label_keys: Annotated[list[str], Atomic()] = field(default_factory=list)
    mismatch_label_keys: Annotated[list[str], Atomic()] = field(default_factory=list)
    namespace_selector: LabelSelector | None = None
    namespaces: Annotated[list[str], Atomic()] = field(default_factory=list)
    topology_key: str = REQUIRED


class PodAntiAffinity(Model):
    preferred_during_scheduling_ignored_during_execution: Annotated[list[WeightedPodAffinityTerm], Atomic()] = field(
        default_factory=list
    )
    required_during_scheduling_ignored_during_execution: Annotated[list[PodAffinityTerm], Atomic()] = field(
        default_factory=list
    )


class PodCertificateProjection(Model):
    certificate_chain_path: str | None = None
    credential_bundle_path: str | None = None
    key_path: str | None = None
    key_type: str = REQUIRED
    max_expiration_seconds: Int32 | None = None
    signer_name: str = REQUIRED
    user_annotations: dict[str, str] = field(default_factory=dict)


class PodCondition(Model):
    last_probe_time: Time | None = None
    last_transition_time: Time | None = None
    message: str | None = None
    observed_generation: int | None = None
    reason: str | None = None
    status: str = REQUIRED
    type: str = REQUIRED


class PodDNSConfig(Model):
    nameservers: Annotated[list[str], Atomic()] = field(default_factory=list)
    options: Annotated[list[PodDNSConfigOption], Atomic()] = field(default_factory=list)
    searches: Annotated[list[str], Atomic()] = field(default_factory=list)


class PodDNSConfigOption(Model):
    name: str | None = None
    value: str | None = None


class PodExtendedResourceClaimStatus(Model):
    request_mappings: Annotated[list[ContainerExtendedResourceRequest], Atomic()] = field(
        default_factory=list, required=True
    )
    resource_claim_name: str = REQUIRED


class PodIP(Model):
    ip: str = REQUIRED


class PodOS(Model):
    name: str = REQUIRED


class PodReadinessGate(Model):
    condition_type: str = REQUIRED


class PodResourceClaim(Model):
    name: str = REQUIRED
    resource_claim_name: str | None = None
    resource_claim_template_name: str | None = None


class PodResourceClaimStatus(Model):
    name: str = REQUIRED
    resource_claim_name: str | None = None


class PodSchedulingGate(Model):
    name: str = REQUIRED


class PodSchedulingGroup(Model):
    pod_group_name: str | None = None


class PodSecurityContext(Model):
    app_armor_profile: AppArmorProfile | None = None
    fs_group: int | None = None
    fs_group_change_policy: str | None = None
    run_as_group: int | None = None
    run_as_non_root: bool | None = None
    run_as_user: int | None = None
    se_linux_change_policy: str | None = None
    se_linux_options: SELinuxOptions | None = None
    seccomp_profile: SeccompProfile | None = None
    supplemental_groups: Annotated[list[int], Atomic()] = field(default_factory=list)
    supplemental_groups_policy: str | None = None
    sysctls: Annotated[list[Sysctl], Atomic()] = field(default_factory=list)
    windows_options: WindowsSecurityContextOptions | None = None


class PodSpec(Model):
    active_deadline_seconds: int | None = None
    affinity: Affinity | None = None
    automount_service_account_token: bool | None = None
    containers: Annotated[list[Container], ListMap("name")] = field(default_factory=list, required=True)
    dns_config: PodDNSConfig | None = None
    dns_policy: str | None = None
    enable_service_links: bool | None = None
    ephemeral_containers: Annotated[list[EphemeralContainer], ListMap("name")] = field(default_factory=list)
    host_aliases: Annotated[list[HostAlias], ListMap("ip")] = field(default_factory=list)
    host_ipc: bool | None = field(default=None, wire="hostIPC")
    host_network: bool | None = None
    host_pid: bool | None = field(default=None, wire="hostPID")
    host_users: bool | None = None
    hostname: str | None = None
    hostname_override: str | None = None
    image_pull_secrets: Annotated[list[LocalObjectReference], ListMap("name")] = field(default_factory=list)
    init_containers: Annotated[list[Container], ListMap("name")] = field(default_factory=list)
    node_name: str | None = None
    node_selector: Annotated[dict[str, str], Atomic()] = field(default_factory=dict)
    os: PodOS | None = None
    overhead: dict[str, Quantity] = field(default_factory=dict)
    preemption_policy: str | None = None
    priority: Int32 | None = None
    priority_class_name: str | None = None
    readiness_gates: Annotated[list[PodReadinessGate], Atomic()] = field(default_factory=list)
    resource_claims: Annotated[list[PodResourceClaim], ListMap("name")] = field(default_factory=list)
    resources: ResourceRequirements | None = None
    restart_policy: str | None = None
    runtime_class_name: str | None = None
    scheduler_name: str | None = None
    scheduling_gates: Annotated[list[PodSchedulingGate], ListMap("name")] = field(default_factory=list)
    scheduling_group: PodSchedulingGroup | None = None
    security_context: PodSecurityContext | None = None
    service_account: str | None = None
    service_account_name: str | None = None
    set_hostname_as_fqdn: bool | None = field(default=None, wire="setHostnameAsFQDN")
    share_process_namespace: bool | None = None
    subdomain: str | None = None
    termination_grace_period_seconds: int | None = None
    tolerations: Annotated[list[Toleration], Atomic()] = field(default_factory=list)
    topology_spread_constraints: Annotated[
        list[TopologySpreadConstraint], ListMap("topology_key", "when_unsatisfiable")
    ] = field(default_factory=list)
    volumes: Annotated[list[Volume], ListMap("name")] = field(default_factory=list)


class PodStatus(Model):
    allocated_resources: dict[str, Quantity] = field(default_factory=dict)
    conditions: Annotated[list[PodCondition], ListMap("type")] = field(default_factory=list)
    container_statuses: Annotated[list[ContainerStatus], Atomic()] = field(default_factory=list)
    ephemeral_container_statuses: Annotated[list[ContainerStatus], Atomic()] = field(default_factory=list)
    extended_resource_claim_status: PodExtendedResourceClaimStatus | None = None
    host_ip: str | None = field(default=None, wire="hostIP")
    host_ips: Annotated[list[HostIP], Atomic()] = field(default_factory=list, wire="hostIPs")
    init_container_statuses: Annotated[list[ContainerStatus], Atomic()] = field(default_factory=list)
    message: str | None = None
    node_allocatable_resource_claim_statuses: Annotated[list[NodeAllocatableResourceClaimStatus], Atomic()] = field(
        default_factory=list
    )
    nominated_node_name: str | None = None
    observed_generation: int | None = None
    phase: str | None = None
    pod_ip: str | None = field(default=None, wire="podIP")
    pod_ips: Annotated[list[PodIP], ListMap("ip")] = field(default_factory=list, wire="podIPs")
    qos_class: str | None = None
    reason: str | None = None
    resize: str | None = None
    resource_claim_statuses: Annotated[list[PodResourceClaimStatus], ListMap("name")] = field(default_factory=list)
    resources: ResourceRequirements | None = None
    start_time: Time | None = None


class PodTemplateSpec(Model):
    metadata: ObjectMeta | None = None
    spec: PodSpec | None = None


class PortStatus(Model):
    error: str | None = None
    port: Int32 = REQUIRED
    protocol: str = REQUIRED


class PortworxVolumeSource(Model):
    fs_type: str | None = None
    read_only: bool | None = None
    volume_id: str = field(default=REQUIRED, wire="volumeID")


class PreferredSchedulingTerm(Model):
    preference: NodeSelectorTerm = REQUIRED
    weight: Int32 = REQUIRED


class Probe(Model):
    exec: ExecAction | None = None
    failure_threshold: Int32 | None = None
    grpc: GRPCAction | None = None
    http_get: HTTPGetAction | None = None
    initial_delay_seconds: Int32 | None = None
    period_seconds: Int32 | None = None
    success_threshold: Int32 | None = None
    tcp_socket: TCPSocketAction | None = None
    termination_grace_period_seconds: int | None = None
    timeout_seconds: Int32 | None = None


class ProjectedVolumeSource(Model):
    default_mode: Int32 | None = None
    sources: Annotated[list[VolumeProjection], Atomic()] = field(default_factory=list)


class QuobyteVolumeSource(Model):
    group: str | None = None
    read_only: bool | None = None
    registry: str = REQUIRED
    tenant: str | None = None
    user: str | None = None
    volume: str = REQUIRED


class RBDPersistentVolumeSource(Model):
    fs_type: str | None = None
    image: str = REQUIRED
    keyring: Annotated[str | None, Default("/etc/ceph/keyring")] = None
    monitors: Annotated[list[str], Atomic()] = field(default_factory=list, required=True)
    pool: Annotated[str | None, Default("rbd")] = None
    read_only: bool | None = None
    secret_ref: SecretReference | None = None
    user: Annotated[str | None, Default("admin")] = None


class RBDVolumeSource(Model):
    fs_type: str | None = None
    image: str = REQUIRED
    keyring: Annotated[str | None, Default("/etc/ceph/keyring")] = None
    monitors: Annotated[list[str], Atomic()] = field(default_factory=list, required=True)
    pool: Annotated[str | None, Default("rbd")] = None
    read_only: bool | None = None
    secret_ref: LocalObjectReference | None = None
    user: Annotated[str | None, Default("admin")] = None


class ReplicationControllerCondition(Model):
    last_transition_time: Time | None = None
    message: str | None = None
    reason: str | None = None
    status: str = REQUIRED
    type: str = REQUIRED


class ReplicationControllerSpec(Model):
    min_ready_seconds: Annotated[Int32 | None, Default(0)] = None
    replicas: Annotated[Int32 | None, Default(1)] = None
    selector: Annotated[dict[str, str], Atomic()] = field(default_factory=dict)
    template: PodTemplateSpec | None = None


class ReplicationControllerStatus(Model):
    available_replicas: Int32 | None = None
    conditions: Annotated[list[ReplicationControllerCondition], ListMap("type")] = field(default_factory=list)
    fully_labeled_replicas: Int32 | None = None
    observed_generation: int | None = None
    ready_replicas: Int32 | None = None
    replicas: Int32 = REQUIRED


class ResourceClaim(Model):
    name: str = REQUIRED
    request: str | None = None


class ResourceFieldSelector(Model, markers=[Atomic()]):
    container_name: str | None = None
    divisor: Quantity | None = None
    resource: str = REQUIRED


class ResourceHealth(Model):
    health: str | None = None
    message: str | None = None
    resource_id: str = field(default=REQUIRED, wire="resourceID")


class ResourceQuotaSpec(Model):
    hard: dict[str, Quantity] = field(default_factory=dict)
    scope_selector: ScopeSelector | None = None
    scopes: Annotated[list[str], Atomic()] = field(default_factory=list)


class ResourceQuotaStatus(Model):
    hard: dict[str, Quantity] = field(default_factory=dict)
    used: dict[str, Quantity] = field(default_factory=dict)


class ResourceRequirements(Model):
    claims: Annotated[list[ResourceClaim], ListMap("name")] = field(default_factory=list)
    limits: dict[str, Quantity] = field(default_factory=dict)
    requests: dict[str, Quantity] = field(default_factory=dict)


class ResourceStatus(Model):
    name: str = REQUIRED
    resources: Annotated[list[ResourceHealth], ListMap("resource_id")] = field(default_factory=list)


class SELinuxOptions(Model):
    level: str | None = None
    role: str | None = None
    type: str | None = None
    user: str | None = None


class ScaleIOPersistentVolumeSource(Model):
    fs_type: Annotated[str | None, Default("xfs")] = None
    gateway: str = REQUIRED
    protection_domain: str | None = None
    read_only: bool | None = None
    secret_ref: SecretReference = REQUIRED
    ssl_enabled: bool | None = None
    storage_mode: Annotated[str | None, Default("ThinProvisioned")] = None
    storage_pool: str | None = None
    system: str = REQUIRED
    volume_name: str | None = None


class ScaleIOVolumeSource(Model):
    fs_type: Annotated[str | None, Default("xfs")] = None
    gateway: str = REQUIRED
    protection_domain: str | None = None
    read_only: bool | None = None
    secret_ref: LocalObjectReference = REQUIRED
    ssl_enabled: bool | None = None
    storage_mode: Annotated[str | None, Default("ThinProvisioned")] = None
    storage_pool: str | None = None
    system: str = REQUIRED
    volume_name: str | None = None


class ScopeSelector(Model, markers=[Atomic()]):
    match_expressions: Annotated[list[ScopedResourceSelectorRequirement], Atomic()] = field(default_factory=list)


class ScopedResourceSelectorRequirement(Model):
    operator: str = REQUIRED
    scope_name: str = REQUIRED
    values: Annotated[list[str], Atomic()] = field(default_factory=list)


class SeccompProfile(Model):
    localhost_profile: str | None = None
    type: str = REQUIRED


class SecretEnvSource(Model):
    name: Annotated[str | None, Default("")] = None
    optional: bool | None = None


class SecretKeySelector(Model, markers=[Atomic()]):
    key: str = REQUIRED
    name: Annotated[str | None, Default("")] = None
    optional: bool | None = None


class SecretProjection(Model):
    items: Annotated[list[KeyToPath], Atomic()] = field(default_factory=list)
    name: Annotated[str | None, Default("")] = None
    optional: bool | None = None


class SecretReference(Model, markers=[Atomic()]):
    name: str | None = None
    namespace: str | None = None


class SecretVolumeSource(Model):
    default_mode: Int32 | None = None
    items: Annotated[list[KeyToPath], Atomic()] = field(default_factory=list)
    optional: bool | None = None
    secret_name: str | None = None


class SecurityContext(Model):
    allow_privilege_escalation: bool | None = None
    app_armor_profile: AppArmorProfile | None = None
    capabilities: Capabilities | None = None
    privileged: bool | None = None
    proc_mount: str | None = None
    read_only_root_filesystem: bool | None = None
    run_as_group: int | None = None
    run_as_non_root: bool | None = None
    run_as_user: int | None = None
    se_linux_options: SELinuxOptions | None = None
    seccomp_profile: SeccompProfile | None = None
    windows_options: WindowsSecurityContextOptions | None = None


class ServiceAccountTokenProjection(Model):
    audience: str | None = None
    expiration_seconds: int | None = None
    path: str = REQUIRED


class ServicePort(Model):
    app_protocol: str | None = None
    name: str | None = None
    node_port: Int32 | None = None
    port: Int32 = REQUIRED
    protocol: Annotated[str | None, Default("TCP")] = None
    target_port: IntOrString | None = None


class ServiceSpec(Model):
    allocate_load_balancer_node_ports: bool | None = None
    cluster_ip: str | None = field(default=None, wire="clusterIP")
    cluster_ips: Annotated[list[str], Atomic()] = field(default_factory=list, wire="clusterIPs")
    external_ips: Annotated[list[str], Atomic()] = field(default_factory=list, wire="externalIPs")
    external_name: str | None = None
    external_traffic_policy: str | None = None
    health_check_node_port: Int32 | None = None
    internal_traffic_policy: str | None = None
    ip_families: Annotated[list[str], Atomic()] = field(default_factory=list)
    ip_family_policy: str | None = None
    load_balancer_class: str | None = None
    load_balancer_ip: str | None = field(default=None, wire="loadBalancerIP")
    load_balancer_source_ranges: Annotated[list[str], Atomic()] = field(default_factory=list)
    ports: Annotated[list[ServicePort], ListMap("port", "protocol")] = field(default_factory=list)
    publish_not_ready_addresses: bool | None = None
    selector: Annotated[dict[str, str], Atomic()] = field(default_factory=dict)
    session_affinity: str | None = None
    session_affinity_config: SessionAffinityConfig | None = None
    traffic_distribution: str | None = None
    type: str | None = None


class ServiceStatus(Model):
    conditions: Annotated[list[Condition], ListMap("type")] = field(default_factory=list)
    load_balancer: LoadBalancerStatus | None = None


class SessionAffinityConfig(Model):
    client_ip: ClientIPConfig | None = field(default=None, wire="clientIP")


class SleepAction(Model):
    seconds: int = REQUIRED


class StorageOSPersistentVolumeSource(Model):
    fs_type: str | None = None
    read_only: bool | None = None
    secret_ref: ObjectReference | None = None
    volume_name: str | None = None
    volume_namespace: str | None = None


class StorageOSVolumeSource(Model):
    fs_type: str | None = None
    read_only: bool | None = None
    secret_ref: LocalObjectReference | None = None
    volume_name: str | None = None
    volume_namespace: str | None = None


class Sysctl(Model):
    name: str = REQUIRED
    value: str = REQUIRED


class TCPSocketAction(Model):
    host: str | None = None
    port: IntOrString = REQUIRED


class Taint(Model):
    effect: str = REQUIRED
    key: str = REQUIRED
    time_added: Time | None = None
    value: str | None = None


class Toleration(Model):
    effect: str | None = None
    key: str | None = None
    operator: str | None = None
    toleration_seconds: int | None = None
    value: str | None = None


class TopologySelectorLabelRequirement(Model):
    key: str = REQUIRED
    values: Annotated[list[str], Atomic()] = field(default_factory=list, required=True)


class TopologySelectorTerm(Model, markers=[Atomic()]):
    match_label_expressions: Annotated[list[TopologySelectorLabelRequirement], Atomic()] = field(default_factory=list)


class TopologySpreadConstraint(Model):
    label_selector: LabelSelector | None = None
    match_label_keys: Annotated[list[str], Atomic()] = field(default_factory=list)
    max_skew: Int32 = REQUIRED
    min_domains: Int32 | None = None
    node_affinity_policy: str | None = None
    node_taints_policy: str | None = None
    topology_key: str = REQUIRED
    when_unsatisfiable: str = REQUIRED


class TypedLocalObjectReference(Model, markers=[Atomic()]):
    api_group: str | None = None
    kind: str = REQUIRED
    name: str = REQUIRED


class TypedObjectReference(Model):
    api_group: str | None = None
    kind: str = REQUIRED
    name: str = REQUIRED
    namespace: str | None = None


class Volume(Model):
    aws_elastic_block_store: AWSElasticBlockStoreVolumeSource | None = None
    azure_disk: AzureDiskVolumeSource | None = None
    azure_file: AzureFileVolumeSource | None = None
    cephfs: CephFSVolumeSource | None = None
    cinder: CinderVolumeSource | None = None
    config_map: ConfigMapVolumeSource | None = None
    csi: CSIVolumeSource | None = None
    downward_api: DownwardAPIVolumeSource | None = field(default=None, wire="downwardAPI")
    empty_dir: EmptyDirVolumeSource | None = None
    ephemeral: EphemeralVolumeSource | None = None
    fc: FCVolumeSource | None = None
    flex_volume: FlexVolumeSource | None = None
    flocker: FlockerVolumeSource | None = None
    gce_persistent_disk: GCEPersistentDiskVolumeSource | None = None
    git_repo: GitRepoVolumeSource | None = None
    glusterfs: GlusterfsVolumeSource | None = None
    host_path: HostPathVolumeSource | None = None
    image: ImageVolumeSource | None = None
    iscsi: ISCSIVolumeSource | None = None
    name: str = REQUIRED
    nfs: NFSVolumeSource | None = None
    persistent_volume_claim: PersistentVolumeClaimVolumeSource | None = None
    photon_persistent_disk: PhotonPersistentDiskVolumeSource | None = None
    portworx_volume: PortworxVolumeSource | None = None
    projected: ProjectedVolumeSource | None = None
    quobyte: QuobyteVolumeSource | None = None
    rbd: RBDVolumeSource | None = None
    scale_io: ScaleIOVolumeSource | None = field(default=None, wire="scaleIO")
    secret: SecretVolumeSource | None = None
    storageos: StorageOSVolumeSource | None = None
    vsphere_volume: VsphereVirtualDiskVolumeSource | None = None


class VolumeDevice(Model):
    device_path: str = REQUIRED
    name: str = REQUIRED


class VolumeMount(Model):
    mount_path: str = REQUIRED
    mount_propagation: str | None = None
    name: str = REQUIRED
    read_only: bool | None = None
    recursive_read_only: str | None = None
    sub_path: str | None = None
    sub_path_expr: str | None = None


class VolumeMountStatus(Model):
    mount_path: str = REQUIRED
    name: str = REQUIRED
    read_only: bool | None = None
    recursive_read_only: str | None = None
    volume_status: VolumeStatus | None = None


class VolumeNodeAffinity(Model):
    required: NodeSelector | None = None


class VolumeProjection(Model):
    cluster_trust_bundle: ClusterTrustBundleProjection | None = None
    config_map: ConfigMapProjection | None = None
    downward_api: DownwardAPIProjection | None = field(default=None, wire="downwardAPI")
    pod_certificate: PodCertificateProjection | None = None
    secret: SecretProjection | None = None
    service_account_token: ServiceAccountTokenProjection | None = None


class VolumeResourceRequirements(Model):
    limits: dict[str, Quantity] = field(default_factory=dict)
    requests: dict[str, Quantity] = field(default_factory=dict)


class VolumeStatus(Model):
    image: ImageVolumeStatus | None = None


class VsphereVirtualDiskVolumeSource(Model):
    fs_type: str | None = None
    storage_policy_id: str | None = field(default=None, wire="storagePolicyID")
    storage_policy_name: str | None = None
    volume_path: str = REQUIRED


class WeightedPodAffinityTerm(Model):
    pod_affinity_term: PodAffinityTerm = REQUIRED
    weight: Int32 = REQUIRED


class WindowsSecurityContextOptions(Model):
    gmsa_credential_spec: str | None = None
    gmsa_credential_spec_name: str | None = None
    host_process: bool | None = None
    run_as_user_name: str | None = None


class Binding(Resource, group="", version="v1"):
    target: ObjectReference = REQUIRED


class ComponentStatus(Resource, group="", version="v1", scope="Cluster", short_names=["cs"]):
    conditions: Annotated[list[ComponentCondition], ListMap("type")] = field(default_factory=list)


class ConfigMap(Resource, group="", version="v1", short_names=["cm"]):
    binary_data: dict[str, bytes] = field(default_factory=dict)
    data: dict[str, str] = field(default_factory=dict)
    immutable: bool | None = None


class Endpoints(Resource, group="", version="v1", plural="endpoints", short_names=["ep"]):
    subsets: Annotated[list[EndpointSubset], Atomic()] = field(default_factory=list)


class Event(Resource, group="", version="v1", short_names=["ev"]):
    action: str | None = None
    count: Int32 | None = None
    event_time: MicroTime | None = None
    first_timestamp: Time | None = None
    involved_object: ObjectReference = REQUIRED
    last_timestamp: Time | None = None
    message: str | None = None
    reason: str | None = None
    related: ObjectReference | None = None
    reporting_component: Annotated[str | None, Default("")] = None
    reporting_instance: Annotated[str | None, Default("")] = None
    series: EventSeries | None = None
    source: EventSource | None = None
    type: str | None = None


class LimitRange(Resource, group="", version="v1", short_names=["limits"]):
    spec: LimitRangeSpec = field(default_factory=LimitRangeSpec)


class Namespace(Resource, group="", version="v1", scope="Cluster", short_names=["ns"]):
    spec: NamespaceSpec = field(default_factory=NamespaceSpec)
    status: NamespaceStatus = field(default_factory=NamespaceStatus)


class Node(Resource, group="", version="v1", scope="Cluster", short_names=["no"]):
    spec: NodeSpec = field(default_factory=NodeSpec)
    status: NodeStatus = field(default_factory=NodeStatus)


class PersistentVolume(Resource, group="", version="v1", scope="Cluster", short_names=["pv"]):
    spec: PersistentVolumeSpec = field(default_factory=PersistentVolumeSpec)
    status: PersistentVolumeStatus = field(default_factory=PersistentVolumeStatus)


class PersistentVolumeClaim(Resource, group="", version="v1", short_names=["pvc"]):
    spec: PersistentVolumeClaimSpec = field(default_factory=PersistentVolumeClaimSpec)
    status: PersistentVolumeClaimStatus = field(default_factory=PersistentVolumeClaimStatus)


class Pod(Resource, group="", version="v1", short_names=["po"], categories=["all"]):
    spec: PodSpec = field(default_factory=PodSpec)
    status: PodStatus = field(default_factory=PodStatus)


class PodTemplate(Resource, group="", version="v1"):
    template: PodTemplateSpec | None = None


class ReplicationController(Resource, group="", version="v1", short_names=["rc"], categories=["all"]):
    spec: ReplicationControllerSpec = field(default_factory=ReplicationControllerSpec)
    status: ReplicationControllerStatus = field(default_factory=ReplicationControllerStatus)


class ResourceQuota(Resource, group="", version="v1", short_names=["quota"]):
    spec: ResourceQuotaSpec = field(default_factory=ResourceQuotaSpec)
    status: ResourceQuotaStatus = field(default_factory=ResourceQuotaStatus)


class Secret(Resource, group="", version="v1"):
    data: dict[str, bytes] = field(default_factory=dict)
    immutable: bool | None = None
    string_data: dict[str, str] = field(default_factory=dict)
    type: str | None = None


class Service(Resource, group="", version="v1", short_names=["svc"], categories=["all"]):
    spec: ServiceSpec = field(default_factory=ServiceSpec)
    status: ServiceStatus = field(default_factory=ServiceStatus)


class ServiceAccount(Resource, group="", version="v1", short_names=["sa"]):
    automount_service_account_token: bool | None = None
    image_pull_secrets: Annotated[list[LocalObjectReference], Atomic()] = field(default_factory=list)
    secrets: Annotated[list[ObjectReference], ListMap("name")] = field(default_factory=list)
