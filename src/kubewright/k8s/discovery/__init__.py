"""The discovery group, a module a version."""
