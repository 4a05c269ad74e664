import pytest
from tests.cel.evaluation import error, evaluate

_CLAUSE = "could not parse formatting clause"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("'%s and %s'.format(['a', 1])", "a and 1"),
        ("'%%%s'.format(['a'])", "%a"),
        ("'%s'.format([[1, 'a', 2.0, true, null]])", '[1, "a", 2.000000, true, null]'),
        ("'%s'.format([{'b': [1], 'a': 'x'}])", '{"a":"x", "b":[1]}'),
        ("'%s'.format([timestamp('2020-01-01T00:00:00+01:00')])", "2020-01-01T00:00:00+01:00"),
        ("'%s'.format([[duration('1.5s')]])", '[duration("1.5s")]'),
        ("'%s'.format([type(1)])", "int"),
        ("'%s'.format([1e100])", "1e+100"),
        ("'%d %d'.format([-5, 5u])", "-5 5"),
        ("'%f'.format([1234567.5])", "1,234,567.500000"),
        ("'%.2f'.format([-1234.567])", "-1,234.57"),
        ("'%.256f'.format([1.5])", "1.5"),
        ("'%.258f'.format([0.0])", "0.00"),
        ("'%.32768f'.format([0.1])", "0.1"),
        ("'%.65536f'.format([1.5])", "2"),
        ("'a%.10000010fb'.format([1.5])", "a%!(NOVERB)b"),
        ("'%.10000010e'.format([1.5])", "%!(NOVERB)"),
        ("'%f %f'.format(['NaN', '-Infinity'])", "NaN -∞"),
        ("'%e'.format([1052.032911275])", "1.052033\u00d710⁰³"),
        ("'%.15e'.format([1.5])", "  1.500000\u00d710⁰⁰"),
        ("'%b %b'.format([5, true])", "101 1"),
        ("'%o'.format([8])", "10"),
        ("'%x %X %x'.format([-255, 'hello', b'\\000\\377'])", "-ff 68656C6C6F 00ff"),
    ],
)
def test_what_verbs_write(text: str, written: str) -> None:
    assert evaluate(text) == written


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("('%s %s' + '').format([1])", "index 1 out of range"),
        ("('%' + '').format([1])", "unexpected end of string"),
        ("('%' + 'q').format([1])", f'{_CLAUSE}: unrecognized formatting clause "q"'),
        (
            "('%' + '.2').format([1])",
            f"{_CLAUSE}: error while parsing precision: could not find end of precision specifier",
        ),
        (
            "'%d'.format([dyn('x')])",
            "error during formatting: decimal clause can only be used on integers, was given string",
        ),
        ("'%s'.format([[dyn(optional.of(1))]])", "error during formatting: no formatting function for optional_type"),
    ],
)
def test_in_which_words_it_fails(text: str, words: str) -> None:
    assert error(text) == words
