"""The certificates group, a module a version."""
