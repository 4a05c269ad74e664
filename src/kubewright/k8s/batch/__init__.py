"""The batch group, a module a version."""
