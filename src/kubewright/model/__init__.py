"""Typed objects: what a user's classes are made of, and the way between them and JSON.

Use it through `kubewright` (`kw.Model`, `kw.Resource`, …). No I/O here; whether an object is *valid* is a question for
`kubewright.schema`: reading is tolerant, validating is the schema's work.
"""
