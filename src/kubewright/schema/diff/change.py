"""What a change of a CRD means: its kind, whom it breaks, and why.

*Stored objects* break when an object that the old definition took cannot be updated any more under the new one, or
loses data. *Clients* break when a program written for the old definition is refused, or reads what it could not have
read before: a field that is gone, a value outside a closed set, a null.

Widening what is allowed breaks neither, with three exceptions that readers count on: a required field was always
there, an enumeration was closed, a value was not null. Tightening breaks both: Kubernetes lets an unchanged old value
pass in an update, but no new object and no changed field.

The table `KINDS` is the whole of it; a change whose verdict depends on the case says so where it is found.
"""

import json
from dataclasses import dataclass, field
from typing import Final, TypeAlias

__all__ = ["BOTH", "CLIENTS", "KINDS", "NEITHER", "STORED_OBJECTS", "Breaks", "Change", "shown", "went"]


#: Whom a change breaks, in words.
Breaks: TypeAlias = tuple[str, ...]
NEITHER: Final[Breaks] = ()
STORED_OBJECTS: Final[Breaks] = ("stored objects",)
CLIENTS: Final[Breaks] = ("clients",)
BOTH: Final[Breaks] = STORED_OBJECTS + CLIENTS


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two CRDs. `old` and `new` are the values that differ, None where there is none."""

    path: str
    kind: str
    breaks: Breaks
    why: str
    old: object = field(default=None, compare=False)
    new: object = field(default=None, compare=False)

    @classmethod
    def of(
        cls, path: str, kind: str, what: str, old: object, new: object, breaks: Breaks | None = None, why: str = ""
    ) -> "Change":
        """A change with the verdict and the reason of its kind, unless the case has its own."""
        usual, reason = KINDS[kind]
        return cls(path, kind, usual if breaks is None else breaks, f"{what}: {why or reason}", old, new)

    def __str__(self) -> str:
        verdict = f"breaks {' and '.join(self.breaks)}" if self.breaks else "breaks nobody"
        return f"{self.path}: {self.kind}, {verdict}: {self.why}"


def went(name: str, old: object, new: object) -> str:
    """Say that a value changed."""
    return f"{name} went from {shown(old)} to {shown(new)}"


def shown(value: object) -> str:
    """A value in a sentence, cut short where it is long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."


_N, _S, _C, _B = NEITHER, STORED_OBJECTS, CLIENTS, BOTH

#: Every kind of change, whom it breaks unless the case says otherwise, and why.
KINDS: Final[dict[str, tuple[Breaks, str]]] = {
    # the definition
    "GroupChanged": (_B, "the kind becomes another API: objects stay behind under the old group"),
    "ScopeChanged": (_B, "objects move between namespaces and the cluster, which the server refuses to do"),
    "NamesChanged": (_C, "clients that use the old name no longer find the kind"),
    "MetadataChanged": (_N, "labels and annotations of the definition touch no object"),
    "ConversionChanged": (_B, "objects are converted between versions in another way"),
    "VersionAdded": (_N, "a further version takes nothing away"),
    "VersionRemoved": (_C, "clients of that version are answered 404"),
    "VersionServed": (_N, "a further version takes nothing away"),
    "VersionUnserved": (_C, "clients of that version are answered 404"),
    "StorageVersionChanged": (_S, "objects stored in the old version are read and pruned by the schema of the new one"),
    "DeprecationChanged": (_N, "clients of that version are warned, and served"),
    "SubresourceAdded": (_N, "a further endpoint takes nothing away"),
    "SubresourceRemoved": (_C, "clients of that endpoint are answered 404"),
    "SubresourceChanged": (_C, "the endpoint reads and writes other fields"),
    "ColumnAdded": (_N, "columns are for people"),
    "ColumnRemoved": (_N, "columns are for people"),
    "ColumnChanged": (_N, "columns are for people"),
    "SelectableFieldAdded": (_N, "a further field selector takes nothing away"),
    "SelectableFieldRemoved": (_C, "lists and watches that select by it are refused"),
    "SchemaAdded": (_B, "what the schema does not name is pruned, what it refuses cannot be written"),
    "SchemaRemoved": (_B, "without a schema every field is pruned"),
    # fields
    "FieldAdded": (_N, "a further field takes nothing away"),
    "FieldRemoved": (_B, "the field is pruned: what objects hold there is lost, what clients send there is dropped"),
    "TypeChanged": (_B, "stored values do not fit the new type, and clients send and expect the old one"),
    "RequiredAdded": (_B, "objects without it cannot be written any more"),
    "RequiredRemoved": (_C, "readers may meet objects without it"),
    "NullableAdded": (_C, "readers may meet null"),
    "NullableRemoved": (_B, "null cannot be written any more"),
    "DefaultAdded": (_C, "who left the field out now gets a value there"),
    "DefaultChanged": (_C, "who leaves the field out gets another value there"),
    "DefaultRemoved": (_C, "who left the field out no longer gets a value there"),
    # values
    "BoundTightened": (_B, "values beyond the new bound cannot be written any more"),
    "BoundLoosened": (_N, "every old value is still allowed"),
    "EnumAdded": (_B, "values outside the enumeration cannot be written any more"),
    "EnumRemoved": (_C, "readers may meet values they have never heard of"),
    "EnumValueAdded": (_C, "readers may meet a value they have never heard of"),
    "EnumValueRemoved": (_B, "that value cannot be written any more"),
    "PatternAdded": (_B, "values that do not match cannot be written any more"),
    "PatternChanged": (_B, "values that matched the old pattern may not match the new one"),
    "PatternRemoved": (_N, "every old value is still allowed"),
    "FormatAdded": (_B, "values of another format cannot be written any more"),
    "FormatChanged": (_B, "values of the old format may not fit the new one"),
    "FormatRemoved": (_N, "every old value is still allowed"),
    "RuleAdded": (_B, "what breaks the rule cannot be written any more"),
    "RuleChanged": (_N, "the rule refuses the same objects, in other words"),
    "RuleRemoved": (_N, "every old object is still allowed"),
    "ConstraintAdded": (_B, "objects that do not meet it cannot be written any more"),
    "ConstraintChanged": (_B, "objects that met the old one may not meet the new one"),
    "ConstraintRemoved": (_N, "every old object is still allowed"),
    "AlternativeAdded": (_N, "every old object is still allowed"),
    "AlternativeRemoved": (_B, "objects that fit only that alternative cannot be written any more"),
    # shape
    "ListTypeChanged": (_B, "lists are merged by another rule, and duplicates may be refused"),
    "MapTypeChanged": (_C, "fields are merged and owned by another rule when they are applied"),
    "MapValuesChanged": (_B, "which keys an object may have, and what they hold, is another matter now"),
    "ItemsChanged": (_B, "what the list holds is another matter now"),
    "PruningChanged": (_B, "fields the schema does not name are dropped"),
    "EmbeddedResourceChanged": (_B, "what stands there must be an object with apiVersion, kind and metadata"),
    # words
    "DescriptionChanged": (_N, "words only"),
    "DocumentationChanged": (_N, "words only"),
    "OrderChanged": (_N, "the same members in another order"),
    "Unclassified": (_B, "kubewright does not know what this means: look at it"),
}
