"""Whether who asks without credentials is a program of this machine, or a web page that a browser here has open.

Whoever reaches the plain port from this machine is its administrator. A page in a browser reaches it as well: its
script may ask any address, and if the name of its own site is made to mean 127.0.0.1 (DNS rebinding) it may even read
the answers. But a browser says for which name it asks (Host) and for whose page (Origin), and a page cannot change
that. So both have to be this machine: `localhost`, 127.0.0.0/8 or ::1, with any port. Programs that are no browsers
name what they were told to connect to, and send no Origin.
"""

from functools import lru_cache

from kubewright.cluster.wire.status import forbidden_path
from kubewright.http import Request
from kubewright.schema.walk.golang import quote

__all__ = ["check_neighbour"]


def check_neighbour(request: Request) -> None:
    """A `Failure` if a request came over this machine's plain port on behalf of somebody else."""
    peer = request.peer
    if peer.secure or peer.address is None or not _is_here(peer.address[0]):
        return
    headers = request.headers
    if why := _stranger(headers.get(b"host"), headers.get(b"origin")):
        raise forbidden_path(why)


@lru_cache(64)
def _stranger(host: bytes | None, origin: bytes | None) -> str:
    """Why a request is not of this machine; empty if it is."""
    site = origin.partition(b"://")[2] if origin is not None else None
    for what, said, authority in (("Host", host, host), ("Origin", origin, site)):
        if said is not None and authority is not None and not _is_here(_name(authority)):
            return (
                f"the plain port serves programs of this machine alone, and the {what} of this request is "
                f"{quote(said.decode('latin-1'))}; ask for localhost or 127.0.0.1, or over TLS with the kubeconfig"
            )
    return ""


def _name(authority: bytes) -> str:
    """The name or address of `name:port`, `address:port` or `[address]:port`."""
    text = authority.decode("latin-1").strip()
    return text[1:].partition("]")[0] if text.startswith("[") else text.partition(":")[0]


def _is_here(name: str) -> bool:
    if name == "127.0.0.1" or name.lower() == "localhost":
        return True
    # Loaded when it is needed: hardly anybody has another name.
    from ipaddress import ip_address

    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
