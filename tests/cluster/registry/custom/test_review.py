import copy
from typing import Any

import pytest
from tests.cluster.registry.custom.things import thing

from kubewright.cluster.registry.custom.review import ask, read_answer
from kubewright.cluster.registry.view import ConversionFailed

HEAD = "conversion webhook for example.com/v1, Kind=Thing "
REVIEW = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview"}


def question() -> dict[str, Any]:
    return ask("1", [thing({"x": 1}, labels={"a": "b"})], "example.com/v2", ["v1"])


def answer(**response: Any) -> dict[str, Any]:
    objects = [thing({"y": 1}, "example.com/v2", labels={"c": "d"}, finalizers=["a/b"])]
    good: dict[str, Any] = {"uid": "1", "result": {"status": "Success"}, "convertedObjects": objects}
    return {**REVIEW, "response": good | response}


def changed(**meta: Any) -> dict[str, Any]:
    return answer(convertedObjects=[thing({}, "example.com/v2", **meta)])


def test_a_review_asks_in_the_first_form_that_is_known() -> None:
    assert ask("1", [], "example.com/v2", ["v9", "v1beta1", "v1"])["apiVersion"] == "apiextensions.k8s.io/v1beta1"


def test_a_review_tells_its_identifier_and_what_is_wanted() -> None:
    asked = question()["request"]
    assert (asked["uid"], asked["desiredAPIVersion"], len(asked["objects"])) == ("1", "example.com/v2", 1)


def test_a_review_in_no_form_that_is_known_cannot_be_asked() -> None:
    with pytest.raises(ConversionFailed, match=r"^no supported conversion review versions$"):
        ask("1", [], "example.com/v2", ["v9"])


def test_of_metadata_only_labels_and_annotations_may_change() -> None:
    [converted] = read_answer(answer(), question())
    assert converted["spec"] == {"y": 1}
    assert converted["metadata"]["labels"] == {"c": "d"}
    assert "finalizers" not in converted["metadata"]


def test_labels_that_are_not_sent_back_are_gone() -> None:
    [converted] = read_answer(changed(), question())
    assert "labels" not in converted["metadata"]


def test_the_original_is_left_alone() -> None:
    asked = question()
    before = copy.deepcopy(asked)
    read_answer(answer(), asked)
    assert asked == before


# The words were recorded of the real server, with a webhook that errs in all these ways.
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (answer(result={"status": "Failed", "message": "no way"}), HEAD + "failed: no way"),
        (answer(result={"status": "Failed"}), HEAD + "failed: response.result.status was 'Failed', not 'Success'"),
        (answer(result={}), HEAD + "failed: response.result.status was '', not 'Success'"),
        (answer(uid="2"), HEAD + 'failed: expected response.uid="1", got "2"'),
        (REVIEW, HEAD + "failed: no response provided"),
        (
            {**answer(), "kind": "Foo"},
            HEAD + 'failed: no kind "Foo" is registered for version "apiextensions.k8s.io/v1" in scheme '
            '"pkg/runtime/scheme.go:111"',
        ),
        (
            {**answer(), "apiVersion": "apiextensions.k8s.io/v1beta1"},
            HEAD + "failed: converting (v1beta1.ConversionReview) to (v1.ConversionReview): unknown conversion",
        ),
        (answer(convertedObjects=[]), HEAD + "returned 0 objects, expected 1"),
        (
            answer(convertedObjects=[thing({}, "x/y")]),
            HEAD + "returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received x/y)",
        ),
        (
            answer(convertedObjects=[{**thing({}, "example.com/v2"), "kind": "Foo"}]),
            HEAD + "returned invalid object at index 0: invalid kind (expected Thing, received Foo)",
        ),
        (changed(name="b"), HEAD + "returned invalid object: must have the same name: a != b"),
        (changed(uid="v"), HEAD + "returned invalid object: must have the same UID: u != v"),
        (
            changed(labels={"a": 1}),
            HEAD + "returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object",
        ),
        (
            changed(labels=["a"]),
            HEAD + "returned invalid metadata: invalid metadata.labels of type []interface {} in converted object",
        ),
        (answer(convertedObjects=["x"]), "json: cannot unmarshal string into Go value of type map[string]interface {}"),
    ],
)
def test_a_wrong_answer_is_told_in_the_servers_words(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ConversionFailed) as failed:
        read_answer(copy.deepcopy(wrong), question())
    assert str(failed.value) == message


def test_annotations_that_are_none_have_another_name_in_the_message() -> None:
    with pytest.raises(ConversionFailed, match=r"returned invalid metadata: metadata\.annotation: Invalid value"):
        read_answer(changed(annotations={"a b": "c"}), question())
