"""IPAddresses: the name is the address."""

import pytest
from tests.cluster.registry.kinds.judged import Judged

ADDRESSES = Judged("ipaddresses.networking.k8s.io")
SPEC = {"parentRef": {"resource": "services", "namespace": "default", "name": "a"}}


@pytest.mark.parametrize("name", ["192.0.2.7", "fd00::1"])
def test_it_is_named_by_an_address_of_either_family(name: str) -> None:
    assert ADDRESSES.made(metadata={"name": name}, spec=SPEC)["metadata"]["name"] == name


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("a", "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"),
        ("192.0.2.07", "must not have leading 0s"),
        ("::ffff:192.0.2.7", "must not be an IPv4-mapped IPv6 address"),
        ("FD00::1", 'must be in canonical form ("fd00::1")'),
    ],
)
def test_there_is_one_way_to_write_it(name: str, why: str) -> None:
    assert ADDRESSES.refused(metadata={"name": name}, spec=SPEC) == [f'metadata.name: Invalid value: "{name}": {why}']


def test_somebody_has_it_and_keeps_it() -> None:
    old = ADDRESSES.made(metadata={"name": "fd00::1"}, spec=SPEC)
    assert ADDRESSES.refused(metadata={"name": "fd00::1"}, spec={}) == ["spec.parentRef: Required value"]
    other = '{"Group":"","Resource":"services","Namespace":"default","Name":"b"}'
    why = f"spec.parentRef: Invalid value: {other}: field is immutable"
    assert ADDRESSES.kept(old, {"spec": {"parentRef": {"name": "b"}}}) == [why]
    assert ADDRESSES.kept(old, {"metadata": {"labels": {"a": "b"}}}) == []
