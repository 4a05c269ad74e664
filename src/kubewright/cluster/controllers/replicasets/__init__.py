"""ReplicaSets: as many pods as a spec says.

| module       | what it does                                  |
|--------------|-----------------------------------------------|
| `rank`       | which pods go first: pure                     |
| `status`     | what the status says: pure                    |
| `controller` | makes and deletes pods, and writes the status |
"""

from kubewright.cluster.controllers.replicasets.controller import replicaset_controller

__all__ = ["replicaset_controller"]
