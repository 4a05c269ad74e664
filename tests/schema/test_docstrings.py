import kubewright as kw
from kubewright.schema.docstrings import class_description, field_descriptions, trim


class Documented(kw.Model):
    """The first line
    and the second.

    Another paragraph — with é.
    """

    a: int = 0
    """What a is,
    in two lines."""
    b: int = 0
    c: int = 0
    "Single quotes do."

    def method(self) -> None:
        """Not a field."""


class Child(Documented):
    d: int = 0
    """Its own."""


def test_a_class_is_described_by_its_docstring_as_flowing_text() -> None:
    assert class_description(Documented) == "The first line and the second.\n\nAnother paragraph — with é."


def test_a_class_without_a_docstring_does_not_take_its_bases() -> None:
    assert class_description(Child) == ""


def test_a_field_is_described_by_the_string_under_it() -> None:
    assert field_descriptions(Documented) == {"a": "What a is, in two lines.", "c": "Single quotes do."}
    assert field_descriptions(Child) == {"d": "Its own."}


def test_a_class_inside_a_function_is_found() -> None:
    class Inner(kw.Model):
        e: int = 0
        """Inside."""

    assert field_descriptions(Inner) == {"e": "Inside."}


def test_a_class_without_source_has_no_field_descriptions() -> None:
    names: dict[str, type] = {}
    exec("import kubewright as kw\nclass Made(kw.Model):\n    a: int = 0\n    'Said.'", names)
    assert field_descriptions(names["Made"]) == {}


def test_a_text_is_cut_after_a_sentence_or_else_after_a_word() -> None:
    assert trim("One. Two. Three.", 11) == "One. Two."
    assert trim("One two three", 9) == "One two"
    assert trim("Onetwothree", 4) == "Onet"
    assert trim("Short.", 100) == "Short."
    assert trim("Anything", 0) == ""
