"""The apiextensions group, a module a version."""
