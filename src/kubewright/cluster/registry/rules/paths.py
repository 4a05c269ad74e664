"""Paths of files in fields: relative ones, and none that leads out of where it starts."""

from collections.abc import Iterator

from kubewright.schema.walk.errors import FieldError, invalid

__all__ = ["check_descending", "check_file", "check_no_backsteps"]


def check_no_backsteps(target: str, path: str) -> Iterator[FieldError]:
    """What is wrong with a path that may not go up."""
    if ".." in target and ".." in target.split("/"):
        yield invalid(path, target, "must not contain '..'")


def check_descending(target: str, path: str) -> Iterator[FieldError]:
    """What is wrong with a path below another."""
    if target.startswith("/"):
        yield invalid(path, target, "must be a relative path")
    yield from check_no_backsteps(target, path)


def check_file(target: str, path: str) -> Iterator[FieldError]:
    """What is wrong with the path of a file in a volume, where names with two dots are taken."""
    yield from check_descending(target, path)
    if target.startswith("..") and not target.startswith("../"):
        yield invalid(path, target, "must not start with '..'")
