"""Who is asking."""

from dataclasses import dataclass
from typing import Any, Final

__all__ = [
    "ANONYMOUS",
    "AUTHENTICATED",
    "MASTERS",
    "SERVER",
    "UNAUTHENTICATED",
    "Extra",
    "User",
    "authenticated",
    "user_info",
]

#: Members of this group may do everything.
MASTERS: Final = "system:masters"
#: Everybody is in one of these two.
AUTHENTICATED: Final = "system:authenticated"
UNAUTHENTICATED: Final = "system:unauthenticated"

#: What else is known of a user: values by key.
Extra = tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class User:
    """A name, the groups it belongs to, and what else was found out about who bears it."""

    name: str
    groups: tuple[str, ...] = ()
    uid: str = ""
    extra: Extra = ()


ANONYMOUS: Final = User("system:anonymous", (UNAUTHENTICATED,))
#: The server itself, and what runs in it.
SERVER: Final = User("system:apiserver", (MASTERS,))


def authenticated(user: User) -> User:
    """The same user, known to have shown who he is."""
    if AUTHENTICATED in user.groups:
        return user
    return User(user.name, (*user.groups, AUTHENTICATED), user.uid, user.extra)


def user_info(user: User) -> dict[str, Any]:
    """A user as reviews tell of one; what is empty is left out."""
    found: dict[str, Any] = {
        "username": user.name,
        "uid": user.uid,
        "groups": [*user.groups],
        "extra": {key: [*values] for key, values in sorted(user.extra)},
    }
    return {name: value for name, value in found.items() if value}
