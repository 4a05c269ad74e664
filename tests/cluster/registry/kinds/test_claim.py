from typing import Any

import pytest
from tests.cluster.stage import Stage, play

CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims"
MERGE = {"content-type": "application/merge-patch+json"}


def claim(**spec: Any) -> dict[str, Any]:
    base = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    return {"metadata": {"name": "a"}, "spec": base | spec}


def changed(first: dict[str, Any], *changes: tuple[str, dict[str, Any]]) -> list[int]:
    async def story(stage: Stage) -> list[int]:
        await stage.ask("POST", CLAIMS, first)
        return [(await stage.ask("PATCH", f"{CLAIMS}/{path}", change, MERGE))[0] for path, change in changes]

    return play(story)


def test_a_new_claim_is_pending_whatever_it_says() -> None:
    async def story(stage: Stage) -> Any:
        _, made = await stage.ask("POST", CLAIMS, claim() | {"status": {"phase": "Bound"}})
        return made["status"], made["spec"]["volumeMode"]

    assert play(story) == ({"phase": "Pending"}, "Filesystem")


@pytest.mark.parametrize(
    ("spec", "code"),
    [
        ({"accessModes": ["ReadOnlyMany"]}, 422),
        ({"storageClassName": "x"}, 200),
        ({"volumeName": "x"}, 200),
        ({"volumeMode": "Block"}, 422),
        ({"volumeAttributesClassName": "x"}, 422),
        ({"resources": {"requests": {"storage": "1024Mi"}}}, 200),
    ],
)
def test_what_a_claim_asks_for_stays(spec: dict[str, Any], code: int) -> None:
    assert changed(claim(), ("a", {"spec": spec})) == [code]


def test_the_class_may_move_from_the_annotation_to_its_field() -> None:
    key = "volume.beta.kubernetes.io/storage-class"
    first = claim() | {"metadata": {"name": "a", "annotations": {key: "x"}}}
    assert changed(first, ("a", {"spec": {"storageClassName": "y"}})) == [422]
    assert changed(first, ("a", {"spec": {"storageClassName": "x"}})) == [200]
    assert changed(first, ("a", {"metadata": {"annotations": {key: "y"}}})) == [422]


def test_what_changed_is_shown_line_by_line() -> None:
    async def story(stage: Stage) -> str:
        await stage.ask("POST", CLAIMS, claim())
        _, status = await stage.ask("PATCH", f"{CLAIMS}/a", {"spec": {"accessModes": ["ReadOnlyMany"]}}, MERGE)
        return str(status["details"]["causes"][0]["message"])

    assert '-  "ReadWriteOnce"\n+  "ReadOnlyMany"\n' in play(story)


def test_sources_stand_in_both_places_and_odd_ones_in_none() -> None:
    async def story(stage: Stage) -> list[Any]:
        found = []
        for name, spec in (
            ("a", {"dataSource": {"kind": "PersistentVolumeClaim", "name": "x"}}),
            ("b", {"dataSource": {"apiGroup": "example.com", "kind": "X", "name": "x"}}),
            ("c", {"dataSourceRef": {"apiGroup": "example.com", "kind": "X", "name": "x"}}),
        ):
            _, made = await stage.ask("POST", CLAIMS, claim(**spec) | {"metadata": {"name": name}})
            found.append([made["spec"].get(field, {}).get("kind") for field in ("dataSource", "dataSourceRef")])
        return found

    claims = "PersistentVolumeClaim"
    assert play(story) == [[claims, claims], [None, None], ["X", "X"]]


def test_a_claim_never_shrinks_below_what_there_is() -> None:
    def sized(size: str) -> tuple[str, dict[str, Any]]:
        return "a", {"spec": {"resources": {"requests": {"storage": size}}}}

    bound = ("a/status", {"status": {"phase": "Bound", "capacity": {"storage": "1Gi"}}})
    assert changed(claim(resources={"requests": {"storage": "3Gi"}}), bound, sized("2Gi"), sized("1Gi")) == [
        200,
        200,
        422,
    ]


def test_a_status_is_judged() -> None:
    bad = [
        {"capacity": {"storage": "-1"}},
        {"allocatedResources": {"cpu": "1"}},
        {"allocatedResourceStatuses": {"storage": "x"}},
    ]
    assert changed(claim(), *(("a/status", {"status": status}) for status in bad)) == [422, 422, 422]


def test_part_of_a_byte_is_told() -> None:
    async def story(stage: Stage) -> list[bytes]:
        response = await stage.send("POST", CLAIMS, claim(resources={"requests": {"storage": "1500m"}}))
        return [value for name, value in response.headers if name.lower() == b"warning"]

    assert b"fractional byte value" in play(story)[0]
