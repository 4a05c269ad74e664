import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import uvloop
from tests.client.programs import program

from kubewright.client.client import Client
from kubewright.client.credentials import Credentials
from kubewright.client.kubeconfig import Access, KubeconfigError
from kubewright.client.plugin import PluginError
from kubewright.trials.loop import run

ACCESS = Access(server="https://h")


def runs(folder: Path) -> int:
    return len((folder / "runs").read_text())


def _runs(folder: Path) -> bool:
    return Path(f"/proc/{(folder / 'pid').read_text()}").exists()


def test_what_is_fixed_stays_and_is_not_renewed() -> None:
    async def story() -> None:
        credentials = Credentials(replace(ACCESS, token="t", certificate=b"c", key=b"k"))
        grant = credentials.ready()
        assert grant is not None
        assert (grant.token, grant.certificate, grant.key) == ("t", b"c", b"k")
        assert await credentials.renew(grant) is None

    asyncio.run(story())


def test_a_token_file_is_read_again_after_a_while_and_at_once_when_refused(tmp_path: Path) -> None:
    file = tmp_path / "token"

    async def story() -> None:
        file.write_text("one\n")
        credentials = Credentials(replace(ACCESS, token_file=file))
        first = await credentials.get()
        file.write_text("two")
        assert credentials.ready() is first
        await asyncio.sleep(11)
        second = await credentials.get()
        assert (first.token, second.token) == ("one", "two")
        assert await credentials.renew(second) is None
        file.write_text("three")
        third = await credentials.renew(second)
        assert third is not None
        assert third.token == "three"
        file.unlink()
        await asyncio.sleep(11)
        assert credentials.ready() is third

    run(story())


def test_the_file_wins_over_the_token_beside_it_which_serves_until_there_is_one(tmp_path: Path) -> None:
    async def story() -> None:
        file = tmp_path / "token"
        credentials = Credentials(replace(ACCESS, token="beside", token_file=file))
        assert (await credentials.get()).token == "beside"
        file.write_text("file")
        await asyncio.sleep(11)
        assert (await credentials.get()).token == "file"

    run(story())


def test_a_token_file_that_was_never_there_is_told(tmp_path: Path) -> None:
    async def story() -> None:
        with pytest.raises(KubeconfigError, match=r"the token file .* cannot be read: No such file"):
            await Credentials(replace(ACCESS, token_file=tmp_path / "none")).get()

    run(story())


@pytest.mark.parametrize(("content", "words"), [(b" \n", "is empty"), (b"\xff\xfe", "it is no text")])
def test_a_token_file_without_a_token_is_told_and_one_that_becomes_so_leaves_the_last(
    content: bytes, words: str, tmp_path: Path
) -> None:
    file = tmp_path / "token"

    async def story() -> None:
        file.write_bytes(content)
        credentials = Credentials(replace(ACCESS, token_file=file))
        with pytest.raises(KubeconfigError, match=f"the token file .* {words}"):
            await credentials.get()
        file.write_text("one")
        first = await credentials.get()
        file.write_bytes(content)
        assert await credentials.renew(first) is None
        assert (await credentials.get()).token == "one"

    run(story())


def test_certificates_of_files_are_read_again_when_refused(tmp_path: Path) -> None:
    async def story() -> None:
        certificate, key = tmp_path / "c", tmp_path / "k"
        access = replace(ACCESS, certificate=b"old", key=b"old", certificate_file=certificate, key_file=key)
        credentials = Credentials(access)
        old = await credentials.get()
        assert await credentials.renew(old) is None  # the files have gone
        certificate.write_bytes(b"new")
        key.write_bytes(b"new")
        new = await credentials.renew(old)
        assert new is not None
        assert (new.certificate, new.key) == (b"new", b"new")

    run(story())


@pytest.mark.parametrize("run_on", [asyncio.run, uvloop.run])
def test_a_program_runs_once_for_all_who_wait(
    tmp_path: Path, run_on: Callable[[Coroutine[Any, Any, None]], None]
) -> None:
    async def story() -> None:
        credentials = Credentials(replace(ACCESS, plugin=program(tmp_path, 'give("t")')))
        assert credentials.ready() is None
        grants = await asyncio.gather(*(credentials.get() for _ in range(5)))
        assert {grant.token for grant in grants} == {"t"}
        assert credentials.ready() is grants[0]

    run_on(story())
    assert runs(tmp_path) == 1


def test_a_program_runs_again_when_its_credentials_have_expired(tmp_path: Path) -> None:
    async def story() -> None:
        credentials = Credentials(
            replace(ACCESS, plugin=program(tmp_path, 'give("t", expirationTimestamp="2020-01-01T00:00:00Z")'))
        )
        await credentials.get()
        assert credentials.ready() is None
        await credentials.get()

    asyncio.run(story())
    assert runs(tmp_path) == 2


def test_a_program_runs_again_once_when_its_credentials_are_refused(tmp_path: Path) -> None:
    async def story() -> None:
        plugin = program(tmp_path, 'give(str(len((here / "runs").read_text())))')
        credentials = Credentials(replace(ACCESS, plugin=plugin))
        first = await credentials.get()
        renewed = await asyncio.gather(*(credentials.renew(first) for _ in range(3)))
        assert [grant and grant.token for grant in renewed] == ["2", "2", "2"]
        assert renewed[0] is not None
        # Refused at once again: no storm of processes.
        assert await credentials.renew(renewed[0]) is None

    asyncio.run(story())
    assert runs(tmp_path) == 2


def test_a_failure_is_remembered_for_a_moment(tmp_path: Path) -> None:
    async def story() -> None:
        credentials = Credentials(replace(ACCESS, plugin=program(tmp_path, "sys.exit(1)")))
        for _ in range(3):
            with pytest.raises(PluginError, match="failed with exit code 1"):
                await credentials.get()

    asyncio.run(story())
    assert runs(tmp_path) == 1


def test_whoever_gives_up_does_not_stop_the_program_but_closing_does(tmp_path: Path) -> None:
    async def story() -> None:
        code = '(here / "pid").write_text(str(os.getpid())); time.sleep(60)'
        credentials = Credentials(replace(ACCESS, plugin=program(tmp_path, code)))
        waiting = asyncio.create_task(credentials.get())
        async with asyncio.timeout(20):
            while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():  # noqa: ASYNC110 - another process
                await asyncio.sleep(0.01)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert _runs(tmp_path)
        await credentials.close()
        assert not _runs(tmp_path)

    asyncio.run(story())


def test_who_has_a_token_needs_no_program(tmp_path: Path) -> None:
    access = replace(ACCESS, token="t", plugin=program(tmp_path, 'give("x")'))
    grant = Credentials(access).ready()
    assert grant is not None
    assert grant.token == "t"


def test_a_request_that_waits_for_a_program_in_vain_says_that_it_was_not_sent(tmp_path: Path) -> None:
    async def story() -> None:
        access = replace(ACCESS, plugin=program(tmp_path, "time.sleep(60)"))
        async with Client.connect(access, timeout=0.1) as client:
            for asked in (client.create("/api/v1/things", {}), client.request("GET", "/")):
                with pytest.raises(PluginError, match=r"not sent, because the exec plugin .* gave no credentials"):
                    await asked

    asyncio.run(story())
