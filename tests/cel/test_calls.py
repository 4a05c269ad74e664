from kubewright.cel.calls import SPECIAL
from kubewright.cel.code import Code, constant
from kubewright.cel.types import BOOL, DYN, INT, STRING

TEXT = Code(lambda frame: frame[1], STRING)


def test_a_test_of_a_text_is_pythons_where_the_types_are_known() -> None:
    code = SPECIAL["startsWith"](BOOL, TEXT, constant("ab", STRING))
    assert code is not None
    assert [code.run([None, text]) for text in ("abc", "ba")] == [True, False]


def test_what_is_not_known_is_left_to_the_library() -> None:
    unknown = Code(lambda frame: frame[1], DYN)
    assert SPECIAL["startsWith"](BOOL, unknown, constant("ab", STRING)) is None
    assert SPECIAL["size"](INT, unknown) is None


def test_a_constant_pattern_is_compiled_once() -> None:
    code = SPECIAL["matches"](BOOL, TEXT, constant("^a+$", STRING))
    assert code is not None
    assert [code.run([None, text]) for text in ("aaa", "ab")] == [True, False]
