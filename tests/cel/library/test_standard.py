from typing import Any

import pytest
from tests.cel.evaluation import error, evaluate

from kubewright.cel.ast import Uint
from kubewright.cel.values import TypeValue


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("size('äö')", 2),
        ("b'äö'.size()", 4),
        ("size([1, 2])", 2),
        ("{'a': 1}.size()", 1),
        ("int('-5')", -5),
        ("int(2.9)", 2),
        ("int(timestamp('1969-12-31T23:59:59.5Z'))", -1),
        ("uint('5')", Uint(5)),
        ("double('0x1p4')", 16.0),
        ("bool('T')", True),
        ("bytes('é')", "é".encode()),
        ("string(1.0)", "1"),
        ("string(1234567.0)", "1.234567e+06"),
        ("string(0.00001)", "1e-05"),
        ("string(duration('-1h0.5s'))", "-3600.5s"),
        ("string(timestamp('2020-01-01T00:00:00+01:00'))", "2020-01-01T00:00:00+01:00"),
        ("type(1)", TypeValue("int")),
        ("type(timestamp(0)) == google.protobuf.Timestamp", True),
        ("timestamp('2020-01-02T03:04:05.678Z').getMilliseconds()", 678),
        ("timestamp('2020-12-31T23:30:00Z').getDayOfYear('Europe/Berlin')", 0),
        ("timestamp('2020-01-01T00:00:00Z').getHours('+05:30')", 5),
        ("timestamp('0001-01-01T00:00:00Z').getFullYear('-05:00')", 0),
        ("timestamp('2020-01-01T00:00:00Z').getDayOfWeek('America/New_York')", 2),
        ("timestamp('2020-03-04T00:00:00Z').getDate()", 4),
        ("timestamp('2020-03-04T00:00:00Z').getDayOfMonth()", 3),
        ("timestamp('2020-03-04T00:00:00Z').getMonth()", 2),
        ("duration('-90s').getMinutes()", -1),
    ],
)
def test_what_standard_functions_give(text: str, value: Any) -> None:
    found = evaluate(text)
    assert (type(found), found) == (type(value), value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("int('a' + 'b')", "type conversion error from 'string' to 'int'"),
        ("int(1e30 + 0.0)", "integer overflow"),
        ("uint(0 - 1)", "unsigned integer overflow"),
        ("duration('abc' + '')", "type conversion error from 'string' to 'google.protobuf.Duration'"),
        ("timestamp('x' + '')", "type conversion error from 'string' to 'google.protobuf.Timestamp'"),
        ("timestamp(99999999999999 + 0)", "timestamp overflow"),
        ("string(b'\\377' + b'')", "invalid UTF-8 in bytes, cannot convert to string"),
        ("size(dyn(1 + 0))", "no such overload: size"),
        ("timestamp(0).getHours('Foo/Bar')", "unknown time zone Foo/Bar"),
        ("timestamp(0).getHours('a:b')", 'strconv.Atoi: parsing "a": invalid syntax'),
    ],
)
def test_in_which_words_they_fail(text: str, words: str) -> None:
    assert error(text) == words
