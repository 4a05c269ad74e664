from typing import Any

from tests.cluster.registry.kinds.pod.specs import volume

AT = "spec.volumes[0].projected"


def _projected(*sources: dict[str, Any]) -> list[str]:
    return volume(projected={"sources": [*sources]})


def test_a_path_is_taken_once() -> None:
    item = {"key": "k", "path": "p"}
    field = {"path": "p", "fieldRef": {"fieldPath": "metadata.name"}}
    errors = _projected(
        {"secret": {"name": "s", "items": [item]}},
        {"configMap": {"name": "m", "items": [item]}},
        {"downwardAPI": {"items": [field]}},
    )
    assert errors == [
        f'{AT}: Invalid value: "m": conflicting duplicate paths',
        f'{AT}: Invalid value: "p": conflicting duplicate paths',
    ]


def test_a_source_is_of_one_kind() -> None:
    both = {"secret": {"name": "s"}, "configMap": {"name": "m"}}
    assert _projected(both) == [f"{AT}.sources[0]: Forbidden: may not specify more than 1 volume type per source"]


def test_a_token_lasts_ten_minutes_at_least() -> None:
    assert _projected({"serviceAccountToken": {"path": "../x", "expirationSeconds": 1}}) == [
        (
            f"{AT}.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 1: may not specify a duration less "
            "than 10 minutes"
        ),
        f"{AT}.path: Invalid value: \"../x\": must not contain '..'",
    ]


def test_a_file_is_a_key_or_a_field() -> None:
    at = "spec.volumes[0].downwardAPI"
    cpu = {"resource": "limits.cpu"}
    items = [{"path": ""}, {"path": "..x", "fieldRef": {"fieldPath": "metadata.name"}, "resourceFieldRef": cpu}]
    assert volume(downwardAPI={"items": [*items, {"path": "y", "resourceFieldRef": cpu}]}) == [
        f"{at}.path: Required value",
        f"{at}: Required value: one of fieldRef and resourceFieldRef is required",
        f"{at}.path: Invalid value: \"..x\": must not start with '..'",
        f'{at}: Invalid value: "resource": fieldRef and resourceFieldRef can not be specified simultaneously',
        f"{at}.resourceFieldRef.containerName: Required value",
    ]


def test_keys_and_paths_are_said() -> None:
    at = "spec.volumes[0].configMap.items[0]"
    assert volume(configMap={"name": "m", "items": [{"mode": -1}]}) == [
        f"{at}.key: Required value",
        f"{at}.path: Required value",
        f"{at}.mode: Invalid value: -1: must be a number between 0 and 0777 (octal), both inclusive",
    ]
