"""A door for API servers in other processes: the kubelets' endpoint over TLS, with a certificate of its own."""

import ssl
import tempfile
from collections.abc import Iterable
from pathlib import Path

from kubewright.cluster.auth.authority import Authority
from kubewright.entropy import Entropy
from kubewright.http import Handler, Server

__all__ = ["listen"]


async def listen(handler: Handler, names: Iterable[str], entropy: Entropy) -> tuple[Server, int]:
    """Serve on this machine, for nodes of these names; the server, and its port."""
    credential = Authority.mint(entropy).server(["localhost", "127.0.0.1", *names])
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.TemporaryDirectory(prefix="kubewright-") as directory:
        # The library reads it from files only.
        pair = Path(directory) / "kubelet.pem"
        pair.touch(mode=0o600)
        pair.write_bytes(credential.certificate + credential.key)
        context.load_cert_chain(pair)
    server = Server(handler)
    return server, await server.listen("127.0.0.1", 0, context)
