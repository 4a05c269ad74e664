from typing import Any

import pytest
from tests.cel.evaluation import error, evaluate


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("'tacocat'.charAt(3)", "o"),
        ("'abc'.charAt(3)", ""),
        ("'ta©o'.indexOf('o')", 3),
        ("'tacocat'.indexOf('a', 3)", 5),
        ("'abc'.indexOf('', 2)", 2),
        ("'abc'.indexOf('c', 9)", -1),
        ("'tacocat'.lastIndexOf('a')", 5),
        ("'tacocat'.lastIndexOf('a', 3)", 1),
        ("'abc'.lastIndexOf('')", 3),
        ("'ABCÄ'.lowerAscii()", "abcÄ"),
        ("'abcä'.upperAscii()", "ABCä"),
        ("'abc'.replace('', '-')", "-a-b-c-"),
        ("'aaa'.replace('a', 'b', 2)", "bba"),
        ("'a,b,c'.split(',')", ["a", "b", "c"]),
        ("'a,b,c'.split(',', 0)", []),
        ("'a,b,c'.split(',', 1)", ["a,b,c"]),
        ("'a,b,c'.split(',', 2)", ["a", "b,c"]),
        ("'äöü'.split('', 2)", ["ä", "öü"]),
        ("'tacocat'.substring(4)", "cat"),
        ("'tacocat'.substring(0, 4)", "taco"),
        ("'ta'.substring(2, 2)", ""),
        (r"' \u00a0a\u2003 '.trim()", "a"),
        (r"'\u001ca'.trim()", "\x1ca"),
        ("['a', 'b'].join()", "ab"),
        ("['a', 'b'].join(', ')", "a, b"),
        (r"strings.quote('a\n\"é\\')", '"a\\n\\"é\\\\"'),
        ("'abc'.startsWith('ab') && 'abc'.endsWith('bc') && 'abc'.contains('b')", True),
    ],
)
def test_what_functions_of_strings_give(text: str, value: Any) -> None:
    assert evaluate(text) == value


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("'abc'.charAt(4)", "index out of range: 4"),
        ("'abc'.indexOf('b', -1)", "index out of range: -1"),
        ("'abc'.substring(4)", "index out of range: 4"),
        ("'abc'.substring(2, 1)", "invalid substring range. start: 2, end: 1"),
        ("'abc'.substring(0, 4)", "index out of range: 4"),
        ("dyn(1).charAt(0)", "no such overload: charAt(int, int)"),
        ("dyn(1).startsWith('a')", "no such overload"),
        ("[dyn(1)].join()", "no such overload: join(list)"),
        ("[dyn(1)].join('')", "no such overload: join(list, string)"),
    ],
)
def test_in_which_words_they_fail(text: str, words: str) -> None:
    assert error(text) == words
