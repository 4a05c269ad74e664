from kubewright.schema.expression import expression, whole


def test_an_expression_is_used_as_if_it_were_compiled() -> None:
    pattern = expression("a(b*)")
    assert pattern.findall("abb a") == ["bb", ""]
    found = pattern.match("abbc")
    assert found is not None
    assert found[1] == "bb"


def test_whole_wants_the_whole_string() -> None:
    is_word = whole("[a-z]+")
    assert is_word("word")
    assert not is_word("a word")
    assert not is_word("word\n")
