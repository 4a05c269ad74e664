"""An answer that came in one packet, with nothing unusual about it, read at a glance.

Nearly all answers of an API server are such: a status, fields of which hardly one is ever asked for, a length and as
many bytes. What is taken here is narrower than what llhttp takes, and says the same there; all else is left to it. It
reports each field by itself, which costs more than all the rest of an exchange but encryption.
"""

import re
from typing import Final

from kubewright.http.headers import Headers
from kubewright.http.limits import ClientLimits
from kubewright.http.message import Response

__all__ = ["glance"]

#: A field that says nothing of where the message ends or what follows: the names of those that do begin with other
#: letters (Connection, Content-Encoding, Keep-Alive, Proxy-…, Trailer, Transfer-Encoding, Upgrade).
_FIELD: Final = rb"\r\n(?:[ABD-JL-OQ-SV-Z][A-Za-z0-9-]*+|Cache-Control|Content-Type):[ -~]*+"
_PLAIN: Final = re.compile(
    rb"HTTP/1\.1 (20[0-3]|[45][0-9]{2}) [ -~]*+((?:%b)*+)\r\nContent-Length: ([0-9]{1,9})((?:%b)*+)\r\n\r\n"
    % (_FIELD, _FIELD)
)


def glance(data: bytes, limits: ClientLimits) -> Response | None:
    """The answer that `data` is; None if it takes a closer look."""
    found = _PLAIN.match(data)
    if found is None:
        return None
    end = found.end()
    if len(data) - end != int(found[3]) or end > limits.head or data.count(b"\r\n", 0, end) > limits.headers:
        return None
    return Response(int(found[1]), Headers.unread(data[found.start(2) : end - 4]), data[end:])
