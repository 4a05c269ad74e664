"""What every process tells of itself: time, memory, files; by the names that Prometheus' libraries give it.

Read from the system when it is asked. What a system does not tell is left out.
"""

import os
import resource
from pathlib import Path

from kubewright.observe.instruments import Registry

__all__ = ["count_process"]

_PAGE = resource.getpagesize()


def count_process(registry: Registry) -> None:
    """Put the process's own numbers into a registry."""
    for name, help_, reader in (
        ("process_open_fds", "Number of open file descriptors.", _open_files),
        ("process_max_fds", "Maximum number of open file descriptors.", _most_files),
        ("process_virtual_memory_bytes", "Virtual memory size in bytes.", lambda: _memory(0)),
        ("process_resident_memory_bytes", "Resident memory size in bytes.", lambda: _memory(1)),
        ("process_start_time_seconds", "Start time of the process since unix epoch in seconds.", _started),
    ):
        registry.gauge(name, help_).of().reads(reader)
    registry.counter("process_cpu_seconds_total", "Total user and system CPU time spent in seconds.").of().reads(_spent)


def _spent() -> float:
    own = resource.getrusage(resource.RUSAGE_SELF)
    return own.ru_utime + own.ru_stime


def _open_files() -> float | None:
    try:
        return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - names are enough
    except OSError:
        return None


def _most_files() -> float:
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def _memory(field: int) -> float | None:
    try:
        return int(Path("/proc/self/statm").read_text().split()[field]) * _PAGE
    except OSError:
        return None


def _started() -> float | None:
    try:
        # The name of the command, in parentheses, may hold anything; the fields after it are counted from the third.
        ticks = int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
        boot = next(line for line in Path("/proc/stat").read_text().splitlines() if line.startswith("btime "))
    except (OSError, StopIteration):
        return None
    return int(boot.split()[1]) + ticks / os.sysconf("SC_CLK_TCK")
