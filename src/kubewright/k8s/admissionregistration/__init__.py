"""The admissionregistration group, a module a version."""
