import asyncio
import weakref
from collections.abc import Generator
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
import yaml
from tests.cluster.stage import CONFIGMAPS, Stage, play

from kubewright.cluster.front import handler
from kubewright.cluster.verbs import answer, pieces
from kubewright.cluster.verbs.turn import LARGE, in_turns, let_go
from kubewright.trials.loop import run

YAML = "application/yaml"
MERGE, APPLY = "application/merge-patch+json", "application/apply-patch+yaml"


async def turns(
    stage: Stage, method: str, target: str, body: Any = None, media: str = "application/json", accept: str = "*/*"
) -> int:
    """How often others had a turn until a request was answered."""
    loop, count, over = asyncio.get_running_loop(), 0, False

    def beat() -> None:
        nonlocal count
        if not over:
            count += 1
            loop.call_soon(beat)

    loop.call_soon(beat)
    response = await stage.send(method, target, body, {"content-type": media, "accept": accept})
    await response.read()
    assert response.status < 300
    over = True
    return count


def configmap(size: int) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"k": "v" * size}}


async def story(stage: Stage, size: int) -> dict[str, int]:
    """The turns of every way to write an object."""
    one, body = f"{CONFIGMAPS}/a", configmap(size)
    return {
        "create": await turns(stage, "POST", CONFIGMAPS, body),
        "update": await turns(stage, "PUT", one, body | {"data": {"k": "w"}}),
        "patch": await turns(stage, "PATCH", one, {"data": body["data"]}, MERGE),
        "small patch": await turns(stage, "PATCH", one, {"data": {"l": "x"}}, MERGE),
        "apply": await turns(stage, "PATCH", f"{one}?fieldManager=m", {**body, "data": {"n": "v" * size}}, APPLY),
    }


def test_others_have_a_turn_between_the_steps_of_a_large_object() -> None:
    small, large = (play(partial(story, size=size)) for size in (10, 2 * LARGE))
    assert set(small.values()) == {1}  # as of any request
    assert all(count >= 4 for count in large.values()), large


TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
METADATA = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"
METADATA_LIST = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"


@pytest.mark.parametrize(
    ("target", "accept"),
    [
        (f"{CONFIGMAPS}/a", TABLE),
        (f"{CONFIGMAPS}/a?includeObject=Object", TABLE),
        (f"{CONFIGMAPS}/a", METADATA),
        (CONFIGMAPS, TABLE),
        (CONFIGMAPS, METADATA_LIST),
    ],
)
def test_a_large_object_is_shown_in_another_form_in_turns(
    target: str, accept: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def shown(stage: Stage) -> tuple[bytes, int]:
        body = configmap(0) | {"data": {f"k{number}": "<v>" * 9 for number in range(5000)}}
        await stage.ask("POST", CONFIGMAPS, body)
        response = await stage.send("GET", target, None, {"accept": accept})
        return await response.read(), await turns(stage, "GET", target, accept=accept)

    data, count = play(shown)
    monkeypatch.setattr(answer, "LARGE", 10**9)
    monkeypatch.setattr(pieces, "_SIZE", 10**9)
    at_once, few = play(shown)
    assert data == at_once
    assert count >= few + 4


def test_others_have_a_turn_every_few_hundred_lines_of_yaml() -> None:
    async def sent(stage: Stage) -> int:
        body = configmap(0) | {"data": {f"k{number}": "v" for number in range(5000)}}
        return await turns(stage, "POST", CONFIGMAPS, yaml.safe_dump(body).encode(), YAML)

    assert play(sent) >= 40


def test_what_is_done_in_turns_gives_what_it_gives_or_raises() -> None:
    def work(good: bool) -> Generator[None, None, str]:
        yield
        if not good:
            raise ValueError("bad")
        return "done"

    assert run(in_turns(work(True))) == "done"
    with pytest.raises(ValueError, match="bad"):
        run(in_turns(work(False)))


def test_another_writer_who_had_his_turn_in_between_loses_nothing() -> None:
    async def sent(stage: Stage) -> tuple[int, dict[str, str]]:
        one = f"{CONFIGMAPS}/a"
        await stage.ask("POST", CONFIGMAPS, configmap(2 * LARGE))
        patches = [stage.ask("PATCH", one, {"data": {f"p{n}": "x" * LARGE}}, {"content-type": MERGE}) for n in range(3)]
        answers = await asyncio.gather(*patches)
        _, obj = await stage.ask("GET", one)
        return max(code for code, _ in answers), obj["data"]

    code, data = play(sent)
    assert code == 200
    assert sorted(data) == ["k", "p0", "p1", "p2"]


class Thing:
    """Something that can be seen to go."""


def test_large_documents_are_let_go_part_by_part() -> None:
    async def story() -> list[int]:
        things: weakref.WeakSet[Thing] = weakref.WeakSet()

        def part() -> dict[str, Any]:
            thing = Thing()
            things.add(thing)
            return {"thing": thing}

        spent: list[dict[str, Any]] = [{"kind": "A", "metadata": {"labels": part()}, "spec": part()} for _ in range(3)]
        let_go(spent)
        assert not spent
        left = [len(things)]
        while things:
            await asyncio.sleep(0)
            left.append(len(things))
        return left

    left = run(story())
    assert left[0] >= 5
    assert all(before - after <= 1 for before, after in pairwise(left))


def test_what_a_large_write_made_is_kept_until_it_is_over() -> None:
    async def sent(stage: Stage) -> list[int]:
        kept: list[int] = []
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(handler, "let_go", lambda spent: kept.append(len(spent)))
            for body in (configmap(10), configmap(2 * LARGE)):
                await stage.ask("POST", CONFIGMAPS, body)
                await stage.ask("PUT", f"{CONFIGMAPS}/a", body)
        return kept

    # Of a small one nothing is; of a large one what was sent and read, and when it is changed also what was stored.
    created, updated = play(sent)[-2:]
    assert (created, updated) >= (2, 4)
