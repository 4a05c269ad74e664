"""Where the API is and who we are, read as kubectl reads it.

The files are those named, else those of `$KUBECONFIG` (several are merged: the first to say something wins), else
`~/.kube/config`. A context picks a cluster, a user and a namespace. Relative paths in a file start at that file.
"""

import base64
import binascii
import os
import ssl
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeGuard
from urllib.parse import quote, urlsplit

from kubewright.client.certificates import CertificateError, Pem, trusting, wear
from kubewright.client.plugin import ExecPlugin, PluginError, read_plugin
from kubewright.errors import KubewrightError
from kubewright.model.documents import DocumentError

__all__ = ["Access", "KubeconfigError", "load_kubeconfig"]

#: Where an entry notes the folder of the file it stands in; no name of a kubeconfig.
_FOLDER = "/folder"
_PATHS = ("certificate-authority", "client-certificate", "client-key", "tokenFile")
#: What the entries of each section say, and as what; of all else nothing is read here.
_TEXTS = {
    "clusters": ("server", "certificate-authority", "certificate-authority-data", "tls-server-name", "proxy-url"),
    "users": (
        *("token", "tokenFile", "client-certificate", "client-certificate-data", "client-key", "client-key-data"),
        *("as", "as-uid", "username", "password"),
    ),
    "contexts": ("cluster", "user", "namespace"),
}
_OTHERS: dict[str, dict[str, tuple[type, str]]] = {
    "clusters": {"insecure-skip-tls-verify": (bool, "true or false"), "disable-compression": (bool, "true or false")},
    "users": {"as-groups": (list, "a list"), "as-user-extra": (dict, "an object"), "exec": (dict, "an object")},
    "contexts": {},
}
#: What only says more of the user who is impersonated (`as`).
_OF_WHOM = ("as-uid", "as-groups", "as-user-extra")
_BASIC = "a user name and password, which Kubernetes no longer takes; use a token or a client certificate"
_UNSUPPORTED = {
    "auth-provider": "an auth-provider, which kubectl no longer has either; use exec",
    "username": _BASIC,
    "password": _BASIC,
}
#: Under this name a cluster says what exec plugins are told of it.
_EXEC = "client.authentication.k8s.io/exec"


