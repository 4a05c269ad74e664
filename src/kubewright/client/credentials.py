"""The credentials of a client as they are at the moment, and new ones when the server no longer takes them.

    fixed          a token or certificate of the kubeconfig: as they are
    from files     read again now and then, and at once after a 401
    from a program run when there are none, when they have expired, and after a 401

Everybody who needs the program's credentials while it runs waits for the same run; a request that gives up waiting does
not stop it, for somebody may be logging in. `close` does.
"""

import asyncio
import contextlib
from pathlib import Path

from kubewright import clock
from kubewright.client.kubeconfig import Access, KubeconfigError
from kubewright.client.plugin import AwaitedPlugin, ExecPlugin, Grant, PluginError, run_plugin

__all__ = ["Credentials"]

#: Seconds after which a file is read again: much less than the minute in which a replaced token is still good.
_FILE_AGE = 10.0
#: Seconds between two runs of a program that fails, or whose credentials are refused: no storm of processes.
_PLUGIN_PAUSE = 5.0


class Credentials:
    """Of one client; used by one loop."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._plugin = _wanted_plugin(access)
        self._grant: Grant | None = None
        if self._plugin is None and access.token_file is None:
            self._grant = Grant(access.token, access.certificate, access.key)
        self._read_at = 0.0
        self._run: asyncio.Task[Grant] | None = None
        self._failure: tuple[float, PluginError] | None = None
        self._renewed_at = float("-inf")

    def ready(self) -> Grant | None:
        """What is good now; None if it takes a while to know: then `get`."""
        grant = self._grant
        if self._access.token_file is not None:
            if grant is None or clock.monotonic() - self._read_at >= _FILE_AGE:
                grant = self._read()
        elif grant is not None and grant.expires is not None and clock.now() >= grant.expires:
            return None
        return grant

    async def get(self) -> Grant:
        """What is good now, however long it takes."""
        return self.ready() or await self._from_plugin()

    async def renew(self, refused: Grant) -> Grant | None:
        """Others than those that were refused; None if there are none."""
        if self._plugin is not None:
            if self._grant is not None and self._grant is not refused:
                return self._grant  # another request had them renewed already
            if self._run is None:
                now = clock.monotonic()
                if now - self._renewed_at < _PLUGIN_PAUSE:
                    return None
                self._renewed_at = now
                self._grant = None
            return await self._from_plugin()
        found = self._read()
        return None if found == refused else found

    async def close(self) -> None:
        """Stop the program, if it runs."""
        if self._run is not None:
            self._run.cancel()
            with contextlib.suppress(asyncio.CancelledError, PluginError):
                await self._run

    def _read(self) -> Grant:
        """Everything that comes from files, read again. A file that cannot be read leaves what it said last."""
        access, last = self._access, self._grant
        token, certificate, key = access.token, access.certificate, access.key
        if access.token_file is not None:
            file = access.token_file
            try:
                found, problem = file.read_text().strip(), "is empty"
            except (OSError, UnicodeDecodeError) as error:
                found, problem = "", f"cannot be read: {getattr(error, 'strerror', None) or 'it is no text'}"
            token = found or (last.token if last is not None else None) or token
            if not token:
                raise KubeconfigError(f"the token file {file} {problem}.")
        if access.certificate_file is not None and access.key_file is not None:
            with contextlib.suppress(OSError):
                certificate, key = _pair(access.certificate_file, access.key_file)
        authority = last.authority if last is not None else access.authority
        if access.authority_file is not None:
            with contextlib.suppress(OSError):
                authority = access.authority_file.read_bytes() or authority
        grant = Grant(token, certificate, key, authority=authority)
        self._read_at = clock.monotonic()
        if grant != last:
            self._grant = last = grant
        return last

    async def _from_plugin(self) -> Grant:
        assert self._plugin is not None
        if self._failure is not None:
            at, error = self._failure
            if clock.monotonic() - at < _PLUGIN_PAUSE:
                raise PluginError(str(error))
        if self._run is None:
            self._run = asyncio.create_task(self._refresh(self._plugin))
            # Everybody may have given up waiting: then nobody else asks how it ended.
            self._run.add_done_callback(lambda run: run.cancelled() or run.exception())
        try:
            return await asyncio.shield(self._run)
        except asyncio.CancelledError as error:
            error.args = (AwaitedPlugin(self._plugin.command),)
            raise

    async def _refresh(self, plugin: ExecPlugin) -> Grant:
        try:
            self._grant = await run_plugin(plugin)
            self._failure = None
            return self._grant
        except PluginError as error:
            self._failure = clock.monotonic(), error
            raise
        finally:
            self._run = None


def _wanted_plugin(access: Access) -> ExecPlugin | None:
    """Whoever has a token or certificate needs no program, as with kubectl."""
    return None if access.token or access.token_file or access.certificate else access.plugin


def _pair(certificate: Path, key: Path) -> tuple[bytes, bytes]:
    return certificate.read_bytes(), key.read_bytes()
