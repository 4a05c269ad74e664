"""`make bench`: every measurement, one after the other; `python -m bench walk` for one alone. A number is how many."""

import importlib
import sys

MEASUREMENTS = (
    *("decode", "walk", "wire", "crd", "cel", "apply", "http", "client"),
    *("server", "deployments", "queue", "cache", "operator"),
)

for name in [word for word in sys.argv[1:] if not word.isdigit()] or MEASUREMENTS:
    importlib.import_module(f"bench.{name}").main()
