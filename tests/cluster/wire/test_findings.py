"""What is told of a document, in Go's words."""

import pytest

from kubewright.cluster.wire.findings import APART, Findings, Path, Step, refused
from kubewright.cluster.wire.literal import Literal

METADATA = (None, Step("ConfigMap", "metadata", ()))
OWNER = ((METADATA, Step("ObjectMeta", "ownerReferences", ())), 2)


def test_a_path_has_keys_and_indexes() -> None:
    found = Findings()
    found.unknown(OWNER, "zzz")
    found.unknown((METADATA, "a.b/c"), "d")
    found.unknown(None, 'x"y')
    assert list(found.complaints) == [
        'unknown field "metadata.ownerReferences[2].zzz"',
        'unknown field "metadata.a.b/c.d"',
        'unknown field "x\\"y"',
    ]


def test_only_what_stood_twice_is_told_as_such() -> None:
    found = Findings(["metadata.name"])
    found.repeated(METADATA, "name")
    found.repeated(METADATA, "labels")
    assert list(found.complaints) == ['duplicate field "metadata.name"']


def test_a_complaint_is_told_once_and_no_more_than_a_hundred() -> None:
    found = Findings()
    for number in range(150):
        found.unknown(None, f"f{number // 2 * 2}")
    assert len(found.complaints) == 75
    for number in range(150):
        found.unknown(METADATA, f"f{number}")
    assert len(found.complaints) == 100


@pytest.mark.parametrize(
    ("value", "word"), [(True, "bool"), (1, "number"), (1.5, "number"), ("", "string"), ({}, "object"), ([], "array")]
)
def test_a_misfit_is_called_by_its_kind(value: object, word: str) -> None:
    found = Findings()
    found.misfit(METADATA, value, "v1.ObjectMeta")
    assert found.error == f"json: cannot unmarshal {word} into Go struct field ConfigMap.metadata of type v1.ObjectMeta"


def test_the_first_misfit_stays() -> None:
    found = Findings()
    found.broken("first")
    found.misfit(None, 1, "string")
    found.broken("third")
    assert found.error == "first"


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (None, "value"),
        (((None, Step("ConfigMap", "data", ())), "a"), "struct field ConfigMap.data"),
        (OWNER, "struct field ObjectMeta.metadata.ownerReferences"),
        ((None, Step("Volume", "emptyDir", ("VolumeSource",))), "struct field Volume.VolumeSource.emptyDir"),
        (((METADATA, APART), Step("Inner", "name", ())), "struct field ConfigMap.metadata.name"),
    ],
)
def test_a_misfit_is_placed_by_fields_alone(path: Path, place: str) -> None:
    assert str(refused(path, 1, "string")) == f"json: cannot unmarshal number into Go {place} of type string"


@pytest.mark.parametrize(("value", "text"), [(1, "1"), (1.5, "1.5"), (Literal("1e3"), "1e3"), (10**20, f"{10**20}")])
def test_a_number_is_quoted_as_it_was_written(value: object, text: str) -> None:
    assert f"number {text} into" in str(refused(None, value, "int32", exact=True))
