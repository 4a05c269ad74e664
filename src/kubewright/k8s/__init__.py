"""Kubernetes' own kinds, typed: a package a group, a module a version.

    from kubewright.k8s.apps.v1 import Deployment
    from kubewright.k8s.core.v1 import Container, PodSpec, Secret

All modules below are made by `make generate` from the documents of one release (`kubewright.version.KUBERNETES`).
Groups are called as Kubernetes' Go packages are: `rbac.authorization.k8s.io` is `rbac`, the group without a name is
`core`, the machinery all of them share is `meta`. Nothing is loaded before it is imported.

Every field may be left out when an object is made, for apply sends what is set and nothing else. A field that the
server requires raises `MissingField` when it is read and not there.
"""
