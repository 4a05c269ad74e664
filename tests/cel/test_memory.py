from kubewright.cel.memory import remembered


def test_a_text_is_read_once() -> None:
    seen: list[str] = []
    read = remembered(lambda text: seen.append(text) or len(text))  # type: ignore[func-returns-value]  # append gives None
    assert [read("abc"), read("abc")] == [3, 3]
    assert seen == ["abc"]


def test_long_texts_are_not_kept() -> None:
    seen: list[str] = []
    read = remembered(lambda text: seen.append(text) or len(text))  # type: ignore[func-returns-value]  # append gives None
    assert [read("x" * 1000), read("x" * 1000)] == [1000, 1000]
    assert len(seen) == 2