class KubeconfigError(KubewrightError):
    """A kubeconfig that is missing, broken or asks for what is not supported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """A server and the credentials for it. Certificates are PEM.

    What a file says is better than what stands in its place: it may be replaced under way.
    """

    server: str
    namespace: str = "default"
    authority: bytes | None = None
    #: Where that was read, if it is read again with the token: a cluster's authority may be replaced under way.
    authority_file: Path | None = None
    #: How messages call it otherwise.
    authority_source: str = field(default="certificate-authority", compare=False, repr=False)
    certificate: bytes | None = None
    key: bytes | None = field(default=None, repr=False)
    #: Where the two were read, if in files: they are read again when the server does not take them any more.
    certificate_file: Path | None = None
    key_file: Path | None = None
    token: str | None = field(default=None, repr=False)
    token_file: Path | None = None
    plugin: ExecPlugin | None = None
    #: Headers that say for whom we ask.
    impersonation: tuple[tuple[bytes, bytes], ...] = ()
    server_name: str | None = None
    proxy: str | None = field(default=None, repr=False)  # it may have a password
    insecure: bool = False
    #: Which context of a kubeconfig this is; empty for a pod's own.
    context: str = ""

    def tls(
        self, certificate: bytes | None = None, key: bytes | None = None, authority: bytes | None = None
    ) -> ssl.SSLContext | None:
        """The context for connections to the server, with our certificates or these; None for plain HTTP."""
        if self.server.startswith("http://"):
            return None
        if certificate is None and key is None:
            certificate, key = self.certificate, self.key
        authority = authority or self.authority
        source = str(self.authority_file or self.authority_source)
        try:
            context = trusting(Pem(authority, source) if authority else None)
            if certificate and key:
                wear(context, *self._chain(certificate, key))
        except CertificateError as error:
            raise KubeconfigError(f"the certificates for {self.server} cannot be used: {error}") from error
        if self.insecure:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        context.set_alpn_protocols(["http/1.1"])
        return context

    def _chain(self, certificate: bytes, key: bytes) -> tuple[Pem, Pem]:
        if self.plugin is not None and self.certificate is None:
            program = f"of the exec plugin {self.plugin.command}"
            return Pem(certificate, f"clientCertificateData {program}"), Pem(key, f"clientKeyData {program}")
        return (
            Pem(certificate, _source("client-certificate", self.certificate_file)),
            Pem(key, _source("client-key", self.key_file)),
        )


def load_kubeconfig(*paths: Path | str, context: str | None = None) -> Access:
    """The access that kubeconfig files describe, for their current context or the one named."""
    files = [Path(path).expanduser() if str(path).startswith("~/") else Path(path) for path in paths] or _usual_files()
    config = _merged(files)
    shown = ", ".join(map(str, files))
    name = context or config.get("current-context")
    if not name and not config["contexts"]:
        raise KubeconfigError(f"{shown}: there is no context in it, so it leads to no cluster; name another file.")
    if not name:
        raise KubeconfigError(f"{shown}: no current-context; name one, or set it with `kubectl config use-context`.")
    chosen = _named(config, "contexts", name, "context", shown)
    cluster = _named(config, "clusters", chosen.get("cluster"), "cluster", shown)
    user = _named(config, "users", chosen.get("user"), "user", shown) if chosen.get("user") else {}
    for key, what in _UNSUPPORTED.items():
        if user.get(key):
            raise KubeconfigError(f"{shown}: the user {chosen['user']!r} has {what}.")
    if not user.get("as") and (more := [key for key in _OF_WHOM if user.get(key)]):
        # Left out, it would be us, with all of our rights, where somebody with fewer was meant.
        raise KubeconfigError(
            f"{shown}: the user {chosen['user']!r} has {' and '.join(more)} and no `as`: nobody to impersonate."
        )
    certificate, private = _bytes(user, "client-certificate", shown), _bytes(user, "client-key", shown)
    if certificate and not private:
        raise KubeconfigError(f"{shown}: the user {chosen['user']!r} has a client-certificate and no client-key to it.")
    server = cluster.get("server")
    if not _is_url(server):
        has = f"the server {server!r:.60}, which is no URL" if server else "no server"
        raise KubeconfigError(f"{shown}: the cluster {chosen['cluster']!r} has {has}, as in https://host:6443.")
    authority, insecure = _bytes(cluster, "certificate-authority", shown), cluster.get("insecure-skip-tls-verify")
    if authority and insecure:
        raise KubeconfigError(
            f"{shown}: the cluster {chosen['cluster']!r} has a certificate-authority and insecure-skip-tls-verify, "
            "which does not ask it; take one of them away."
        )
    return Access(
        server=server.rstrip("/"),
        namespace=chosen.get("namespace") or "default",
        authority=authority,
        authority_source=_source("certificate-authority", _file(cluster, "certificate-authority")),
        certificate=certificate,
        key=private,
        certificate_file=_file(user, "client-certificate"),
        key_file=_file(user, "client-key"),
        token=user.get("token"),
        token_file=Path(user["tokenFile"]) if user.get("tokenFile") else None,
        plugin=_plugin(user, cluster, shown),
        impersonation=tuple(_impersonation(user)),
        server_name=cluster.get("tls-server-name"),
        proxy=cluster.get("proxy-url"),
        insecure=insecure is True,
        context=name,
    )


def _file(section: dict[str, Any], key: str) -> Path | None:
    return Path(section[key]) if section.get(key) and not section.get(f"{key}-data") else None


def _source(key: str, file: Path | None) -> str:
    return f"{key} {file}" if file is not None else f"{key}-data"


def _plugin(user: dict[str, Any], cluster: dict[str, Any], shown: str) -> ExecPlugin | None:
    if not user.get("exec"):
        return None
    authority = _bytes(cluster, "certificate-authority", shown)
    told = {
        "server": cluster["server"],
        "tls-server-name": cluster.get("tls-server-name"),
        "insecure-skip-tls-verify": cluster.get("insecure-skip-tls-verify"),
        "certificate-authority-data": base64.b64encode(authority).decode() if authority else None,
        "proxy-url": cluster.get("proxy-url"),
        "disable-compression": cluster.get("disable-compression"),
        "config": next((each.get("extension") for each in _extensions(cluster) if each.get("name") == _EXEC), None),
    }
    try:
        return read_plugin(user["exec"], {key: value for key, value in told.items() if value}, user[_FOLDER])
    except PluginError as error:
        raise KubeconfigError(f"{shown}: {error}") from error


def _extensions(cluster: dict[str, Any]) -> list[dict[str, Any]]:
    found = cluster.get("extensions")
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _impersonation(user: dict[str, Any]) -> Iterator[tuple[bytes, bytes]]:
    if not user.get("as"):
        return
    yield b"Impersonate-User", str(user["as"]).encode()
    if user.get("as-uid"):
        yield b"Impersonate-Uid", str(user["as-uid"]).encode()
    for group in user.get("as-groups") or ():
        yield b"Impersonate-Group", str(group).encode()
    for key, values in (user.get("as-user-extra") or {}).items():
        for value in values or ():
            yield f"Impersonate-Extra-{quote(str(key), safe='')}".encode(), str(value).encode()


def _usual_files() -> list[Path]:
    if listed := [path for path in os.environ.get("KUBECONFIG", "").split(os.pathsep) if path]:
        return [Path(path) for path in listed]
    return [Path.home() / ".kube" / "config"]


def _merged(files: Sequence[Path]) -> dict[str, Any]:
    """All files as one. A file of several may be missing; if all are, that is told."""
    # Imported here: a server that has clients of its own need not read any file, and is ready sooner.
    from kubewright.model.yaml import load_yaml

    merged: dict[str, Any] = {"clusters": {}, "users": {}, "contexts": {}}
    found = False
    for path in files:
        try:
            text = path.read_bytes()
        except FileNotFoundError:
            continue
        except OSError as error:
            raise KubeconfigError(f"{path} cannot be read: {error.strerror}.") from error
        found = True
        try:
            config = load_yaml(text, str(path)) or {}
        except DocumentError as error:
            raise KubeconfigError(f"{str(error).rstrip('.')}. Mend the kubeconfig, or name another.") from error
        if not isinstance(config, dict):
            raise KubeconfigError(f"{path} is no kubeconfig: it holds {config!r:.40}.")
        said = config.get("apiVersion") or "v1", config.get("kind") or "Config"
        if said != ("v1", "Config"):
            raise KubeconfigError(f"{path} is no kubeconfig: it is {said[0]!s:.40} {said[1]!s:.40}, not v1 Config.")
        for section, inner in (("clusters", "cluster"), ("users", "user"), ("contexts", "context")):
            entries = config.get(section) or []
            if not isinstance(entries, list):
                raise KubeconfigError(f"{path}: {section} is {entries!r:.40}, not a list.")
            names: set[str] = set()
            for entry in entries:
                if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
                    raise KubeconfigError(f"{path}: an entry of {section} has no name, or one that is no string.")
                if entry["name"] in names:
                    raise KubeconfigError(f"{path}: {section} has {entry['name']!r} twice; which one is meant?")
                names.add(entry["name"])
                value = entry.get(inner) or {}
                if not isinstance(value, dict):
                    raise KubeconfigError(f"{path}: {inner} of {entry['name']!r} is {value!r:.40}, not an object.")
                _check(value, section, f"{path}: {inner} {entry['name']!r}")
                merged[section].setdefault(entry["name"], _with_paths(value, path.parent))
        if current := config.get("current-context"):
            if not isinstance(current, str):
                raise KubeconfigError(f"{path}: current-context is {current!r:.40}, not a string.")
            merged.setdefault("current-context", current)
    if not found:
        shown = ", ".join(map(str, files))
        raise KubeconfigError(
            f"there is no kubeconfig at {shown}; name one, set KUBECONFIG, or have `kubewright cluster up` start a "
            "cluster here."
        )
    return merged


def _check(entry: dict[str, Any], section: str, where: str) -> None:
    """Whether what an entry says is of the sort that it must be; what it says is not shown, it may be a secret."""
    wanted = dict.fromkeys(_TEXTS[section], (str, "a string")) | _OTHERS[section]
    for key, (kind, what) in wanted.items():
        value = entry.get(key)
        if value is not None and not isinstance(value, kind):
            raise KubeconfigError(f"{where}: {key} must be {what}, not of the type {type(value).__name__}.")
        if section == "clusters" and isinstance(value, str) and "\0" in value:
            raise KubeconfigError(f"{where}: {key} has a NUL, which no name or address can have.")
    for values in (entry.get("as-user-extra") or {}).values():
        if not isinstance(values, list):
            raise KubeconfigError(f"{where}: as-user-extra has a list for each key.")


def _is_url(server: object) -> TypeGuard[str]:
    try:
        found = urlsplit(server if isinstance(server, str) else "")
        return found.scheme in ("http", "https") and bool(found.hostname) and found.port != 0
    except ValueError:  # the port is no number, or a bracket is open
        return False


def _with_paths(value: dict[str, Any], folder: Path) -> dict[str, Any]:
    paths = {key: str(folder / value[key]) for key in _PATHS if isinstance(value.get(key), str) and value[key]}
    return {**value, **paths, _FOLDER: folder}


def _named(config: dict[str, Any], section: str, name: Any, what: str, shown: str) -> dict[str, Any]:
    found = config[section].get(name)
    if found is None:
        known = ", ".join(map(str, config[section])) or "none"
        raise KubeconfigError(f"{shown}: there is no {what} {name!r}; there are: {known}.")
    entry: dict[str, Any] = found
    return entry


def _bytes(section: dict[str, Any], key: str, shown: str) -> bytes | None:
    """A file's content, given in place (`key-data`, which wins) or by its path."""
    if data := section.get(f"{key}-data"):
        try:
            return base64.b64decode(data, validate=True)
        except (binascii.Error, TypeError, ValueError) as error:
            raise KubeconfigError(f"{shown}: {key}-data is not base64: {error}.") from error
    if path := section.get(key):
        try:
            return Path(path).read_bytes()
        except OSError as error:
            raise KubeconfigError(f"{shown}: {key} {path} cannot be read: {error.strerror}.") from error
    return None
