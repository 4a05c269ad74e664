"""What an operator shows of itself: metrics, health, logs, why it did what it did, and where it was stuck.

| module         | what it does                                                                     |
|----------------|----------------------------------------------------------------------------------|
| `instruments`  | counters, gauges, histograms, and the registry that holds an operator's           |
| `exposition`   | a registry as text for Prometheus                                                |
| `metrics`      | what an operator counts, by the names of controller-runtime and client-go        |
| `process`      | what every process tells of itself                                               |
| `health`       | named checks, `/healthz`, `/livez`, `/readyz`                                    |
| `server`       | the small server they are read from, with `certificates` and a `guard`           |
| `log`          | structured logs, for people on a terminal and for machines elsewhere             |
| `cause`        | why a reconcile ran                                                              |
| `trace`        | a hook around each reconcile; spans by OpenTelemetry                             |
| `watchdog`     | says when and where the event loop is blocked                                    |

Nothing here is shared by the process: two operators in one have two of each. Only `log.configure`, which entry points
call, touches what is.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kubewright.observe.cause import Cause, Causes, Why
    from kubewright.observe.certificates import Certificates
    from kubewright.observe.guard import Guard
    from kubewright.observe.health import Health
    from kubewright.observe.instruments import Registry
    from kubewright.observe.metrics import Metrics
    from kubewright.observe.server import Server
    from kubewright.observe.trace import Run, Tracer, no_tracing, open_telemetry
    from kubewright.observe.watchdog import Watchdog

__all__ = [
    "Cause",
    "Causes",
    "Certificates",
    "Guard",
    "Health",
    "Metrics",
    "Registry",
    "Run",
    "Server",
    "Tracer",
    "Watchdog",
    "Why",
    "no_tracing",
    "open_telemetry",
]

#: Where the names live.
_PLACES = {
    "Cause": "cause",
    "Causes": "cause",
    "Why": "cause",
    "Certificates": "certificates",
    "Guard": "guard",
    "Health": "health",
    "Metrics": "metrics",
    "Registry": "instruments",
    "Server": "server",
    "Run": "trace",
    "Tracer": "trace",
    "no_tracing": "trace",
    "open_telemetry": "trace",
    "Watchdog": "watchdog",
}


if not TYPE_CHECKING:  # who checks types must not take every name for one that is here

    def __getattr__(name: str) -> object:
        # The embedded cluster writes its metrics with ours, and need not wait for the client that a guard asks.
        if name in _PLACES:
            return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
