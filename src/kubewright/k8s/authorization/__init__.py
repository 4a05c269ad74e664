"""The authorization group, a module a version."""
