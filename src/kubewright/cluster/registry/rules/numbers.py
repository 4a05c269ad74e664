"""Numbers within bounds: ports, users, groups, counts."""

from collections.abc import Iterator
from typing import Final

from kubewright.schema.walk.errors import FieldError, invalid

__all__ = [
    "LARGEST",
    "check_not_negative",
    "check_port",
    "check_port_name",
    "check_positive",
    "check_range",
    "port_name",
]

#: The largest user, group, or number of seconds.
LARGEST: Final = 2**31 - 1


def check_range(value: int, path: str, least: int, most: int = LARGEST) -> Iterator[FieldError]:
    """What is wrong with a number that has bounds, both inclusive."""
    if not least <= value <= most:
        yield invalid(path, value, f"must be between {least} and {most}, inclusive")


def check_not_negative(value: int, path: str) -> Iterator[FieldError]:
    """What is wrong with a number that is 0 or more."""
    if value < 0:
        yield invalid(path, value, "must be greater than or equal to 0")


def check_positive(value: int, path: str) -> Iterator[FieldError]:
    """What is wrong with a number that is 1 or more."""
    if value <= 0:
        yield invalid(path, value, "must be greater than zero")


def check_port(port: int | str, path: str) -> Iterator[FieldError]:
    """What is wrong with a port, given by number or by name."""
    if isinstance(port, int):
        yield from check_range(port, path, 1, 65535)
    else:
        yield from check_port_name(port, path)


def check_port_name(name: str, path: str) -> Iterator[FieldError]:
    """What is wrong with the name of a port."""
    return (invalid(path, name, complaint) for complaint in port_name(name))


def port_name(name: str) -> list[str]:
    """What is said against the name of a port."""
    complaints = []
    if len(name.encode(errors="replace")) > 15:
        complaints.append("must be no more than 15 characters")
    if not name or not all(char.isascii() and (char.islower() or char.isdigit() or char == "-") for char in name):
        complaints.append("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)")
    if not any("a" <= char <= "z" for char in name):
        complaints.append("must contain at least one letter (a-z)")
    if "--" in name:
        complaints.append("must not contain consecutive hyphens")
    if name.startswith("-") or name.endswith("-"):
        complaints.append("must not begin or end with a hyphen")
    return complaints
