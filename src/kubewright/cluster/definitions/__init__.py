"""What follows from the CRDs and APIServices that are stored: their conditions, what is served, and their end.

    install_crds(api, resolve) -> Definitions      # its close() ends it
    follow_apiservices(api) -> Availability        # so does its

What a CRD's status is to be is decided in `status`, a function of CRDs; `driver` listens to the store and acts.
"""

from kubewright.cluster.definitions.availability import Availability, follow_apiservices
from kubewright.cluster.definitions.driver import Definitions, install_crds

__all__ = ["Availability", "Definitions", "follow_apiservices", "install_crds"]
