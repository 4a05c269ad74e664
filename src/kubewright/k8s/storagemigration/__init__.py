"""The storagemigration group, a module a version."""
