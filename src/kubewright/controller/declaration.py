"""What a controller is: a kind, a function that makes the world as an object of it says, and what that depends on.

    @kw.controller(WebServer, owns=[Deployment, Service])
    async def web_server(web: WebServer, ctx: kw.Context) -> kw.Requeue | None: ...

    @web_server.finalizer
    async def clean_up(web: WebServer, ctx: kw.Context) -> None: ...

The decorated function can still be called as what it is, in a unit test. Nothing runs and nothing is registered
anywhere: a declaration becomes work when a `kw.Operator` with it in its list is run, as often as one likes. Mistakes in
the wiring are told here, in one sentence, and not by an operator that does nothing.
"""

import inspect
import math
import re
from collections.abc import Callable, Sequence
from functools import update_wrapper
from types import FunctionType
from typing import Any, Generic, ParamSpec, TypeVar

from kubewright.client.endpoint import Endpoint, EndpointError, endpoint_of
from kubewright.client.options import Labels, read_labels
from kubewright.controller.predicate import Predicate, meaningful, read_predicates
from kubewright.controller.source import DNS_LABEL, Every, Kind, Only, Stream, Watch, read_namespaces
from kubewright.errors import KubewrightError, called
from kubewright.model.meta import info_of
from kubewright.model.resource import Resource, definition_of
from kubewright.model.selectors import LabelSelector

__all__ = ["CONCURRENCY", "TIME_LIMIT", "Controller", "WiringError", "check_name", "controller"]

P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])
G = TypeVar("G")
V = TypeVar("V")

#: So many objects are worked on at once.
CONCURRENCY = 16
#: Seconds for one reconcile: long enough for any that waits for a server, short enough to notice that one hangs.
TIME_LIMIT = 300.0


_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_FINALIZER = re.compile(rf"{_LABEL}(\.{_LABEL})*/[A-Za-z0-9]([-A-Za-z0-9_.]{{0,61}}[A-Za-z0-9])?")


class WiringError(KubewrightError):
    """A controller that cannot work as it is declared."""


