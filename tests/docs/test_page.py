"""How pages are read."""

import pytest
from tests.docs.page import Block, Command, blocks, matches

PAGE = """
Put this into `a.py`:

```python
x = 1
```

And this to the end of `a.py`:

```python
y = 2
```

Then

```console
$ python a.py \\
    --now
1
$ true
```
"""


def test_a_block_knows_its_file() -> None:
    first, second, third = blocks(PAGE)
    assert (first.file, first.appended, first.line) == ("a.py", False, 4)
    assert (second.file, second.appended) == ("a.py", True)
    assert third.file == ""


def test_commands_are_told_from_what_they_print() -> None:
    *_, last = blocks(PAGE)
    assert list(last.commands()) == [Command("python a.py     --now", ["1"]), Command("true", [])]
    assert list(Block("console", "no command\n", 1).commands()) == []


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ([], ["anything"], True),
        (["a"], ["a"], True),
        (["a"], ["a", "b"], False),
        (["a", "…"], ["a", "b", "c"], True),
        (["…", "c"], ["a", "b", "c"], True),
        (["…", "c"], ["a", "b"], False),
        (["a … c"], ["a b c"], True),
        (["NAME   AGE", "web    5s"], ["NAME AGE", "web  2m10s"], True),
        (["web-6b7f9c5d4-abcde 1/1"], ["web-5d4c7b9f68-x2v9z   1/1"], True),
        (["web-6b7f9c5d4-abcde 1/1"], ["web-5d4c7b9f68-x2v9z   0/1"], False),
        (["80:30010/TCP"], ["80:31234/TCP"], True),
    ],
)
def test_what_differs_by_chance_is_the_same(expected: list[str], printed: list[str], same: bool) -> None:
    assert matches(expected, printed) is same
