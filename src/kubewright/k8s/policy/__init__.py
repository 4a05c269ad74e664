"""The policy group, a module a version."""
