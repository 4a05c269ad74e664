"""What an apply would empty, and cannot by itself.

An apply takes back what we no longer say, and of a map of which that leaves nothing the server makes `null`: a custom
resource with it is then refused, though the configuration says `{}`. So the members are first taken away one by one,
and then it is applied again:

    {"status": {"parts": {}}}, refused for `status.parts`   ->   a merge patch {"status": {"parts": {"a": null}}}

That nothing is left says that nothing in the map was another's. Where the server has any other complaint nothing is
emptied: what is refused must change nothing. (Of a CRD's own rules it says only then what it thinks.) A map within a
list that is merged by key cannot be emptied so, for a merge patch knows no keys.
"""

from typing import Final

from kubewright.client.endpoint import Document
from kubewright.client.errors import Invalid

__all__ = ["emptying_patch"]

_NULL: Final = 'must be of type object: "null"'
#: What the server puts in place of a field when it says that it has not looked at everything.
_NOWHERE: Final = "<nil>"


def emptying_patch(config: Document, live: Document, refusal: Invalid) -> Document:
    """The merge patch that takes away what is in the maps which `config` empties, if it was refused for them alone.

    Else `{}`. `live` is the object that the configuration was applied to.
    """
    fields = set()
    for cause in refusal.causes:
        field = str(cause.get("field"))
        if str(cause.get("message")).endswith(_NULL):
            fields.add(field)
        elif field != _NOWHERE:
            return {}
    patch: Document = {}
    return patch if all(_empty(field, config, live, patch) for field in fields) else {}


def _empty(field: str, config: Document, live: Document, patch: Document) -> bool:
    """Enter the members of the map in that field into the patch; False if `config` does not empty it."""
    for name, wanted in config.items():
        found = live.get(name)
        if not (isinstance(wanted, dict) and isinstance(found, dict)):
            continue
        if field == name and found and not wanted:
            patch[name] = dict.fromkeys(found)
            return True
        # A name may itself have dots.
        if field.startswith(f"{name}.") and _empty(field[len(name) + 1 :], wanted, found, patch.setdefault(name, {})):
            return True
    return False
