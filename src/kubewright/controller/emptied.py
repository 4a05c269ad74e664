"""What a configuration empties: maps whose every member was ours, which one apply cannot make empty.

An apply takes back what we no longer say, and of a map of which that leaves nothing the server makes `null`: a custom
resource with it is then refused, though the configuration says `{}`. So the members are first taken away one by one,
and then it is applied:

    {"status": {"parts": {}}}   we own status.parts.a   ->   a merge patch {"status": {"parts": {"a": null}}}

Nothing is lost where the server does not want the map to be empty: it refuses the patch. A map within a list that is
merged by key cannot be emptied so, for a merge patch knows no keys; and such a list goes as a whole or not at all.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from kubewright.client.endpoint import Document

__all__ = ["emptying_patch"]

Tree = Mapping[str, Any]


def emptying_patch(config: Document, live: Document, owned: bytes) -> Document:
    """The merge patch that takes away what we own of `live` in maps that `config` empties; `{}` if there is none."""
    try:
        tree = msgspec.json.decode(owned, type=dict[str, Any])
    except msgspec.DecodeError:
        return {}
    return _emptied(config, live, tree)


def _emptied(config: Document, live: Document, tree: Tree) -> Document:
    patch: Document = {}
    for name, wanted in config.items():
        found, below = live.get(name), tree.get(f"f:{name}")
        if not (below and isinstance(wanted, dict) and isinstance(found, dict)):
            continue
        if part := _emptied(wanted, found, below) if wanted else _members(found, below):
            patch[name] = part
    return patch


def _members(live: Document, tree: Tree) -> Document:
    """What is ours of a map, to be taken away: a member with all that is in it, if nothing in it is another's."""
    patch: Document = {}
    for element, below in tree.items():
        name = element[2:]
        if not element.startswith("f:") or name not in live:
            continue
        found = live[name]
        if isinstance(found, list) and not _is_ours(found, below):
            continue
        part = _members(found, below) if isinstance(found, dict) else {}
        shared = part and (part.keys() != found.keys() or any(each is not None for each in part.values()))
        patch[name] = part if shared else None
    return patch


def _is_ours(live: Any, tree: Tree) -> bool:
    """Whether nothing in a value that we own is another's."""
    if not tree:
        return True
    if isinstance(live, dict):
        return all(f"f:{name}" in tree and _is_ours(value, tree[f"f:{name}"]) for name, value in live.items())
    if not isinstance(live, list):
        return True
    items = [(msgspec.json.decode(each[2:]), below) for each, below in tree.items() if each[:2] in ("k:", "v:")]
    return all(any(_is_item(each, key) and _is_ours(each, below) for key, below in items) for each in live)


def _is_item(item: Any, key: Any) -> bool:
    """Whether an item of a list is the one with that key, or that value."""
    if isinstance(item, dict) and isinstance(key, dict):
        return all(item.get(name) == value for name, value in key.items())
    return bool(item == key)
