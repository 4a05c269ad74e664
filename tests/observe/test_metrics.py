"""The names, labels and buckets are those of controller-runtime 0.25 and client-go 0.36."""

import asyncio
import gzip
from dataclasses import dataclass, field

from prometheus_client.parser import text_string_to_metric_families as read_text

from kubewright.client.observer import Attempt
from kubewright.http import Headers, Request
from kubewright.observe import Metrics
from kubewright.observe.exposition import OPENMETRICS, expose


@dataclass
class Line:
    """A queue, as metrics see it."""

    now: dict[int, int] = field(default_factory=dict)
    waiting: int = 2
    begun: bool = True

    def depths(self) -> dict[int, int]:
        return self.now

    def next_retry(self) -> float | None:
        return 12.5

    def waited(self) -> float:
        return 1.5

    def unfinished(self) -> float:
        return 7

    def longest(self) -> float:
        return 4


@dataclass
class Watching:
    """An informer, as metrics see it."""

    objects: int = 3
    bytes: int = 4096
    age: float = 0.25
    retry_in: float | None = None


def everything() -> Metrics:
    metrics = Metrics(detailed_client=True)
    metrics.controller("web", workers=16)
    metrics.queue("web")
    metrics.election("web-operator")
    metrics.webhook("/validate")
    metrics.client(Attempt("GET", "10.0.0.1:443", 200, 0.01, 0, 100, 2))
    return metrics


def values(metrics: Metrics) -> dict[str, float]:
    """Every sample, as it is written without its value."""
    lines = expose(metrics.registry).decode().splitlines()
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines if not line.startswith("#")}


def test_names_types_and_labels_are_the_known_ones() -> None:
    found = {}
    for family in read_text(expose(everything().registry).decode()):
        labels = {tuple(sample.labels) for sample in family.samples if "le" not in sample.labels}
        name = family.name + ("_total" if family.type == "counter" else "")
        found[name] = (family.type, *sorted(next(iter(labels))))
    known = {name: shape for name, shape in found.items() if not name.startswith(("kubewright_", "process_"))}
    assert known == {
        "controller_runtime_reconcile_total": ("counter", "controller", "result"),
        "controller_runtime_reconcile_errors_total": ("counter", "controller"),
        "controller_runtime_terminal_reconcile_errors_total": ("counter", "controller"),
        "controller_runtime_reconcile_panics_total": ("counter", "controller"),
        "controller_runtime_reconcile_timeouts_total": ("counter", "controller"),
        "controller_runtime_reconcile_time_seconds": ("histogram", "controller"),
        "controller_runtime_max_concurrent_reconciles": ("gauge", "controller"),
        "controller_runtime_active_workers": ("gauge", "controller"),
        "controller_runtime_webhook_latency_seconds": ("histogram", "webhook"),
        "controller_runtime_webhook_requests_total": ("counter", "code", "webhook"),
        "controller_runtime_webhook_requests_in_flight": ("gauge", "webhook"),
        "controller_runtime_webhook_panics_total": ("counter",),
        "controller_runtime_conversion_webhook_panics_total": ("counter",),
        "workqueue_depth": ("gauge", "controller", "name", "priority"),
        "workqueue_adds_total": ("counter", "controller", "name"),
        "workqueue_retries_total": ("counter", "controller", "name"),
        "workqueue_queue_duration_seconds": ("histogram", "controller", "name"),
        "workqueue_work_duration_seconds": ("histogram", "controller", "name"),
        "workqueue_unfinished_work_seconds": ("gauge", "controller", "name"),
        "workqueue_longest_running_processor_seconds": ("gauge", "controller", "name"),
        "leader_election_master_status": ("gauge", "name"),
        "leader_election_slowpath_total": ("counter", "name"),
        "rest_client_requests_total": ("counter", "code", "host", "method"),
        "rest_client_request_duration_seconds": ("histogram", "host", "verb"),
        "rest_client_request_size_bytes": ("histogram", "host", "verb"),
        "rest_client_response_size_bytes": ("histogram", "host", "verb"),
        "rest_client_request_retries_total": ("counter", "code", "host", "verb"),
        "certwatcher_read_certificate_total": ("counter",),
        "certwatcher_read_certificate_errors_total": ("counter",),
    }


