"""The apps group, a module a version."""
