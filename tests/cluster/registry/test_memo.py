from kubewright.cluster.registry.memo import memo
from kubewright.cluster.store import Record


def test_what_was_found_out_stays_with_the_record() -> None:
    record = Record("/k", b"{}", 1, 1, None)
    memo(record).labels = {"a": "b"}
    assert memo(record).labels == {"a": "b"}
