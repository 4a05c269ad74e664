from typing import Any

from kubewright.cluster.registry.kinds.crd.judge import check_immutable, check_names, check_stored_versions

# What is wrong with a spec is held against recorded answers in `test_strategy`.


def test_names_that_are_not_given_are_not_judged() -> None:
    assert list(check_names({"plural": "", "kind": ""}, "status.acceptedNames")) == []


def crd(stored: list[str] | None, *names: str) -> dict[str, Any]:
    versions = [{"name": name, "storage": index == 0} for index, name in enumerate(names)]
    return {"spec": {"versions": versions}, "status": {"storedVersions": stored}}


def test_there_is_always_a_stored_version() -> None:
    [error] = check_stored_versions(crd(None, "v1"))
    assert str(error) == "status.storedVersions: Invalid value: null: must have at least one stored version"


def test_the_version_that_is_stored_is_among_those_that_were() -> None:
    [error] = check_stored_versions(crd(["v2"], "v1", "v2"))
    assert error.message == 'Invalid value: ["v2"]: must have the storage version v1'


def test_a_version_that_was_stored_must_stay() -> None:
    [error] = check_stored_versions(crd(["v1", "v0"], "v1"))
    assert (error.field, error.message[:60]) == (
        "status.storedVersions[1]",
        'Invalid value: "v0": missing from spec.versions; v0 was previ'[:60],
    )


def test_scope_and_kind_may_change_until_the_definition_is_established() -> None:
    old: dict[str, Any] = {"scope": "Cluster", "names": {"kind": "A", "plural": "a"}, "group": "x.io"}
    new: dict[str, Any] = {"scope": "Namespaced", "names": {"kind": "B", "plural": "b"}, "group": "y.io"}
    early, late = (
        [error.field for error in check_immutable(new, old, established=established)] for established in (False, True)
    )
    assert early == ["spec.group", "spec.names.plural"]
    assert late == ["spec.scope", "spec.names.kind", *early]
