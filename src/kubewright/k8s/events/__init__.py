"""The events group, a module a version."""
