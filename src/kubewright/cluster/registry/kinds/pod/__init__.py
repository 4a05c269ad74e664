"""Pods: what is filled in, what is refused, what an update may change. One file a part of the spec.

`template` is what the kinds build upon that carry a pod in them; `strategy` is the pod itself.
"""
