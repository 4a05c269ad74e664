"""What keeps a reflector from its work, as the log tells it: each trouble once, and its end when that has lasted.

A server may begin to answer, and fail again at once: that is no news, and no end of what was told. And some servers
send no bookmarks: of those a quiet kind would be a warning every 90 seconds.
"""

import asyncio
import logging

from kubewright.cache.machine import BRIEF, LATE, Trouble

__all__ = ["Bulletin"]

_log = logging.getLogger(__name__)


class Bulletin:
    """Tells of one watched collection."""

    def __init__(self, what: str) -> None:
        self._what = what
        #: The trouble that was told last, and the part of its sentence that would be news if it changed.
        self._told: tuple[Trouble, str] | None = None
        #: What will tell that it is over.
        self._relief: asyncio.TimerHandle | None = None
        #: Whether a stream that stood still was told of, and no bookmark has come since.
        self._stalled = False

    def trouble(self, trouble: Trouble, problem: str) -> None:
        """Something is wrong, or still is."""
        self.close()
        # Why nobody is reached may change under way, and what to do with it: first refused, then not trusted.
        news = trouble, problem if trouble is Trouble.UNREACHABLE else ""
        if news == self._told:
            return
        self._told = news
        quiet = trouble in (Trouble.BROKEN, Trouble.BRIEF) or (trouble is Trouble.STALLED and self._stalled)
        self._stalled = self._stalled or trouble is Trouble.STALLED
        _log.log(logging.INFO if quiet else logging.WARNING, "%s: %s: %s", self._what, trouble, problem)

    def well(self) -> None:
        """Nothing is wrong now."""
        if self._told is not None and self._relief is None:
            self._relief = asyncio.get_running_loop().call_later(BRIEF, self._relieved)

    def late(self, events: int) -> None:
        """A first state takes long: it is large, or the server does not know that it should tell its end."""
        _log.warning(
            "%s: for %g seconds the server has told what there is (%d events), and not yet that this is all; until it "
            "does, nothing is done about them.",
            self._what,
            LATE,
            events,
        )

    def bookmark(self) -> None:
        """The server sends bookmarks."""
        self._stalled = False

    def close(self) -> None:
        """Tell of no end."""
        if self._relief is not None:
            self._relief.cancel()
            self._relief = None

    def _relieved(self) -> None:
        if self._told is not None and self._told[0] is not Trouble.BRIEF:
            _log.info("%s: followed again.", self._what)
        self._told = self._relief = None
