import logging
import math
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import Metric
from prometheus_client.openmetrics.parser import text_string_to_metric_families as read_openmetrics
from prometheus_client.parser import text_string_to_metric_families as read_text

from kubewright.observe.exposition import OPENMETRICS, TEXT, expose, negotiate
from kubewright.observe.instruments import Registry

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def samples(families: Iterable[Metric]) -> Samples:
    return {(s.name, tuple(sorted(s.labels.items()))): s.value for family in families for s in family.samples}


def both(registry: Registry) -> tuple[Samples, Samples]:
    """What others read from what we write, in each format."""
    text = samples(read_text(expose(registry).decode()))
    strict = read_openmetrics(expose(registry, OPENMETRICS).decode())  # type: ignore[no-untyped-call]  # it has no types
    return text, samples(strict)


words = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
numbers = st.one_of(st.integers(-(2**53), 2**53), st.floats(allow_nan=False))  # readers hold floats, some integers too


@given(st.dictionaries(st.tuples(words, words), numbers, max_size=5), words)
def test_what_is_written_is_read_back_by_others(values: dict[tuple[str, str], float], help_: str) -> None:
    registry = Registry()
    family = registry.gauge("some_gauge", help_.replace("\r", ""), ("first", "second"))
    for labels, value in values.items():
        family.of(*labels).set(value)
    wanted = {("some_gauge", (("first", one), ("second", two))): float(n) for (one, two), n in values.items()}
    for read in both(registry):
        assert read == wanted


@given(st.lists(st.floats(0, 1e9), max_size=20))
def test_a_histogram_is_read_back_by_others(values: list[float]) -> None:
    registry = Registry()
    histogram = registry.histogram("took_seconds", "Took.", (1, 2.5, 1048576), ("who",)).of("ada")
    for value in values:
        histogram.observe(value)
    for read in both(registry):
        counts = {labels: n for (name, labels), n in read.items() if name == "took_seconds_bucket"}
        bounds = {float(dict(labels)["le"]): n for labels, n in counts.items()}
        assert bounds == {bound: sum(v <= bound for v in values) for bound in (1, 2.5, 1048576, math.inf)}
        assert read["took_seconds_count", (("who", "ada"),)] == len(values)
        assert read["took_seconds_sum", (("who", "ada"),)] == pytest.approx(sum(values))


def test_the_text_is_as_prometheus_documents_it() -> None:
    registry = Registry()
    registry.counter("asked_total", 'Who "asked"\\\n.', ("path",)).of('a"b\\c\nd').inc(3)
    registry.histogram("took_seconds", "Took.", (0.005, 1, 16777216)).of().observe(0.5)
    assert expose(registry).decode().splitlines() == [
        '# HELP asked_total Who "asked"\\\\\\n.',
        "# TYPE asked_total counter",
        'asked_total{path="a\\"b\\\\c\\nd"} 3',
        "# HELP took_seconds Took.",
        "# TYPE took_seconds histogram",
        'took_seconds_bucket{le="0.005"} 0',
        'took_seconds_bucket{le="1"} 1',
        'took_seconds_bucket{le="1.6777216e+07"} 1',
        'took_seconds_bucket{le="+Inf"} 1',
        "took_seconds_sum 0.5",
        "took_seconds_count 1",
    ]


def test_openmetrics_names_a_counter_without_its_suffix_and_ends() -> None:
    registry = Registry()
    registry.counter("asked_total", "Asked.").of().inc()
    registry.histogram("took_seconds", "Took.", (1,)).of()
    text = expose(registry, OPENMETRICS).decode()
    assert text.startswith("# HELP asked Asked.\n# TYPE asked counter\nasked_total 1\n")
    assert 'le="1.0"' in text
    assert text.endswith("\n# EOF\n")


@pytest.mark.parametrize(
    ("value", "text"), [(math.nan, "NaN"), (math.inf, "+Inf"), (-math.inf, "-Inf"), (2**70, str(2**70))]
)
def test_numbers_that_are_no_usual_ones_have_their_spelling(value: float, text: str) -> None:
    registry = Registry()
    registry.gauge("g", "G.").of().set(value)
    assert expose(registry).decode().splitlines()[-1] == f"g {text}"


def test_a_gauge_with_nothing_to_say_has_no_sample() -> None:
    registry = Registry()
    registry.gauge("g", "G.").of().reads(lambda: None)
    assert expose(registry) == b""


def test_a_gauge_that_cannot_be_read_does_not_spoil_the_others(caplog: pytest.LogCaptureFixture) -> None:
    def broken() -> float:
        raise RuntimeError("no")

    registry = Registry()
    registry.gauge("broken", "G.").of().reads(broken)
    registry.gauge("whole", "G.").of().set(1)
    with caplog.at_level(logging.WARNING):
        assert expose(registry).decode().splitlines()[-1] == "whole 1"
    assert caplog.messages == ["broken{} could not be read: RuntimeError: no"]


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        (None, TEXT),
        (b"*/*", TEXT),
        (b"application/json", TEXT),
        (b"application/openmetrics-text", OPENMETRICS),
        (b"application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1", OPENMETRICS),
        (b"application/openmetrics-text;q=0.2, text/plain", TEXT),
        (b"application/openmetrics-text; version=0.0.1", TEXT),
        (b"application/openmetrics-text;q=none", TEXT),
    ],
)
def test_who_asks_chooses_the_format(accept: bytes | None, chosen: bytes) -> None:
    assert negotiate(accept) == chosen


@given(st.binary(max_size=60))
def test_any_accept_header_is_answered(accept: bytes) -> None:
    assert negotiate(accept) in (TEXT, OPENMETRICS)
