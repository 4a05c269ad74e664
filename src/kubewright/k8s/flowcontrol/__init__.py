"""The flowcontrol group, a module a version."""
