"""The embedded control plane: a Kubernetes API server in Python, for development, tests and trials.

| room    | what lives there                                                             |
|---------|------------------------------------------------------------------------------|
| `store` | the revisioned log: keys and bytes, history, compaction, snapshots, SQLite   |
"""
