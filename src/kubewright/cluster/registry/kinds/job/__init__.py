"""Jobs: pods that are to succeed a number of times."""

from kubewright.cluster.registry.kinds.job.status import JobStatus
from kubewright.cluster.registry.kinds.job.strategy import JobStrategy

__all__ = ["JobStatus", "JobStrategy"]
