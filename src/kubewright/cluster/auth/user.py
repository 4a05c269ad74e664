"""Who is asking."""

from dataclasses import dataclass

__all__ = ["ANONYMOUS", "MASTERS", "User"]

#: Members of this group may do everything.
MASTERS = "system:masters"


@dataclass(frozen=True, slots=True)
class User:
    """A name, and the groups it belongs to."""

    name: str
    groups: tuple[str, ...] = ()

    @property
    def anonymous(self) -> bool:
        """Whether nobody said who he is."""
        return "system:unauthenticated" in self.groups


ANONYMOUS = User("system:anonymous", ("system:unauthenticated",))
