"""`make generate`: what it writes, what it leaves alone, and that the committed modules are what it writes."""

from pathlib import Path
from typing import Any

import pytest

import kubewright.k8s
from tools import generate

PACKAGE = Path(kubewright.k8s.__file__).parent


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """A release with one type."""
    schemas: dict[str, Any] = {"io.k8s.api.core.v1.Gadget": {"type": "object", "properties": {"a": {"type": "string"}}}}
    release: Any = ([{"components": {"schemas": schemas}}], [], "a release of ours")
    monkeypatch.setattr(generate, "_from_module", lambda: release)


@pytest.mark.usefixtures("tiny")
def test_modules_are_written_below_the_target(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    generate.main([str(tmp_path)])
    assert (tmp_path / "core" / "v1.py").read_text().startswith('"""The types of core/v1.')
    assert capsys.readouterr().out.split() == [str(tmp_path / "core" / name) for name in ("__init__.py", "v1.py")]


@pytest.mark.usefixtures("tiny")
def test_a_version_that_is_no_more_goes_and_what_is_not_generated_stays(tmp_path: Path) -> None:
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "v0.py").write_text('"""Made from X by `make generate`: do not edit."""')
    (tmp_path / "core" / "views.py").write_text("mine = 1")
    generate.generate(tmp_path)
    assert sorted(path.name for path in (tmp_path / "core").iterdir()) == ["__init__.py", "v1.py", "views.py"]


@pytest.mark.deep
def test_the_modules_of_kubernetes_are_made_again_byte_for_byte(tmp_path: Path) -> None:
    made = {path.relative_to(tmp_path): path.read_bytes() for path in generate.generate(tmp_path)}
    kept = {path.relative_to(PACKAGE): path.read_bytes() for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE}
    assert made == kept
