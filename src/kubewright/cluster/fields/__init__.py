"""Who owns which field: the engine of server-side apply and of `metadata.managedFields`.

Everything here is a function of values. A *set* of paths is kept in the form in which it is written, FieldsV1
(`pathset`), its *elements* are texts such as `f:spec` (`element`). What an object means is told by a *shape*
(`shape`), made from the OpenAPI of a built-in kind (`openapi`) or from the schema of a CRD (`structural`). The
walks go over a value and its shape together: `owned` (which paths are there), `compare`, `merge`, `remove`, `check`,
and, over a set and a shape, `reconcile`. Above them, `ownership` tells what a write does to the sets of all managers,
`entries` reads and writes them as objects have them, and `tracking` is what a request does, in the server's order.
"""
