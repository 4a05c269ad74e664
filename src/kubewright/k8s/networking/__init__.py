"""The networking group, a module a version."""
