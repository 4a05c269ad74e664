"""The resource group, a module a version."""
