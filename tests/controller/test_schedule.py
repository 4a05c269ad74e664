"""Which key is worked on next, against a model that is too slow to be wrong."""

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from kubewright.controller.schedule import QueueError, Schedule

KEYS = st.integers(0, 7)
PRIORITIES = st.sampled_from([-100, -1, 0, 0, 0, 5, 1000])
PATIENCE = 10.0


@dataclass
class Owed:
    """Work on a key that was asked for and has not begun: at what time it is due, and where it stands in line."""

    at: float
    priority: int
    order: int = 0
    since: float | None = None
    entered: int = 0


class Model(RuleBasedStateMachine):
    """Every promise of the schedule, looked up in plain lists each time."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 100.0
        self.schedule: Schedule[int] = Schedule(PATIENCE)
        self.owed: dict[int, Owed] = {}
        self.working: dict[int, int] = {}
        self.ticks = 0
        self.old_was_taken = False
        self.budgets: dict[int, int] = {}
        self.shut = False

    def tick(self) -> int:
        self.ticks += 1
        return self.ticks

    def line(self) -> list[int]:
        """The keys that can be taken, the oldest first."""
        ready = [(owed.since, owed.entered, key) for key, owed in self.owed.items() if owed.since is not None]
        return [key for _, _, key in sorted(ready)]

    def ready(self, key: int) -> None:
        owed = self.owed[key]
        owed.since, owed.entered, owed.order = self.now, self.tick(), self.tick()

    @rule(key=KEYS, priority=PRIORITIES, after=st.sampled_from([0.0, 0.0, -1.0, 1.0, 2.0, 5.0]))
    def add(self, key: int, priority: int, after: float) -> None:
        could = self.schedule.add(key, self.now, priority, after)
        if self.shut:
            assert not could
            return
        at = self.now + max(after, 0)
        owed = self.owed.get(key)
        before = owed is not None and owed.since is not None
        if owed is None:
            owed = self.owed[key] = Owed(at, priority, self.tick())
        else:
            if owed.since is not None and priority > owed.priority:
                owed.order = self.tick()
            owed.priority = max(owed.priority, priority)
            if at < owed.at:
                owed.at, owed.order = at, self.tick() if owed.since is None else owed.order
        if owed.at <= self.now and owed.since is None and key not in self.working:
            self.ready(key)
        assert could == (not before and owed.since is not None)

    @rule(seconds=st.sampled_from([0.5, 1.0, 3.0, 11.0]))
    def wait(self, seconds: float) -> None:
        self.now += seconds
        due = [key for key, owed in self.owed.items() if owed.at <= self.now and owed.since is None]
        due = [key for key in due if key not in self.working]
        for key in sorted(due, key=lambda key: (self.owed[key].at, self.owed[key].order)):
            self.ready(key)
        assert self.schedule.advance(self.now) == len(due)

    @precondition(lambda self: self.line())
    @rule()
    def take(self) -> None:
        line = self.line()
        for place, key in enumerate(line):
            if self.now - self.since(key) >= PATIENCE:
                self.budgets.setdefault(key, 2 * (place + 1))
        self.old_was_taken = not self.old_was_taken and self.now - self.since(line[0]) >= PATIENCE
        first = min(line, key=lambda key: (-self.owed[key].priority, self.owed[key].order))
        expected = line[0] if self.old_was_taken else first
        assert self.schedule.take(self.now) == expected
        assert expected not in self.working, "two workers on one key"
        self.working[expected] = self.owed.pop(expected).priority
        self.budgets.pop(expected, None)
        for key in self.budgets:
            self.budgets[key] -= 1
            assert self.budgets[key] > 0, "an old key was overtaken too often"

    def since(self, key: int) -> float:
        since = self.owed[key].since
        assert since is not None
        return since

    @precondition(lambda self: self.working)
    @rule(data=st.data())
    def done(self, data: st.DataObject) -> None:
        key = data.draw(st.sampled_from(sorted(self.working)))
        del self.working[key]
        again = key in self.owed and self.owed[key].at <= self.now
        if again:
            self.ready(key)
        assert self.schedule.done(key, self.now) == again

    @precondition(lambda self: self.working)
    @rule(data=st.data())
    def again(self, data: st.DataObject) -> None:
        key = data.draw(st.sampled_from(sorted(self.working)))
        assert not self.schedule.again(key, self.now, 3.0)
        if not self.shut:
            owed = self.owed.setdefault(key, Owed(self.now + 3.0, self.working[key], self.tick()))
            owed.priority = max(owed.priority, self.working[key])
            if owed.at > self.now + 3.0:
                owed.at, owed.order = self.now + 3.0, self.tick()

    @rule(key=KEYS)
    def discard(self, key: int) -> None:
        idle = key not in self.working
        assert self.schedule.discard(key) == idle
        if idle:
            self.owed.pop(key, None)
            self.budgets.pop(key, None)

    @precondition(lambda self: self.ticks > 20)
    @rule(drain=st.booleans())
    def shut_down(self, drain: bool) -> None:
        self.schedule.shut(drain)
        self.shut = True
        self.owed = {key: owed for key, owed in self.owed.items() if drain and owed.at <= self.now}
        self.budgets = {key: budget for key, budget in self.budgets.items() if key in self.owed}

    @invariant()
    def counts_agree(self) -> None:
        line = self.line()
        assert len(self.schedule) == len(line)
        assert self.schedule.idle == (not line and not self.working)
        assert self.schedule.waiting == sum(owed.at > self.now for owed in self.owed.values())
        depths: dict[int, int] = {}
        for key in line:
            depths[self.owed[key].priority] = depths.get(self.owed[key].priority, 0) + 1
        assert self.schedule.depths() == depths
        assert self.schedule.waited(self.now) == (self.now - self.since(line[0]) if line else 0)

    @invariant()
    def the_next_deadline_is_not_missed(self) -> None:
        waiting = [owed.at for owed in self.owed.values() if owed.at > self.now]
        if waiting:
            assert self.schedule.due is not None
            assert self.schedule.due <= min(waiting)

    def teardown(self) -> None:
        """Whatever was added is worked on in the end, once."""
        taken: list[int] = []
        while self.working or self.owed:
            for key in sorted(self.working):
                del self.working[key]
                self.schedule.done(key, self.now)
            self.now += 10
            self.schedule.advance(self.now)
            while len(self.schedule):
                key = self.schedule.take(self.now)
                taken.append(key)
                del self.owed[key]
                self.working[key] = 0
        assert len(taken) == len(set(taken))
        assert self.schedule.idle


TestModel: Any = Model.TestCase


class Tally:
    """A meter that keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[str, float]] = []

    def added(self) -> None:
        self.told.append(("added", 0))

    def retried(self) -> None:
        self.told.append(("retried", 0))

    def queued(self, seconds: float) -> None:
        self.told.append(("queued", seconds))

    def worked(self, seconds: float) -> None:
        self.told.append(("worked", seconds))


