"""Rules in CEL: which of them a server refuses, and which come near to what they may cost.

Paths are the server's own, as they stand in its refusals.
"""

from collections.abc import Iterator
from typing import Final

from kubewright.schema.lint.finding import Finding
from kubewright.schema.raw import Schema, has_rules

__all__ = ["lint_rules"]

#: From this part of its budget on, a rule is worth a word: the next field or rule may be one too many.
_NEAR: Final = 0.1


def lint_rules(schema: Schema, path: str) -> Iterator[Finding]:
    """The findings about the rules of a structural schema that stands at `path`."""
    if not has_rules(schema):
        return
    # Imported here: many schemas have no rules.
    from kubewright.schema.validations import RULE_LIMIT, check_rules, estimate_costs

    refused = check_rules(schema, path)
    for error in refused:
        yield Finding("rule", "error", error.field, error.message, "the server refuses the definition as it is")
    told = {error.field for error in refused}
    for place, cost in estimate_costs(schema, path):
        if cost > RULE_LIMIT * _NEAR and place not in told:
            problem = f"the rule costs up to {cost:,} of the {RULE_LIMIT:,} units that a server allows"
            remedy = "give the lists, maps and strings that it walks maxItems, maxProperties and maxLength"
            yield Finding("rule-cost", "warning", place, problem, remedy)
