"""An object that goes in circles is told of, and no other."""

import pytest

from kubewright.cache import Key
from kubewright.controller.circles import Circles
from kubewright.observe import Cause, Causes, Run

SHOP = Key("default", "shop")
OWN = Cause("updated", "ConfigMap", "default", "shop", "7")


def run(key: Key, *causes: Cause) -> Run:
    return Run("config", "ConfigMap", *key, "id", Causes(causes))


def test_an_object_that_its_own_changes_bring_back_is_told_of_once_in_a_while(caplog: pytest.LogCaptureFixture) -> None:
    circles = Circles()
    told: list[float] = []
    for step in range(30_000):
        circles.count(SHOP, run(SHOP, Cause("requeued"), OWN), step / 20)
        if len(caplog.records) > len(told):
            told.append(step / 20)
    assert "ConfigMap default/shop was reconciled 100 times within 4.95 s" in caplog.messages[0]
    assert "because of: updated ConfigMap default/shop @7. If" in caplog.messages[0]
    assert [round(at) for at in told] == [5, 618, 1231]  # of each ten seconds the fifth, ten minutes after the last


@pytest.mark.parametrize(
    "cause",
    [
        Cause("updated", "Pod", "default", "shop", "7"),
        Cause("updated", "ConfigMap", "default", "till", "7"),
        Cause("triggered", detail="stream"),
    ],
)
def test_an_object_that_others_keep_busy_is_not_told_of(cause: Cause, caplog: pytest.LogCaptureFixture) -> None:
    circles = Circles()
    for step in range(1000):
        circles.count(SHOP, run(SHOP, cause), step / 1000)
    assert not caplog.records


def test_an_object_whose_child_is_changed_again_each_time_is_told_of(caplog: pytest.LogCaptureFixture) -> None:
    child = Cause("updated", "Pod", "default", "shop-1", "7")
    circles = Circles(lambda cause: cause is child)
    for step in range(1000):
        circles.count(SHOP, run(SHOP, child, Cause("requeued")), step / 1000)
    (told,) = caplog.messages
    assert "the last time because of: updated Pod default/shop-1 @7. Its reconciler has changed that again" in told


def test_an_object_that_changes_now_and_then_is_not_told_of(caplog: pytest.LogCaptureFixture) -> None:
    circles = Circles()
    for step in range(1000):
        circles.count(SHOP, run(SHOP, OWN), step / 9)
    assert not caplog.records


def test_it_is_found_among_others_and_a_crowd_takes_no_memory(caplog: pytest.LogCaptureFixture) -> None:
    circles = Circles()
    for step in range(20_000):
        other = Key("default", f"web-{step}")
        circles.count(other, run(other, OWN), step / 10_000)
        circles.count(SHOP, run(SHOP, OWN), step / 10_000)
        assert len(circles._counts) <= 1001
    assert [record.args[1] for record in caplog.records if isinstance(record.args, tuple)] == [SHOP]
