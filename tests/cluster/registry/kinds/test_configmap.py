import pytest
from tests.cluster.stage import CONFIGMAPS, Stage, play


def refusals(body: dict[str, object]) -> list[str]:
    async def story(stage: Stage) -> list[str]:
        _, status = await stage.ask("POST", CONFIGMAPS, {"metadata": {"name": "a"}, **body})
        return [cause["field"] for cause in status.get("details", {}).get("causes", [])]

    return play(story)


@pytest.mark.parametrize("key", ["a b", "", ".", "..", "..x", "x" * 254, "é"])
def test_a_key_must_do_as_a_file_name(key: str) -> None:
    assert refusals({"data": {key: ""}}) == [f"data[{key}]"]


def test_a_key_is_text_or_bytes_and_not_both() -> None:
    assert refusals({"data": {"a": ""}, "binaryData": {"a": "eA=="}}) == ["data[a]"]


def test_all_together_have_a_limit_in_bytes() -> None:
    half = "é" * (256 * 1024)  # two bytes each
    assert refusals({"data": {"a": half, "b": half}}) == []
    assert refusals({"data": {"a": half, "b": half}, "binaryData": {"c": "eA=="}}) == ["[]"]


def test_what_is_locked_stays_locked() -> None:
    async def story(stage: Stage) -> list[int]:
        obj = await stage.client.create(CONFIGMAPS, {"metadata": {"name": "a"}, "data": {"k": "1"}, "immutable": True})
        codes = []
        for change in (
            {"data": {"k": "2"}},
            {"immutable": False},
            {"metadata": obj["metadata"] | {"labels": {"a": "b"}}},
        ):
            code, _ = await stage.ask("PUT", f"{CONFIGMAPS}/a", obj | change)
            codes.append(code)
        return codes

    assert play(story) == [422, 422, 200]
