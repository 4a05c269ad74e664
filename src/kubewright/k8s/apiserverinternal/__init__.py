"""The apiserverinternal group, a module a version."""
