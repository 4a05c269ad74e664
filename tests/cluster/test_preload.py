"""What first uses need is loaded before them, a module at a time; and everybody else is served meanwhile."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kubewright.cluster import Cluster, preload
from kubewright.cluster.preload import Loading, load
from kubewright.trials.loop import run

ROOT = Path(__file__).parents[2]


class Library:
    """A package of modules that nobody has loaded."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "somewhere"
        self.folder.mkdir()
        self.write("__init__", "")

    def write(self, name: str, source: str) -> None:
        path = self.folder.joinpath(*name.split(".")).with_suffix(".py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(source)

    def loaded(self) -> list[str]:
        """The modules of it that are there, in the order in which they came."""
        return [name.removeprefix("somewhere.") for name in sys.modules if name.startswith("somewhere.")]


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    monkeypatch.syspath_prepend(tmp_path)
    yield Library(tmp_path)
    for name in [name for name in sys.modules if name.partition(".")[0] == "somewhere"]:
        del sys.modules[name]


def loaded_by_steps(library: Library, name: str) -> list[list[str]]:
    """What each step has loaded, those left out that have loaded nothing."""
    found, before = [], library.loaded()
    for _ in Loading().one(f"somewhere.{name}"):
        if new := [each for each in library.loaded() if each not in before]:
            found.append(new)
        before = library.loaded()
    return found


def test_what_a_module_imports_is_loaded_before_it_each_in_a_step(library: Library) -> None:
    library.write("top", "import somewhere.left, somewhere.right as r\n\nclass A: ...\n")
    library.write("left", "from somewhere import (\n    low,  # a module\n    lower,\n)\n")
    library.write("right", "from somewhere.low import NAME\n")
    library.write("low", "from .lower import *\nNAME = 1\n")
    library.write("lower", "")
    assert loaded_by_steps(library, "top") == [["lower"], ["low"], ["left"], ["right"], ["top"]]


def test_what_is_imported_for_types_in_a_function_or_in_words_is_not_loaded(library: Library) -> None:
    library.write(
        "top",
        '"""How to use it:\n\nimport somewhere.word\n"""\n\nfrom typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n'
        "    import somewhere.type\n\ndef function():\n    import somewhere.later\n",
    )
    for name in ("word", "type", "later"):
        library.write(name, "")
    assert loaded_by_steps(library, "top") == [["top"]]


def test_modules_that_import_each_other_are_loaded(library: Library) -> None:
    library.write("egg", "import somewhere.hen\n")
    library.write("hen", "import somewhere.egg\n")
    loaded_by_steps(library, "egg")
    assert sorted(library.loaded()) == ["egg", "hen"]


def test_a_package_comes_with_its_modules_and_what_these_import_comes_first(library: Library) -> None:
    library.write("low", "")
    library.write("inner.part", "import somewhere.low\n")
    library.write("inner.__init__", "import somewhere.inner.part\n")
    library.write("top", "import somewhere.inner.part\n")
    assert loaded_by_steps(library, "top") == [["low"], ["inner.part", "inner"], ["top"]]


def test_all_of_a_package_is_loaded_and_what_is_in_its_packages(library: Library) -> None:
    for name in ("a", "inner.__init__", "inner.b"):
        library.write(name, "")
    list(Loading().all_of("somewhere"))
    assert sorted(library.loaded()) == ["a", "inner", "inner.b"]


def test_what_cannot_be_loaded_is_left_to_who_needs_it(library: Library) -> None:
    library.write("top", "import somewhere.broken\n")
    library.write("broken", "import somewhere.nowhere\n")
    library.write("well", "")
    asyncio.run(load("somewhere.top", "somewhere.well"))
    assert library.loaded() == ["well"]


def many(library: Library, monkeypatch: pytest.MonkeyPatch) -> int:
    """Have a package of so many modules be all that is loaded ahead."""
    for number in range(300):
        library.write(f"m{number}", "")
    monkeypatch.setattr(preload, "AHEAD", ("somewhere",))
    return 300


def test_requests_are_served_between_its_steps(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    modules = many(library, monkeypatch)

    async def story() -> tuple[int, int]:
        async with Cluster(port=None, controllers="none") as cluster:
            client = cluster.client()
            ahead = asyncio.create_task(preload.preload())
            for number in range(20):
                await asyncio.sleep(0)
                await client.create("/api/v1/namespaces/default/configmaps", {"metadata": {"name": f"c{number}"}})
            meanwhile = len(library.loaded())
            await ahead
            return meanwhile, len(library.loaded())

    meanwhile, loaded = asyncio.run(story())
    assert 0 < meanwhile < loaded == modules


def test_it_can_be_cancelled_and_begun_anew(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    modules = many(library, monkeypatch)

    async def story() -> int:
        ahead = asyncio.create_task(preload.preload())
        while len(library.loaded()) < 10:  # noqa: ASYNC110 - it is about turns
            await asyncio.sleep(0)
        ahead.cancel()
        with pytest.raises(asyncio.CancelledError):
            await ahead
        so_far = len(library.loaded())
        await preload.preload()
        return so_far

    assert asyncio.run(story()) < modules == len(library.loaded())


def test_in_simulated_time_nothing_gives_way(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    modules = many(library, monkeypatch)

    async def story() -> tuple[int, list[str]]:
        turns: list[str] = []
        asyncio.get_running_loop().call_soon(turns.append, "another's turn")
        await preload.preload()
        return len(library.loaded()), list(turns)

    assert run(story()) == (modules, [])


def first_uses(what: str) -> object:
    command = [sys.executable, "-m", "tests.cluster.first_uses", what]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def test_after_it_the_first_uses_of_everything_load_nothing() -> None:
    assert first_uses("after") == []


def test_a_crew_that_is_woken_loads_its_modules_one_by_one() -> None:
    most = first_uses("crew")
    assert isinstance(most, int)
    assert 0 < most <= 20, "a package and the modules that come with it; all in all they are eighty"


def test_a_seeded_run_is_the_same_whatever_is_loaded() -> None:
    assert first_uses("seeded") is True
