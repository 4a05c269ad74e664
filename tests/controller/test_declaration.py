"""Controllers as they are declared, and what is wrong with some."""

from collections.abc import Callable
from typing import Any

import pytest

import kubewright as kw
from kubewright.client.endpoint import Endpoint
from kubewright.controller.declaration import CONCURRENCY, TIME_LIMIT, Controller, WiringError
from kubewright.controller.predicate import everything
from kubewright.k8s.apps.v1 import Deployment
from kubewright.k8s.core.v1 import ConfigMap, Namespace, Secret, Service


async def plain(config: ConfigMap, ctx: kw.Context) -> None:
    """Say so."""


def declare(kind: Any = ConfigMap, function: Callable[..., Any] = plain, **options: Any) -> Controller[Any, Any]:
    declared: Controller[Any, Any] = kw.controller(kind, **options)(function)
    return declared


def test_the_decorated_function_can_be_called_as_what_it_is() -> None:
    @kw.controller(ConfigMap)
    def adds(config: ConfigMap, ctx: kw.Context, more: int = 1) -> int:
        """It adds."""
        return more + 1

    assert adds(ConfigMap(), None, more=4) == 5  # type: ignore[arg-type]
    assert (vars(adds)["__name__"], adds.__doc__) == ("adds", "It adds.")


def test_what_is_not_said_has_its_default() -> None:
    controller = declare()
    assert (controller.name, controller.concurrency, controller.timeout) == ("plain", CONCURRENCY, TIME_LIMIT)
    assert controller.endpoint.kind == "ConfigMap"


def test_a_kind_without_a_class_is_given_as_an_endpoint() -> None:
    endpoint: Endpoint[Any] = Endpoint("example.com", "v1", "things", "Thing", True)

    async def untyped(thing: dict[str, Any], ctx: kw.Context) -> None:
        """Nothing."""

    assert declare(endpoint, untyped).endpoint == endpoint


class NoKind(kw.Model):
    """Not a resource."""


class Abstract(kw.Resource):
    """A resource without a group."""


async def tidy(namespace: Namespace, ctx: kw.Context) -> None:
    """Nothing."""


async def one_argument(config: ConfigMap) -> None:
    """Too few."""


async def three_arguments(config: ConfigMap, ctx: kw.Context, more: int) -> None:
    """Too many."""


async def wrong_kind(secret: Secret, ctx: kw.Context) -> None:
    """Another kind."""


class Unsplit(kw.Resource, group="example.com", version="v1", status_subresource=False):
    """Its status is a field like any other."""

    status: kw.Status = kw.field(default_factory=kw.Status)


async def unsplit(obj: Unsplit, ctx: kw.Context) -> None:
    """Of such a kind."""


async def yields(config: ConfigMap, ctx: kw.Context) -> Any:
    """Never returns at all."""
    yield config


@pytest.mark.parametrize(
    ("words", "make"),
    [
        ("one kind", lambda: kw.controller(ConfigMap, Secret)),
        (r"the kind that plain reconciles: write @kw.controller\(", lambda: kw.controller(plain)),  # type: ignore[arg-type]
        ("give its class", lambda: declare("configmaps")),
        ("controller 'plain': NoKind is no kind", lambda: declare(NoKind)),
        ("not a kind", lambda: declare(Abstract)),
        ("no kind", lambda: declare(owns=[int])),
        ("owns is a list", lambda: declare(owns=Service)),
        ("reads is a list", lambda: declare(reads=Service)),
        ("in owns twice", lambda: declare(owns=[Service, Service])),
        ("its own kind", lambda: declare(owns=[ConfigMap])),
        (r"kw.watch\(Secret, map=…\)", lambda: declare(watches=[Secret])),
        ("watches is a list", lambda: declare(watches=kw.every(5))),
        ("namespaces is a list", lambda: declare(namespaces="default")),
        ("controller 'plain': namespaces is a list of names, not None", lambda: declare(namespaces=None)),
        ("controller 'plain': namespaces has None", lambda: declare(namespaces=[None])),
        ("Namespace is in no namespace", lambda: declare(Namespace, tidy, namespaces=["default"])),
        ("concurrency=0", lambda: declare(concurrency=0)),
        ("concurrency=True", lambda: declare(concurrency=True)),
        ("timeout=-1", lambda: declare(timeout=-1)),
        ("gather=-1", lambda: declare(gather=-1)),
        ("sees objects being deleted", lambda: declare(deleting=True).finalizer(plain)),
        ("write it async", lambda: declare().absent(lambda key, ctx: None)),
        ("a controller's name", lambda: declare(name="Web Server")),
        ("a controller's name", lambda: declare(name=5)),
        ("controller 'plain': labels are a text", lambda: declare(labels=["a"])),
        (r"one_argument\(\w+\) is called with two arguments", lambda: declare(function=one_argument)),
        ("two arguments", lambda: declare(function=three_arguments)),
        ("takes a Secret", lambda: declare(function=wrong_kind)),
        ("yields", lambda: declare(function=yields)),
        ("a function", lambda: declare(function=ConfigMap)),
        ("a controller already", lambda: declare(Deployment, declare())),
        ("predicates is a list", lambda: declare(predicates=everything)),
        ("answers at once", lambda: declare(predicates=[plain])),
        ("controller 'plain': found '='", lambda: declare(labels="a=b=c")),
        ("say status=False", lambda: declare(Unsplit, unsplit)),
    ],
)
def test_a_mistake_in_the_wiring_is_told_when_it_is_made(words: str, make: Callable[[], Any]) -> None:
    with pytest.raises(WiringError, match=words) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_a_finalizer_is_named_after_the_group_and_the_controller() -> None:
    controller = declare()
    assert controller.finalizer(plain) is plain
    assert controller.finalizer_name == "kubewright/plain"
    named = declare()
    named.finalizer(name="example.com/mine")(plain)
    assert named.finalizer_name == "example.com/mine"


def test_a_second_finalizer_and_one_without_a_domain_are_refused() -> None:
    controller = declare()
    controller.finalizer(plain)
    with pytest.raises(WiringError, match="finalizer already"):
        controller.finalizer(plain)
    with pytest.raises(WiringError, match="has no domain"):
        declare().finalizer(name="mine")(plain)


@pytest.mark.parametrize(
    "name", ["example.com/Bad Name!", "Example.com/mine", "example.com/", "a/b/c", "a..b/c", f"example.com/{'a' * 64}"]
)
def test_a_finalizer_that_no_server_takes_is_refused(name: str) -> None:
    with pytest.raises(WiringError, match="no server takes the finalizer"):
        declare().finalizer(name=name)(plain)


def test_a_status_that_is_no_subresource_is_no_hindrance_to_who_leaves_it_alone() -> None:
    assert not declare(Unsplit, unsplit, status=False).status


def test_labels_are_given_as_they_are_to_the_client() -> None:
    assert str(declare(labels={"tier": "gold"}).labels) == str(declare(labels="tier=gold").labels) == "tier=gold"
