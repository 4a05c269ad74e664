"""What makes the world as an object says: keys, in what order and how often, and who may work on them.

| module     | what it does                                                                |
|------------|-----------------------------------------------------------------------------|
| `backoff`  | how long a key that fails has to wait                                       |
| `schedule` | which key is worked on next: the queue without waiting, on explicit time    |
| `queue`    | the work queue: workers wait for keys, failed keys come back                |
| `candidacy`| who leads: leader election without waiting, as a state machine on a Lease   |
| `election` | leader election: acquires and renews the Lease, runs and cancels led work   |
| `fence`    | the gate that every write passes: shut unless the lease is surely still ours |
"""
