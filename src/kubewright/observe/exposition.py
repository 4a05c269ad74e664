"""Metrics as text: Prometheus' format 0.0.4, or OpenMetrics 1.0 for who asks for it.

Pure: a registry in, bytes out. The bounds of buckets (`le`) are labels, and so must be spelled as Go spells them
(`1.048576e+06`), or dashboards made for Go operators would not find them.
"""

import logging
import math
from decimal import Decimal
from typing import Final

from kubewright.observe.instruments import Counter, Family, Gauge, Histogram, Registry

__all__ = ["OPENMETRICS", "TEXT", "expose", "negotiate"]

_log = logging.getLogger("kubewright.metrics")

TEXT: Final = b"text/plain; version=0.0.4; charset=utf-8"
OPENMETRICS: Final = b"application/openmetrics-text; version=1.0.0; charset=utf-8"

_ESCAPES: Final = str.maketrans({"\\": r"\\", "\n": r"\n", '"': r"\""})
_HELP_ESCAPES: Final = str.maketrans({"\\": r"\\", "\n": r"\n"})


def negotiate(accept: bytes | None) -> bytes:
    """The content type that an Accept header prefers of the two; the plain text where it does not say."""
    best, chosen = 0.0, TEXT
    for part in (accept or b"").lower().split(b","):
        media, *parameters = (piece.strip() for piece in part.split(b";"))
        weight, version = 1.0, b""
        for parameter in parameters:
            name, _, value = parameter.partition(b"=")
            if name.strip() == b"q":
                weight = _weight(value)
            elif name.strip() == b"version":
                version = value.strip()
        if media == b"application/openmetrics-text" and version in (b"", b"1.0.0"):
            offered = OPENMETRICS
        elif media in (b"text/plain", b"text/*", b"*/*") and version in (b"", b"0.0.4"):
            offered = TEXT
        else:
            continue
        if weight > best:
            best, chosen = weight, offered
    return chosen


def _weight(text: bytes) -> float:
    try:
        return min(max(float(text), 0.0), 1.0)
    except ValueError:
        return 0.0


def expose(registry: Registry, content_type: bytes = TEXT) -> bytes:
    """Everything the registry holds, as it is now."""
    openmetrics = content_type == OPENMETRICS
    lines: list[str] = []
    for family in registry:
        samples: list[str] = []
        for values, child in family:
            _write(samples, family, values, child, openmetrics)
        if samples:
            # OpenMetrics names a counter's family without the suffix of its samples.
            name = family.name.removesuffix("_total") if openmetrics and family.type == "counter" else family.name
            text = family.help.translate(_ESCAPES if openmetrics else _HELP_ESCAPES)
            lines += [f"# HELP {name} {text}", f"# TYPE {name} {family.type}", *samples]
    if openmetrics:
        lines.append("# EOF")
    return "".join(f"{line}\n" for line in lines).encode()


def _write(
    lines: list[str],
    family: Family[Counter] | Family[Gauge] | Family[Histogram],
    values: tuple[str, ...],
    child: Counter | Gauge | Histogram,
    openmetrics: bool,
) -> None:
    labels = ",".join(
        f'{label}="{value.translate(_ESCAPES)}"' for label, value in zip(family.labels, values, strict=True)
    )
    if isinstance(child, Histogram):
        total = 0
        for bound, count in zip((*child.bounds, math.inf), child.counts, strict=True):
            total += count
            le = f'{labels}{"," if labels else ""}le="{_bound(bound, openmetrics)}"'
            lines.append(f"{family.name}_bucket{{{le}}} {total}")
        braces = f"{{{labels}}}" if labels else ""
        lines += [f"{family.name}_sum{braces} {_number(child.sum)}", f"{family.name}_count{braces} {total}"]
        return
    try:
        value = child.read()
    except Exception as error:  # noqa: BLE001 - whoever is asked may be broken, all else is to be read all the same
        _log.warning("%s{%s} could not be read: %s: %s", family.name, labels, type(error).__name__, error)
        return
    if value is not None:
        lines.append(f"{family.name}{{{labels}}} {_number(value)}" if labels else f"{family.name} {_number(value)}")


def _number(value: float) -> str:
    if isinstance(value, int) or (math.isfinite(value) and value.is_integer() and abs(value) < 2**53):
        return str(int(value))
    return _special(value) or repr(value)


def _special(value: float) -> str | None:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    return None


def _bound(value: float, openmetrics: bool) -> str:
    """As Go prints it: the shortest digits, with an exponent below 1e-4 and from 1e+06 on."""
    special = _special(value)
    if special is not None:
        return special
    if abs(value) < 1e6:  # here Python draws the lower line where Go does
        text = repr(value).removesuffix(".0")
    else:
        digits = len(Decimal(repr(value)).normalize().as_tuple().digits)
        text = f"{value:.{digits - 1}e}"
    return text + ".0" if openmetrics and text.lstrip("-").isdigit() else text
