"""VER-1."""

import json

from kubewright.cluster.discovery.version import version_document
from kubewright.version import KUBERNETES


def test_the_version_is_the_release_whose_api_is_served() -> None:
    told = json.loads(version_document())
    assert told["gitVersion"] == f"v{KUBERNETES}"
    assert (told["major"], told["minor"]) == tuple(KUBERNETES.split(".")[:2])


def test_the_fields_are_the_servers_in_its_order() -> None:
    assert list(json.loads(version_document())) == [
        *("major", "minor", "emulationMajor", "emulationMinor", "minCompatibilityMajor", "minCompatibilityMinor"),
        *("gitVersion", "gitCommit", "gitTreeState", "buildDate", "goVersion", "compiler", "platform"),
    ]


def test_it_is_indented_whoever_asks() -> None:
    assert version_document().startswith(b'{\n  "major": "1",\n')
