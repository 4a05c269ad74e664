"""What no two servers share is masked by position, not dropped: the same value gets the same mask.

| value                          | mask            | what can still differ                                             |
|--------------------------------|-----------------|-------------------------------------------------------------------|
| a uid                          | `<uid-1>`       | which object it is, and whether it stays                          |
| an object's resourceVersion    | `<rv-3>`        | its rank among those of the script: unchanged, grown, in order    |
| a list's or bookmark's         | `<rv-3+>`       | the newest object version it is not older than                    |
| a creationTimestamp            | `<created>`     | whether it stays: the second value of one uid is `<created-2>`    |
| any other time of these days   | `<time>`        | its precision; a time that a script sent stands as it was         |
| a generated name               | `x-<name-1>`    | its prefix, its length, and which object it is                    |
| an age in a table              | `<age>`         |                                                                   |
| a continue token               | what it holds   | the key it continues at and the version it reads                  |
| a built-in column's words      | `<words>`       | that there are some                                               |
| a content hash, an address …   | `<hash-1>` …    | whether it is the same in two places                              |

Entries of `managedFields` stand in the order of their times, which two servers do not share: they are sorted by the
rest. In a message that tells an object whole, they are left out.
"""

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

__all__ = ["mask", "ordered", "shape"]

_UID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
_TIME = re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(?:Z|[+-]\d\d:\d\d)")
_HASH = re.compile(r"\b[0-9A-F]{128}\b|\b[0-9A-F]{64}\b")
_PORT = re.compile(r"\b127\.0\.0\.1:\d+")
_ADDRESS = re.compile(r"\b10\.0\.0\.\d+\b")
#: In a text: of an object that is told whole, in a cell of a table, in a refusal.
_NODE_PORT = re.compile(
    r'(?<=odePort\\":)\d+|\b3\d{4}(?=/(?:TCP|UDP|SCTP)\b)|(?<=duplicate nodePort: \{(?:TCP|UDP) )\d+'
)
_TOKEN = re.compile(r"\beyJ[\w-]+\.[\w-]+\.[\w-]+")
_VOLUME = re.compile(r"\bkube-api-access-[bcdfghjklmnpqrstvwxz2456789]{5}\b")
_CURRENT = re.compile(r"(?<=, current: )\d+|(?<=object meta: )\d+|(?<=\()\d+(?=\))")
_NUMBER = re.compile(r"\b\d+\b")
_WARNING = "299 - "
_VERSIONS = re.compile("resource ?version", re.IGNORECASE)
_SUFFIX = re.compile("[bcdfghjklmnpqrstvwxz2456789]{5}")
_AGE = re.compile(r"(\d+[ydhms]){1,2}")
#: In an object that a message tells whole, quoted as Go quotes it.
_MANAGED = re.compile(r',?\\"managedFields\\":\[[^\]]*\]')
#: Of the words that describe columns, those of a definition or made from it; all others are Kubernetes' documentation.
_SAID = re.compile(r"|a string|How big it is\.|Custom resource definition column .*")
_DAYS = timedelta(days=2)


def mask(steps: list[dict[str, Any]], now: datetime, prefixes: Iterable[str] = ()) -> list[dict[str, Any]]:
    """A transcript, masked as one: a value that comes back in a later step has the mask it had.

    `prefixes` are those from which names were to be generated: a refusal tells the name, not the prefix.
    """
    masked: list[dict[str, Any]] = _Masker(steps, now, tuple(prefixes)).masked(steps)
    return masked


def shape(value: Any) -> str:
    """A value as text, without what is masked: by this, what comes in random order is sorted."""
    text = json.dumps(value, sort_keys=True)
    for pattern in (_UID, _TIME, re.compile(r'(?<="resourceVersion": ")\d+')):
        text = pattern.sub("", text)
    return text


def ordered(values: Iterable[Any]) -> list[Any]:
    """Values in an order that two servers agree on."""
    return sorted(values, key=shape)


