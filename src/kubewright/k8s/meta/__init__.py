"""The meta group, a module a version."""
