"""Names between two worlds: snake_case in Python, camelCase on the wire, plurals in URLs.

`wire_name` is what a field is called in JSON when nothing else is said; `python_name` is the way back, used when types
are made from a schema. The way back loses the case of acronyms (`podIPs` and `podIps` are both `pod_ips`), so whoever
generates code compares `wire_name(python_name(x))` with `x` and writes the name out where they differ.
"""

import keyword
import re

__all__ = ["plural", "python_name", "wire_name"]

#: IPv4, the API of APIV3, IPs, the HTTP of HTTPRoute, a plain word, PKCS10.
_WORD = re.compile(
    r"IPv[46]|[A-Z]+(?=V[0-9])|[A-Z]{2,}s(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z]+[0-9]*|[0-9]+"
)
_SIBILANT = ("s", "x", "z", "ch", "sh")


def wire_name(name: str) -> str:
    """`ready_replicas` → `readyReplicas`; a trailing underscore (`from_`) only keeps Python's keywords apart."""
    first, *rest = name.strip("_").split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)


def python_name(name: str) -> str:
    """`podIPs` → `pod_ips`; anything that is not an identifier becomes one; keywords get a trailing underscore."""
    words = [word.lower() for part in re.split(r"[^A-Za-z0-9]+", name) for word in _WORD.findall(part)]
    snake = "_".join(words) or "field"
    if snake[0].isdigit():
        snake = "n" + snake
    return f"{snake}_" if keyword.iskeyword(snake) else snake


def plural(kind: str) -> str:
    """The plural a kind gets when none is given, as the Go tools form it: `Proxy` → `proxies`."""
    word = kind.lower()
    if word.endswith(_SIBILANT):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"