class Controller(Generic[P, R]):
    """A declared controller; call it to call the reconciler itself."""

    def __init__(
        self,
        kind: Kind,
        reconcile: Callable[P, R],
        *,
        owns: Sequence[Kind | Only] = (),
        watches: Sequence[Watch | Every | Stream] = (),
        reads: Sequence[Kind | Only] = (),
        predicates: Sequence[Predicate] | None = None,
        namespaces: Sequence[str] = (),
        labels: Labels | None = None,
        concurrency: int = CONCURRENCY,
        timeout: float | None = TIME_LIMIT,
        deleting: bool = False,
        gather: float = 0.0,
        status: bool = True,
        name: str | None = None,
    ) -> None:
        update_wrapper(self, reconcile)
        called = getattr(reconcile, "__name__", repr(reconcile))
        self.name = name if name is not None else called.replace("_", "-").strip("-").lower()
        self.where = f"controller {self.name!r}"
        check_name(self.name)
        self.reconcile = reconcile
        self.endpoint = _endpoint(kind, self.where)
        #: Of which kinds in `owns` and `reads` only some objects are wanted.
        self.limits: dict[tuple[str, Endpoint[Any]], Only] = {}
        self.owns = self._endpoints(owns, "owns")
        self.reads = self._endpoints(reads, "reads")
        self.watches, self.others = _sources(watches, self.where)
        self.predicates = (meaningful,) if predicates is None else _read(read_predicates, predicates, self.where)
        self.namespaces = _read(read_namespaces, namespaces, self.where)
        if self.namespaces and not self.endpoint.namespaced:
            raise WiringError(f"{self.where}: {self.endpoint.kind} is in no namespace, so namespaces= says nothing.")
        self.labels = LabelSelector() if labels is None else _read(read_labels, labels, self.where)
        self.concurrency = concurrency
        self.timeout = timeout
        self.deleting = deleting
        self.gather = gather
        self.status = status
        self.finalize: Callable[..., Any] | None = None
        self.finalizer_name = ""
        self.clean: Callable[..., Any] | None = None
        if self.endpoint in self.owns:
            raise WiringError(
                f"{self.where}: {self.endpoint.kind} is its own kind and in owns too; take it out of owns, or declare "
                "a second controller for the children."
            )
        if status and not _has_subresource(self.endpoint):
            raise WiringError(
                f"{self.where}: the status of {self.endpoint.kind} is no subresource (status_subresource=False), so it "
                "is not written for the reconciler; say status=False, and write it with ctx.live."
            )
        if isinstance(concurrency, bool) or not isinstance(concurrency, int) or concurrency < 1:
            raise WiringError(f"{self.where}: concurrency={concurrency!r} must be a whole number from 1 up.")
        limited = timeout is None or (not isinstance(timeout, bool) and isinstance(timeout, int | float))
        if not limited or (timeout is not None and not (math.isfinite(timeout) and timeout > 0)):
            raise WiringError(f"{self.where}: timeout={timeout!r} must be seconds above 0, or None for no limit.")
        if (
            isinstance(gather, bool)
            or not isinstance(gather, int | float)
            or not (math.isfinite(gather) and gather >= 0)
        ):
            raise WiringError(f"{self.where}: gather={gather!r} must be seconds, 0 or more.")
        _check_signature(reconcile, self.where, "reconciler", self.endpoint)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """The plain function."""
        return self.reconcile(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<kubewright {self.where} for {self.endpoint.resource}>"

    def _endpoints(self, kinds: object, option: str) -> tuple[Endpoint[Any], ...]:
        if not isinstance(kinds, list | tuple | set | frozenset):
            raise WiringError(f"{self.where}: {option} is a list, as in {option}=[{called(kinds)}].")
        found: list[Endpoint[Any]] = []
        for kind in kinds:
            endpoint = _endpoint(kind.kind if isinstance(kind, Only) else kind, self.where)
            if endpoint in found:
                raise WiringError(f"{self.where}: {endpoint.kind} is in {option} twice; once is enough.")
            found.append(endpoint)
            if isinstance(kind, Only):
                if option == "owns" and not kind.fields.empty:
                    raise WiringError(
                        f"{self.where}: owns has {endpoint.kind} with fields={str(kind.fields)!r}: a child without "
                        "them would not be seen; limit it by labels."
                    )
                self.limits[option, endpoint] = kind
        return tuple(found)

    def finalizer(self, function: F | None = None, *, name: str | None = None) -> Any:
        """Have this function called for an object that is being deleted, which waits until it returned None.

        `name` is what stands in the object's finalizers; keep it for as long as there are objects that have it.
        """
        if function is None:
            return lambda given: self.finalizer(given, name=name)
        if self.finalize is not None:
            raise WiringError(f"{self.where} has a finalizer already: {called(self.finalize)}; merge the two.")
        if self.deleting:
            raise WiringError(f"{self.where}: its reconciler sees objects being deleted, so a finalizer would not.")
        _check_signature(function, self.where, "finalizer", self.endpoint)
        self.finalizer_name = name or self.usual_finalizer
        if "/" not in self.finalizer_name:
            raise WiringError(f"{self.where}: the finalizer {name!r} has no domain; name it 'example.com/{name}'.")
        if not _FINALIZER.fullmatch(self.finalizer_name) or len(self.finalizer_name.partition("/")[0]) > 253:
            raise WiringError(
                f"{self.where}: no server takes the finalizer {name!r:.100}; it is a domain and a name of 63 letters, "
                "digits, dashes, dots and underscores at most, as in 'example.com/mine'."
            )
        self.finalize = function
        return function

    @property
    def usual_finalizer(self) -> str:
        """The finalizer that it has, or would have, unless told another name."""
        group = self.endpoint.group
        return f"{group if '.' in group else 'kubewright'}/{self.name}"

    def absent(self, function: F) -> F:
        """Have this function called with the key of an object that is gone, or that somebody names and nobody made.

        For what no owner reference cleans up. An object that went while nobody ran is not told, unless a child that
        names it as its owner, or a map, leads to it.
        """
        if self.clean is not None:
            raise WiringError(f"{self.where} has a function for absent objects already: {called(self.clean)}.")
        if not inspect.iscoroutinefunction(function):
            raise WiringError(f"{self.where}: {called(function)} is called with a key and a context; write it async.")
        self.clean = function
        return function


def controller(
    kind: Kind,
    *others: object,
    owns: Sequence[Kind | Only] = (),
    watches: Sequence[Watch | Every | Stream] = (),
    reads: Sequence[Kind | Only] = (),
    predicates: Sequence[Predicate] | None = None,
    namespaces: Sequence[str] = (),
    labels: Labels | None = None,
    concurrency: int = CONCURRENCY,
    timeout: float | None = TIME_LIMIT,
    deleting: bool = False,
    gather: float = 0.0,
    status: bool = True,
    name: str | None = None,
) -> Callable[[Callable[P, R]], Controller[P, R]]:
    """Make a function the reconciler of a kind.

    `owns`: kinds that it applies; their changes lead to the owner. `watches`: what else makes it look (`kw.watch`,
    `kw.every`, `kw.stream`). `reads`: kinds that `ctx.get` and `ctx.list` answer from memory, besides these.
    `predicates`: which changes of its own kind count (all must pass; by default all but those of the status).
    `namespaces`, `labels`: of which objects; by default of all. `concurrency`: how many at once. `timeout`: seconds for
    one. `deleting`: the reconciler is called for objects being deleted, too. `gather`: so many seconds changes of
    children and of what is watched wait, so that many are one look; its own do not. `status`: whether the status that
    the function leaves is written for it; without, it writes it itself, with `ctx.live`. `name`: that of the function
    unless given; field managers and metrics have it, so keep it.
    """
    if isinstance(kind, FunctionType):
        raise WiringError(
            f"@kw.controller is given the kind that {kind.__name__} reconciles: write @kw.controller(WebServer), with "
            "yours."
        )
    if others:
        raise WiringError(
            f"@kw.controller({called(kind)}, {', '.join(map(called, others))}): a controller is for one kind; name "
            "what it makes in owns=[…], and what else it looks at in watches=[…]."
        )

    def declare(function: Callable[P, R]) -> Controller[P, R]:
        return Controller(
            kind,
            function,
            owns=owns,
            watches=watches,
            reads=reads,
            predicates=predicates,
            namespaces=namespaces,
            labels=labels,
            concurrency=concurrency,
            timeout=timeout,
            deleting=deleting,
            gather=gather,
            status=status,
            name=name,
        )

    return declare


def check_name(name: str) -> None:
    """Whether a controller can be called so."""
    if not isinstance(name, str) or not DNS_LABEL.fullmatch(name):
        raise WiringError(
            f"controller {name!r}: a controller's name is lower-case letters, digits and dashes, 63 at most; give it "
            'one: @kw.controller(…, name="web").'
        )


def _endpoint(kind: object, where: str) -> Endpoint[Any]:
    if isinstance(kind, str):
        raise WiringError(
            f"{where}: {kind!r} is the name of a kind, not a kind: give its class, from kubewright.k8s or your own; "
            "for one without a class, kubewright.client.Endpoint(group, version, plural, kind, namespaced)."
        )
    try:
        return endpoint_of(kind)  # type: ignore[arg-type]  # what is none is told so
    except (EndpointError, KubewrightError) as error:
        raise WiringError(f"{where}: {error}") from error


def _read(read: Callable[[G], V], given: G, where: str) -> V:
    """What an option says; what is wrong with it is told with the controller's name."""
    try:
        return read(given)
    except KubewrightError as error:
        raise WiringError(f"{where}: {error}") from error


def _has_subresource(endpoint: Endpoint[Any]) -> bool:
    """Whether the class of a kind says that its status, if it has one, is written by itself."""
    model = endpoint.model
    if not (isinstance(model, type) and issubclass(model, Resource)) or "status" not in info_of(model).wire_names:
        return True
    return definition_of(model).status_subresource


def _sources(given: object, where: str) -> tuple[tuple[Watch, ...], tuple[Every | Stream, ...]]:
    if not isinstance(given, list | tuple):
        raise WiringError(f"{where}: watches is a list, as in watches=[kw.watch(…)].")
    watches, others = [], []
    for each in given:
        if isinstance(each, Watch):
            _endpoint(each.kind, where)
            watches.append(each)
        elif isinstance(each, Every | Stream):
            others.append(each)
        else:
            raise WiringError(
                f"{where}: watches has {called(each)}, which does not say whose objects it concerns; write "
                f"kw.watch({called(each)}, map=…), or put it into owns=[…] if it is a child."
            )
    return tuple(watches), tuple(others)


def _check_signature(function: object, where: str, role: str, endpoint: Endpoint[Any]) -> None:
    """Whether it can be called with an object and a context, and does not say that it wants another kind."""
    if isinstance(function, Controller):
        raise WiringError(f"{where}: {function!r} is a controller already; a function is the reconciler of one kind.")
    if not callable(function) or isinstance(function, type):
        raise WiringError(f"{where}: the {role} is a function of an object and a context, not {function!r:.60}.")
    if inspect.isasyncgenfunction(function) or inspect.isgeneratorfunction(function):
        raise WiringError(f"{where}: the {role} {called(function)} yields; it should return once, at the end.")
    signature = inspect.signature(function)
    try:
        signature.bind(object(), object())
    except TypeError:
        raise WiringError(
            f"{where}: the {role} {called(function)}({', '.join(signature.parameters)}) is called with two "
            f"arguments, the object and the context; write it as (obj: {endpoint.kind}, ctx: kw.Context)."
        ) from None
    wanted = next(iter(signature.parameters.values())).annotation
    kind = endpoint.model
    if kind is not None and isinstance(wanted, type) and issubclass(wanted, Resource) and not issubclass(kind, wanted):
        raise WiringError(
            f"{where}: the {role} {called(function)} takes a {wanted.__name__}, but the controller is for "
            f"{kind.__name__}."
        )