def _walk(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in a value, outer ones first, keys in order."""
    if isinstance(value, dict):
        yield value
        for key in sorted(value):
            yield from _walk(value[key])
    elif isinstance(value, list):
        for item in value:
            yield from _walk(item)


class _Masker:
    def __init__(self, steps: list[dict[str, Any]], now: datetime, prefixes: tuple[str, ...]) -> None:
        self._now = now
        self._marks: dict[tuple[str, str], str] = {}
        self._created: dict[str, list[str]] = {}
        self._generated: dict[str, str] = {}
        versions: set[int] = set()
        for found in _walk(steps):
            refused = found.get("name") if {"kind", "causes"} <= found.keys() else None
            if isinstance(refused, str) and any(self._is_generated(refused, prefix) for prefix in prefixes):
                self._generated.setdefault(refused, f"{refused[:-5]}<name-{len(self._generated) + 1}>")
            metadata = found.get("metadata")
            if not isinstance(metadata, dict):
                continue
            version = metadata.get("resourceVersion")
            if metadata.get("uid") and isinstance(version, str) and version.isdigit():
                versions.add(int(version))
            name, prefix = metadata.get("name"), metadata.get("generateName")
            if isinstance(name, str) and isinstance(prefix, str) and self._is_generated(name, prefix):
                self._generated.setdefault(name, f"{name[:-5]}<name-{len(self._generated) + 1}>")
        self._versions = sorted(versions)

    @staticmethod
    def _is_generated(name: str, prefix: str) -> bool:
        return bool(_SUFFIX.fullmatch(name[-5:])) and len(name) > 5 and name[:-5] == prefix[: len(name) - 5]

    def masked(self, value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {self._key(name): self._entry(name, value[name], value, key) for name in sorted(value)}
        if isinstance(value, list):
            return [self.masked(item, key) for item in value]
        if key.endswith("cells") and isinstance(value, str) and _AGE.fullmatch(value):
            return "<age>"
        return self._text(value) if isinstance(value, str) else value

    def _entry(self, name: str, value: Any, inside: dict[str, Any], key: str) -> Any:
        if name == "ask":  # our own words, the same on every server
            return value
        if name == "managedFields" and isinstance(value, list) and all(isinstance(item, dict) for item in value):
            # They stand in the order of their times, of which two servers have not the same.
            value = ordered(value)
        if key == "metadata" and isinstance(value, str):
            if name == "resourceVersion":
                return self._version(value, inside)
            if name == "creationTimestamp" and isinstance(inside.get("uid"), str):
                return self._creation(value, inside["uid"])
            if name == "continue" and value:
                return self._continue(value)
        if key == "columnDefinitions" and name == "description" and not _SAID.fullmatch(value):
            return "<words>"
        if name in ("nodePort", "healthCheckNodePort") and isinstance(value, int):
            return self._mark("node-port", str(value))
        return self.masked(value, name)

    def _key(self, name: str) -> str:
        """An item of a list may be owned by its uid."""
        return self._text(name) if name.startswith("k:") else name

    def _mark(self, kind: str, value: str) -> str:
        count = sum(1 for known, _ in self._marks if known == kind)
        return self._marks.setdefault((kind, value), f"<{kind}-{count + 1}>")

    def _version(self, value: str, inside: dict[str, Any]) -> str:
        if not value.isdigit() or value == "0":
            return value
        if inside.get("uid"):
            return f"<rv-{self._versions.index(int(value)) + 1}>"
        return self._at_least(int(value))

    def _at_least(self, version: int) -> str:
        return f"<rv-{sum(1 for known in self._versions if known <= version)}+>"

    def _creation(self, value: str, uid: str) -> str:
        if not self._is_near(value):
            return value
        seen = self._created.setdefault(uid, [])
        if value not in seen:
            seen.append(value)
        at = seen.index(value)
        return "<created>" if at == 0 else f"<created-{at + 1}>"

    def _continue(self, token: str) -> str:
        try:
            held = json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
        except (binascii.Error, ValueError):
            return self._text(token)
        if not isinstance(held, dict):
            return self._text(token)
        if isinstance(held.get("rv"), int) and held["rv"] > 0:
            held["rv"] = self._at_least(held["rv"])
        return f"<continue {json.dumps(self.masked(held), sort_keys=True)}>"

    def _is_near(self, time: str) -> bool:
        try:
            moment = datetime.fromisoformat(time)
        except ValueError:
            return False
        return abs(moment.astimezone(UTC) - self._now) < _DAYS

    def _text(self, text: str) -> str:
        text = _MANAGED.sub("", text)
        for name, generated in self._generated.items():
            text = text.replace(name, generated)
        steps: list[tuple[re.Pattern[str], Callable[[re.Match[str]], str]]] = [
            (_VOLUME, lambda found: self._mark("token-volume", found[0])),
            (_TOKEN, lambda found: self._mark("token", found[0])),
            (_UID, lambda found: self._mark("uid", found[0])),
            (_HASH, lambda found: self._mark("hash", found[0])),
            (_PORT, lambda _: "127.0.0.1:<port>"),
            (_ADDRESS, lambda found: self._mark("address", found[0])),
            (_NODE_PORT, lambda found: self._mark("node-port", found[0])),
            (_TIME, self._time),
        ]
        for pattern, shown in steps:
            text = pattern.sub(shown, text)
        if _VERSIONS.search(text):
            # The code of a warning is no version, though some version may be 299.
            start = len(_WARNING) if text.startswith(_WARNING) else 0
            text = text[:start] + _CURRENT.sub("<rv>", _NUMBER.sub(self._number, text[start:]))
        return text

    def _time(self, found: re.Match[str]) -> str:
        if not self._is_near(found[0]):
            return found[0]
        return "<time>" if not found[1] else f"<time.{'0' * (len(found[1]) - 1)}>"

    def _number(self, found: re.Match[str]) -> str:
        number = int(found[0])
        return f"<rv-{self._versions.index(number) + 1}>" if number in self._versions else found[0]
