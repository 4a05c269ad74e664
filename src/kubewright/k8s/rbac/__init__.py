"""The rbac group, a module a version."""
