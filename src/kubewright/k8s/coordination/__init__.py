"""The coordination group, a module a version."""
