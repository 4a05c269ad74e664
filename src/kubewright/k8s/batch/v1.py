"""The kinds of batch/v1 and their parts: CronJob, Job.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from typing import Annotated

from kubewright.k8s.core.v1 import ObjectReference, PodTemplateSpec
from kubewright.k8s.meta.v1 import LabelSelector
from kubewright.model.fields import REQUIRED, field
from kubewright.model.markers import Atomic, Default, ListSet
from kubewright.model.metadata import ObjectMeta
from kubewright.model.model import Model
from kubewright.model.resource import Resource
from kubewright.model.shape import Int32, Time

__all__ = [
    "CronJob",
    "CronJobSpec",
    "CronJobStatus",
    "Job",
    "JobCondition",
    "JobSpec",
    "JobStatus",
    "JobTemplateSpec",
    "PodFailurePolicy",
    "PodFailurePolicyOnExitCodesRequirement",
    "PodFailurePolicyOnPodConditionsPattern",
    "PodFailurePolicyRule",
    "SuccessPolicy",
    "SuccessPolicyRule",
    "UncountedTerminatedPods",
]


class CronJobSpec(Model):
    concurrency_policy: str | None = None
    failed_jobs_history_limit: Int32 | None = None
    job_template: JobTemplateSpec = REQUIRED
    schedule: str = REQUIRED
    starting_deadline_seconds: int | None = None
    successful_jobs_history_limit: Int32 | None = None
    suspend: bool | None = None
    time_zone: str | None = None


class CronJobStatus(Model):
    active: Annotated[list[ObjectReference], Atomic()] = field(default_factory=list)
    last_schedule_time: Time | None = None
    last_successful_time: Time | None = None


class JobCondition(Model):
    last_probe_time: Time | None = None
    last_transition_time: Time | None = None
    message: str | None = None
    reason: str | None = None
    status: str = REQUIRED
    type: str = REQUIRED


class JobSpec(Model):
    active_deadline_seconds: int | None = None
    backoff_limit: Int32 | None = None
    backoff_limit_per_index: Int32 | None = None
    completion_mode: str | None = None
    completions: Int32 | None = None
    managed_by: str | None = None
    manual_selector: bool | None = None
    max_failed_indexes: Int32 | None = None
    parallelism: Int32 | None = None
    pod_failure_policy: PodFailurePolicy | None = None
    pod_replacement_policy: str | None = None
    selector: LabelSelector | None = None
    success_policy: SuccessPolicy | None = None
    suspend: bool | None = None
    template: PodTemplateSpec = REQUIRED
    ttl_seconds_after_finished: Int32 | None = None


class JobStatus(Model):
    active: Int32 | None = None
    completed_indexes: str | None = None
    completion_time: Time | None = None
    conditions: Annotated[list[JobCondition], Atomic()] = field(default_factory=list)
    failed: Int32 | None = None
    failed_indexes: str | None = None
    ready: Int32 | None = None
    start_time: Time | None = None
    succeeded: Int32 | None = None
    terminating: Int32 | None = None
    uncounted_terminated_pods: UncountedTerminatedPods | None = None


class JobTemplateSpec(Model):
    metadata: ObjectMeta | None = None
    spec: JobSpec | None = None


class PodFailurePolicy(Model):
    rules: Annotated[list[PodFailurePolicyRule], Atomic()] = field(default_factory=list, required=True)


class PodFailurePolicyOnExitCodesRequirement(Model):
    container_name: str | None = None
    operator: str = REQUIRED
    values: Annotated[list[Int32], ListSet()] = field(default_factory=list, required=True)


class PodFailurePolicyOnPodConditionsPattern(Model):
    status: Annotated[str | None, Default("")] = None
    type: str = REQUIRED


class PodFailurePolicyRule(Model):
    action: str = REQUIRED
    on_exit_codes: PodFailurePolicyOnExitCodesRequirement | None = None
    on_pod_conditions: Annotated[list[PodFailurePolicyOnPodConditionsPattern], Atomic()] = field(default_factory=list)


class SuccessPolicy(Model):
    rules: Annotated[list[SuccessPolicyRule], Atomic()] = field(default_factory=list, required=True)


class SuccessPolicyRule(Model):
    succeeded_count: Int32 | None = None
    succeeded_indexes: str | None = None


class UncountedTerminatedPods(Model):
    failed: Annotated[list[str], ListSet()] = field(default_factory=list)
    succeeded: Annotated[list[str], ListSet()] = field(default_factory=list)


class CronJob(Resource, group="batch", version="v1", short_names=["cj"], categories=["all"]):
    spec: CronJobSpec = field(default_factory=CronJobSpec, required=True)
    status: CronJobStatus = field(default_factory=CronJobStatus)


class Job(Resource, group="batch", version="v1", categories=["all"]):
    spec: JobSpec = field(default_factory=JobSpec)
    status: JobStatus = field(default_factory=JobStatus)
