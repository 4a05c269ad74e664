from pathlib import Path

import pytest
from tools.unused import unused

PYPROJECT = """
[project.scripts]
sail = "kubewright.cli.main:hoist"
"""


class Project:
    """A small project on disk."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.write("pyproject.toml", PYPROJECT)
        self.write("README.md", "")
        self.write("tools/build.py", "")

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def unused(self, module: str) -> list[str]:
        """What is reported when the package consists of that one module."""
        self.write("src/kubewright/ship.py", module)
        return [item.name for item in unused(self.root)]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_a_function_nobody_calls_is_reported(project: Project) -> None:
    assert project.unused("def sink(): pass") == ["sink"]


def test_a_method_nobody_calls_is_reported(project: Project) -> None:
    assert project.unused("class Ship:\n    def sink(self): pass\nShip()") == ["sink"]


def test_a_class_nobody_names_is_reported(project: Project) -> None:
    assert project.unused("class Ship: pass") == ["Ship"]


def test_an_attribute_nobody_reads_is_reported(project: Project) -> None:
    assert project.unused("class Ship:\n    def __init__(self):\n        self.mast = 1\nShip()") == ["mast"]


def test_what_another_module_calls_is_used(project: Project) -> None:
    project.write("src/kubewright/crew.py", "from kubewright.ship import sail\nsail()")
    assert project.unused("def sail(): pass") == []


def test_what_only_a_test_calls_is_reported(project: Project) -> None:
    project.write("tests/test_ship.py", "from kubewright.ship import sail\nsail()")
    assert project.unused("def sail(): pass") == ["sail"]


def test_what_a_tool_calls_is_used_and_the_tool_itself_is_not_judged(project: Project) -> None:
    project.write("tools/build.py", "def build():\n    sail()")
    assert project.unused("def sail(): pass") == []


def test_what_is_exported_is_used(project: Project) -> None:
    assert project.unused('__all__ = ["sail"]\ndef sail(): pass') == []


def test_what_the_documentation_shows_as_code_is_used(project: Project) -> None:
    project.write("README.md", "Call `ship.sail(4)` and then\n```python\nship.moor()\n```\n")
    project.write("docs/how-to/anchor.md", "`anchor`")
    assert project.unused("def sail(): pass\ndef moor(): pass\ndef anchor(): pass") == []


def test_a_word_of_prose_is_no_use(project: Project) -> None:
    project.write("README.md", "They sail at dawn.")
    assert project.unused("def sail(): pass") == ["sail"]


def test_an_entry_point_is_used(project: Project) -> None:
    assert project.unused("def hoist(): pass") == []


def test_what_the_language_and_pytest_call_is_used(project: Project) -> None:
    module = (
        "import pytest\ndef __getattr__(name): pass\ndef pytest_configure(): pass\n@pytest.fixture\ndef ship(): pass"
    )
    assert project.unused(module) == []


def test_annotated_fields_are_used(project: Project) -> None:
    assert project.unused("class Ship(Model):\n    sail_count: int = 1\nShip().sail_count = 2") == []


def test_a_method_named_like_some_field_is_still_reported(project: Project) -> None:
    module = "class Ship(Model):\n    sail: int = 1\nclass Crew:\n    def sail(self): pass\nShip(), Crew()"
    assert project.unused(module) == ["sail"]


def test_enum_members_are_used(project: Project) -> None:
    assert project.unused("class Rig(enum.StrEnum):\n    SLOOP = 'sloop'\nRig('sloop')") == []


def test_assigning_to_what_is_not_ours_is_no_definition(project: Project) -> None:
    assert project.unused("import ssl\nssl.SSLContext().check_hostname = False") == []


def test_parameters_are_not_judged(project: Project) -> None:
    assert project.unused("def sail(course): pass\nsail(1)") == []


def test_generated_kinds_are_not_judged(project: Project) -> None:
    project.write("src/kubewright/k8s/core/v1.py", "class Pod: pass")
    assert project.unused("") == []


def test_a_file_that_cannot_be_read_is_an_error(project: Project) -> None:
    with pytest.raises(SystemExit):
        project.unused("def :")


def test_what_a_class_overrides_of_another_projects_base_is_used(project: Project) -> None:
    ship = "class Ship(asyncio.Protocol):\n    def data_received(self, data): pass\n    def sink(self): pass\nShip()"
    assert project.unused(f"import asyncio\n{ship}") == ["sink"]
    ship = "class Ship(Base):\n    def select(self, timeout): pass\nShip()"
    assert project.unused(f"from selectors import BaseSelector as Base\n{ship}") == []
