"""Deployments: pods that are replaced when their template changes.

| module       | what it does                                                       |
|--------------|--------------------------------------------------------------------|
| `views`      | a Deployment as it is read, and its status as it is written        |
| `hash`       | the `pod-template-hash` of a template: pure                        |
| `sizes`      | how many pods each ReplicaSet shall have: pure                     |
| `revisions`  | which ReplicaSet is the new one, and what annotations say: pure    |
| `status`     | what the status says: pure                                         |
| `rollout`    | one look at a Deployment                                           |
| `controller` | what makes it look                                                 |
"""

from kubewright.cluster.controllers.deployments.controller import deployment_controller

__all__ = ["deployment_controller"]
