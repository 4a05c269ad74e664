"""What tests of operators are written with: the pytest plugin, and a real Kubernetes API on loopback."""
