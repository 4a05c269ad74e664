"""The node group, a module a version."""
