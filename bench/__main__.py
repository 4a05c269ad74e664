"""`make bench`: every measurement, one after the other; `python -m bench walk` for one alone."""

import importlib
import sys

MEASUREMENTS = (
    *("decode", "walk", "wire", "crd", "cel", "apply", "http", "client"),
    *("server", "queue", "cache", "operator"),
)

for name in sys.argv[1:] or MEASUREMENTS:
    importlib.import_module(f"bench.{name}").main()
