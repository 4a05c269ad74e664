import pytest
from tests.cel.evaluation import evaluate

from kubewright.cel.library.formats import FORMATS


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("dns1123Label", "foo.bar", "must not contain dots"),
        ("dns1123Label", "a" * 64, "must be no more than 63 characters"),
        ("dns1035Label", "1a", "start with an alphabetic character"),
        ("dns1123Subdomain", "a_b", "a lowercase RFC 1123 subdomain"),
        ("qualifiedName", "a/b/c", "optional DNS subdomain prefix"),
        ("labelValue", "-a", "a valid label must be an empty string"),
        ("uri", "foo", 'parse "foo": invalid URI for request'),
        ("uuid", "foo", "does not match the UUID format"),
        ("byte", "", "invalid base64"),
        ("date", "2020-02-30", "invalid date"),
        ("datetime", "2020-02-01", "invalid datetime"),
    ],
)
def test_what_is_said_against_a_text(name: str, text: str, complaint: str) -> None:
    found = evaluate(f"format.{name}().validate('{text}').value()[0]")
    assert complaint in found


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("dns1123Label", "a-1"),
        ("dns1123LabelPrefix", "abc-"),
        ("dns1035Label", "a1"),
        ("dns1123Subdomain", "a.b-c"),
        ("qualifiedName", "example.com/Name"),
        ("labelValue", ""),
        ("uri", "https://example.com"),
        ("uuid", "01234567-89AB-cdef-0123-456789abcdef"),
        ("byte", "YQ=="),
        ("date", "2020-02-29"),
        ("datetime", "2020-02-01t00:00:00z"),
    ],
)
def test_a_good_text_has_no_complaints(name: str, text: str) -> None:
    assert evaluate(f"!format.{name}().validate('{text}').hasValue()")


def test_formats_are_known_by_name() -> None:
    assert evaluate("format.named('uuid').value() == format.uuid() && !format.named('x').hasValue()")


def test_every_format_can_be_named() -> None:
    for name in FORMATS:
        assert evaluate(f"format.named('{name}').value() == format.{name}()")
