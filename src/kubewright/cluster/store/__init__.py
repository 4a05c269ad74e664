"""One log of revisions, in which everything the server knows is kept.

| module   | what it does                                                   |
|----------|----------------------------------------------------------------|
| `record` | one revision of one key                                        |
| `store`  | reads, compare-and-swap commits, history, watching, compaction |
| `disk`   | the log in SQLite, so that it outlives the process             |

The store knows keys and bytes, nothing of Kubernetes: whoever writes decides what a key and a value are.
"""

from kubewright.cluster.store.record import Record
from kubewright.cluster.store.store import Compacted, Conflict, Future, Page, Store, Unkept

__all__ = ["Compacted", "Conflict", "Future", "Page", "Record", "Store", "Unkept"]
