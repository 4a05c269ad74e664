from ipaddress import ip_address

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.registry.kinds.service.pools import Addresses, NodePorts, Refused, Taken
from kubewright.cluster.store import Store
from kubewright.entropy import Entropy


def taken(store: Store | None = None, *, dry_run: bool = False, seed: int = 1) -> Taken:
    return Taken(store or Store(), Entropy(seed), dry_run=dry_run)


def test_every_address_is_given_once_and_then_there_is_none() -> None:
    addresses = Addresses(taken(), "default", "a")
    given = [addresses.take_any() for _ in range(254)]
    assert {*given} == {f"10.0.0.{last}" for last in range(1, 255)}
    assert {*given[-16:]} == {f"10.0.0.{last}" for last in range(1, 17)}, "the lower part is given last"
    with pytest.raises(Refused, match="range is full"):
        addresses.take_any()


def test_every_port_is_given_once_and_then_there_is_none() -> None:
    ports = NodePorts(taken(), "default", "a")
    given = [ports.take_any() for _ in range(2768)]
    assert {*given} == {*range(30000, 32768)}
    assert min(given[:-86]) == 30086
    with pytest.raises(Refused, match="range is full"):
        ports.take_any()


def test_a_seed_gives_the_same_ones() -> None:
    first, second = (Addresses(taken(seed=7), "default", "a").take_any() for _ in range(2))
    assert first == second


def test_an_address_that_is_taken_is_an_object_that_says_whose() -> None:
    store = Store()
    Addresses(taken(store), "default", "a").take(ip_address("10.0.0.5"))
    record = store.get("/ipaddresses.networking.k8s.io/10.0.0.5")
    assert record is not None
    obj = msgspec.json.decode(record.value or b"")
    assert obj["spec"]["parentRef"] == {"resource": "services", "namespace": "default", "name": "a"}
    assert obj["metadata"]["resourceVersion"] == str(record.revision)


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("10.0.0.5", "provided IP is already allocated"),
        ("10.0.0.0", "the provided network does not match the current range"),
        ("10.0.0.255", "the provided network does not match the current range"),
        ("10.0.1.5", "the provided network does not match the current range"),
        ("2001:db8::1", "the provided network does not match the current range"),
    ],
)
def test_an_address_that_cannot_be_had_is_refused(address: str, why: str) -> None:
    addresses = Addresses(taken(), "default", "a")
    addresses.take(ip_address("10.0.0.5"))
    with pytest.raises(Refused, match=why):
        addresses.take(ip_address(address))


@pytest.mark.parametrize(
    ("port", "why"), [(30001, "already allocated"), (29999, "not in the valid range"), (0, "range")]
)
def test_a_port_that_cannot_be_had_is_refused(port: int, why: str) -> None:
    ports = NodePorts(taken(), "default", "a")
    ports.take(30001)
    with pytest.raises(Refused, match=why):
        ports.take(port)


def test_a_dry_run_takes_nothing() -> None:
    store = Store()
    dry = taken(store, dry_run=True)
    addresses, ports = Addresses(dry, "default", "a"), NodePorts(dry, "default", "a")
    assert addresses.take_any() == "10.0.0.0"
    addresses.take(ip_address("10.0.0.5"))
    assert [ports.take_any(), ports.take_any()] == [32769, 32770]
    ports.take(80)
    dry.settle(done=True)
    assert store.revision == 0


def test_a_dry_run_asks_for_no_port_twice() -> None:
    ports = NodePorts(taken(dry_run=True), "default", "a")
    ports.take(30001)
    with pytest.raises(Refused, match="already allocated"):
        ports.take(30001)


@given(st.lists(st.tuples(st.booleans(), st.integers(30000, 30007)), max_size=30), st.booleans())
def test_what_a_write_took_or_gave_back_counts_only_if_it_is_done(steps: list[tuple[bool, int]], done: bool) -> None:
    store = Store()
    before = taken(store)
    for port in range(30000, 30004):
        NodePorts(before, "default", "a").take(port)
    before.settle(done=True)
    held = {*range(30000, 30004)}
    write = taken(store)
    ports = NodePorts(write, "default", "b")
    now = {*held}
    for takes, port in steps:
        if takes and port not in now:
            ports.take(port)
            now.add(port)
        elif not takes and port in held and port in now:
            ports.give_back(port)
    write.settle(done=done)
    left = {int(record.key.rpartition("/")[2]) for record in store.list("/ranges/").records}
    given_back = {port for takes, port in steps if not takes and port in held}
    assert left == (now - given_back if done else held)
