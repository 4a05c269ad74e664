"""Why a patch is not applied, sorted by what the server then answers.

The text of each is what kube-apiserver's own error says. Whether a client gets to read it, and inside which sentence,
is for whoever makes the answer: a refused JSON patch, for one, is told in general words only.
"""

from typing import ClassVar, Final

from kubewright.errors import KubewrightError
from kubewright.model.documents import MAX_DEPTH

__all__ = ["TOO_DEEP", "BadPatch", "FailedPatch", "InapplicablePatch", "OversizedPatch", "PanickingPatch", "PatchError"]


#: Said of values that were built, not read: what is read has been measured before.
TOO_DEEP: Final = f"the patch or the object is nested more than {MAX_DEPTH} levels deep"


class PatchError(KubewrightError, ValueError):
    """A patch that cannot be applied; `code` is the HTTP status that tells so."""

    code: ClassVar[int] = 500


class BadPatch(PatchError):
    """It is no patch, or breaks the rules of its directives: 400 BadRequest with this text."""

    code = 400


class OversizedPatch(PatchError):
    """It has too many operations: 413 RequestEntityTooLarge."""

    code = 413


class InapplicablePatch(PatchError):
    """It is a patch, but not for this object: 422 Invalid, in general words."""

    code = 422


class FailedPatch(PatchError):
    """The server has no name for what went wrong: 500 with this text and no reason."""


class PanickingPatch(PatchError):
    """kube-apiserver panics here, and drops the connection without an answer. Ours can say what it is about."""
