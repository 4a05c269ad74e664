"""Which requests are sent again, and when: only where that cannot do a thing twice.

- An answer of 429 or 5xx **with Retry-After** is the server's word that it did nothing: any request is repeated, after
  as long as it says.
- No connection came about (`ConnectError`): nothing was sent, any request is repeated.
- The connection was lost under way: the outcome is unknown. What only reads is repeated; a write never is.

The waits get a little longer by chance, so that clients refused together do not come back together.
"""

from dataclasses import dataclass

from kubewright.entropy import SYSTEM, Entropy
from kubewright.http import ClientClosedError, ConnectError, DisconnectedError, Headers, HttpError

__all__ = ["NEVER", "Retry", "retry_after"]

_READING = ("GET", "HEAD", "OPTIONS")


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """How often, and how long between; all within the request's own time limit."""

    #: How many times after an answer that asks for it; client-go's number.
    answers: int = 10
    #: How many times after a failed connection.
    failures: int = 3
    #: Seconds before the first repetition after a failed connection; it doubles.
    pause: float = 0.1
    entropy: Entropy = SYSTEM

    def after_answer(self, code: int, headers: Headers, number: int) -> float | None:
        """Seconds to wait after that answer to the `number`th attempt; None: that is the answer."""
        if (code != 429 and code < 500) or number > self.answers:
            return None
        seconds = retry_after(headers)
        # At most a tenth longer, and a tenth of a second at least to spread over.
        return None if seconds is None else seconds + self.entropy.fraction() * max(seconds / 10, 0.1)

    def after_failure(self, method: str, error: HttpError, number: int) -> float | None:
        """Seconds to wait after the `number`th attempt failed; None: that is the outcome."""
        safe = isinstance(error, ConnectError) or (isinstance(error, DisconnectedError) and method in _READING)
        if not safe or number > self.failures or isinstance(error, ClientClosedError):
            return None
        return float(self.pause * 2 ** (number - 1) * (1 + self.entropy.fraction()))


#: Nothing is ever sent again.
NEVER = Retry(answers=0, failures=0)


def retry_after(headers: Headers) -> float | None:
    """The seconds of a Retry-After; Kubernetes never sends the form with a date."""
    value = (headers.get(b"retry-after") or b"").strip()
    return float(value) if value.isdigit() else None
