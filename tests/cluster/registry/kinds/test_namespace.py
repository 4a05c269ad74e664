from tests.cluster.stage import Stage, play

NAMESPACES = "/api/v1/namespaces"


def test_a_namespace_is_named_by_a_label_and_held_by_a_finalizer() -> None:
    async def story(stage: Stage) -> tuple[dict[str, str], list[str], str]:
        body = {"metadata": {"generateName": "n-"}, "spec": {"finalizers": ["x.io/a"]}, "status": {"phase": "Odd"}}
        _, made = await stage.ask("POST", NAMESPACES, body)
        assert made["metadata"]["labels"] == {"kubernetes.io/metadata.name": made["metadata"]["name"]}
        return made["metadata"]["labels"], made["spec"]["finalizers"], made["status"]["phase"]

    _, finalizers, phase = play(story)
    assert (finalizers, phase) == (["x.io/a", "kubernetes"], "Active")


def test_it_goes_in_two_steps_and_takes_nothing_new_meanwhile() -> None:
    async def story(stage: Stage) -> list[object]:
        await stage.client.create(NAMESPACES, {"metadata": {"name": "n"}})
        code, going = await stage.ask("DELETE", f"{NAMESPACES}/n")
        refused, status = await stage.ask("POST", f"{NAMESPACES}/n/configmaps", {"metadata": {"name": "a"}})
        going["spec"]["finalizers"] = []
        finalized, _ = await stage.ask("PUT", f"{NAMESPACES}/n/finalize", going)
        after, _ = await stage.ask("GET", f"{NAMESPACES}/n")
        return [code, going["status"]["phase"], refused, status["details"]["causes"][0]["reason"], finalized, after]

    assert play(story) == [200, "Terminating", 403, "NamespaceTerminating", 200, 404]


def test_some_are_never_deleted() -> None:
    async def story(stage: Stage) -> list[int]:
        names = ("default", "kube-system", "kube-public", "kube-node-lease")
        return [(await stage.ask("DELETE", f"{NAMESPACES}/{name}"))[0] for name in names]

    assert play(story) == [403, 403, 403, 200]


def test_one_without_a_phase_is_active() -> None:
    async def story(stage: Stage) -> tuple[int, str]:
        await stage.client.create(NAMESPACES, {"metadata": {"name": "n"}})
        code, obj = await stage.ask("PUT", f"{NAMESPACES}/n/status", {"metadata": {"name": "n"}})
        return code, obj["status"]["phase"]

    assert play(story) == (200, "Active")
