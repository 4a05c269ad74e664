"""Kinds that CRDs define: from a CRD to the resources that are served.

    custom_resources(definition) -> list[Resource]

A `Definition` is one CRD as it is served, until it changes; its versions share what is stored. Everything else here is
what one version is made of: how its objects are read, judged, seen, converted and scaled.
"""

from kubewright.cluster.registry.custom.definition import Definition
from kubewright.cluster.registry.custom.resource import custom_resources, stored_resource

__all__ = ["Definition", "custom_resources", "stored_resource"]
