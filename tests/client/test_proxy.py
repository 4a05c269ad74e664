import pytest

from kubewright.client.kubeconfig import KubeconfigError
from kubewright.client.proxy import find_proxy

SERVER = "https://api.example.com:6443"


def found(server: str = SERVER, named: str | None = None, **environment: str) -> str | None:
    proxy = find_proxy(server, named, environment)
    return proxy.origin.url if proxy is not None else None


def test_the_kubeconfig_wins_over_the_environment() -> None:
    assert found(named="http://one:1", HTTPS_PROXY="http://two:2") == "http://one:1"
    assert found(HTTPS_PROXY="http://two:2") == "http://two:2"
    assert found(https_proxy="two:2") == "http://two:2"
    assert found() is None


def test_each_scheme_has_its_variable() -> None:
    assert found(HTTP_PROXY="http://two:2") is None
    assert found("http://api.example.com", HTTP_PROXY="http://two:2") == "http://two:2"


@pytest.mark.parametrize("server", ["https://localhost:1", "https://127.0.0.1:1", "https://[::1]:1"])
def test_this_machine_is_reached_directly(server: str) -> None:
    assert found(server, HTTPS_PROXY="http://two:2") is None
    assert found(server, named="http://one:1") == "http://one:1"


@pytest.mark.parametrize(
    ("server", "excepted", "direct"),
    [
        (SERVER, "*", True),
        (SERVER, "example.com", True),
        (SERVER, ".example.com", True),
        (SERVER, "*.example.com", True),
        (SERVER, "other.org, API.example.com", True),
        (SERVER, "api.example.com:6443", True),
        (SERVER, "api.example.com:443", False),
        (SERVER, "ample.com", False),
        (SERVER, "", False),
        ("https://example.com", ".example.com", False),
        ("https://10.1.2.3", "10.0.0.0/8", True),
        ("https://10.1.2.3", "10.1.2.3", True),
        ("https://11.1.2.3", "10.0.0.0/8", False),
        ("https://10.1.2.3", "10.0.0.0/nonsense", False),
        ("https://[fd00::1]:6443", "fd00::/8", True),
        ("https://[fd00::1]:6443", "[fd00::1]:6443", True),
    ],
)
def test_no_proxy_names_hosts_domains_addresses_and_networks(server: str, excepted: str, direct: bool) -> None:
    assert (found(server, HTTPS_PROXY="http://two:2", NO_PROXY=excepted) is None) is direct


def test_a_proxy_may_want_a_password() -> None:
    proxy = find_proxy(SERVER, "http://me:p%40ss@proxy:3128", {})
    assert proxy is not None
    assert proxy.origin.url == "http://proxy:3128"
    assert proxy.headers.get(b"proxy-authorization") == b"Basic bWU6cEBzcw=="


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("socks4://h:1", "of kind socks4; http, https and socks5 ones are supported"),
        ("http://h:x", "cannot be used"),
        ("socks5://h:x", "cannot be used"),
        ("socks5://:1", "is no URL, as in socks5://host:port"),
        (f"socks5://{'x' * 256}:y@h", "more than 255 bytes"),
    ],
)
def test_a_proxy_that_cannot_be_used_is_told(url: str, message: str) -> None:
    with pytest.raises(KubeconfigError, match=message):
        find_proxy(SERVER, url, {})


def test_a_proxy_may_speak_socks5() -> None:
    proxy = find_proxy(SERVER, "socks5://me:p%40ss@proxy", {})
    assert proxy is not None
    assert (proxy.url, proxy.origin.port, proxy.socks) == ("socks5://proxy:1080", 1080, ("me", "p@ss"))
    proxy = find_proxy(SERVER, None, {"HTTPS_PROXY": "socks5h://[::1]:9"})
    assert proxy is not None
    assert (proxy.url, proxy.socks) == ("socks5://[::1]:9", ("", ""))


def test_a_proxy_whose_url_cannot_be_read_is_told_without_its_password() -> None:
    with pytest.raises(KubeconfigError, match="is no URL, as in http://host:port") as told:
        found(named="https://me:secret@[::1")
    assert "secret" not in str(told.value)
