import pytest

from kubewright.cluster.verbs.options import (
    DeleteOptions,
    WriteOptions,
    flag,
    read_delete_options,
    read_list_options,
    read_write_options,
)
from kubewright.cluster.wire.status import Failure


def refused(failure: Failure) -> list[str]:
    return [f"{cause['field']}: {cause['message']}" for cause in failure.document["details"]["causes"]]


@pytest.mark.parametrize(
    ("values", "meaning"),
    [
        ([], None),
        (["true"], True),
        ([""], True),
        (["no"], True),
        (["false"], False),
        (["FALSE"], False),
        (["0"], False),
    ],
)
def test_a_parameter_that_is_there_is_true_unless_it_says_otherwise(values: list[str], meaning: bool | None) -> None:
    assert flag({"watch": values} if values else {}, "watch") is meaning


def test_the_first_of_several_values_counts() -> None:
    assert read_list_options({"limit": ["5", "7"]}).limit == 5


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x", 'strconv.ParseInt: parsing "x": invalid syntax'),
        ("", 'strconv.ParseInt: parsing "": invalid syntax'),
        ("1.5", 'strconv.ParseInt: parsing "1.5": invalid syntax'),
        ("9223372036854775808", 'strconv.ParseInt: parsing "9223372036854775808": value out of range'),
        ("9" * 5000, f'strconv.ParseInt: parsing "{"9" * 5000}": value out of range'),
    ],
)
def test_a_number_that_is_none_is_a_bad_request(text: str, why: str) -> None:
    with pytest.raises(Failure) as caught:
        read_list_options({"limit": [text]})
    assert (caught.value.code, caught.value.document["message"]) == (400, why)


def test_no_options_are_the_default_ones() -> None:
    assert read_write_options("create", {}) == WriteOptions(field_validation="Warn")
    assert read_delete_options({}, None) == DeleteOptions()


def test_everything_wrong_with_the_options_of_a_write_is_told() -> None:
    query = {"dryRun": ["All", "Some"], "fieldValidation": ["Maybe"], "fieldManager": ["x" * 129], "force": ["true"]}
    with pytest.raises(Failure) as caught:
        read_write_options("patch", query)
    assert caught.value.document["details"]["kind"] == "PatchOptions"
    assert refused(caught.value) == [
        "force: Forbidden: may not be specified for non-apply patch",
        "fieldManager: Too long: may not be more than 128 bytes",
        'dryRun: Unsupported value: ["All","Some"]: supported values: "All"',
        'fieldValidation: Unsupported value: "Maybe": supported values: "", "Ignore", "Strict", "Warn"',
    ]


def test_an_apply_names_its_manager() -> None:
    with pytest.raises(Failure) as caught:
        read_write_options("patch", {"force": ["true"]}, applying=True)
    assert refused(caught.value) == ["fieldManager: Required value: is required for apply patch"]


def test_a_body_takes_the_place_of_the_query_in_a_deletion() -> None:
    body = {"gracePeriodSeconds": 5, "preconditions": {"uid": "u"}, "propagationPolicy": "Orphan", "dryRun": ["All"]}
    options = read_delete_options({"gracePeriodSeconds": ["9"], "uid": ["v"]}, body)
    assert options == DeleteOptions(grace=5, uid="u", propagation="Orphan", dry_run=True)


def test_a_deletion_says_once_what_becomes_of_dependents() -> None:
    with pytest.raises(Failure) as caught:
        read_delete_options({"orphanDependents": ["true"], "propagationPolicy": ["Sideways"]}, None)
    policies = '"Foreground", "Background", "Orphan", "nil"'
    assert refused(caught.value) == [
        'propagationPolicy: Invalid value: "Sideways": orphanDependents and deletionPropagation cannot be both set',
        f'propagationPolicy: Unsupported value: "Sideways": supported values: {policies}',
    ]


@pytest.mark.parametrize("name", ["labelSelector", "fieldSelector"])
def test_a_selector_that_is_none_is_a_bad_request(name: str) -> None:
    with pytest.raises(Failure) as caught:
        read_list_options({name: ["a=b=c,(" if name == "labelSelector" else "no operator"]})
    assert caught.value.code == 400
