"""A hook around each reconcile, for tracing; OpenTelemetry's spans as the one that is ready.

A `Tracer` is called with the `Run` that begins, in the reconcile's own task, and returns a context manager that is held
while it runs; entered, it gives a function that is told how the run has ended.

    with tracer(run) as ended:
        ...
        ended("success", None)

`open_telemetry()` makes spans of it (`pip install kubewright[otel]`; nothing is imported before). The shape of a span:

| part        | value                                                                                             |
|-------------|---------------------------------------------------------------------------------------------------|
| name        | `reconcile <controller>`                                                                          |
| kind        | CONSUMER: the run has been waiting in a queue                                                     |
| attributes  | `kubewright.controller`, `kubewright.reconcile_id`, `kubewright.result`, `kubewright.causes.more`,|
|             | `k8s.namespace.name`, `kubewright.object.kind`, `kubewright.object.name`                          |
| events      | one `cause` for each: `event`, `kind`, `namespace`, `name`, `resource_version`, `detail`          |
| on error    | the exception as an event, the status ERROR                                                       |

The span is current while the reconciler runs, so that spans which it or its libraries begin are inside.
"""

import contextlib
import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from types import TracebackType
from typing import TYPE_CHECKING

import msgspec

from kubewright.errors import KubewrightError
from kubewright.observe.cause import Causes
from kubewright.observe.metrics import Result

if TYPE_CHECKING:
    from opentelemetry import trace

__all__ = ["Ended", "Run", "Tracer", "TracingError", "guarded", "no_tracing", "open_telemetry"]


_log = logging.getLogger(__name__)


class Run(msgspec.Struct, frozen=True, gc=False):
    """One reconcile."""

    controller: str
    kind: str
    namespace: str
    name: str
    reconcile_id: str
    causes: Causes


Ended = Callable[[Result, BaseException | None], None]
Tracer = Callable[[Run], AbstractContextManager[Ended]]


class TracingError(KubewrightError):
    """Tracing was asked for and cannot be."""


class _Untraced:
    """For every reconcile the same: nothing is noted."""

    def __enter__(self) -> Ended:
        return self._ended

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        pass

    @staticmethod
    def _ended(result: Result, error: BaseException | None) -> None:
        pass


_untraced = _Untraced()


def no_tracing(run: Run) -> AbstractContextManager[Ended]:
    """Trace nothing."""
    return _untraced


class _Guarded:
    """One run, traced by a tracer that may fail."""

    def __init__(self, tracer: Tracer, run: Run, complain: Callable[[], None]) -> None:
        self._tracer, self._run, self._complain = tracer, run, complain
        self._held: AbstractContextManager[Ended] = _untraced
        self._told: Ended = _untraced._ended

    def __enter__(self) -> Ended:
        try:
            held = self._tracer(self._run)
            self._told = held.__enter__()
            self._held = held
        except Exception:  # noqa: BLE001 - logged
            self._complain()
        return self._ended

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Whatever it returns: what a run raises is not for a tracer to swallow.
        try:
            self._held.__exit__(kind, error, trace)
        except Exception:  # noqa: BLE001 - logged
            self._complain()

    def _ended(self, result: Result, error: BaseException | None) -> None:
        try:
            self._told(result, error)
        except Exception:  # noqa: BLE001 - logged
            self._complain()


def guarded(tracer: Tracer) -> Tracer:
    """A tracer whose failures cost the trace, and never the work that is traced; the first is logged."""
    if tracer is no_tracing:
        return tracer
    told = False

    def complain() -> None:
        nonlocal told
        level = logging.DEBUG if told else logging.ERROR
        told = True
        _log.log(
            level, "The tracer fails; the work goes on without. Its next failures are told at debug.", exc_info=True
        )

    return lambda run: _Guarded(tracer, run, complain)


def open_telemetry(provider: "trace.TracerProvider | None" = None) -> Tracer:
    """Spans by OpenTelemetry, of `provider` or else of the one that is set globally."""
    try:
        from opentelemetry import trace
    except ImportError:
        raise TracingError("tracing needs OpenTelemetry, which is not installed: install kubewright[otel].") from None
    tracer = trace.get_tracer("kubewright", tracer_provider=provider)

    @contextlib.contextmanager
    def traced(run: Run) -> Iterator[Ended]:
        attributes: dict[str, str | int] = {
            "kubewright.controller": run.controller,
            "kubewright.reconcile_id": run.reconcile_id,
            "kubewright.object.kind": run.kind,
            "kubewright.object.name": run.name,
            "kubewright.causes.more": run.causes.more,
        }
        if run.namespace:
            attributes["k8s.namespace.name"] = run.namespace
        with tracer.start_as_current_span(
            f"reconcile {run.controller}", kind=trace.SpanKind.CONSUMER, attributes=attributes
        ) as span:
            for cause in run.causes.causes:
                span.add_event("cause", msgspec.structs.asdict(cause))

            def ended(result: Result, error: BaseException | None) -> None:
                span.set_attribute("kubewright.result", result)
                if error is not None:
                    span.record_exception(error)
                    span.set_status(trace.StatusCode.ERROR, str(error))

            yield ended

    return traced
