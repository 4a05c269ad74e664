"""The authentication group, a module a version."""
