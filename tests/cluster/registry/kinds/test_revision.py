from tests.cluster.registry.kinds.judged import Judged

REVISIONS = Judged("controllerrevisions.apps")


def test_something_must_be_kept() -> None:
    assert REVISIONS.refused(revision=1) == ["data: Required value: data is mandatory"]
    assert REVISIONS.refused(revision=1, data="x") == ["data: Required value: data must be a valid JSON object"]


def test_the_number_may_change() -> None:
    assert REVISIONS.changed(REVISIONS.made(data={}, revision=1), {"revision": 2})["revision"] == 2


def test_what_is_kept_stays_as_it_is_written() -> None:
    old = REVISIONS.made(data={"b": 1, "a": 2}, revision=1)
    assert REVISIONS.kept(old, {"metadata": {"labels": {"x": "y"}}}) == []
    [error] = REVISIONS.kept(old, {"data": {"a": 2}})
    assert error == 'data: Invalid value: {"a":2,"b":1}: field is immutable'
