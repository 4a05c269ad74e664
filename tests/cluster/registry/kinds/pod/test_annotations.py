import pytest
from tests.cluster.registry.kinds.pod.specs import read, told

from kubewright.cluster.registry.kinds.pod.annotations import (
    APPARMOR,
    MIRROR,
    SECCOMP,
    SECCOMP_OF,
    check_annotation_changes,
    check_annotations,
    check_match,
)

COST = "controller.kubernetes.io/pod-deletion-cost"
TOLERATIONS = "scheduler.alpha.kubernetes.io/tolerations"


@pytest.mark.parametrize(
    ("key", "value", "error"),
    [
        (MIRROR, "x", f'a[{MIRROR}]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set'),
        (COST, "-5", ""),
        (COST, "+5", f'a[{COST}]: Invalid value: "+5": must be a 32bit integer'),
        (COST, "2147483648", f'a[{COST}]: Invalid value: "2147483648": must be a 32bit integer'),
        (SECCOMP, "unconfined", ""),
        (SECCOMP, "x", f'a.{SECCOMP}: Invalid value: "x": must be a valid seccomp profile'),
        (SECCOMP_OF + "c", "localhost/../x", f"a.{SECCOMP_OF}c: Invalid value: \"../x\": must not contain '..'"),
        (APPARMOR + "z", "", f'a[{APPARMOR}z]: Invalid value: "z": container not found'),
        (APPARMOR + "c", "x", f'a[{APPARMOR}c]: Invalid value: "x": invalid AppArmor profile name: "x"'),
        (TOLERATIONS, '[{"key": "k", "operator": "Exists"}]', ""),
        (TOLERATIONS, "[", f'a: Invalid value: "{TOLERATIONS}": unexpected end of JSON input'),
    ],
)
def test_what_an_annotation_means(key: str, value: str, error: str) -> None:
    errors = told(check_annotations({key: value}, read()["spec"], "a"))
    assert errors == ([error] if error else [])


def test_some_annotations_stay() -> None:
    key = APPARMOR + "c"
    assert told(check_annotation_changes({}, {MIRROR: "x"}, "a")) == [
        f"a[{MIRROR}]: Forbidden: may not remove or update mirror pod annotation"
    ]
    assert told(check_annotation_changes({key: "x"}, {}, "a")) == [
        f"a[{key}]: Forbidden: may not add AppArmor annotations"
    ]
    assert told(check_annotation_changes({key: "y", "n": "1"}, {key: "x"}, "a")) == [
        f"a[{key}]: Forbidden: may not remove or update AppArmor annotations"
    ]


@pytest.mark.parametrize(
    ("annotation", "profile", "error"),
    [
        ("unconfined", {"type": "Unconfined"}, ""),
        ("docker/default", {"type": "RuntimeDefault"}, ""),
        ("unconfined", {"type": "RuntimeDefault"}, "type: Forbidden: seccomp type in annotation and field must match"),
        ("localhost/a", {"type": "Localhost", "localhostProfile": "a"}, ""),
        (
            "localhost/a",
            {"type": "Localhost", "localhostProfile": "b"},
            "localhostProfile: Forbidden: seccomp profile in annotation and field must match",
        ),
    ],
)
def test_an_annotation_says_what_the_field_says(annotation: str, profile: dict[str, str], error: str) -> None:
    spec = read(securityContext={"seccompProfile": profile})["spec"]
    errors = told(check_match({SECCOMP: annotation}, spec, "spec"))
    assert errors == ([f"spec.securityContext.seccompProfile.{error}"] if error else [])
