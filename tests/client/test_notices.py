import logging

import pytest

from kubewright.client.notices import Notices, warning_texts


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        (b'299 - "unknown field \\"spec.x\\""', ['unknown field "spec.x"']),
        (b'299 - "a, b", 299 - "c"', ["a, b", "c"]),
        (b'299 "agent" "d" "Wed, 21 Oct 2015 07:28:00 GMT"', ["d"]),
        (b'199 - "another code"', []),
        (b"nonsense", []),
        (b"", []),
    ],
)
def test_the_texts_of_warnings_are_found(value: bytes, texts: list[str]) -> None:
    assert warning_texts([value]) == texts


def test_each_text_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    notices = Notices()
    with caplog.at_level(logging.WARNING):
        notices.take([b'299 - "old"'], "GET /a")
        notices.take([b'299 - "old"', b'299 - "odd"'], "GET /b")
    assert [record.getMessage() for record in caplog.records] == [
        "GET /a: the server warns: old",
        "GET /b: the server warns: odd",
    ]


def test_what_is_remembered_is_bounded(caplog: pytest.LogCaptureFixture) -> None:
    notices = Notices()
    with caplog.at_level(logging.WARNING):
        for number in range(1200):
            notices.take([b'299 - "%d"' % number], "GET /a")
    assert len(caplog.records) == 1200
    assert len(notices._said) <= 1000
