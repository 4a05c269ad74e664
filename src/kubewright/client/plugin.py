"""Credentials from a program: kubeconfig's exec plugins, of `client.authentication.k8s.io` v1 and v1beta1.

The program is told what is wanted in `$KUBERNETES_EXEC_INFO` and prints an ExecCredential: a token, a client
certificate, or both, and until when they are good. It runs beside the loop, which does not wait for it. What it says on
standard error goes to ours, for it may be "open this page to log in"; standard input is a terminal's only where the
kubeconfig lets it have one.
"""

import asyncio
import json
import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kubewright.errors import KubewrightError
from kubewright.model.documents import DocumentError, load_json

__all__ = ["AwaitedPlugin", "ExecPlugin", "Grant", "PluginError", "blamed_plugin", "read_plugin", "run_plugin"]

_GROUP = "client.authentication.k8s.io"
_VERSIONS = (f"{_GROUP}/v1", f"{_GROUP}/v1beta1")
_MODES = ("Never", "IfAvailable", "Always")
#: Seconds a program may take: someone may have to log in.
_PATIENCE = 300.0


class PluginError(KubewrightError):
    """An exec plugin that is not there, failed, or did not print credentials. The request was not sent."""


class AwaitedPlugin(str):
    """The command of a plugin, as what was waited for when somebody gave up waiting: in the `CancelledError`."""

    __slots__ = ()


def blamed_plugin(late: TimeoutError) -> str | None:
    """The plugin that a request waited for when its time was over; None if it had been sent."""
    told = late.__cause__.args if late.__cause__ is not None else ()
    return next((each for each in told if isinstance(each, AwaitedPlugin)), None)


@dataclass(frozen=True, slots=True)
class Grant:
    """Credentials as they are at the moment; `expires` where they say so. Not shown: they are secrets."""

    token: str | None = field(default=None, repr=False)
    certificate: bytes | None = field(default=None, repr=False)
    key: bytes | None = field(default=None, repr=False)
    expires: datetime | None = None
    #: Whom to believe that the server is the server, if that is read again too.
    authority: bytes | None = None


@dataclass(frozen=True, slots=True)
class ExecPlugin:
    """How the program is called. What it is given is not shown: there may be secrets among it."""

    command: str
    api_version: str
    args: tuple[str, ...] = field(default=(), repr=False)
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    install_hint: str = ""
    interactive: str = "IfAvailable"
    #: What it is told about the cluster; None: nothing.
    cluster: Mapping[str, Any] | None = field(default=None, repr=False)


def read_plugin(section: Any, cluster: Mapping[str, Any], folder: Path) -> ExecPlugin:
    """The `exec` of a kubeconfig's user, in a file of that folder; `cluster` is told if it asks for it."""
    if not isinstance(section, dict) or not isinstance(section.get("command"), str) or not section["command"]:
        raise PluginError("exec has no command: the program that prints credentials.")
    command, version = section["command"], section.get("apiVersion")
    if version not in _VERSIONS:
        raise PluginError(f"exec has apiVersion {version!r}; this speaks {' and '.join(_VERSIONS)}.")
    mode = section.get("interactiveMode") or ("IfAvailable" if version.endswith("v1beta1") else None)
    if mode not in _MODES:
        raise PluginError(f"exec has interactiveMode {mode!r}; it must be one of {', '.join(_MODES)}.")
    args, env = section.get("args") or [], section.get("env") or []
    if not isinstance(args, list) or not all(isinstance(each, str) for each in args):
        raise PluginError(f"exec has args {args!r:.40}; they must be a list of strings.")
    if not isinstance(env, list) or not all(isinstance(each, dict) and each.get("name") for each in env):
        raise PluginError(f"exec has env {env!r:.40}; it must be a list of objects with name and value.")
    for each in env:
        if not _can_pass(str(each["name"]), "=\0") or not _can_pass(str(each.get("value") or "")):
            raise PluginError(f"exec has env with the name {each['name']!r:.40}, which no program can be given so.")
    if not all(map(_can_pass, args)) or not _can_pass(command):
        raise PluginError(f"exec has the command {command!r:.40} or args with a NUL, which no program can be given.")
    if os.sep in command:
        command = str(folder / command)
    return ExecPlugin(
        command=command,
        api_version=version,
        args=tuple(args),
        env={str(each["name"]): str(each.get("value") or "") for each in env},
        install_hint=str(section.get("installHint") or ""),
        interactive=mode,
        cluster=dict(cluster) if section.get("provideClusterInfo") is True else None,
    )


