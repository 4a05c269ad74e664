import asyncio
from typing import Any

from tests.cluster.stage import Stage, play

CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims"
INGRESSES = "/apis/networking.k8s.io/v1/namespaces/default/ingresses"
STORAGE = "/apis/storage.k8s.io/v1/storageclasses"
INGRESS = "/apis/networking.k8s.io/v1/ingressclasses"


def claim(name: str, annotations: dict[str, str] | None = None, **spec: Any) -> dict[str, Any]:
    base = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    return {"metadata": {"name": name, "annotations": annotations or {}}, "spec": base | spec}


async def add_class(stage: Stage, name: str, default: str) -> None:
    annotations = {"storageclass.kubernetes.io/is-default-class": default}
    await stage.ask("POST", STORAGE, {"metadata": {"name": name, "annotations": annotations}, "provisioner": "e/p"})


async def class_of(stage: Stage, body: dict[str, Any]) -> Any:
    _, made = await stage.ask("POST", CLAIMS, body)
    return made["spec"].get("storageClassName")


def test_of_default_classes_made_at_once_the_first_by_name_counts() -> None:
    async def story(stage: Stage) -> list[Any]:
        found = [await class_of(stage, claim("a"))]
        for name, default in (("c", "true"), ("b", "true"), ("a", "false")):
            await add_class(stage, name, default)
        return [*found, await class_of(stage, claim("b"))]

    assert play(story) == [None, "b"]


def test_the_newest_default_class_counts() -> None:
    async def story(stage: Stage) -> Any:
        await add_class(stage, "a", "true")
        await asyncio.sleep(2)  # in virtual time
        await add_class(stage, "b", "true")
        return await class_of(stage, claim("a"))

    assert play(story) == "b"


def test_who_says_something_of_a_class_is_left_alone() -> None:
    async def story(stage: Stage) -> list[Any]:
        await add_class(stage, "a", "true")
        return [
            await class_of(stage, claim("a", storageClassName="")),
            await class_of(stage, claim("b", {"volume.beta.kubernetes.io/storage-class": "x"})),
        ]

    assert play(story) == ["", None]


def test_ingresses_have_a_default_class_too() -> None:
    async def story(stage: Stage) -> list[Any]:
        found = []
        for name in ("a", "b"):
            body = {"metadata": {"name": name}, "spec": {"rules": [{"host": "h"}]}}
            _, made = await stage.ask("POST", INGRESSES, body)
            found.append(made["spec"].get("ingressClassName"))
            annotations = {"ingressclass.kubernetes.io/is-default-class": "true"}
            body = {"metadata": {"name": "c", "annotations": annotations}, "spec": {"controller": "e/c"}}
            await stage.ask("POST", INGRESS, body)
        return found

    assert play(story) == [None, "c"]
