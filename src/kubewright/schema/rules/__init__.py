"""Rules in Python, run as CEL.

    @kw.rule("replicas may not shrink by more than half at once")
    def gentle_shrink(self, old):
        return self.spec.replicas * 2 >= old.spec.replicas

The function is read, never run, to make the rule of the CRD: its syntax tree and the types of the fields it names
become one CEL expression with the same verdict. What CEL says otherwise than Python is either written so that it says
the same, or refused where the class is defined, with the reason. The function also runs in Python, and raises where
CEL errs.

`rule` is what users import and is light; the translator is loaded with the first class that has a rule.
"""

from kubewright.schema.rules.names import property_name
from kubewright.schema.rules.rule import Rule, RuleCostWarning, RuleError, compile_rules, rule

__all__ = ["Rule", "RuleCostWarning", "RuleError", "compile_rules", "property_name", "rule"]
