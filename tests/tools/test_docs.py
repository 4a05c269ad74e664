from pathlib import Path

import pytest
from tools.docs import faults


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[x](nope.md)", "the link to nope.md leads nowhere"),
        ("```python\nx = \n```\n", "a block is no Python"),
        ("```python\nkw.Nope\n```\n", "there is no kw.Nope"),
        ("```python\nfrom kubewright.model.model import Nope\n```\n", "there is no Nope in kubewright.model.model"),
        ("`make nope`", "there is no `make nope`"),
        ("`kubewright nope`", "there is no `kubewright nope`"),
    ],
)
def test_a_fault_is_told_with_page_and_line(text: str, fault: str, tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("test:\n")
    (tmp_path / "CHANGELOG.md").write_text("")
    (tmp_path / "README.md").write_text(f"First line.\n\n{text}")
    (found,) = faults(tmp_path)
    assert found.startswith(f"README.md:3: {fault}")


def test_what_is_true_is_not_told(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("test:\n")
    (tmp_path / "CHANGELOG.md").write_text("")
    text = "[x](CHANGELOG.md) `make test` `kubewright crd`\n```python\nawait kw.decode(b'', kw.Model)\n```\n"
    (tmp_path / "README.md").write_text(text)
    assert list(faults(tmp_path)) == []


def test_a_link_in_a_block_is_text(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("test:\n")
    (tmp_path / "CHANGELOG.md").write_text("")
    (tmp_path / "README.md").write_text("```text\n[a-z](nope.md)\n```\n")
    assert list(faults(tmp_path)) == []
