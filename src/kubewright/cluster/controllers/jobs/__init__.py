"""Jobs: pods that run until they have succeeded often enough, or failed too often; and Jobs that are over.

| module                    | what it has                                                                |
|---------------------------|----------------------------------------------------------------------------|
| `decide`                  | how a Job stands, which pods it needs, whether it is to end: pure           |
| `track`                   | how its pods are counted, each once, and how it ends: pure                  |
| `claim`                   | which pods are a Job's: pure                                                |
| `indexes`, `backoff`, `policies`, `template`, `conditions`, `facts` | the parts of these: pure          |
| `controller`              | the Job controller                                                          |
| `orphans`                 | pods of Jobs that are gone are let go                                       |
| `ttl`                     | Jobs that are over are deleted after a while                                |
"""
