"""Which Events are told and which are counted."""

from kubewright.controller.event import Correlator, Event, Post, Series


def event(note: str = "hello", reason: str = "Scaled", name: str = "shop", type_: str = "Normal") -> Event:
    return Event("v1", "ConfigMap", "default", name, f"uid-{name}", type_, reason, "Reconcile", note)


def test_the_first_is_told_the_second_counted_and_the_rest_are_counted_together() -> None:
    correlator = Correlator()
    told = [correlator.happened(event(), now) for now in (0.0, 1.0, 2.0, 3.0)]
    assert isinstance(told[0], Post)
    assert told[1:] == [Series(1, event(), 2, 1.0), None, None]


def test_a_series_that_goes_on_is_told_every_half_an_hour() -> None:
    correlator = Correlator()
    told = [correlator.happened(event(), now * 300.0) for now in range(8)]
    assert [type(each).__name__ for each in told] == ["Post", "Series", *["NoneType"] * 5, "Series"]
    assert told[-1] == Series(1, event(), 8, 2100.0)


def test_after_silence_the_last_count_is_told_and_the_event_is_new_again() -> None:
    correlator = Correlator()
    for now in (0.0, 1.0, 2.0):
        correlator.happened(event(), now)
    assert correlator.due(100.0) == []
    assert correlator.due(400.0) == [Series(1, event(), 3, 2.0)]
    assert len(correlator) == 0
    assert correlator.happened(event(), 401.0) == Post(2, event())


def test_different_notes_are_different_events_until_they_are_too_many() -> None:
    correlator = Correlator()
    told = [correlator.happened(event(f"note {number}"), float(number)) for number in range(12)]
    assert [each.event.note for each in told[:9] if isinstance(each, Post)] == [f"note {n}" for n in range(9)]
    assert isinstance(told[9], Post)
    assert told[9].event.note == "(combined from similar events): note 9"
    assert isinstance(told[10], Series)
    assert told[10].number == told[9].number


def test_one_object_may_not_flood_and_another_is_not_held_up_by_it() -> None:
    correlator = Correlator()
    told = [correlator.happened(event(reason=f"R{number}"), 0.0) for number in range(40)]
    assert sum(each is not None for each in told) == 25
    assert correlator.happened(event(name="other"), 0.0) is not None
    assert correlator.happened(event(reason="R99"), 299.0) is None
    assert correlator.happened(event(reason="R99"), 301.0) is not None


def test_what_was_not_told_is_told_at_the_end() -> None:
    correlator = Correlator()
    for now in (0.0, 1.0, 2.0, 3.0):
        correlator.happened(event(), now)
    correlator.happened(event("once"), 4.0)
    assert correlator.rest(5.0) == [Series(1, event(), 4, 3.0)]
    assert correlator.rest(6.0) == []


def test_what_is_too_much_is_counted_where_there_is_an_event_for_it() -> None:
    correlator = Correlator(counted=True)
    told = [correlator.happened(event(), float(now)) for now in range(40)]
    assert sum(each is not None for each in told) == 25
    later = correlator.happened(event(), 339.0)
    assert later == Series(1, event(), 41, 339.0)


def test_notes_that_go_on_differing_are_combined_until_they_pause() -> None:
    correlator = Correlator()
    told = [correlator.happened(event(f"note {number}"), number * 310.0) for number in range(30)]
    assert sum(isinstance(each, Post) for each in told) == 10
    fresh = correlator.happened(event("another"), 30 * 310.0 + 600.0)
    assert isinstance(fresh, Post)
    assert fresh.event.note == "another"


def test_objects_that_are_gone_and_controllers_do_not_take_each_others_share() -> None:
    correlator = Correlator()
    gone = [correlator.happened(event(name=f"gone-{number}")._replace(uid=""), 0.0) for number in range(40)]
    assert None not in gone
    for number in range(25):
        correlator.happened(event(reason=f"R{number}")._replace(controller="one"), 0.0)
    assert correlator.happened(event(reason="R")._replace(controller="one"), 0.0) is None
    assert correlator.happened(event(reason="R")._replace(controller="two"), 0.0) is not None
