"""The resourceVersion in the text of an object.

It is the one thing in it that nobody knows before it is committed. So the text is made before, under the number that
the object had, and the number is changed in it.
"""

__all__ = ["renumbered"]

_PLACE = b'"resourceVersion":"%d"'


def renumbered(data: bytes, before: int, after: int) -> bytes | None:
    """The text of an object as it is under another number; None if that cannot be told from its text.

    Inside a text quotation marks are escaped: what is found is a member, and its metadata has one. If there is another,
    in an object inside it, somebody has to look.
    """
    place = _PLACE % before
    at = data.find(place)
    if at < 0 or data.find(place, at + 1) >= 0:
        return None
    return data[:at] + _PLACE % after + data[at + len(place) :]
