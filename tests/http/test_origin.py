"""Origins as values."""

import ssl

import pytest

from kubewright.http import HttpError, Origin


@pytest.mark.parametrize(
    ("url", "written", "authority", "address"),
    [
        ("http://a", "http://a", "a", "a:80"),
        ("http://a:80/path", "http://a", "a", "a:80"),
        ("http://a:8080", "http://a:8080", "a:8080", "a:8080"),
        ("http://[::1]:8080", "http://[::1]:8080", "[::1]:8080", "[::1]:8080"),
    ],
)
def test_a_url_has_an_origin(url: str, written: str, authority: str, address: str) -> None:
    origin = Origin.of(url)
    assert (origin.url, origin.authority, origin.address) == (written, authority, address)


def test_https_has_a_context_and_its_own_port() -> None:
    origin = Origin.of("https://a")
    assert isinstance(origin.context, ssl.SSLContext)
    assert (origin.url, origin.address) == ("https://a", "a:443")


@pytest.mark.parametrize("url", ["", "a:80", "ftp://a", "http://", "http://a:x", "http://a:99999"])
def test_what_is_no_url_of_a_server_is_told(url: str) -> None:
    with pytest.raises(HttpError, match="is no URL of a server"):
        Origin.of(url)


def test_origins_are_equal_with_the_same_context_alone() -> None:
    context = ssl.create_default_context()
    assert Origin("a", 1, context) == Origin("a", 1, context)
    assert Origin("a", 1, context) != Origin("a", 1, ssl.create_default_context())
