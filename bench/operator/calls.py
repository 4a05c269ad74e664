"""What an operator asks of the server, counted by the server.

kube-apiserver counts every request by verb, resource and subresource, and tells it at /metrics. It does not say who
asked: so the driver counts its own, and what is left is the operator's. Nobody else is there. Watches are left out:
they are counted when they end.
"""

import re
from collections import Counter
from typing import Final

__all__ = ["Call", "Calls", "read_calls", "writes"]

#: A verb as the server's metrics name it, and a resource, with its subresource if there is one.
Call = tuple[str, str]
Calls = Counter[Call]

#: What the work is about; what else the server is asked is its own business.
_RESOURCES: Final = ("webservers", "deployments", "services")
_WRITES: Final = frozenset(("POST", "PUT", "PATCH", "APPLY", "DELETE"))
_LINE: Final = re.compile(r"^apiserver_request_total\{(.*)\} (\S+)$", re.MULTILINE)
_LABEL: Final = re.compile(r'(\w+)="([^"]*)"')


def read_calls(metrics: str) -> Calls:
    """How often each call was made since the server started."""
    calls: Calls = Counter()
    for found in _LINE.finditer(metrics):
        labels = dict(_LABEL.findall(found[1]))
        if labels["resource"] in _RESOURCES and labels["verb"] != "WATCH":
            what = "/".join(filter(None, (labels["resource"], labels["subresource"])))
            calls[labels["verb"], what] += int(float(found[2]))
    return calls


def writes(calls: Calls) -> int:
    """How many of them change something."""
    return sum(count for (verb, _), count in calls.items() if verb in _WRITES)
