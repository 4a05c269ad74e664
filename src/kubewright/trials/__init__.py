"""Trials: an operator and its cluster in one process, in simulated time, under faults.

| module | what it does                         |
|--------|--------------------------------------|
| `loop` | an event loop with a clock of its own |
"""
