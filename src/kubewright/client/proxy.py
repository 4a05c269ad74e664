"""By way of which proxy a server is reached: the kubeconfig's, else that of the environment, as Go reads it.

`HTTPS_PROXY` (for https) or `HTTP_PROXY` names it, `NO_PROXY` who is reached without: `*`, hosts and their subdomains
(`.example.com` for the subdomains alone), addresses, networks (`10.0.0.0/8`), each with a port or without. Names in
lower case count too. This machine itself is never reached by way of the environment's proxy.
"""

import base64
import os
from collections.abc import Mapping
from ipaddress import ip_address, ip_network
from urllib.parse import SplitResult, unquote, urlsplit

from kubewright.client.kubeconfig import KubeconfigError
from kubewright.http import Headers, HttpError, Origin, Proxy

__all__ = ["find_proxy"]


def find_proxy(server: str, named: str | None, environment: Mapping[str, str] = os.environ) -> Proxy | None:
    """The proxy for a server: the one `named`, or the environment's; None for none."""
    url = named or _from_environment(server, environment)
    if not url:
        return None
    if "://" not in url:
        url = f"http://{url}"
    try:
        parts = urlsplit(url)
    except ValueError:  # what it is, is not shown: it may have a password
        raise KubeconfigError(f"the proxy for {server} is no URL, as in http://host:port.") from None
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    if parts.scheme in ("socks5", "socks5h"):
        return _socks(server, parts, user, password)
    if parts.scheme not in ("http", "https"):
        raise KubeconfigError(
            f"the proxy for {server} is of kind {parts.scheme}; http, https and socks5 ones are supported."
        )
    headers = Headers()
    if parts.username is not None:
        secret = f"{user}:{password}".encode()
        headers = Headers([(b"Proxy-Authorization", b"Basic " + base64.b64encode(secret))])
        url = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    try:
        return Proxy(Origin.of(url), headers)
    except HttpError as error:
        raise KubeconfigError(f"the proxy for {server} cannot be used: {error}.") from error


def _socks(server: str, parts: SplitResult, user: str, password: str) -> Proxy:
    try:
        port = parts.port or 1080
    except ValueError as error:
        raise KubeconfigError(f"the proxy for {server} cannot be used: {error}.") from None
    if not parts.hostname:
        raise KubeconfigError(f"the proxy for {server} is no URL, as in socks5://host:port.")
    if max(len(user.encode()), len(password.encode())) > 255:
        raise KubeconfigError(f"the proxy for {server} has a user or password of more than 255 bytes.")
    return Proxy(Origin(parts.hostname, port), socks=(user, password))


def _from_environment(server: str, environment: Mapping[str, str]) -> str | None:
    parts = urlsplit(server)
    variable = "HTTPS_PROXY" if parts.scheme == "https" else "HTTP_PROXY"
    url = environment.get(variable) or environment.get(variable.lower())
    host = (parts.hostname or "").rstrip(".")
    if not url or _is_here(host):
        return None
    port = parts.port or (443 if parts.scheme == "https" else 80)
    excepted = environment.get("NO_PROXY") or environment.get("no_proxy") or ""
    return None if any(_covers(each.strip().lower(), host, port) for each in excepted.split(",")) else url


def _is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _covers(pattern: str, host: str, port: int) -> bool:
    """Whether a part of NO_PROXY means that host."""
    if not pattern:
        return False
    if pattern == "*":
        return True
    try:
        address = ip_address(host)
    except ValueError:
        address = None
    if "/" in pattern:
        try:
            return address is not None and address in ip_network(pattern, strict=False)
        except ValueError:
            return False
    name, _, given = pattern.rpartition(":")
    if name and given.isdigit() and (name.count(":") == 0 or name.startswith("[")):
        if int(given) != port:
            return False
        pattern = name
    pattern = pattern.strip("[]")
    if address is not None:
        return pattern == host
    pattern = pattern.removeprefix("*")
    return host.endswith(pattern) if pattern.startswith(".") else host == pattern or host.endswith(f".{pattern}")
