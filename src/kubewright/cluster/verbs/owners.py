"""Owner references that stand twice are one, and their writer is told."""

from typing import Final

import msgspec

from kubewright.cluster.call import Call, Document

__all__ = ["drop_repeated_owners"]

_text: Final = msgspec.json.Encoder(order="sorted").encode


def drop_repeated_owners(call: Call, meta: Document) -> None:
    """Keep the first of the owner references that are equal."""
    references = meta.get("ownerReferences")
    if not references or len(references) < 2:
        return
    # By their text, for there may be thousands.
    kept: dict[bytes, Document] = {}
    repeated: dict[str, None] = {}
    for reference in references:
        if kept.setdefault(_text(reference), reference) is not reference:
            repeated[reference.get("uid", "")] = None
    if repeated:
        meta["ownerReferences"] = list(kept.values())
        call.warnings.append(
            ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and "
            "may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: "
            + ", ".join(repeated)
        )