def test_buckets_are_spelled_as_go_spells_them() -> None:
    found: dict[str, str] = {}
    for name in values(everything()):
        family, _, rest = name.partition("_bucket{")
        if rest:
            found[family] = found.get(family, "") + " " + rest.rpartition('le="')[2].removesuffix('"}')
    decades = " 1e-08 1e-07 1e-06 9.999999999999999e-06 9.999999999999999e-05 0.001 0.01 0.1 1 10 100 1000 +Inf"
    reconcile = (
        " 0.005 0.01 0.025 0.05 0.1 0.15 0.2 0.25 0.3 0.35 0.4 0.45 0.5 0.6 0.7 0.8 0.9 1 1.25 1.5 1.75 2 2.5 3 3.5 4"
        " 4.5 5 6 7 8 9 10 15 20 25 30 40 50 60 +Inf"
    )
    sizes = " 64 256 512 1024 4096 16384 65536 262144 1.048576e+06 4.194304e+06 1.6777216e+07 +Inf"
    assert found["workqueue_queue_duration_seconds"] == decades
    assert found["workqueue_work_duration_seconds"] == found["controller_runtime_webhook_latency_seconds"]
    assert found["controller_runtime_reconcile_time_seconds"] == reconcile
    assert found["rest_client_request_duration_seconds"] == " 0.005 0.025 0.1 0.25 0.5 1 2 4 8 15 30 60 +Inf"
    assert found["rest_client_request_size_bytes"] == found["rest_client_response_size_bytes"] == sizes


def test_counters_of_a_controller_begin_at_zero() -> None:
    metrics = Metrics()
    metrics.controller("web", workers=4)
    found = values(metrics)
    for result in ("success", "error", "requeue", "requeue_after"):
        assert found[f'controller_runtime_reconcile_total{{controller="web",result="{result}"}}'] == 0
    for name in ("reconcile_errors", "terminal_reconcile_errors", "reconcile_panics", "reconcile_timeouts"):
        assert found[f'controller_runtime_{name}_total{{controller="web"}}'] == 0
    assert found['controller_runtime_max_concurrent_reconciles{controller="web"}'] == 4


def test_reconciles_are_counted_by_how_they_end() -> None:
    metrics = Metrics()
    mine = metrics.controller("web", workers=4)
    mine.active.inc()
    mine.ended("success", 0.01)
    mine.ended("error", 0.2)
    mine.ended("error", 70, terminal=True)
    mine.panicked()
    mine.timed_out()
    found = values(metrics)
    assert found['controller_runtime_reconcile_total{controller="web",result="success"}'] == 1
    assert found['controller_runtime_reconcile_total{controller="web",result="error"}'] == 2
    assert found['controller_runtime_reconcile_errors_total{controller="web"}'] == 2
    assert found['controller_runtime_terminal_reconcile_errors_total{controller="web"}'] == 1
    assert found['controller_runtime_reconcile_panics_total{controller="web"}'] == 1
    assert found['controller_runtime_reconcile_timeouts_total{controller="web"}'] == 1
    assert found['controller_runtime_reconcile_time_seconds_bucket{controller="web",le="60"}'] == 2
    assert found['controller_runtime_reconcile_time_seconds_count{controller="web"}'] == 3
    assert found['controller_runtime_active_workers{controller="web"}'] == 1


def test_a_queue_is_metered_and_asked() -> None:
    metrics, line = Metrics(), Line({0: 3, -100: 5})
    meter = metrics.queue("web")
    meter.reads(line)
    meter.added()
    meter.retried()
    meter.queued(0.5)
    meter.worked(0.02)
    own = 'name="web",controller="web"'
    found = values(metrics)
    assert found[f'workqueue_depth{{{own},priority="0"}}'] == 3
    assert found[f'workqueue_depth{{{own},priority="-100"}}'] == 5
    assert found[f"workqueue_adds_total{{{own}}}"] == 1
    assert found[f"workqueue_retries_total{{{own}}}"] == 1
    assert found[f"workqueue_queue_duration_seconds_sum{{{own}}}"] == 0.5
    assert found[f"workqueue_work_duration_seconds_sum{{{own}}}"] == 0.02
    assert found[f"workqueue_unfinished_work_seconds{{{own}}}"] == 7
    assert found[f"workqueue_longest_running_processor_seconds{{{own}}}"] == 4
    assert found[f"kubewright_queue_oldest_seconds{{{own}}}"] == 1.5
    assert found[f"kubewright_queue_waiting{{{own}}}"] == 2
    assert found[f"kubewright_queue_next_retry_seconds{{{own}}}"] == 12.5
    line.now = {}
    assert values(metrics)[f'workqueue_depth{{{own},priority="-100"}}'] == 0


