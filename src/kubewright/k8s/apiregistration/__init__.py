"""The apiregistration group, a module a version."""
