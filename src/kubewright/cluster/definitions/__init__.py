"""What follows from the CRDs that are stored: their conditions, what is served, and their end.

    install_crds(api, resolve) -> Definitions      # its close() ends it

What a CRD's status is to be is decided in `status`, a function of CRDs; `driver` listens to the store and acts.
"""

from kubewright.cluster.definitions.driver import Definitions, install_crds

__all__ = ["Definitions", "install_crds"]
