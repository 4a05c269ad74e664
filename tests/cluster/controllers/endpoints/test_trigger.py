"""When a change happened."""

from datetime import UTC, datetime

from tests.cluster.controllers.endpoints.make import make_pod, make_service

from kubewright.cache import Key
from kubewright.cluster.controllers.endpoints.trigger import Triggers

KEY = Key("default", "web")


def at(second: int) -> str:
    return f"2026-01-01T12:00:{second:02}Z"


def test_of_a_new_service_it_is_when_that_was_made() -> None:
    service = make_service()
    service.metadata.creation_timestamp = datetime(2026, 1, 1, 12, 0, 3, tzinfo=UTC)
    assert Triggers().look(KEY, service, [make_pod("a", since=at(1))]) == at(3)


def test_then_it_is_the_earliest_change_that_is_new() -> None:
    triggers, service = Triggers(), make_service()
    triggers.look(KEY, service, [make_pod("a", since=at(1)), make_pod("b", since=at(2))])
    assert triggers.look(KEY, service, [make_pod("a", since=at(1)), make_pod("b", since=at(2))]) == ""
    later = [make_pod("a", since=at(9)), make_pod("b", since=at(7)), make_pod("c", since=at(8))]
    assert triggers.look(KEY, service, later) == at(7)


def test_a_service_that_is_gone_is_forgotten() -> None:
    triggers, service = Triggers(), make_service()
    service.metadata.creation_timestamp = datetime(2026, 1, 1, 12, 0, 3, 500000, tzinfo=UTC)
    triggers.look(KEY, service, [])
    triggers.forget(KEY)
    assert triggers.look(KEY, service, []) == "2026-01-01T12:00:03.5Z"
