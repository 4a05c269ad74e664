"""Measurements beside the peers, in one run: machines are noisy, so ratios count, and CPU time before wall time."""
