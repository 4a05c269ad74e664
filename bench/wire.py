"""A Deployment as clients send it: in protobuf, as Kubernetes' own Go client wrote it, beside the same in JSON.

Both become the object that the server goes on with. Aim: no more than 200 µs for the one in protobuf.
"""

from base64 import b64decode
from functools import partial

import msgspec

from bench.measure import report, seconds_per_call
from kubewright.cluster.wire.body import decode
from kubewright.cluster.wire.builtin import builtin_codec
from kubewright.cluster.wire.media import JSON
from kubewright.cluster.wire.protobuf.envelope import read_object, write_object
from kubewright.model.resource import GroupVersionKind

__all__ = ["main"]

KIND = GroupVersionKind("apps", "v1", "Deployment")
#: Two containers, two volumes, probes, resources, a toleration and an affinity.
BODY = """
azhzAAoVCgdhcHBzL3YxEgpEZXBsb3ltZW50EtgECjkKA3dlYhIAGgdkZWZhdWx0IgAqADIAOABCAFoKCgNhcHASA3dlYloJCgR0
aWVyEgF4YgYKAWESAWISjAQIAxIMCgoKA2FwcBIDd2ViGs8DChwKABIAGgAiACoAMgA4AEIAWgoKA2FwcBIDd2ViEq4DChEKAXYS
DJoBCQoECgJjbRikAwoKCgFzEgUyAwoBeBKBAgoBYxIFaW1nOjEaAWEaAWIiBS0teD0xIgMtLXkqADIRCgRodHRwEAAYUCIDVENQ
KgA6BgoBQRIBMToaCgFCEgAaEwoRCgASDW1ldGFkYXRhLm5hbWVCPwoKCgNjcHUSAwoBMQoPCgZtZW1vcnkSBQoDMUdpEg0KA2Nw
dRIGCgQxMDBtEhEKBm1lbW9yeRIHCgUxMjhNaUoNCgF2EAAaAi92IgAyAEoNCgFzEAEaAi9zIgAyAFIhChUSEwoBLxIKCAEQABoE
aHR0cBoAIgAQABgAIAooADAAWhgKDBoKCgYIABBQGgASABAAGAAgACgAMABqAHIAgAEAiAEAkAEAogEAEioKAWQSBWltZzoyKgBC
DAoKCgNjcHUSAwoBMWoAcgCAAQCIAQCQAQCiAQAaADIAQgJzYUoAUgBYAGAAaAByBxDoByABIAKCAQCKAQCSARkaFxIVCAESEQoM
CgoKA2FwcBIDd2ViGgFrmgEAsgEZCgFhEgZFeGlzdHMaACIKTm9TY2hlZHVsZcIBACIkCg1Sb2xsaW5nVXBkYXRlEhMKCQgBEAAa
AzI1JRIGCAAQARoAKAA4ABoMCAAQABgAIAAoADgAGgAiAA==
"""


def main() -> None:
    """Print the table."""
    codec, body = builtin_codec(*KIND), b64decode(BODY)
    obj = read_object(body, KIND)
    text = msgspec.json.encode(obj)

    def read() -> None:
        parsed = decode(text, JSON)
        codec.read(parsed.document, parsed.duplicates)

    times = seconds_per_call(
        {
            "JSON, read": read,
            "protobuf, read": partial(read_object, body, KIND),
            "JSON, written": partial(codec.write, obj),
            "protobuf, written": partial(write_object, obj),
        }
    )
    report(f"A Deployment, {len(body)} bytes of protobuf, {len(text)} of JSON (aim: 200 us)", times, "JSON, read")
