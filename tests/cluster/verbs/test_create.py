from typing import Any

from tests.cluster.stage import CONFIGMAPS, Stage, play

from kubewright.entropy import Entropy


class Stuck(Entropy):
    """Always the same end for a name."""

    def suffix(self, length: int = 5) -> str:
        return "x" * length


def test_eight_generated_names_are_tried() -> None:
    async def story(stage: Stage) -> tuple[Any, ...]:
        stage.cluster.api.entropy = Stuck()
        body = {"metadata": {"generateName": "a-"}}
        first, _ = await stage.ask("POST", CONFIGMAPS, body)
        code, status = await stage.ask("POST", CONFIGMAPS, body)
        return first, code, status["reason"], status["details"]["retryAfterSeconds"]

    assert play(story) == (201, 409, "AlreadyExists", 1)


def test_a_generated_name_has_room_for_its_end() -> None:
    async def story(stage: Stage) -> str:
        _, made = await stage.ask("POST", CONFIGMAPS, {"metadata": {"generateName": "n" * 100}})
        return str(made["metadata"]["name"])

    name = play(story)
    assert len(name) == 63
    assert name.startswith("n" * 58)


def test_a_dry_run_answers_as_if_and_leaves_nothing() -> None:
    async def story(stage: Stage) -> tuple[Any, ...]:
        before = stage.cluster.store.revision
        code, made = await stage.ask("POST", f"{CONFIGMAPS}?dryRun=All", {"metadata": {"name": "a"}})
        again, _ = await stage.ask("POST", CONFIGMAPS, {"metadata": {"name": "a"}})
        taken, _ = await stage.ask("POST", f"{CONFIGMAPS}?dryRun=All", {"metadata": {"name": "a"}})
        return code, "uid" in made["metadata"], "resourceVersion" in made["metadata"], before, again, taken

    code, uid, version, _, again, taken = play(story)
    assert (code, uid, version, again, taken) == (201, True, False, 201, 409)


def test_the_same_writes_give_the_same_names_whatever_is_read_between_them() -> None:
    def names(reads: int) -> list[str]:
        async def story(stage: Stage) -> list[str]:
            made = []
            for _ in range(3):
                for _ in range(reads):
                    await stage.ask("GET", CONFIGMAPS)
                _, obj = await stage.ask("POST", CONFIGMAPS, {"metadata": {"generateName": "a-"}})
                made.append(f"{obj['metadata']['name']} {obj['metadata']['uid']}")
            return made

        return play(story)

    assert names(0) == names(3)