def _can_pass(text: str, without: str = "\0") -> bool:
    """Whether a program can be given it, as an argument or in its environment."""
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        return False
    return not any(each in text for each in without)


async def run_plugin(plugin: ExecPlugin) -> Grant:
    """Run it, and read what it prints. Cancelled, it kills the program."""
    name = plugin.command
    terminal = sys.stdin is not None and sys.stdin.isatty()
    if plugin.interactive == "Always" and not terminal:
        raise PluginError(f"the exec plugin {name} must ask someone, but standard input is no terminal.")
    interactive = plugin.interactive != "Never" and terminal
    if shutil.which(name) is None:
        if (file := shutil.which(name, os.F_OK)) is not None:
            raise PluginError(f"the exec plugin {file} of the kubeconfig may not be executed; `chmod +x` it.")
        # Others wrote it, and it is for a terminal.
        hint = "".join(each for each in " ".join(["", *plugin.install_hint.split()]) if each.isprintable())
        raise PluginError(f"the exec plugin {name} of the kubeconfig is not installed.{hint}")
    try:
        process = await asyncio.create_subprocess_exec(
            name,
            *plugin.args,
            stdin=None if interactive else asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, **plugin.env, "KUBERNETES_EXEC_INFO": _info(plugin, interactive)},
        )
    except OSError as error:
        raise PluginError(f"the exec plugin {name} cannot be run: {error.strerror}.") from error
    try:
        async with asyncio.timeout(_PATIENCE):
            output, _ = await process.communicate()
    except TimeoutError:
        raise PluginError(f"the exec plugin {name} gave no credentials within {_PATIENCE:g} seconds.") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        raise PluginError(f"the exec plugin {name} failed with exit code {process.returncode}; its output says why.")
    try:
        return read_credential(output, plugin.api_version)
    except PluginError as error:
        raise PluginError(f"the exec plugin {name} {error}") from None


def read_credential(output: bytes, api_version: str) -> Grant:
    """The credentials in an ExecCredential. Pure; of what is printed nothing is shown, for it may be a secret."""
    try:
        document = load_json(output)
    except DocumentError as error:
        raise PluginError(f"printed no JSON ({len(output)} bytes): {error}.") from None
    if not isinstance(document, dict) or document.get("kind") != "ExecCredential":
        raise PluginError("printed no ExecCredential.")
    if document.get("apiVersion") != api_version:
        raise PluginError(f"printed apiVersion {document.get('apiVersion')!r}; the kubeconfig says {api_version}.")
    status = document.get("status")
    if not isinstance(status, dict):
        raise PluginError("printed no status with credentials.")
    token, certificate, key = (_text(status, each) for each in ("token", "clientCertificateData", "clientKeyData"))
    if not token and not certificate and not key:
        raise PluginError("printed neither a token nor a certificate and key.")
    if bool(certificate) != bool(key):
        raise PluginError("printed only one of clientCertificateData and clientKeyData.")
    return Grant(
        token=token or None,
        certificate=certificate.encode() or None,
        key=key.encode() or None,
        expires=_time(_text(status, "expirationTimestamp")),
    )


def _info(plugin: ExecPlugin, interactive: bool) -> str:
    spec: dict[str, Any] = {"interactive": interactive}
    if plugin.cluster is not None:
        spec["cluster"] = plugin.cluster
    return json.dumps({"apiVersion": plugin.api_version, "kind": "ExecCredential", "spec": spec})


def _text(status: Mapping[str, Any], key: str) -> str:
    value = status.get(key)
    if value is not None and not isinstance(value, str):
        raise PluginError(f"printed a {key} that is no string.")
    return value or ""


def _time(text: str) -> datetime | None:
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise PluginError(f"printed the expirationTimestamp {text!r}, which is no time.") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
