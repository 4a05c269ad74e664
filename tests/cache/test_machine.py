"""What follows what in a reflector; the numbers are client-go's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from kubewright.cache.machine import (
    LATE,
    Ended,
    Failed,
    Machine,
    Opened,
    Page,
    Phase,
    Renew,
    Rested,
    Signal,
    Trouble,
    Whole,
    advance,
)

WATCHING = Machine(Phase.WATCHING)
LISTING = Machine(Phase.LISTING)


def after(machine: Machine, *signals: Signal, time: float = 1000.0, chance: float = 0.0) -> Machine:
    for signal in signals:
        machine = advance(machine, signal, time, chance)
    return machine


def failing(trouble: Trouble, times: int) -> list[Signal]:
    return [signal for _ in range(times) for signal in (Failed(trouble), Rested())]


def rests(count: int, chance: float = 0.0) -> list[float]:
    machine, found = WATCHING, []
    time = 0.0
    for _ in range(count):
        machine = advance(machine, Failed(Trouble.UNREACHABLE), time, chance)
        found.append(machine.rest)
        time += machine.rest
        machine = advance(machine, Rested(), time, chance)
    return found


def test_rests_double_from_0_8_seconds_to_30() -> None:
    assert rests(8) == pytest.approx([0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30, 30])


def test_chance_makes_a_rest_up_to_twice_as_long() -> None:
    assert rests(8, 0.5) == pytest.approx([1.5 * rest for rest in rests(8)])


def test_a_revision_forgotten_in_an_outage_is_no_reason_to_rest_as_long_as_that() -> None:
    tired = after(WATCHING, *failing(Trouble.UNREACHABLE, 6))
    assert after(tired, Opened(), Failed(Trouble.EXPIRED)).rest == pytest.approx(0.8)
    assert after(tired, Failed(Trouble.FAILING)).rest == pytest.approx(30)
    in_turns = after(WATCHING, *(failing(Trouble.BROKEN, 1) + failing(Trouble.EXPIRED, 1)) * 6)
    assert after(in_turns, Failed(Trouble.BROKEN)).rest == pytest.approx(30)
    again = after(WATCHING, *failing(Trouble.EXPIRED, 6))
    assert after(again, Failed(Trouble.EXPIRED)).rest == pytest.approx(30)


def test_rests_begin_anew_after_two_quiet_minutes() -> None:
    tired = after(WATCHING, *failing(Trouble.UNREACHABLE, 6))
    assert after(tired, Failed(Trouble.UNREACHABLE), time=1119.0).rest == pytest.approx(30)
    assert after(tired, Failed(Trouble.UNREACHABLE), time=1121.0).rest == pytest.approx(0.8)


def test_a_kind_that_is_not_there_is_asked_for_every_few_seconds() -> None:
    assert after(WATCHING, *failing(Trouble.MISSING, 9), Failed(Trouble.MISSING)).rest == 5.0


def test_a_server_that_asks_for_more_rest_gets_it() -> None:
    assert after(WATCHING, Failed(Trouble.THROTTLED, pause=17)).rest == 17


def test_everything_begins_with_a_stream() -> None:
    assert Machine().phase is Phase.STREAMING


@pytest.mark.parametrize("phase", [Phase.STREAMING, Phase.LISTING])
def test_when_all_there_was_has_come_it_watches(phase: Phase) -> None:
    assert after(Machine(phase), Whole()).phase is Phase.WATCHING


@pytest.mark.parametrize(
    ("trouble", "then"),
    [
        (Trouble.EXPIRED, Phase.STREAMING),
        (Trouble.MISSING, Phase.STREAMING),
        (Trouble.UNSUPPORTED, Phase.STREAMING),
        (Trouble.THROTTLED, Phase.WATCHING),
        (Trouble.UNREACHABLE, Phase.WATCHING),
        (Trouble.UNAUTHORIZED, Phase.WATCHING),
        (Trouble.FORBIDDEN, Phase.WATCHING),
        (Trouble.FAILING, Phase.WATCHING),
        (Trouble.GARBAGE, Phase.WATCHING),
        (Trouble.BROKEN, Phase.WATCHING),
    ],
)
def test_a_watch_that_fails_rests_and_goes_on_or_begins_anew(trouble: Trouble, then: Phase) -> None:
    resting = after(WATCHING, Failed(trouble))
    assert (resting.phase, resting.then, resting.trouble) == (Phase.RESTING, then, trouble)
    assert after(resting, Rested()).phase is then


@pytest.mark.parametrize("trouble", [Trouble.BROKEN, Trouble.STALLED])
def test_a_watch_lost_after_a_while_is_taken_up_without_a_rest(trouble: Trouble) -> None:
    assert after(WATCHING, Failed(trouble, lasted=1.0)).phase is Phase.WATCHING


def test_a_watch_that_ends_after_a_while_is_taken_up_without_a_rest() -> None:
    assert after(WATCHING, Ended(lasted=300, events=0)) == WATCHING


def test_a_watch_that_ends_at_once_with_no_event_begins_anew() -> None:
    assert after(WATCHING, Ended(lasted=0.5, events=0), Rested()).phase is Phase.STREAMING


def test_a_watch_that_ends_at_once_with_events_rests_and_goes_on() -> None:
    assert after(WATCHING, Ended(lasted=0.5, events=3)).phase is Phase.RESTING
    assert after(WATCHING, Ended(lasted=0.5, events=3), Rested()).phase is Phase.WATCHING


@pytest.mark.parametrize("trouble", [Trouble.BROKEN, Trouble.STALLED, Trouble.GARBAGE, Trouble.FAILING])
def test_a_stream_that_breaks_is_listed_next(trouble: Trouble) -> None:
    assert after(Machine(), Failed(trouble, lasted=5), Rested()).phase is Phase.LISTING


@pytest.mark.parametrize("trouble", [Trouble.FORBIDDEN, Trouble.UNREACHABLE, Trouble.THROTTLED, Trouble.MISSING])
def test_a_stream_that_never_began_is_tried_again(trouble: Trouble) -> None:
    assert after(Machine(), Failed(trouble), Rested()).phase is Phase.STREAMING


#: After these nobody knows whether the server can stream.
DOUBTS: list[Signal] = [
    Failed(Trouble.UNSUPPORTED),
    Failed(Trouble.STALLED, lasted=90),
    Ended(lasted=LATE, events=3),  # it had time to tell all, and did not say so
]


def listed(machine: Machine, signal: Signal, time: float) -> Machine:
    """A stream has failed, and a list went well."""
    listing = after(machine, signal, time=time)
    return after(after(listing, Rested(), time=time) if listing.phase is Phase.RESTING else listing, Whole(), time=time)


def begun_anew(machine: Machine, time: float) -> Phase:
    return after(machine, Failed(Trouble.EXPIRED), Rested(), time=time).phase


def test_a_server_that_says_that_it_cannot_stream_is_listed_at_once() -> None:
    assert after(Machine(), Failed(Trouble.UNSUPPORTED)).phase is Phase.LISTING


@pytest.mark.parametrize("signal", DOUBTS)
def test_a_server_that_did_not_stream_is_listed_for_ten_minutes_and_then_asked_once_more(signal: Signal) -> None:
    watching = listed(Machine(), signal, 1000.0)
    assert begun_anew(watching, 1599.0) is Phase.LISTING
    assert begun_anew(watching, 1600.0) is Phase.STREAMING
    assert after(watching, Renew(), time=1599.0).phase is Phase.LISTING
    assert after(watching, Renew(), time=1600.0).phase is Phase.STREAMING


def test_it_is_asked_less_often_each_time_but_every_day() -> None:
    machine, time, pauses = Machine(), 0.0, []
    for _ in range(9):
        machine = listed(replace(machine, phase=Phase.STREAMING), Failed(Trouble.STALLED), time)
        pauses.append((machine.doubt.until - time) / 60)
        time = machine.doubt.until
    assert pauses == [10, 20, 40, 80, 160, 320, 640, 1280, 1440]


def test_a_stream_that_goes_well_is_the_end_of_all_doubt() -> None:
    watching = listed(Machine(), Failed(Trouble.STALLED), 1000.0)
    streaming = after(watching, Failed(Trouble.EXPIRED), Rested(), time=2000.0)
    assert begun_anew(after(streaming, Whole()), 2000.0) is Phase.STREAMING


@pytest.mark.parametrize("signal", [Ended(lasted=1, events=3), Failed(Trouble.BROKEN, lasted=90)])
def test_a_server_that_was_interrupted_is_listed_once(signal: Signal) -> None:
    listing = after(Machine(), signal, Rested())
    assert listing.phase is Phase.LISTING
    assert after(listing, Whole(), Failed(Trouble.EXPIRED), Rested()).phase is Phase.STREAMING


def test_pages_that_expire_are_asked_for_in_one_and_only_once() -> None:
    unpaged = after(LISTING, Page("next"), Failed(Trouble.EXPIRED))
    assert (unpaged.phase, unpaged.token, unpaged.unpaged) == (Phase.LISTING, "", True)
    assert after(unpaged, Failed(Trouble.EXPIRED)).phase is Phase.RESTING


def test_a_list_that_fails_begins_with_its_first_page() -> None:
    assert after(LISTING, Page("next"), Failed(Trouble.FAILING), Rested()).token == ""


def test_garbage_twice_with_nothing_good_between_begins_anew() -> None:
    once = after(WATCHING, Failed(Trouble.GARBAGE), Rested())
    assert after(once, Failed(Trouble.GARBAGE), Rested()).phase is Phase.STREAMING
    assert after(once, Failed(Trouble.GARBAGE, events=1), Rested()).phase is Phase.WATCHING


def test_a_watch_that_fails_twice_where_it_was_taken_up_begins_anew() -> None:
    once = after(WATCHING, Failed(Trouble.FAILING), Rested())
    again = after(once, Opened(), Failed(Trouble.FAILING), Rested())
    assert again.phase is Phase.STREAMING
    assert after(once, Opened(), Failed(Trouble.FAILING, events=1), Rested()).phase is Phase.WATCHING
    # One that never began says nothing of where it was to begin: the server is not well.
    assert after(WATCHING, *failing(Trouble.FAILING, 9)).phase is Phase.WATCHING


def test_trouble_is_over_when_the_server_answers_well() -> None:
    assert after(WATCHING, Failed(Trouble.FORBIDDEN), Rested()).trouble is Trouble.FORBIDDEN
    assert after(WATCHING, Failed(Trouble.FORBIDDEN), Rested(), Opened()).trouble is None


def test_beginning_anew_is_possible_from_anywhere() -> None:
    for phase in Phase:
        assert after(Machine(phase), Renew()).phase is Phase.STREAMING


signals = st.one_of(
    st.just(Opened()),
    st.just(Whole()),
    st.just(Rested()),
    st.builds(Page, st.just("next")),
    st.builds(Ended, st.sampled_from([0.0, 2.0]), st.integers(0, 1)),
    st.builds(Failed, st.sampled_from(Trouble), st.sampled_from([0.0, 2.0]), st.integers(0, 1)),
)


@given(st.lists(signals))
def test_a_failure_always_leads_through_a_rest_or_cannot_repeat_itself_at_once(story: list[Signal]) -> None:
    machine = after(Machine(), *story)
    for trouble in Trouble:
        once = after(machine, Failed(trouble))
        assert once.phase is Phase.RESTING or after(once, Failed(trouble)).phase is Phase.RESTING
        assert once.phase is not Phase.RESTING or once.rest >= 0.8
