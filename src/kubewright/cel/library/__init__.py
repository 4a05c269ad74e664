"""The function libraries of Kubernetes 1.36: one module each, functions of values, known by their overloads' ids.

| module     | functions                                                                                     |
|------------|-----------------------------------------------------------------------------------------------|
| `standard` | sizes, conversions, parts of timestamps and durations                                          |
| `strings`  | charAt, indexOf, lastIndexOf, join, lowerAscii, upperAscii, replace, split, substring, trim … |
| `text`     | format                                                                                        |
| `lists`    | isSorted, sum, min, max, indexOf, slice, flatten, sort, sortBy, distinct, reverse, range …    |
| `sets`     | sets.contains, sets.equivalent, sets.intersects                                               |
| `regex`    | matches, find, findAll                                                                        |
| `urls`     | url, isURL, getScheme, getHost, getHostname, getPort, getEscapedPath, getQuery                |
| `quantity` | quantity, isQuantity, sign, isInteger, asInteger, add, sub, compareTo …                       |
| `ip`       | ip, isIP, ip.isCanonical, family, isLoopback …                                                |
| `cidr`     | cidr, isCIDR, containsIP, containsCIDR, masked, prefixLength                                  |
| `formats`  | format.named, format.dns1123Label() …, validate                                               |
| `semver`   | semver, isSemver, major, minor, patch, compareTo …                                            |
| `optionals`| optional.of, optional.none, value, hasValue, first, last, unwrap                              |
| `authorizer`| path, group, resource, check, allowed …                                                      |

They are imported when the first expression asks for one of their overloads.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from kubewright.cel.library.overload import Overload

__all__ = ["overloads"]

_MODULES = (
    "standard",
    "strings",
    "text",
    "lists",
    "sets",
    "regex",
    "urls",
    "quantity",
    "ip",
    "cidr",
    "formats",
    "semver",
    "optionals",
    "authorizer",
)


@cache
def overloads() -> Mapping[str, Overload]:
    """Every overload by its id."""
    found: dict[str, Overload] = {}
    for module in _MODULES:
        found.update(import_module(f"kubewright.cel.library.{module}").OVERLOADS)
    return found
