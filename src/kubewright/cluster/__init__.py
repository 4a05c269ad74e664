"""The embedded control plane: a Kubernetes API server in Python, for development, tests and trials.

| room    | what lives there                                                             |
|---------|------------------------------------------------------------------------------|
| `store` | the revisioned log: keys and bytes, history, compaction, snapshots, SQLite   |
| `patches` | JSON, merge and strategic merge patch, over plain values                   |
"""
