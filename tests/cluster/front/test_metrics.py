from tests.cluster.stage import CONFIGMAPS, Stage, play


def test_requests_are_counted_by_what_they_asked_and_how_they_ended() -> None:
    async def story(stage: Stage) -> str:
        await stage.put_configmaps(3)
        await stage.ask("GET", CONFIGMAPS)
        await stage.ask("GET", f"{CONFIGMAPS}/nope")
        await stage.ask("GET", '/api/v1/namespaces/default/no"such')
        code, text = await stage.ask("GET", "/metrics")
        assert code == 200
        return str(text)

    text = play(story)
    common = 'component="apiserver",dry_run="",group="",resource="configmaps"'
    for code, scope, verb, count in ((201, "namespace", "POST", 3), (404, "resource", "GET", 1)):
        labels = f'code="{code}",{common},scope="{scope}",subresource="",verb="{verb}",version="v1"'
        assert f"apiserver_request_total{{{labels}}} {count}" in text
    assert 'apiserver_storage_objects{resource="configmaps"} ' in text
    assert 'verb="other"' in text
    assert "such" not in text