def test_a_meter_hears_of_adds_and_durations() -> None:
    tally = Tally()
    schedule = Schedule[str](meter=tally)
    schedule.add("a", 0.0)
    schedule.add("a", 1.0)
    schedule.take(3.0)
    schedule.add("a", 4.0)
    schedule.done("a", 5.0)
    assert tally.told == [("added", 0), ("queued", 3.0), ("added", 0), ("worked", 2.0)]


def test_a_delayed_key_is_queued_from_its_deadline_on() -> None:
    tally = Tally()
    schedule = Schedule[str](meter=tally)
    schedule.add("a", 0.0, after=5.0)
    schedule.advance(6.0)
    schedule.take(7.0)
    assert tally.told == [("added", 0), ("queued", 2.0)]


def test_work_under_way_is_summed_and_the_longest_told() -> None:
    schedule = Schedule[str]()
    for start, key in enumerate("abc"):
        schedule.add(key, 0.0)
        schedule.take(float(start))
    assert (schedule.unfinished(10.0), schedule.longest(10.0)) == (27.0, 10.0)


def test_a_key_that_nobody_works_on_cannot_be_given_back() -> None:
    schedule = Schedule[str]()
    schedule.add("a", 0.0)
    with pytest.raises(QueueError, match="nobody works on 'a'"):
        schedule.done("a", 0.0)


def test_a_backlog_grown_old_leaves_every_second_place_to_what_is_urgent() -> None:
    schedule = Schedule[str](patience=10.0)
    for number in range(4):
        schedule.add(f"old{number}", 0.0, -100)
    for number in range(4):
        schedule.add(f"new{number}", 20.0)
    taken = [schedule.take(20.0) for _ in range(8)]
    assert taken == ["old0", "new0", "old1", "new1", "old2", "new2", "old3", "new3"]


def test_until_it_is_old_a_backlog_lets_everything_urgent_pass() -> None:
    schedule = Schedule[str](patience=10.0)
    schedule.add("old", 0.0, -100)
    for number in range(4):
        schedule.add(f"new{number}", 9.0)
    assert [schedule.take(9.5) for _ in range(5)] == ["new0", "new1", "new2", "new3", "old"]


def test_deadlines_brought_forward_a_thousand_times_leave_no_thousand_behind() -> None:
    schedule = Schedule[str]()
    for number in range(1000):
        schedule.add("a", 0.0, after=2000.0 - number)
    assert len(schedule._deadlines) < 100
    assert schedule.advance(1001.0) == 1
    assert schedule.due is None or schedule.advance(3000.0) == 0


def test_a_priority_used_once_leaves_nothing_behind() -> None:
    schedule = Schedule[int]()
    for number in range(1000):
        schedule.add(number, 0.0, priority=number)
        schedule.done(schedule.take(0.0), 0.0)
    assert len(schedule._lanes) <= 1
