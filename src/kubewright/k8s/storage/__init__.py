"""The storage group, a module a version."""
