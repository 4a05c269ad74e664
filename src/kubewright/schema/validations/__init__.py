"""Rules of a schema in CEL (`x-kubernetes-validations`): judged with the schema, run on its objects.

    check_rules(schema, path)                     # for which of its rules a CRD would be refused, and why
    estimate_costs(schema, path)                  # what each of them costs, at most
    rules = compile_validations(schema)           # None if there are none
    verdict = rules.run(obj, old)                 # what is wrong with an object; what is odd, but was so before

Both are functions of values and need no server: a unit test can ask whether an object keeps the rules of its CRD. The
promise is that of `schema.walk`: the same causes, paths and words as kube-apiserver's, within the same budgets.

| module    | what it does                                                          |
|-----------|-----------------------------------------------------------------------|
| `rule`    | one rule: compiled, with what it may cost                             |
| `judge`   | the rules of a schema, when the CRD is written                        |
| `run`     | the rules of a schema, when an object is written                      |
"""

from kubewright.schema.validations.judge import RULE_LIMIT, SCHEMA_LIMIT, RuleCost, check_rules, estimate_costs
from kubewright.schema.validations.run import Validations, compile_validations

__all__ = [
    "RULE_LIMIT",
    "SCHEMA_LIMIT",
    "RuleCost",
    "Validations",
    "check_rules",
    "compile_validations",
    "estimate_costs",
]
