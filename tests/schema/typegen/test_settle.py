"""What stands behind the equals sign of a field made from a CRD."""

from typing import Any

import pytest

from kubewright.schema.typegen.openapi import outline_modules
from kubewright.schema.typegen.write import write
from kubewright.schema.types import QUANTITY_PATTERN

REF = {"$ref": "#/components/schemas/Part"}
QUANTITY = {
    "anyOf": [{"type": "integer"}, {"type": "string"}],
    "x-kubernetes-int-or-string": True,
    "pattern": QUANTITY_PATTERN,
}
EMPTY = {"type": "object", "properties": {"a": {"type": "string"}}}
FULL = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}


def line_of(node: dict[str, Any], *, required: bool, partial: bool, part: dict[str, Any]) -> str:
    schemas = {
        "Part": part,
        "Whole": {"type": "object", "properties": {"x": node}, "required": ["x"] if required else []},
    }
    [module] = outline_modules(schemas, {"Part": "m", "Whole": "m"}, {}, partial=partial)
    return next(line.strip() for line in write(module).splitlines() if line.startswith("    x: "))


@pytest.mark.parametrize(
    ("node", "required", "line"),
    [
        ({"type": "string"}, True, "x: str"),
        ({"type": "string"}, False, "x: str | None = None"),
        ({"type": "string", "default": "a"}, False, 'x: str = "a"'),
        ({"type": "string", "default": "a"}, True, 'x: Annotated[str, kw.Default("a")]'),
        ({"type": "string", "nullable": True}, False, "x: Annotated[str | None, kw.Nullable()] = None"),
        ({"type": "string", "nullable": True}, True, "x: Annotated[str | None, kw.Nullable()]"),
        (
            {"type": "string", "nullable": True, "default": None},
            False,
            "x: Annotated[str | None, kw.Nullable(), kw.Default(None)] = None",
        ),
        ({"type": "string", "enum": ["a"], "default": "a"}, False, 'x: Literal["a"] = "a"'),
        (
            {"type": "string", "format": "byte", "default": "YQ=="},
            False,
            'x: Annotated[bytes | None, kw.Default("YQ==")] = None',
        ),
        ({"type": "boolean", "default": 1}, False, "x: Annotated[bool | None, kw.Default(1)] = None"),
        ({"type": "number", "default": 1}, False, "x: kw.Number = 1"),
        ({**QUANTITY, "default": "1Gi"}, False, 'x: kw.Quantity = kw.Quantity("1Gi")'),
        ({**QUANTITY, "default": "much"}, False, 'x: Annotated[kw.Quantity | None, kw.Default("much")] = None'),
        ({"type": "array", "items": {"type": "string"}}, True, "x: list[str]"),
        ({"type": "array", "items": {"type": "string"}}, False, "x: list[str] = kw.field(default_factory=list)"),
        (
            {"type": "array", "items": {"type": "string"}, "default": ["a"]},
            False,
            'x: list[str] = kw.field(default=["a"])',
        ),
        (
            {"type": "array", "items": REF, "default": [{"a": "b"}]},
            False,
            'x: Annotated[list[Part], kw.Default([{"a": "b"}])] = kw.field(default_factory=list)',
        ),
        (
            {"type": "object", "additionalProperties": {"type": "string"}},
            False,
            "x: dict[str, str] = kw.field(default_factory=dict)",
        ),
        (REF, False, "x: Part | None = None"),
        ({**REF, "default": {}}, False, "x: Annotated[Part, kw.Default({})] = kw.field(default_factory=Part)"),
        ({**REF, "default": {"a": "b"}}, False, 'x: Annotated[Part | None, kw.Default({"a": "b"})] = None'),
    ],
)
def test_a_field_is_strict(node: dict[str, Any], required: bool, line: str) -> None:
    assert line_of(node, required=required, partial=False, part=EMPTY) == line


def test_an_object_that_cannot_be_made_of_nothing_is_none_when_absent() -> None:
    made = line_of({**REF, "default": {}}, required=False, partial=False, part=FULL)
    assert made == "x: Annotated[Part | None, kw.Default({})] = None"


@pytest.mark.parametrize(
    ("node", "required", "line"),
    [
        ({"type": "string", "default": ""}, True, "x: str = REQUIRED"),
        ({"type": "string"}, False, "x: str | None = None"),
        ({"type": "string", "default": "TCP"}, False, 'x: Annotated[str | None, Default("TCP")] = None'),
        ({"allOf": [REF], "default": {}}, True, "x: Part = REQUIRED"),
        ({"allOf": [REF], "default": {}}, False, "x: Part | None = None"),
        (
            {"type": "array", "items": {"type": "string", "default": ""}},
            True,
            "x: list[str] = field(default_factory=list, required=True)",
        ),
        (
            {"type": "array", "items": {"type": "string", "default": ""}},
            False,
            "x: list[str] = field(default_factory=list)",
        ),
    ],
)
def test_a_field_of_a_built_in_kind_can_be_left_out(node: dict[str, Any], required: bool, line: str) -> None:
    assert line_of(node, required=required, partial=True, part=EMPTY) == line
