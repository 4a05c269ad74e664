import asyncio
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.client.programs import V1, program

from kubewright.client.plugin import ExecPlugin, PluginError, read_credential, read_plugin, run_plugin

BETA = "client.authentication.k8s.io/v1beta1"


def printed(api_version: str = V1, kind: str = "ExecCredential", **status: Any) -> bytes:
    return json.dumps({"apiVersion": api_version, "kind": kind, "status": status}).encode()


def test_a_token_and_its_end_are_read() -> None:
    grant = read_credential(printed(token="secret", expirationTimestamp="2030-01-02T03:04:05Z"), V1)
    assert (grant.token, grant.expires) == ("secret", datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC))
    assert "secret" not in repr(grant)


def test_a_certificate_is_read_with_its_key() -> None:
    grant = read_credential(printed(clientCertificateData="c", clientKeyData="k"), V1)
    assert (grant.token, grant.certificate, grant.key, grant.expires) == (None, b"c", b"k", None)


@pytest.mark.parametrize(
    ("output", "message"),
    [
        (b"", "printed no JSON"),
        (b"my secret", r"printed no JSON \(9 bytes\)"),
        (b"[]", "printed no ExecCredential"),
        (printed(kind="Pod"), "printed no ExecCredential"),
        (printed(BETA, token="x"), "printed apiVersion 'client.authentication.k8s.io/v1beta1'; the kubeconfig says"),
        (json.dumps({"apiVersion": V1, "kind": "ExecCredential"}).encode(), "printed no status"),
        (printed(), "neither a token nor a certificate"),
        (printed(clientCertificateData="c"), "only one of"),
        (printed(token=3), "printed a token that is no string"),
        (printed(token="x", expirationTimestamp="tomorrow"), "'tomorrow', which is no time"),
    ],
)
def test_what_is_no_credential_is_told_without_showing_it(output: bytes, message: str) -> None:
    with pytest.raises(PluginError, match=message) as raised:
        read_credential(output, V1)
    assert "secret" not in str(raised.value)


def test_a_section_of_a_kubeconfig_is_read(tmp_path: Path) -> None:
    section = {
        "command": "./bin/login",
        "apiVersion": V1,
        "interactiveMode": "Never",
        "args": ["a"],
        "env": [{"name": "K", "value": "v"}],
        "installHint": "get it",
        "provideClusterInfo": True,
    }
    plugin = read_plugin(section, {"server": "https://h"}, tmp_path)
    assert plugin == ExecPlugin(
        str(tmp_path / "bin/login"), V1, ("a",), {"K": "v"}, "get it", "Never", {"server": "https://h"}
    )
    assert read_plugin({"command": "aws", "apiVersion": BETA}, {}, tmp_path) == ExecPlugin("aws", BETA)


@pytest.mark.parametrize(
    ("section", "message"),
    [
        (3, "has no command"),
        ({"apiVersion": V1}, "has no command"),
        ({"command": "x", "apiVersion": "client.authentication.k8s.io/v1alpha1"}, "has apiVersion"),
        ({"command": "x", "apiVersion": V1}, "has interactiveMode None"),
        ({"command": "x", "apiVersion": V1, "interactiveMode": "Maybe"}, "has interactiveMode 'Maybe'"),
        ({"command": "x", "apiVersion": BETA, "args": "a"}, "has args 'a'"),
        ({"command": "x", "apiVersion": BETA, "env": {"a": "b"}}, "has env"),
        ({"command": "x", "apiVersion": BETA, "env": [{"name": "A=B", "value": "c"}]}, "with the name 'A=B', which no"),
        ({"command": "x", "apiVersion": BETA, "env": [{"name": "A\0"}]}, "which no program can be given so"),
        ({"command": "x", "apiVersion": BETA, "env": [{"name": "A", "value": "\0"}]}, "with the name 'A', which no"),
        ({"command": "x", "apiVersion": BETA, "args": ["a\0"]}, "or args with a NUL"),
    ],
)
def test_a_section_that_makes_no_sense_is_told(section: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(PluginError, match=message):
        read_plugin(section, {}, tmp_path)


def test_the_program_is_told_what_is_wanted(tmp_path: Path) -> None:
    plugin = program(tmp_path, 'give(json.dumps([info, os.environ["K"]]))', env={"K": "v"}, cluster={"server": "s"})  # type: ignore[arg-type]
    grant = asyncio.run(run_plugin(plugin))
    info, variable = json.loads(grant.token or "")
    assert info == {
        "apiVersion": V1,
        "kind": "ExecCredential",
        "spec": {"interactive": False, "cluster": {"server": "s"}},
    }
    assert variable == "v"


def test_a_program_that_fails_is_told(tmp_path: Path) -> None:
    with pytest.raises(PluginError, match="failed with exit code 3"):
        asyncio.run(run_plugin(program(tmp_path, "sys.exit(3)")))
    with pytest.raises(PluginError, match=r"the exec plugin .* printed no JSON"):
        asyncio.run(run_plugin(program(tmp_path, "print('hello')")))


def test_a_program_that_is_not_there_is_told_with_its_hint() -> None:
    missing = ExecPlugin("no-such-program", V1, install_hint="Install it\n\x1b[2J\awith brew.", interactive="Never")
    with pytest.raises(PluginError, match=r"no-such-program .* is not installed\. Install it \[2Jwith brew\."):
        asyncio.run(run_plugin(missing))


@pytest.mark.parametrize("named", ["login", "./login"])
def test_a_program_that_may_not_be_executed_is_told(
    named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "login").write_text("#!/bin/sh\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    plugin = read_plugin({"command": named, "apiVersion": BETA}, {}, tmp_path)
    with pytest.raises(PluginError, match=rf"the exec plugin {tmp_path}/login .* may not be executed; `chmod \+x` it"):
        asyncio.run(run_plugin(plugin))


def test_a_program_that_must_ask_someone_needs_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(PluginError, match="standard input is no terminal"):
        asyncio.run(run_plugin(ExecPlugin("x", V1, interactive="Always")))


def test_cancelled_it_kills_the_program(tmp_path: Path) -> None:
    plugin = program(tmp_path, '(here / "pid").write_text(str(os.getpid())); time.sleep(60)')

    async def story() -> None:
        task = asyncio.create_task(run_plugin(plugin))
        async with asyncio.timeout(20):
            while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():  # noqa: ASYNC110 - another process
                await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(story())
    assert not Path(f"/proc/{(tmp_path / 'pid').read_text()}").exists()
