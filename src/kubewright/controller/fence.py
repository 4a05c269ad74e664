"""The gate that every write of a leader passes: shut unless the lease is surely still ours.

A process can stand still between two lines of code (a stopped container, a suspended machine, a loop that is blocked)
and go on, after its lease ran out and another took over, with the write it was about to send. So the question "do we
lead?" is asked of the clock, directly before each write is sent, and not of a variable that somebody should have
changed meanwhile: when there is a connection, and once more when nothing is left but the system call that sends it.

    client.but(gate=election.fence)

The fence is open until a renew deadline has passed since the last renewal that the server confirmed *was sent*; rivals
wait for a whole lease duration since they saw it, which was later. Between the two lies the time in which what was
sent at the last moment may arrive, and by which clocks may run apart. Two clocks are asked, and either shuts the fence:
the monotonic one, which nobody sets, and the time of day, which also counts while a machine is suspended. A time of day
that jumps ahead shuts the fence until the next renewal; one that jumps back opens nothing.

What stands still within the system call itself is sent all the same; against those few microseconds nobody has a gate.
Nor is there one in the middle of a body that is longer than the connection takes at once: what is left of it follows.
Running a command in a pod, or forwarding a port, passes it as a write does.
"""

from typing import Final

from kubewright import clock
from kubewright.client.errors import HeldBack

__all__ = ["Fence", "NotLeading"]


#: Seconds after which a write asks again whether the lease was renewed: at once, but for who else wants to write.
_AGAIN: Final = 0.25


class NotLeading(HeldBack):
    """A write was held back: the lease may be another's by now. Nothing was sent."""


class Fence:
    """Open until two moments, one on each clock; made shut."""

    def __init__(self, lease: str) -> None:
        self._lease = lease
        self._until = self._wall_until = float("-inf")

    def __call__(self) -> None:
        """Pass, or raise `NotLeading`."""
        if not self.is_open():
            lost = self._until == float("-inf")
            why = "is not ours" if lost else "was not renewed in time, so another may lead"
            raise NotLeading(f"not sent: the lease {self._lease} {why}.", None if lost else _AGAIN)

    def is_open(self) -> bool:
        """Whether a write may be sent now."""
        return clock.monotonic() < self._until and clock.now().timestamp() < self._wall_until

    def extend(self, until: float, wall_until: float) -> None:
        """Open it until those moments, on `clock.monotonic` and as seconds since 1970."""
        self._until, self._wall_until = until, wall_until

    def shut(self) -> None:
        """Let nothing pass from now on."""
        self.extend(float("-inf"), float("-inf"))
