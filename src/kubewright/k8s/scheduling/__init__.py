"""The scheduling group, a module a version."""
