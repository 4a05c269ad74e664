import contextlib
import logging
import sys
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from kubewright.observe import Cause, Causes, Run, no_tracing, open_telemetry
from kubewright.observe.metrics import Result
from kubewright.observe.trace import TracingError, guarded

CAUSES = Causes((Cause("updated", "Deployment", "default", "web", "17"), Cause("requeued")), 3)


def spans(result: Result, error: BaseException | None, namespace: str = "default") -> tuple[ReadableSpan, ...]:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracer = open_telemetry(provider)
    with tracer(Run("web", "WebServer", namespace, "shop", "id-1", CAUSES)) as ended:
        with provider.get_tracer("user").start_as_current_span("inner"):
            pass
        ended(result, error)
    return exporter.get_finished_spans()


def test_a_reconcile_is_a_span_with_what_it_was_about() -> None:
    _, span = spans("success", None)
    assert span.name == "reconcile web"
    assert span.kind == trace.SpanKind.CONSUMER
    assert dict(span.attributes or {}) == {
        "kubewright.controller": "web",
        "kubewright.reconcile_id": "id-1",
        "kubewright.object.kind": "WebServer",
        "kubewright.object.name": "shop",
        "kubewright.causes.more": 3,
        "kubewright.result": "success",
        "k8s.namespace.name": "default",
    }
    assert span.status.is_unset


def test_its_causes_are_events_of_the_span() -> None:
    _, span = spans("success", None)
    assert [event.name for event in span.events] == ["cause", "cause"]
    first = dict(span.events[0].attributes or {})
    assert first == msgspec.structs.asdict(Cause("updated", "Deployment", "default", "web", "17"))


def test_what_is_traced_within_is_inside() -> None:
    inner, outer = spans("success", None)
    assert inner.parent == outer.get_span_context()


def test_an_error_is_in_the_span() -> None:
    _, span = spans("error", ValueError("no such image"), namespace="")
    assert not span.status.is_ok
    assert span.status.description == "no such image"
    assert span.events[-1].name == "exception"
    assert "k8s.namespace.name" not in (span.attributes or {})


def test_without_opentelemetry_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    with pytest.raises(TracingError, match=r"install kubewright\[otel\]"):
        open_telemetry()


def test_tracing_nothing_takes_everything() -> None:
    with no_tracing(Run("web", "WebServer", "default", "shop", "id-1", CAUSES)) as ended:
        ended("error", ValueError())


def _broken(run: Run) -> Any:
    raise RuntimeError("it fails at its begin")


@contextlib.contextmanager
def _broken_in_between(run: Run) -> Iterator[Any]:
    def ended(result: Result, error: BaseException | None) -> None:
        raise RuntimeError("it fails when it is told")

    yield ended


@contextlib.contextmanager
def _broken_at_the_end(run: Run) -> Iterator[Any]:
    yield lambda result, error: None
    raise RuntimeError("it fails at its end")


@pytest.mark.parametrize("tracer", [_broken, _broken_in_between, _broken_at_the_end])
def test_a_tracer_that_fails_costs_the_trace_alone_and_is_told_of_once(
    tracer: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    done = []
    traced = guarded(tracer)
    for number in range(3):
        with traced(Run("web", "WebServer", "default", "shop", "id-1", CAUSES)) as ended:
            ended("success", None)
            done.append(number)
    assert done == [0, 1, 2]
    assert len(caplog.records) == 1
    assert "it fails" in caplog.text


def test_what_a_run_raises_is_not_for_its_tracer_to_swallow() -> None:
    traced = guarded(lambda run: contextlib.suppress(ValueError))  # type: ignore[arg-type, return-value]
    with (
        pytest.raises(ValueError, match="of the run"),
        traced(Run("web", "WebServer", "default", "shop", "id-1", CAUSES)),
    ):
        raise ValueError("of the run")
