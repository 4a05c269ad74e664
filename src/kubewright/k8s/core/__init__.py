"""The core group, a module a version."""
