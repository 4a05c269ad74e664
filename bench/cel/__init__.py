"""CEL: what the usual rules take on an object of 2 KB, and what compiling them takes, parsing and checking included.

    python -m bench cel

Texts are the same in every round, as they are in the updates of one object: what was read from the last of them is
remembered. What a rule takes on texts never seen before stands beside it.
"""

import itertools
import json
import statistics
from collections.abc import Callable
from typing import Any

from bench.cel.rules import RULES, old_self, schema, self_object
from bench.measure import seconds_per_call
from kubewright.cel.checker import check
from kubewright.cel.environment import rule_environment
from kubewright.cel.parser import parse
from kubewright.cel.program import Program
from kubewright.cel.schema import schema_type

__all__ = ["main"]

FRESH = 4000


def main() -> None:
    """Print the tables."""
    type_ = schema_type(schema(), root=True)
    assert type_ is not None
    environment = rule_environment(type_)
    values = [self_object(), old_self()]
    size = len(json.dumps(values[0])) + len(json.dumps(values[1]))
    fresh = itertools.cycle([[fresh_texts(self_object(), number), old_self()] for number in range(FRESH)])

    def compiled(rule: str) -> Program:
        return Program(check(parse(rule), environment), environment)

    def running(rule: str) -> Callable[[], object]:
        run = compiled(rule).run
        assert run(values, size) is True, rule
        return lambda: run(values, size)

    def running_fresh(rule: str) -> Callable[[], object]:
        run = compiled(rule).run
        return lambda: run(next(fresh), size)

    times = seconds_per_call({name: running(rule) for name, rule in RULES.items()}, rounds=7)
    first = seconds_per_call({name: running_fresh(rule) for name, rule in RULES.items()}, rounds=3)
    making = seconds_per_call({name: (lambda rule=rule: compiled(rule)) for name, rule in RULES.items()}, rounds=3)  # type: ignore[misc]  # a rule each
    print(
        f"\n{len(RULES)} rules on an object of {size // 2} bytes (aim: median 1.5 µs, worst 20 µs, compiled in 300 µs)"
    )
    for name, spent in sorted(times.items(), key=lambda item: item[1]):
        print(f"  {name:<24} {spent * 1e6:>7.2f} µs   {first[name] * 1e6:>7.2f} µs on new texts", end="")
        print(f"   compiled in {making[name] * 1e6:>5.0f} µs")
    for what, found in (("run", times), ("run on new texts", first), ("compile", making)):
        middle, worst = statistics.median(found.values()), max(found.values())
        print(f"  {what:<24} median {middle * 1e6:>7.2f} µs, worst {worst * 1e6:>7.2f} µs")


def fresh_texts(value: Any, number: int) -> Any:
    """An object like the given one whose texts nobody has seen, where a rule would read them."""
    spec = value["spec"]
    for key, text in (
        ("host", f"s{number}.shop.example.com"),
        ("limit", f"{number + 2000}Mi"),
        ("request", f"{number + 1}Ki"),
        ("callback", f"https://hooks.example.com/storefront?token={number}"),
        ("network", f"10.{number % 2}.{number // 2 % 256}.0/8"),
        ("version", f"2.4.{number}"),
        ("notBefore", f"2026-01-01T0{number % 10}:{number // 10 % 60:02d}:{number // 600:02d}Z"),
        ("notAfter", f"2026-12-31T0{number % 10}:{number // 10 % 60:02d}:{number // 600:02d}Z"),
        ("timeout", f"{number + 2000}ms"),
    ):
        spec[key] = text
    for port in spec["ports"]:
        port["name"] = port["name"] + "abcdefghij"[number % 10] * (1 + number // 10 % 10)
    return value
