"""The two versions everything else is told from: ours, and the Kubernetes we speak."""

__all__ = ["KUBERNETES", "VERSION"]

VERSION = "0.1.0"

#: The release whose API the embedded server serves, whose kinds `kubewright.k8s`
#: holds, and whose binaries `make real` builds.
KUBERNETES = "1.36.3"
