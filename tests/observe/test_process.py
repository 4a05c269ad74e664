from kubewright.observe.exposition import expose
from kubewright.observe.instruments import Registry
from kubewright.observe.process import count_process


def test_a_process_tells_of_itself() -> None:
    registry = Registry()
    count_process(registry)
    lines = [line for line in expose(registry).decode().splitlines() if not line.startswith("#")]
    found = {line.partition(" ")[0]: float(line.partition(" ")[2]) for line in lines}
    assert found["process_cpu_seconds_total"] > 0
    assert 0 < found["process_open_fds"] < found["process_max_fds"]
    assert 0 < found["process_resident_memory_bytes"] < found["process_virtual_memory_bytes"]
    assert found["process_start_time_seconds"] > 1_500_000_000
