"""From types to a CRD: a kind with 300 fields, below 100 ms; and what it costs to import the package."""

import statistics
import subprocess
import sys
from typing import Annotated, Any

import kubewright as kw
from bench.measure import seconds_per_call
from kubewright.model.meta import ModelMeta
from kubewright.model.resource import ResourceMeta
from kubewright.schema.crd import crd_of

FIELDS = 300


def main() -> None:
    """Print both figures."""
    part = {f"field_{n}": Annotated[str, kw.MinLength(1), kw.Description(f"Field {n}.")] for n in range(FIELDS // 10)}
    body: dict[str, Any] = {"__annotations__": part, "__module__": __name__}
    parts = {f"part_{n}": ModelMeta(f"Part{n}", (kw.Model,), dict(body)) for n in range(10)}
    spec = ModelMeta("Spec", (kw.Model,), {"__annotations__": parts, "__module__": __name__})
    kind: Any = ResourceMeta(
        "Wide",
        (kw.Resource,),
        {"__annotations__": {"spec": spec}, "__module__": __name__},
        group="a.example.com",
        version="v1",
    )
    times = seconds_per_call({"crd": lambda: crd_of(kind)})
    print(f"\nA CRD of {FIELDS} fields\n  generated in {times['crd'] * 1e3:.1f} ms of CPU (aim: below 100)")
    print(f"\nImporting\n  import kubewright: {importing('kubewright'):.0f} ms (aim: below 100)")
    print(f"  import kubewright.k8s.apps.v1: {importing('kubewright.k8s.apps.v1'):.0f} ms")


def importing(module: str) -> float:
    """Milliseconds that a fresh interpreter spends in importing a module."""
    program = f"import time; start = time.perf_counter(); import {module}; print(time.perf_counter() - start)"
    runs = [subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout for _ in range(9)]
    return statistics.median(float(run) for run in runs) * 1e3


if __name__ == "__main__":
    main()
