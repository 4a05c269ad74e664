from hypothesis import given
from hypothesis import strategies as st

from kubewright.observe import Cause, Causes, Why


def test_a_cause_reads_as_a_few_words() -> None:
    assert str(Cause("updated", "Deployment", "default", "web", "4711")) == "updated Deployment default/web @4711"
    assert str(Cause("deleted", "Node", "", "n1")) == "deleted Node n1"
    assert str(Cause("retried", detail="attempt 3")) == "retried (attempt 3)"


def test_causes_read_as_a_list() -> None:
    assert (
        str(Causes((Cause("initial", "Pod", "a", "b"), Cause("requeued")), 2)) == "initial Pod a/b, requeued and 2 more"
    )
    assert str(Causes()) == "unknown"


def test_what_comes_after_a_key_was_taken_is_for_the_next_time() -> None:
    why: Why[str] = Why()
    why.note("a", Cause("added"))
    assert why.take("a") == Causes((Cause("added"),))
    why.note("a", Cause("updated"))
    assert why.take("a") == Causes((Cause("updated"),))
    assert why.take("a") == Causes()


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers()), max_size=60))
def test_every_event_is_kept_or_counted_and_nothing_stays(events: list[tuple[str, int]]) -> None:
    why: Why[str] = Why()
    for key, number in events:
        why.note(key, Cause("updated", resource_version=str(number)))
    for key in "abc":
        mine = [str(number) for other, number in events if other == key]
        taken = why.take(key)
        assert [cause.resource_version for cause in taken.causes] == mine[:8]
        assert taken.more == max(len(mine) - 8, 0)
    assert len(why) == 0
