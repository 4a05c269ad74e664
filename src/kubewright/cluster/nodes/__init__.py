"""Nodes, a scheduler and kubelets that run nothing and let pods live as if they did.

| module                                | what it does                                                            |
|---------------------------------------|-------------------------------------------------------------------------|
| `settings`, `script`                  | how a pod shall fare: its annotations, and the Stages that select it     |
| `life`, `containers`, `conditions`    | pod, settings and time in, the next status out: pure                    |
| `fit`                                 | whether a pod may run on a node, and what is said if not: pure           |
| `node`                                | what nodes say of themselves: pure                                      |
| `census`                              | who lives where, and what is taken                                       |
| `scheduler`, `kubelet`, `heartbeat`   | the controllers that act on these decisions                              |
| `register`                            | how nodes appear                                                        |
| `nodes`                               | all of it put together                                                  |
"""

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from kubewright.cluster.nodes.node import Shape
    from kubewright.cluster.nodes.nodes import Nodes, NodesError

__all__ = ["Nodes", "NodesError", "Shape"]

_HOMES: Final = {"Nodes": "nodes", "NodesError": "nodes", "Shape": "node"}


if not TYPE_CHECKING:  # who checks types must not take every name for one that is here

    def __getattr__(name: str) -> Any:
        """Loaded when it is wanted: a cluster whose nodes have no pods needs none of the framework."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
