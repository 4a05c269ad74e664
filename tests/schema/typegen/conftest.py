"""What the tests of generated types share."""

import importlib.util
import itertools
import sys
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def load(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], ModuleType]]:
    """Makes a module of source text: from a file, for field descriptions are read from it."""
    directory = tmp_path_factory.mktemp("made")
    numbers = itertools.count()

    def load(source: str) -> ModuleType:
        name = f"kubewright_made_{next(numbers)}"
        path = directory / f"{name}.py"
        path.write_text(source, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return module

    yield load
    for name in [name for name in sys.modules if name.startswith("kubewright_made_")]:
        del sys.modules[name]
