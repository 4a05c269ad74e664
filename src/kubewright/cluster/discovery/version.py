"""Which Kubernetes this is: `/version`.

The release is the one whose API is served; clients decide by it what they may ask. What built it is ourselves, and it
says so.
"""

import platform
import sys
from functools import cache
from typing import Final

import msgspec

from kubewright.version import KUBERNETES, VERSION

__all__ = ["version_document"]

#: Go's names for what Python calls otherwise.
_ARCHITECTURES: Final = {"x86_64": "amd64", "AMD64": "amd64", "aarch64": "arm64"}
_SYSTEMS: Final = {"win32": "windows"}


@cache
def version_document() -> bytes:
    """The document, indented as the server writes it whoever asks."""
    major, minor, _ = KUBERNETES.split(".")
    machine = platform.machine()
    document = {
        "major": major,
        "minor": minor,
        "emulationMajor": major,
        "emulationMinor": minor,
        "minCompatibilityMajor": major,
        "minCompatibilityMinor": str(int(minor) - 1),
        "gitVersion": f"v{KUBERNETES}",
        "gitCommit": f"kubewright-{VERSION}",
        "gitTreeState": "clean",
        "buildDate": "1970-01-01T00:00:00Z",
        "goVersion": f"python{platform.python_version()}",
        "compiler": sys.implementation.name,
        "platform": f"{_SYSTEMS.get(sys.platform, sys.platform)}/{_ARCHITECTURES.get(machine, machine)}",
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=2)
