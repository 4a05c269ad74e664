"""What is particular to a kind when it is written. What stands here fits most kinds; a kind that differs overrides it."""

from typing import Any

from kubewright.schema.walk.errors import FieldError

__all__ = ["Strategy"]

Document = dict[str, Any]


class Strategy:
    """How objects of a kind are prepared and judged. Objects are changed in place where it says so, old ones never."""

    #: PUT of an object that is not there makes it.
    create_on_update = False
    #: PUT may leave the resourceVersion out.
    unconditional_update = True
    #: DELETE answers with the object even when it is gone at once.
    returns_deleted = False
    #: What becomes of dependents if the client does not say.
    default_propagation = "Background"

    def prepare_create(self, obj: Document) -> None:
        """Make of what a client sent what may be created, in place: drop the status, set what the server sets."""

    def prepare_update(self, obj: Document, old: Document) -> None:
        """Make of what a client sent what may replace `old`, in place: keep what this endpoint may not change."""

    def validate(self, obj: Document) -> list[FieldError]:
        """What is wrong with a new object, its metadata apart."""
        return []

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        """What is wrong with a changed object, its metadata apart."""
        return []

    def warnings(self, obj: Document) -> list[str]:
        """What a writer should know though the object is valid."""
        return []
