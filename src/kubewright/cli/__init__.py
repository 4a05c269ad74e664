"""The `kubewright` command: one module for each group of commands, found and imported only when called."""
