"""The built-in kinds: what is particular to each, one file a kind that needs one."""
