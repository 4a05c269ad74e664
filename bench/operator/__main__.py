"""`python -m bench.operator 5000`: with so many objects."""

import sys

from bench.operator import main

main(*map(int, sys.argv[1:2]))
