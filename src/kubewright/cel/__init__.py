"""CEL as Kubernetes speaks it: text in, a checked, priced and compiled expression out.

The way of an expression: `parse` (text → `ast.Ast`) → `check` (types per node, overloads per call) → `estimate` (what
it may cost at most) → compile (closures over plain objects).
"""

__all__: list[str] = []
