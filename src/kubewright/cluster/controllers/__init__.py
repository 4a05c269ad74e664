"""What a cluster does by itself: namespaces end, dependents go with their owners, and some objects are always there.

| module                      | what it does                                                           |
|-----------------------------|------------------------------------------------------------------------|
| `graph`, `collect`          | who owns whom, and what is to be done about it: pure                   |
| `garbage`                   | the controller that acts on these decisions                            |
| `terminate`                 | the end of a namespace, as far as it can be decided: pure              |
| `namespaces`                | the controller that ends them: `empty` deletes, `vigil` waits          |
| `aggregate`, `aggregation`  | roles that gather the rules of others: what is decided, and who acts   |
| `furnish`, `accounts`       | what every namespace has: what it is: pure; and who sees to it         |
| `protection`                | claims, volumes and classes in use stay                                |
| `tokens`                    | tokens that are kept in Secrets                                        |
| `replicasets`, `deployments`| as many pods as are wanted, replaced when their template changes       |
| `views`, `writes`, `claims` | how these read and write, and whose children are whose                 |
| `jobs`                      | pods that run until they have succeeded; what becomes of Jobs then     |
| `endpoints`                 | where the pods of a Service are                                        |
| `pods`                      | what these two ask of a pod: pure                                      |
| `bootstrap`                 | what a fresh cluster has                                               |
| `driver`                    | the controllers by name                                                |
| `manager`, `sleeper`        | crews of kubewright controllers, asleep until something concerns them  |
| `queue`, `internal`, `kinds`| what they work with: keys, verbs, resources                            |
"""

from kubewright.cluster.controllers.bootstrap import bootstrap
from kubewright.cluster.controllers.driver import Controllers

__all__ = ["Controllers", "bootstrap"]
