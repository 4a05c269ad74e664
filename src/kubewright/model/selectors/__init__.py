"""Selectors: which objects are meant, by their labels or by their fields.

A selector is an immutable, hashable value, read from the text of a query or from the JSON of an object, with
Kubernetes' grammar and in Kubernetes' words where it refuses. What matching needs is made once, so a server may keep
one selector for many watchers and a client may test every event.

    LabelSelector.parse("app=web,tier in (front,back),!canary").matches(labels)
    FieldSelector.parse("metadata.name=web,status.phase!=Running").matches(fields)

| module     | what it does                                                          |
|------------|-----------------------------------------------------------------------|
| `labels`   | label selectors: the grammar of queries, matching                     |
| `document` | label selectors as objects hold them: `matchLabels`, `matchExpressions` |
| `fields`   | field selectors                                                       |
| `names`    | what makes a label's key and value; how the server quotes a bad one   |
"""

from kubewright.model.selectors.document import Problem, problems
from kubewright.model.selectors.fields import FieldSelector, FieldTerm
from kubewright.model.selectors.labels import LabelSelector, Requirement
from kubewright.model.selectors.names import SelectorError, label_key, label_value

__all__ = [
    "FieldSelector",
    "FieldTerm",
    "LabelSelector",
    "Problem",
    "Requirement",
    "SelectorError",
    "label_key",
    "label_value",
    "problems",
]
