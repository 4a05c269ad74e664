"""A CRD or an OpenAPI document becomes Python types.

| module     | what it does                                                    |
|------------|-----------------------------------------------------------------|
| `crd`      | a CRD becomes modules, one a version                            |
| `openapi`  | the schemas of an OpenAPI v3 document become modules            |
| `builtins` | Kubernetes' own kinds become `kubewright.k8s`                   |
| `read`     | a schema node becomes a shape, an object the outline of a class |
| `mark`     | what markers can say of a node                                  |
| `settle`   | what stands behind a field's equals sign                        |
| `outline`  | what is known of a class before it is written                   |
| `names`    | names for classes and fields                                    |
| `write`    | outlines become source                                          |
| `layout`   | expressions laid out over lines                                 |
"""

from kubewright.schema.typegen.crd import types_from_crd
from kubewright.schema.typegen.openapi import types_from_openapi
from kubewright.schema.typegen.outline import TypegenError

__all__ = ["TypegenError", "types_from_crd", "types_from_openapi"]
