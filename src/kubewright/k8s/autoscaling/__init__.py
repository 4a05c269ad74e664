"""The autoscaling group, a module a version."""
