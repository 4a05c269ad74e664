"""Bodies that are patches and bodies that are not, against recorded words of Go."""

import contextlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cluster.patches.kinds import table

from kubewright.cluster.patches import decode
from kubewright.cluster.patches.errors import BadPatch
from kubewright.model.steps import finish

MODES: dict[str, Callable[[bytes], object]] = {
    "json": decode.json_patch,
    "json unchecked": lambda body: decode.json_patch(body, checked=False),
    "merge": lambda body: finish(decode.merge_patch(body)),
    "merge unchecked": lambda body: finish(decode.merge_patch(body, checked=False)),
    "strategic": lambda body: finish(decode.strategic_patch(body)),
}
TEXTS = st.lists(st.sampled_from([*'[]{}:,"\\ 10.e-+tnu\n', "true", "null", '"a"', "1e999", "é"]), max_size=12)


def refusal(mode: str, body: bytes) -> str | None:
    try:
        MODES[mode](body)
    except BadPatch as error:
        return str(error)
    return None


@pytest.mark.parametrize("mode", MODES)
def test_every_text_is_read_or_refused_in_the_words_of_go(mode: str) -> None:
    for case in table("decode"):
        if mode in case:
            assert refusal(mode, case["text"].encode()) == case[mode], case["text"]


@given(TEXTS.map("".join).map(str.encode) | st.binary(max_size=12))
def test_any_bytes_are_a_patch_or_a_bad_one(body: bytes) -> None:
    for read in MODES.values():
        with contextlib.suppress(BadPatch):
            read(body)


def told(mode: str, body: bytes) -> object:
    return refusal(mode, body) or MODES[mode](body)


@given(TEXTS.map("".join).map(str.encode) | st.binary(max_size=12), st.integers(1, 12))
def test_a_long_patch_is_read_or_refused_as_any(body: bytes, piece: int) -> None:
    for mode in MODES:
        at_once = told(mode, body)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(decode, "PIECE", piece)
            assert told(mode, body) == at_once


def test_a_long_patch_with_a_mistake_is_refused_in_steps() -> None:
    body = (
        b'{"data":{' + b",".join(b'"key-%d":"%b"' % (number, b"v" * 40) for number in range(10_000)) + b',"a":1e999}}'
    )
    for each in (decode.merge_patch(body), decode.strategic_patch(body), decode.merge_patch(body[:-1])):
        for _ in range(50):
            next(each)
        with pytest.raises(BadPatch):
            finish(each)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("body", [b"[" * 10_000 + b"]" * 10_000, b'{"a":' * 10_000 + b"1" + b"}" * 10_000])
def test_bodies_nested_too_deep_are_bad_patches(mode: str, body: bytes) -> None:
    refused = refusal(mode, body)
    assert refused is not None
    assert "exceeded max depth" in refused or refused == "Invalid JSON Patch"


def test_values_are_kept_as_they_are_written() -> None:
    _, values = decode.json_patch(b'[{"value": {"a": 1.0 } },null,{"value":null},{}]')
    assert values == [b'{"a": 1.0 }', None, b"null", None]
