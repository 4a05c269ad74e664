"""A server's certificate and key, from files that are replaced under way.

Whoever rotates certificates writes new files (a Secret that is mounted does); connections made from then on must get
the new ones, with no restart. A key that does not belong to the certificate, as while one of two files is written, is
never served: the old pair stays until a whole new one is there.

The context that listens never changes. It hands each handshake over to the context with the newest certificate, by the
callback that TLS has for choosing one by name.
"""

import asyncio
import contextlib
import logging
import ssl
from pathlib import Path

from kubewright.errors import KubewrightError
from kubewright.observe.metrics import CertificateMetrics

__all__ = ["CertificateError", "Certificates"]

_log = logging.getLogger("kubewright.certificates")


class CertificateError(KubewrightError):
    """A certificate and key that cannot be served."""


class Certificates:
    """A pair of PEM files, looked at again every `interval` seconds."""

    def __init__(
        self, certificate: Path, key: Path, *, metrics: CertificateMetrics | None = None, interval: float = 10.0
    ) -> None:
        self._certificate = certificate
        self._key = key
        self._metrics = metrics
        self._interval = interval
        self._seen: tuple[bytes, bytes] | None = None
        self._newest: ssl.SSLContext | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self) -> ssl.SSLContext:
        """The context to listen with; the files are watched from now on. `CertificateError` if they are no pair."""
        self.look()
        if self._newest is None:
            raise CertificateError(f"there is no certificate in {self._certificate} with a key in {self._key}.")
        context = _context()
        context.load_cert_chain(self._certificate, self._key)
        context.sni_callback = self._choose
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._watch(), name="certificates")
        return context

    async def stop(self) -> None:
        """Watch no more."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    def look(self) -> None:
        """Read the files; if they are a new and whole pair, serve it from now on."""
        try:
            found = (self._certificate.read_bytes(), self._key.read_bytes())
            if found == self._seen:
                return
            self._count(error=False)
            context = _context()
            context.load_cert_chain(self._certificate, self._key)
        except (OSError, ValueError) as error:  # an ssl.SSLError is an OSError
            self._count(error=True)
            if self._newest is None:
                problem = f"{self._certificate} and {self._key} are no certificate and its key: {error}."
                raise CertificateError(problem) from error
            _log.warning("The new certificate in %s cannot be read, the old one stays: %s", self._certificate, error)
            return
        if self._newest is not None:
            _log.info("The certificate in %s has changed and is served from now on", self._certificate)
        self._seen, self._newest = found, context

    def _count(self, *, error: bool) -> None:
        if self._metrics is not None:
            (self._metrics.errors if error else self._metrics.reads).inc()

    def _choose(self, connection: ssl.SSLObject | ssl.SSLSocket, name: str | None, _: ssl.SSLContext) -> None:
        if self._newest is not None:
            connection.context = self._newest

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(self._interval)
            self.look()


def _context() -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    return context
