from typing import Any

import pytest
from tests.cluster.registry.custom.things import crd

from kubewright.cluster.definitions.status import is_served, next_status
from kubewright.cluster.registry.kinds.crd.conditions import find_condition

Document = dict[str, Any]
NOW = "2020-01-01T00:00:00Z"
EMPTY: Document = {"conditions": None, "acceptedNames": {"plural": "", "kind": ""}, "storedVersions": ["v1"]}


def made(plural: str = "things", group: str = "example.com", **names: Any) -> Document:
    document = crd(plural=plural)
    document["spec"]["group"] = group
    document["spec"]["names"] |= names
    return document | {"status": EMPTY}


def settled(document: Document, *others: Document) -> Document:
    """A CRD after all that is to be done was done."""
    while (status := next_status(document, others, NOW)) is not None:
        document = document | {"status": status}
    return document


def reasons(document: Document) -> dict[str, tuple[str, str]]:
    return {each["type"]: (each["status"], each["reason"]) for each in document["status"]["conditions"] or []}


def test_names_are_accepted_first_and_the_definition_established_then() -> None:
    first = made()
    second = first | {"status": next_status(first, (), NOW)}
    assert reasons(second) == {"NamesAccepted": ("True", "NoConflicts"), "Established": ("False", "Installing")}
    third = second | {"status": next_status(second, (), NOW)}
    assert reasons(third)["Established"] == ("True", "InitialNamesAccepted")
    assert next_status(third, (), NOW) is None


def test_what_is_accepted_is_what_was_asked_for() -> None:
    document = settled(made(shortNames=["th"], categories=["all"]))
    assert document["status"]["acceptedNames"] == document["spec"]["names"]


def test_a_definition_is_served_once_its_names_are_accepted() -> None:
    assert not is_served(made())
    assert is_served(made() | {"status": next_status(made(), (), NOW)})


@pytest.mark.parametrize(
    ("names", "reason", "message"),
    [
        ({"singular": "thing"}, "SingularConflict", '"thing" is already in use'),
        ({"shortNames": ["th"]}, "ShortNamesConflict", '"th" is already in use'),
        ({"shortNames": ["th", "thing"]}, "ShortNamesConflict", '["th" is already in use, "thing" is already in use]'),
        ({"kind": "Thing"}, "KindConflict", '"Thing" is already in use'),
        ({"listKind": "ThingList"}, "ListKindConflict", '"ThingList" is already in use'),
    ],
)
def test_names_that_are_taken_are_refused(names: Document, reason: str, message: str) -> None:
    taken = settled(made(shortNames=["th"]))
    refused = settled(made("others", **names), taken)
    assert reasons(refused) == {"NamesAccepted": ("False", reason), "Established": ("False", "NotAccepted")}
    condition = find_condition(refused, "NamesAccepted")
    assert condition is not None
    assert condition["message"] == message
    assert not is_served(refused)


def test_names_of_another_group_are_no_conflict() -> None:
    other = settled(made(group="other.com"))
    assert is_served(settled(made("others", kind="Thing"), other))


def test_names_are_accepted_when_whoever_had_them_is_gone() -> None:
    refused = settled(made("others", kind="Thing"), settled(made()))
    assert reasons(settled(refused))["Established"] == ("True", "InitialNamesAccepted")


def test_an_established_definition_stays_so_when_it_asks_for_names_that_are_taken() -> None:
    document = settled(made("others"))
    document["spec"]["names"]["shortNames"] = ["thing"]
    document = settled(document, settled(made()))
    assert reasons(document) == {
        "NamesAccepted": ("False", "ShortNamesConflict"),
        "Established": ("True", "InitialNamesAccepted"),
    }


def test_certificates_that_cannot_be_read_keep_a_definition_from_being_established() -> None:
    document = made()
    webhook = {"clientConfig": {"url": "https://a/", "caBundle": "eHg="}}
    document["spec"]["conversion"] = {"strategy": "Webhook", "webhook": webhook}
    assert reasons(settled(document))["Established"] == ("False", "InvalidCABundle")


@pytest.mark.parametrize(
    ("annotation", "condition"),
    [
        ("https://github.com/x", ("True", "ApprovedAnnotation")),
        ("unapproved, sorry", ("False", "UnapprovedAnnotation")),
        ("", ("False", "MissingAnnotation")),
        ("yes", ("False", "InvalidAnnotation")),
    ],
)
def test_a_group_of_kubernetes_tells_who_approved_of_it(annotation: str, condition: tuple[str, str]) -> None:
    document = made(group="x.k8s.io")
    document["metadata"]["annotations"] = {"api-approved.kubernetes.io": annotation}
    assert reasons(settled(document))["KubernetesAPIApprovalPolicyConformant"] == condition
