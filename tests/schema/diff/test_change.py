import pytest

from kubewright.schema.diff.change import BOTH, CLIENTS, KINDS, NEITHER, STORED_OBJECTS, Change, shown


def test_a_verdict_is_told_in_words() -> None:
    told = [str(Change("a", "TypeChanged", breaks, "why")) for breaks in (NEITHER, STORED_OBJECTS, CLIENTS, BOTH)]
    assert told == [
        "a: TypeChanged, breaks nobody: why",
        "a: TypeChanged, breaks stored objects: why",
        "a: TypeChanged, breaks clients: why",
        "a: TypeChanged, breaks stored objects and clients: why",
    ]


def test_a_change_has_the_verdict_and_reason_of_its_kind() -> None:
    change = Change.of("spec.scope", "ScopeChanged", "the scope went away", "Namespaced", None)
    assert (change.breaks, change.why) == (BOTH, f"the scope went away: {KINDS['ScopeChanged'][1]}")


def test_a_case_may_have_its_own_verdict_and_reason() -> None:
    change = Change.of("a", "TypeChanged", "x", 1, 2, NEITHER, "because")
    assert (change.breaks, change.why) == (NEITHER, "x: because")


def test_a_long_value_is_cut_short() -> None:
    assert shown({"a": None}) == '{"a": null}'
    assert len(shown("x" * 500)) == 60


@pytest.mark.parametrize("kind", KINDS)
def test_every_reason_is_one_sentence_without_a_stop(kind: str) -> None:
    _, why = KINDS[kind]
    assert why
    assert not why.endswith(".")
    assert why[0].islower()
