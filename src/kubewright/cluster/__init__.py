"""The embedded control plane: a Kubernetes API server in Python, for development, tests and trials.

    async with Cluster() as cluster:
        print(await cluster.client().get("/api/v1/namespaces"))

| room          | what lives there                                                                          |
|---------------|-------------------------------------------------------------------------------------------|
| `store`       | the revisioned log: keys and bytes, history, compaction, SQLite                           |
| `patches`     | JSON, merge and strategic merge patch, over plain values                                  |
| `wire`        | media types, bodies, how built-in types are read and written, Tables and partial objects  |
| `registry`    | which resources exist, and what is particular to each; CRDs as they come and go           |
| `verbs`       | one file a verb, and `status` for the shapes of failure                                   |
| `admission`   | what may be done though the object itself is in order                                     |
| `auth`        | who is asking, and may they; certificates                                                 |
| `discovery`   | which resources there are and how they look; version, health                              |
| `front`       | what HTTP delivers goes to the verb it means                                              |
| `controllers` | namespaces that end, dependents that go with their owners, what every cluster begins with |
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kubewright.cluster.cluster import Cluster, ClusterError

__all__ = ["Cluster", "ClusterError"]


if not TYPE_CHECKING:  # who checks types must not take every name for one that is here

    def __getattr__(name: str) -> object:
        # Whoever wants a single room need not wait for the whole house.
        if name in __all__:
            from kubewright.cluster import cluster

            return getattr(cluster, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
