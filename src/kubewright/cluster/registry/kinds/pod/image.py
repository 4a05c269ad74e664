"""The tag of an image, which tells whether the image is to be pulled each time."""

import re
from functools import lru_cache
from typing import Final

__all__ = ["image_tag"]

_PART: Final = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*"
_HOST: Final = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])"
_DOMAIN: Final = rf"(?:{_HOST}(?:\.{_HOST})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?"
_reference: Final = re.compile(
    rf"{_DOMAIN}/(?P<path>{_PART}(?:/{_PART})*)"
    r"(?::(?P<tag>[0-9A-Za-z_][0-9A-Za-z_.-]{0,127}))?"
    r"(?:@(?P<digest>[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?"
).fullmatch
_identifier: Final = re.compile("[a-f0-9]{64}").fullmatch
#: Of the digests there are, with how many digits they are written.
_digest: Final = re.compile("sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128}").fullmatch
_LONGEST: Final = 255


@lru_cache(maxsize=256)  # the same few images stand in most pods
def image_tag(image: str) -> str:
    """The tag: `latest` if neither tag nor digest is given, nothing if there is only a digest or it is no image."""
    if _identifier(image):
        return ""
    domain, slash, rest = image.partition("/")
    if not slash:
        domain, rest = "docker.io", f"library/{image}"
    elif domain == "index.docker.io":
        domain = "docker.io"
    elif domain != "localhost" and not {".", ":"} & {*domain} and domain.lower() == domain:
        domain, rest = "docker.io", image
    found = _reference(f"{domain}/{rest}")
    if found is None or len(found["path"]) > _LONGEST or (found["digest"] and not _digest(found["digest"])):
        return ""
    return found["tag"] or ("" if found["digest"] else "latest")
