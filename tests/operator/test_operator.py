"""Operators as they are declared."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from tests.operator.web import WebServer, web_server

import kubewright as kw
from kubewright.controller.declaration import WiringError
from kubewright.observe import Registry


def held(name: str) -> Any:
    """A controller of that name, with the finalizer that all have."""
    controller = kw.controller(WebServer, name=name)(lambda web, ctx: None)
    controller.finalizer(lambda web, ctx: None, name="example.com/held")
    return controller


def retries() -> Registry:
    registry = Registry()
    registry.counter("workqueue_retries_total", "Mine.", ("mine",))
    return registry


@pytest.mark.parametrize(
    ("words", "make"),
    [
        ("its name", lambda: kw.Operator("Web Operator", [web_server])),
        ("are a list", lambda: kw.Operator("web", web_server)),  # type: ignore[arg-type]
        ("'web': print is no controller", lambda: kw.Operator("web", [print])),  # type: ignore[list-item]
        ("would do nothing", lambda: kw.Operator("web", [])),
        ("two files", lambda: kw.Operator("web", [web_server], metrics_tls="tls.crt")),  # type: ignore[arg-type]
        ("grace=-1 must", lambda: kw.Operator("web", [web_server], grace=-1)),
        ("is no kubewright.observe.Registry", lambda: kw.Operator("web", [web_server], metrics={})),  # type: ignore[arg-type]
        ("another workqueue_retries_total already", lambda: kw.Operator("web", [web_server], metrics=retries())),
        ("a check is a plain", lambda: kw.Operator("web", [web_server], ready={"db": asyncio.sleep})),  # type: ignore[dict-item]
        ("tracer=None is no function", lambda: kw.Operator("web", [web_server], tracer=None)),  # type: ignore[arg-type]
        ("operator None: its name is", lambda: kw.Operator(None, [web_server])),  # type: ignore[arg-type]
        ("ready is checks by their names", lambda: kw.Operator("web", [web_server], ready=[print])),  # type: ignore[arg-type]
        ("field_manager=5 is no name", lambda: kw.Operator("web", [web_server], field_manager=5)),  # type: ignore[arg-type]
        (
            "the durations of its Lease",
            lambda: kw.Operator("web", [web_server], leader_election=kw.LeaderElection(durations=None)),  # type: ignore[arg-type]
        ),
        ("metrics_guarded", lambda: kw.Operator("web", [web_server], metrics_guarded=True)),
        ("metrics_address: 'foo' is no address", lambda: kw.Operator("web", [web_server], metrics_address="foo")),
        ("health_address: ':99999' is no", lambda: kw.Operator("web", [web_server], health_address=":99999")),
        (
            "health_address: 8081 is no address",
            lambda: kw.Operator("web", [web_server], health_address=8081),  # type: ignore[arg-type]
        ),
        ("neither True nor a", lambda: kw.Operator("web", [web_server], leader_election="yes")),  # type: ignore[arg-type]
        (
            "the name of its Lease cannot be 'A B'",
            lambda: kw.Operator("web", [web_server], leader_election=kw.LeaderElection(name="A B")),
        ),
        (
            "the namespace of its Lease cannot be 'a/b'",
            lambda: kw.Operator("web", [web_server], leader_election=kw.LeaderElection(namespace="a/b")),
        ),
        ("namespaces is a list", lambda: kw.Operator("web", [web_server], namespaces="a")),
        ("operator 'web': namespaces has None", lambda: kw.Operator("web", [web_server], namespaces=[None])),  # type: ignore[list-item]
        ("operator 'web': namespaces has ''", lambda: kw.Operator("web", [web_server], namespaces=[""])),
        ("two controllers called", lambda: kw.Operator("web", [web_server, web_server])),
        ("'one' and controller 'two' have the same finalizer", lambda: kw.Operator("web", [held("one"), held("two")])),
    ],
)
def test_a_mistake_is_told_when_it_is_made(words: str, make: Callable[[], Any]) -> None:
    with pytest.raises(WiringError, match=words):
        make()


def test_it_says_what_it_is() -> None:
    assert repr(kw.Operator("web", [web_server])) == "<kubewright operator 'web': web-server>"


def test_an_election_is_had_by_asking_for_one() -> None:
    assert kw.Operator("web", [web_server]).leader_election is None
    assert kw.Operator("web", [web_server], leader_election=True).leader_election == kw.LeaderElection()
