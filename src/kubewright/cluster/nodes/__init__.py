"""Nodes, a scheduler and kubelets that run nothing and let pods live as if they did.

| module                                | what it does                                                            |
|---------------------------------------|-------------------------------------------------------------------------|
| `settings`, `script`                  | how a pod shall fare: its annotations, and the Stages that select it     |
| `life`, `containers`, `conditions`    | pod, settings and time in, the next status out: pure                    |
| `fit`                                 | whether a pod may run on a node, and what is said if not: pure           |
| `node`                                | what nodes say of themselves: pure                                      |
| `census`                              | who lives where, and what is taken                                       |
| `scheduler`, `kubelet`, `heartbeat`   | the controllers that act on these decisions                              |
| `nodes`                               | all of it put together                                                  |
"""

from kubewright.cluster.nodes.node import Shape
from kubewright.cluster.nodes.nodes import Nodes, NodesError

__all__ = ["Nodes", "NodesError", "Shape"]
