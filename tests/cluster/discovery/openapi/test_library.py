import asyncio
import json

from tests.cluster.discovery.definitions import DEFINITIONS, definition, version
from tests.cluster.discovery.served import builtin_registry, custom

from kubewright.cluster.discovery.openapi.library import Library, Volume
from kubewright.cluster.registry.registry import Registry


def volume(library: Library, name: str) -> Volume:
    found = library.volume(name)
    assert found is not None
    return found


def apples(description: str) -> dict[str, object]:
    schema = {"type": "object", "description": description}
    return definition("lab.k8s.io", "apples", "Apple", version("v1", schema, storage=True))


def swap(registry: Registry, crd: dict[str, object]) -> None:
    registry.replace(registry.resources("lab.k8s.io", "v1"), custom(crd))


def test_the_hash_is_the_same_for_the_same_things() -> None:
    one, other = (Library(builtin_registry(*DEFINITIONS)) for _ in range(2))
    assert asyncio.run(one.index()) == asyncio.run(other.index())


def test_a_changed_schema_changes_the_hash_of_its_document_alone() -> None:
    registry = builtin_registry(apples("green"))
    library = Library(registry)
    before = json.loads(asyncio.run(library.index()))["paths"]
    swap(registry, apples("red"))
    after = json.loads(asyncio.run(library.index()))["paths"]
    assert [name for name in before if before[name] != after[name]] == ["apis/lab.k8s.io/v1"]


def test_a_document_is_kept_until_what_it_is_made_from_changes() -> None:
    registry = builtin_registry(apples("green"))
    library = Library(registry)
    apps, lab = volume(library, "apis/apps/v1"), volume(library, "apis/lab.k8s.io/v1")
    asyncio.run(library.read(apps))
    swap(registry, apples("red"))
    assert volume(library, "apis/apps/v1") is apps
    assert apps.content is not None
    assert b"red" in asyncio.run(library.read(volume(library, "apis/lab.k8s.io/v1")))
    assert b"green" in asyncio.run(library.read(lab))


def test_a_crd_that_goes_takes_its_document_along() -> None:
    registry = builtin_registry(apples("green"))
    library = Library(registry)
    whole = asyncio.run(library.whole())
    assert b"io.k8s.lab.v1.Apple" in asyncio.run(library.read(whole))
    registry.replace(registry.resources("lab.k8s.io", "v1"), ())
    assert library.volume("apis/lab.k8s.io/v1") is None
    after = asyncio.run(library.whole())
    assert after.hash != whole.hash
    assert b"io.k8s.lab.v1.Apple" not in asyncio.run(library.read(after))


def test_others_run_while_a_document_is_made() -> None:
    async def main() -> int:
        library = Library(builtin_registry())
        reading = asyncio.ensure_future(library.read(volume(library, "api/v1")))
        turns = 0
        while not reading.done():
            turns += 1
            await asyncio.sleep(0)
        return turns

    assert asyncio.run(main()) > 15


def test_a_change_while_the_index_is_made_is_seen() -> None:
    async def main() -> bytes:
        registry = builtin_registry(apples("green"))
        library = Library(registry)
        reading = asyncio.ensure_future(library.index())
        await asyncio.sleep(0)
        swap(registry, definition("lab.k8s.io", "pears", "Pear", version("v2", {"type": "object"}, storage=True)))
        return await reading

    paths = json.loads(asyncio.run(main()))["paths"]
    assert "apis/lab.k8s.io/v2" in paths
    assert "apis/lab.k8s.io/v1" not in paths


def test_protobuf_is_made_once() -> None:
    library = Library(builtin_registry())
    whole = asyncio.run(library.whole())
    assert asyncio.run(library.read_protobuf(whole)) is asyncio.run(library.read_protobuf(whole))
