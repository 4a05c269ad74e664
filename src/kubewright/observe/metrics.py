"""What an operator counts, by the names that controller-runtime and client-go have given it.

Names, labels, types and buckets are theirs to the letter, so that dashboards and alerts made for Go operators work;
what begins with `kubewright_` is ours. `Metrics` is one operator's; each part of the runtime asks it for its own
instruments once and keeps them:

    metrics = Metrics()
    mine = metrics.controller("web", workers=16)
    mine.ended("success", seconds)
    client = client.but(observer=metrics.client)

All counters of a part are there, at 0, from the moment it asks: a rate that begins with the first failure misses it.
`docs/observe.md` lists them.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final, Literal, Protocol, cast

from kubewright.client.observer import Attempt
from kubewright.http import Headers, Request, Response
from kubewright.http.compress import compressed
from kubewright.observe.exposition import expose, negotiate
from kubewright.observe.instruments import Counter, Gauge, Registry, exponential
from kubewright.observe.process import count_process

__all__ = [
    "CacheMetrics",
    "CertificateMetrics",
    "ClientMetrics",
    "ControllerMetrics",
    "ElectionMetrics",
    "LoopMetrics",
    "Measured",
    "Metrics",
    "QueueMetrics",
    "Result",
    "Watched",
    "WebhookMetrics",
    "built_in",
]

Result = Literal["success", "error", "requeue", "requeue_after"]

_RESULTS: Final[tuple[Result, ...]] = ("success", "error", "requeue", "requeue_after")
#: From 10 ns to 1000 s: queues and webhooks.
_DECADES: Final = exponential(10e-9, 10, 12)
_RECONCILE: Final = (
    *(0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
    *(1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60),
)
_REQUEST: Final = (0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0)
_SIZES: Final = (64, 256, 512, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216)
#: More priorities than anyone needs; beyond it they would only fill the reader's memory.
_PRIORITIES: Final = 25
_TOO_MANY: Final = "exceeded_cardinality_limit"


class ControllerMetrics:
    """The reconciles of one controller."""

    def __init__(self, registry: Registry, name: str, workers: int) -> None:
        own = (name,)
        total = registry.counter(
            "controller_runtime_reconcile_total",
            "Total number of reconciliations per controller",
            ("controller", "result"),
        )
        self._results = {result: total.of(name, result) for result in _RESULTS}
        self._errors = registry.counter(
            "controller_runtime_reconcile_errors_total",
            "Total number of reconciliation errors per controller",
            ("controller",),
        ).of(*own)
        self._terminal = registry.counter(
            "controller_runtime_terminal_reconcile_errors_total",
            "Total number of terminal reconciliation errors per controller",
            ("controller",),
        ).of(*own)
        self._panics = registry.counter(
            "controller_runtime_reconcile_panics_total",
            "Total number of reconciliation panics per controller",
            ("controller",),
        ).of(*own)
        self._timeouts = registry.counter(
            "controller_runtime_reconcile_timeouts_total",
            "Total number of reconciliation timeouts per controller",
            ("controller",),
        ).of(*own)
        self._seconds = registry.histogram(
            "controller_runtime_reconcile_time_seconds",
            "Length of time per reconciliation per controller",
            _RECONCILE,
            ("controller",),
        ).of(*own)
        registry.gauge(
            "controller_runtime_max_concurrent_reconciles",
            "Maximum number of concurrent reconciles per controller",
            ("controller",),
        ).of(*own).set(workers)
        #: How many workers reconcile now: `inc` before, `dec` after.
        self.active: Final = registry.gauge(
            "controller_runtime_active_workers",
            "Number of currently used workers per controller",
            ("controller",),
        ).of(*own)

    def ended(self, result: Result, seconds: float, *, terminal: bool = False) -> None:
        """A reconcile has ended; an error that will not be tried again is `terminal`."""
        self._results[result].inc()
        self._seconds.observe(seconds)
        if result == "error":
            self._errors.inc()
            if terminal:
                self._terminal.inc()

    def panicked(self) -> None:
        """The reconciler raised what nobody raises on purpose; besides, it has `ended` with an error."""
        self._panics.inc()

    def timed_out(self) -> None:
        """The reconciler was past its time limit; besides, it has `ended` with an error."""
        self._timeouts.inc()


class Measured(Protocol):
    """A work queue, as far as it is asked when metrics are read."""

    @property
    def begun(self) -> bool:
        """Whether its keys are to be worked on by now."""

    def depths(self) -> Mapping[int, int]:
        """How many keys are ready, by priority."""

    @property
    def waiting(self) -> int:
        """How many keys wait for their time."""

    def next_retry(self) -> float | None:
        """Seconds until the first of them is due; None if none waits."""

    def waited(self) -> float:
        """How long the oldest ready key has been so."""

    def unfinished(self) -> float:
        """The seconds of all work under way, together."""

    def longest(self) -> float:
        """The seconds of the longest work under way."""


class QueueMetrics:
    """One work queue: its meter, and where to ask the rest."""

    def __init__(self, registry: Registry, name: str) -> None:
        own, labels = (name, name), ("name", "controller")
        self._registry = registry
        self._name = name
        self._depth = registry.gauge(
            "workqueue_depth", "Current depth of workqueue by workqueue and priority", (*labels, "priority")
        )
        self._depths = {0: self._depth.of(*own, "0")}
        self._adds = registry.counter("workqueue_adds_total", "Total number of adds handled by workqueue", labels).of(
            *own
        )
        self._retries = registry.counter(
            "workqueue_retries_total",
            "Total number of items added to the workqueue with a non-zero delay "
            "(rate-limited requeues, explicit RequeueAfter or AddAfter calls)",
            labels,
        ).of(*own)
        self._queued = registry.histogram(
            "workqueue_queue_duration_seconds",
            "How long in seconds an item stays in workqueue before being requested",
            _DECADES,
            labels,
        ).of(*own)
        self._worked = registry.histogram(
            "workqueue_work_duration_seconds",
            "How long in seconds processing an item from workqueue takes.",
            _DECADES,
            labels,
        ).of(*own)
        self._unfinished = registry.gauge(
            "workqueue_unfinished_work_seconds",
            "How many seconds of work has been done that is in progress and hasn't been observed by work_duration. "
            "Large values indicate stuck threads. One can deduce the number of stuck threads by observing the rate at "
            "which this increases.",
            labels,
        ).of(*own)
        self._longest = registry.gauge(
            "workqueue_longest_running_processor_seconds",
            "How many seconds has the longest running processor for workqueue been running.",
            labels,
        ).of(*own)
        self._oldest = registry.gauge(
            "kubewright_queue_oldest_seconds", "How long the key that has been ready longest has been so.", labels
        ).of(*own)
        self._waiting = registry.gauge(
            "kubewright_queue_waiting", "Keys that wait for their time: retries, and what was asked for later.", labels
        ).of(*own)
        self._next = registry.gauge(
            "kubewright_queue_next_retry_seconds",
            "Seconds until the first of the keys that wait is due; absent where none does.",
            labels,
        ).of(*own)

    def added(self) -> None:
        """A key became ready, or will when its worker is done."""
        self._adds.inc()

    def retried(self) -> None:
        """A key was added for later."""
        self._retries.inc()

    def queued(self, seconds: float) -> None:
        """A key was taken that had been ready for so long."""
        self._queued.observe(seconds)

    def worked(self, seconds: float) -> None:
        """A worker has given a key back after so long."""
        self._worked.observe(seconds)

    def reads(self, queue: Measured) -> None:
        """Ask `queue` for what it knows anyway. What a standby keeps is no backlog, nor for alerts."""
        self._unfinished.reads(queue.unfinished)
        self._longest.reads(queue.longest)
        self._oldest.reads(lambda: queue.waited() if queue.begun else 0)
        self._waiting.reads(lambda: queue.waiting if queue.begun else 0)
        self._next.reads(lambda: queue.next_retry() if queue.begun else None)
        self._registry.before(lambda: self._deepen(queue.depths() if queue.begun else {}))

    def _deepen(self, depths: Mapping[int, int]) -> None:
        for priority in depths.keys() - self._depths.keys():
            label = str(priority) if len(self._depths) < _PRIORITIES else _TOO_MANY
            self._depths[priority] = self._depth.of(self._name, self._name, label)
        for gauge in self._depths.values():
            gauge.set(0)
        for priority, depth in depths.items():
            self._depths[priority].inc(depth)  # several priorities may share a gauge


class ClientMetrics:
    """Requests to the API: an observer of a `Client`.

    `detailed` adds the histograms and the retries, which controller-runtime too shows only to who asks.
    """

    def __init__(self, registry: Registry, detailed: bool = False) -> None:
        self._requests = registry.counter(
            "rest_client_requests_total",
            "Number of HTTP requests, partitioned by status code, method, and host.",
            ("code", "method", "host"),
        )
        #: By what an attempt says.
        self._counted: dict[tuple[int, str, str], Counter] = {}
        self._detailed = detailed
        if not detailed:
            return
        labels = ("verb", "host")
        self._seconds = registry.histogram(
            "rest_client_request_duration_seconds",
            "Request latency in seconds. Broken down by verb and host.",
            _REQUEST,
            labels,
        )
        self._sent = registry.histogram(
            "rest_client_request_size_bytes", "Request size in bytes. Broken down by verb and host.", _SIZES, labels
        )
        self._received = registry.histogram(
            "rest_client_response_size_bytes", "Response size in bytes. Broken down by verb and host.", _SIZES, labels
        )
        self._retries = registry.counter(
            "rest_client_request_retries_total",
            "Number of request retries, partitioned by status code, verb, and host.",
            ("code", *labels),
        )

    def __call__(self, attempt: Attempt) -> None:
        """Count one attempt."""
        said = attempt.code, attempt.verb, attempt.host
        counter = self._counted.get(said)
        if counter is None:
            counter = self._counted[said] = self._requests.of(_code(attempt), attempt.verb, attempt.host)
        counter.inc()
        if self._detailed:
            where = (attempt.verb, attempt.host)
            self._seconds.of(*where).observe(attempt.seconds)
            self._sent.of(*where).observe(attempt.sent)
            self._received.of(*where).observe(attempt.received)
            if attempt.number > 1:
                self._retries.of(_code(attempt), *where).inc()


def _code(attempt: Attempt) -> str:
    return str(attempt.code) if attempt.code else "<error>"


class ElectionMetrics:
    """Who leads, by the name of the lease."""

    def __init__(self, registry: Registry, name: str) -> None:
        group = "'name' is the string used to identify the lease. Please make sure to group by name."
        self._master = registry.gauge(
            "leader_election_master_status",
            "Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master. "
            + group,
            ("name",),
        ).of(name)
        self._slow = registry.counter(
            "leader_election_slowpath_total",
            "Total number of slow path exercised in renewing leader leases. " + group,
            ("name",),
        ).of(name)

    def leading(self, yes: bool) -> None:
        """Whether this process leads now."""
        self._master.set(1 if yes else 0)

    def slow_path(self) -> None:
        """The lease was read before it could be renewed."""
        self._slow.inc()


class Watched(Protocol):
    """An informer, as far as it is asked when metrics are read."""

    @property
    def objects(self) -> int:
        """How many objects are kept."""

    @property
    def bytes(self) -> int:
        """How many bytes of documents are kept."""

    @property
    def age(self) -> float:
        """Seconds since the server was last heard of."""

    @property
    def retry_in(self) -> float | None:
        """Seconds until the next attempt, while it rests after a failure."""


class CacheMetrics:
    """One informer: what its store holds and how fresh it is. All of it is asked when it is read."""

    def __init__(self, registry: Registry, informer: Watched, resource: str, selection: str) -> None:
        readers = (
            ("kubewright_cache_objects", "Objects in the cache.", lambda: informer.objects),
            ("kubewright_cache_bytes", "Bytes of the documents in the cache.", lambda: informer.bytes),
            (
                "kubewright_watch_age_seconds",
                "Seconds since the watch last made progress: an event, a bookmark, or the end of a list.",
                lambda: informer.age,
            ),
            (
                "kubewright_watch_next_retry_seconds",
                "Seconds until a list or watch that failed is tried again; absent while all is well.",
                lambda: informer.retry_in,
            ),
        )
        self._gauges = [registry.gauge(name, help_, ("resource", "selection")) for name, help_, _ in readers]
        self._own, number = (resource, selection), 1
        while self._gauges[0].has(*self._own):  # by a cache of the same objects in another version
            number += 1
            self._own = (resource, f"{selection} ({number})".lstrip())
        for gauge, (_, _, reader) in zip(self._gauges, readers, strict=True):
            gauge.of(*self._own).reads(reader)

    def gone(self) -> None:
        """The informer is no more, and so are its gauges."""
        for gauge in self._gauges:
            gauge.remove(*self._own)


class LoopMetrics:
    """What the watchdog finds."""

    def __init__(self, registry: Registry) -> None:
        self._stalls = registry.counter(
            "kubewright_loop_stalls_total",
            "Times that the event loop was blocked for longer than the watchdog's limit.",
        ).of()
        self._seconds = registry.counter(
            "kubewright_loop_stalled_seconds_total", "Seconds for which the event loop was blocked in those times."
        ).of()

    def stalled(self, seconds: float) -> None:
        """The loop turns again after so long."""
        self._stalls.inc()
        self._seconds.inc(seconds)


class CertificateMetrics:
    """Certificate files that were read, and could not be."""

    def __init__(self, registry: Registry) -> None:
        self.reads: Final = registry.counter(
            "certwatcher_read_certificate_total", "Total number of certificate reads"
        ).of()
        self.errors: Final = registry.counter(
            "certwatcher_read_certificate_errors_total", "Total number of certificate read errors"
        ).of()


class WebhookMetrics:
    """One webhook, by its path."""

    def __init__(self, registry: Registry, path: str) -> None:
        self._path = path
        self._seconds = registry.histogram(
            "controller_runtime_webhook_latency_seconds",
            "Histogram of the latency of processing admission requests",
            _DECADES,
            ("webhook",),
        ).of(path)
        self._requests = registry.counter(
            "controller_runtime_webhook_requests_total",
            "Total number of admission requests by HTTP status code.",
            ("webhook", "code"),
        )
        for code in ("200", "500"):
            self._requests.of(path, code)
        #: How many are being answered now: `inc` before, `dec` after.
        self.in_flight: Final[Gauge] = registry.gauge(
            "controller_runtime_webhook_requests_in_flight",
            "Current number of admission requests being served.",
            ("webhook",),
        ).of(path)
        #: Admission webhooks that raised.
        self.panics: Final[Counter] = registry.counter(
            "controller_runtime_webhook_panics_total", "Total number of webhook panics"
        ).of()
        #: Conversion webhooks that raised.
        self.conversion_panics: Final[Counter] = registry.counter(
            "controller_runtime_conversion_webhook_panics_total", "Total number of conversion webhook panics"
        ).of()

    def answered(self, code: int, seconds: float) -> None:
        """A request was answered."""
        self._requests.of(self._path, str(code)).inc()
        self._seconds.observe(seconds)


class Metrics:
    """All that one operator counts. `registry` is open for more: `metrics.registry.counter(...)`."""

    def __init__(self, *, detailed_client: bool = False) -> None:
        self.registry: Final = Registry()
        count_process(self.registry)
        #: An observer for the client: `client.but(observer=metrics.client)`.
        self.client: Final = ClientMetrics(self.registry, detailed_client)
        self.loop: Final = LoopMetrics(self.registry)
        self.certificates: Final = CertificateMetrics(self.registry)

    def controller(self, name: str, workers: int) -> ControllerMetrics:
        """The instruments of a controller."""
        return ControllerMetrics(self.registry, name, workers)

    def queue(self, name: str) -> QueueMetrics:
        """The instruments of the work queue of the controller of that name."""
        return QueueMetrics(self.registry, name)

    def election(self, name: str) -> ElectionMetrics:
        """The instruments of the election for the lease of that name."""
        return ElectionMetrics(self.registry, name)

    def cache(self, informer: Watched, resource: str, selection: str = "") -> CacheMetrics:
        """The gauges of an informer of `deployments.apps`; of which of them, if not of all, `selection` says."""
        return CacheMetrics(self.registry, informer, resource, selection)

    def webhook(self, path: str) -> WebhookMetrics:
        """The instruments of the webhook at that path."""
        return WebhookMetrics(self.registry, path)

    async def answer(self, request: Request) -> Response:
        """What `/metrics` answers, in the format and encoding that the request prefers."""
        content_type = negotiate(request.headers.get(b"accept"))
        response = Response(200, Headers([(b"Content-Type", content_type)]), expose(self.registry, content_type))
        return await compressed(request.headers, response, threshold=8 * 1024)


@cache
def built_in() -> frozenset[str]:
    """The names of all that an operator may come to tell of itself."""
    metrics = Metrics(detailed_client=True)
    metrics.controller("", 1)
    metrics.queue("")
    metrics.election("")
    metrics.webhook("")
    metrics.cache(cast("Watched", None), "")  # nobody reads it
    return frozenset(family.name for family in metrics.registry)