def test_priorities_without_number_do_not_fill_the_readers_memory() -> None:
    metrics = Metrics()
    metrics.queue("web").reads(Line(dict.fromkeys(range(1000), 1)))
    depths = {name: value for name, value in values(metrics).items() if name.startswith("workqueue_depth")}
    assert len(depths) == 26
    assert depths['workqueue_depth{name="web",controller="web",priority="exceeded_cardinality_limit"}'] == 975


def test_requests_are_counted_by_code_method_and_host() -> None:
    metrics = Metrics()
    metrics.client(Attempt("GET", "api:443", 200, 0.1, 0, 10, 1))
    metrics.client(Attempt("PATCH", "api:443", 0, 0.1, 5, 0, 1))
    found = values(metrics)
    assert found['rest_client_requests_total{code="200",method="GET",host="api:443"}'] == 1
    assert found['rest_client_requests_total{code="<error>",method="PATCH",host="api:443"}'] == 1
    assert not any("duration" in name for name in found if name.startswith("rest_client"))


def test_only_what_was_repeated_counts_as_a_retry() -> None:
    metrics = Metrics(detailed_client=True)
    metrics.client(Attempt("GET", "api:443", 503, 0.1, 0, 10, 1))
    metrics.client(Attempt("GET", "api:443", 200, 0.1, 0, 10, 2))
    retries = {name: value for name, value in values(metrics).items() if "retries" in name}
    assert retries == {'rest_client_request_retries_total{code="200",verb="GET",host="api:443"}': 1}


def test_an_informer_is_asked_while_it_is_there() -> None:
    metrics, informer = Metrics(), Watching()
    mine = metrics.cache(informer, "deployments.apps")
    own = 'resource="deployments.apps",selection=""'
    found = values(metrics)
    assert found[f"kubewright_cache_objects{{{own}}}"] == 3
    assert found[f"kubewright_cache_bytes{{{own}}}"] == 4096
    assert found[f"kubewright_watch_age_seconds{{{own}}}"] == 0.25
    assert f"kubewright_watch_next_retry_seconds{{{own}}}" not in found
    informer.retry_in = 30
    assert values(metrics)[f"kubewright_watch_next_retry_seconds{{{own}}}"] == 30
    mine.gone()
    assert not any("deployments" in name for name in values(metrics))


def test_two_caches_of_the_same_objects_are_told_apart_and_go_one_by_one() -> None:
    metrics = Metrics()
    caches = [metrics.cache(Watching(), "webs.example.com", selection) for selection in ("", "labels a=b", "", "")]

    def told() -> list[str]:
        return [name.split('selection="')[1][:-2] for name in values(metrics) if "_cache_objects" in name]

    assert told() == ["", "(2)", "(3)", "labels a=b"]
    caches[0].gone()
    caches[1].gone()
    assert told() == ["(2)", "(3)"]


def test_who_leads_and_how_a_webhook_answers_is_told() -> None:
    metrics = Metrics()
    election, webhook = metrics.election("web"), metrics.webhook("/mutate")
    election.leading(True)
    election.slow_path()
    webhook.answered(200, 0.001)
    found = values(metrics)
    assert found['leader_election_master_status{name="web"}'] == 1
    assert found['leader_election_slowpath_total{name="web"}'] == 1
    assert found['controller_runtime_webhook_requests_total{webhook="/mutate",code="200"}'] == 1
    assert found['controller_runtime_webhook_requests_total{webhook="/mutate",code="500"}'] == 0
    election.leading(False)
    assert values(metrics)['leader_election_master_status{name="web"}'] == 0


def test_the_page_is_in_the_format_and_encoding_that_was_asked_for() -> None:
    metrics = everything()
    headers = Headers([(b"Accept", b"application/openmetrics-text"), (b"Accept-Encoding", b"gzip")])
    response = asyncio.run(metrics.answer(Request("GET", "/metrics", headers)))
    assert response.headers.get(b"content-type") == OPENMETRICS
    assert response.headers.get(b"content-encoding") == b"gzip"
    assert isinstance(response.body, bytes)
    assert gzip.decompress(response.body).endswith(b"# EOF\n")
