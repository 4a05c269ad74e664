"""The `pod-template-hash` of a template: the same number that kube-controller-manager computes for it.

It takes FNV-1a of a text that Go prints of its own struct, with every field and every type's name, in the order in
which the fields are declared. So a template is printed here as Go would, by the table of its types (`wire/types.txt`),
and a Deployment that moves between our controller and the real one keeps its ReplicaSets.

    (v1.PodTemplateSpec){ObjectMeta:(v1.ObjectMeta){Name:(string) … Labels:(map[string]string)map[app:web] …

What is empty is nil: the real server keeps objects in protobuf, which knows no empty lists.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from kubewright.cluster.wire.types import Type, table

__all__ = ["hash_template", "print_template"]

#: The letters of random names; digits become these, so that a hash spells no words.
_LETTERS: Final = "bcdfghjklmnpqrstvwxz2456789"
_ZERO_TIME: Final = "{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}"
_QUANTITY: Final = re.compile(r"([+-]?)0*([0-9]*)(?:\.([0-9]*))?([a-zA-Z]*[-+0-9]*)")
_DECIMAL: Final = {"": 0, "n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_MOST: Final = 2**63 - 1
_BINARY: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}


def hash_template(template: Mapping[str, Any], collisions: int | None = None) -> str:
    """The hash of a template; `collisions` is how often another template had the same."""
    number = _fnv(print_template(template).encode())
    if collisions is not None:
        number = _fnv(collisions.to_bytes(8, "little"), number)
    return "".join(_LETTERS[ord(digit) % len(_LETTERS)] for digit in str(number))


def print_template(template: Mapping[str, Any]) -> str:
    """The template as Go prints it."""
    return _typed(table().type("core/v1.PodTemplateSpec"), template)


def _fnv(data: bytes, number: int = 0x811C9DC5) -> int:
    for byte in data:
        number = (number ^ byte) * 0x01000193 & 0xFFFFFFFF
    return number


def _typed(kind: Type, value: Any) -> str:
    """A value behind the name of its type."""
    if kind.kind != "ptr":
        return f"({kind.go}){_bare(kind, value)}"
    assert kind.item is not None
    return f"({kind.go}){'<nil>' if value is None else _bare(kind.item, value)}"


def _bare(kind: Type, value: Any) -> str:
    if kind.special:
        return _special(kind, value)
    if kind.kind == "struct":
        fields = [
            f"{slot.go}:{_typed(slot.type, value if slot.field is None else (value or {}).get(slot.field.name))}"
            for slot in table().slots(kind.name)
        ]
        return "{" + " ".join(fields) + "}"
    if kind.kind in ("slice", "map"):
        if not value:
            return "<nil>"
        item = kind.item
        assert item is not None
        if kind.kind == "slice":
            return "[" + " ".join(_bare(item, each) for each in value) + "]"
        ordered = sorted(value.items(), key=lambda pair: pair[0].encode())
        return "map[" + " ".join(f"{key}:{_bare(item, each)}" for key, each in ordered) + "]"
    if kind.kind == "bool":
        return "true" if value else "false"
    return str(value or ("" if kind.kind == "string" else 0))


def _special(kind: Type, value: Any) -> str:
    """A type that JSON shows otherwise than Go keeps it."""
    if kind.go == "resource.Quantity":
        return _quantity(str(value if value is not None else "0"))
    if kind.go == "intstr.IntOrString":
        text, number = (value, 0) if isinstance(value, str) else ("", value or 0)
        return f"{{Type:(intstr.Type){int(isinstance(value, str))} IntVal:(int32){number} StrVal:(string){text}}}"
    return _ZERO_TIME


def _quantity(text: str) -> str:
    """A quantity: its number, its scale, the spelling that was kept because it is the canonical one, its format."""
    found = _QUANTITY.fullmatch(text)
    sign, whole, fraction, suffix = found.groups(default="") if found else ("", "", "", "")
    whole = whole or "0"
    value, scale, form, kept = int(whole + fraction), 0, "DecimalSI", False
    if text == "0":
        kept = True
    elif suffix in _BINARY:
        form, exponent = "BinarySI", _BINARY[suffix]
        if fraction or 14 - len(whole) - exponent * 3 // 10 < 0:
            return _large(value << exponent, len(fraction), negative=sign == "-")
        kept = value & 7 != 0
        value <<= exponent
    else:
        if suffix not in _DECIMAL:
            form = "DecimalExponent"
        scale = (_DECIMAL[suffix] if suffix in _DECIMAL else int(suffix[1:])) - len(fraction)
        digits = whole + fraction
        kept = scale % 3 == 0 and not digits.endswith("000") and digits[0] != "0"
    number = f"{{value:(int64){'-' if sign == '-' else ''}{value} scale:(resource.Scale){scale}}}"
    spelling = text if kept else ""
    return (
        f"{{i:(resource.int64Amount){number} d:(resource.infDecAmount){{Dec:(*inf.Dec)<nil>}} "
        f"s:(string){spelling} Format:(resource.Format){form}}}"
    )


def _large(value: int, decimals: int, *, negative: bool) -> str:
    """A number of bytes with decimals, or of many digits: Go keeps it in billionths, in words of 64 bits."""
    unscaled, scale = -(-value * 10**9 // 10**decimals), 9
    if unscaled > _MOST * 10**9:
        unscaled, scale = _MOST, 0
    words = []
    while unscaled:
        words.append(str(unscaled & 0xFFFFFFFFFFFFFFFF))
        unscaled >>= 64
    number = f"{{neg:(bool){'true' if negative else 'false'} abs:(big.nat)[{' '.join(words)}]}}"
    return (
        "{i:(resource.int64Amount){value:(int64)0 scale:(resource.Scale)0} d:(resource.infDecAmount){Dec:(*inf.Dec)"
        f"{{unscaled:(big.Int){number} scale:(inf.Scale){scale}}}}} s:(string) Format:(resource.Format)BinarySI}}"
    )
