"""What can be asked of a resource: one module a verb, and `status` for how each can fail."""
