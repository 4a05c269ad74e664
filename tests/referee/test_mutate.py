"""Mutations are many, different, and each what it says."""

import json

from tests.referee.mutate import mutants

DOCUMENT = {"metadata": {"name": "a"}, "spec": {"n": 1, "on": True, "l": ["x", {"k": "v"}]}}


def found(*, changed: bool = False) -> dict[str, bytes]:
    return {mutant.what: mutant.text for mutant in mutants(DOCUMENT, changed=changed)}


def test_each_part_is_taken_away_and_nulled() -> None:
    texts = found()
    assert json.loads(texts["spec.n: missing"])["spec"] == {"on": True, "l": ["x", {"k": "v"}]}
    assert json.loads(texts["spec.l.1.k: null"])["spec"]["l"] == ["x", {"k": None}]
    assert json.loads(texts["metadata: missing"]) == {"spec": DOCUMENT["spec"]}


def test_a_key_can_stand_twice() -> None:
    assert found()["metadata.name: twice"].count(b'"name":"a"') == 2


def test_an_element_can_be_repeated() -> None:
    assert json.loads(found()["spec.l.0: repeated"])["spec"]["l"] == ["x", "x", {"k": "v"}]


def test_changes_come_only_when_wanted() -> None:
    assert "spec.n: changed" not in found()
    assert json.loads(found(changed=True)["spec.n: changed"])["spec"]["n"] == 2


def test_no_two_mutants_have_one_name() -> None:
    names = [mutant.what for mutant in mutants(DOCUMENT, changed=True)]
    assert len(names) == len(set(names))


def test_the_document_itself_stays() -> None:
    before = json.dumps(DOCUMENT)
    list(mutants(DOCUMENT, changed=True))
    assert json.dumps(DOCUMENT) == before
