"""Which resources exist, and what is particular to each."""
