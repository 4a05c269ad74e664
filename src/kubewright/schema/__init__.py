"""Schemas: Python types to CRDs and back, and what a schema says about an object.

| module       | what it does                                                          |
|--------------|-----------------------------------------------------------------------|
| `types`      | a Model becomes a structural schema                                   |
| `crd`        | the versions of a kind become a CustomResourceDefinition              |
| `rules`      | rules written in Python become CEL                                    |
| `docstrings` | where descriptions come from                                          |
| `structural` | is a schema structural, as the server demands                         |
| `walk`       | prune, default and validate objects by a schema, compiled to closures |
| `diff`       | what changed between two CRDs, and whom it breaks                     |
| `lint`       | what is legal in a CRD and yet a mistake                              |
| `typegen`    | a CRD or OpenAPI document becomes Python types                        |
"""
