from typing import Any

import pytest
from tests.cel.evaluation import error, evaluate

_URL = "url('https://user:pw@example.com:80/a%20b/c?x=1&y=2&x=3#part')"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (f"{_URL}.getScheme()", "https"),
        (f"{_URL}.getHost()", "example.com:80"),
        (f"{_URL}.getHostname()", "example.com"),
        (f"{_URL}.getPort()", "80"),
        (f"{_URL}.getEscapedPath()", "/a%20b/c"),
        (f"{_URL}.getQuery()", {"x": ["1", "3"], "y": ["2"]}),
        ("url('https://[fe80::1%25en0]:80/').getHostname()", "fe80::1%en0"),
        ("url('https://example.com/a b').getEscapedPath()", "/a%20b"),
        ("url('https://example.com/a%2fb').getEscapedPath()", "/a%2fb"),
        ("url('https://example.com/a%2fb c').getEscapedPath()", "/a/b%20c"),
        ("url('http://a/?q=a+b%20c&=x&y&z=%zz&b=1;2').getQuery()", {"q": ["a b c"], "": ["x"], "y": [""]}),
        ("url('/path').getHost()", ""),
        ("url('mailto:x@y').getEscapedPath()", ""),
        ("url('HTTPS://a').getScheme()", "https"),
        ("isURL('http://') && !isURL('foo')", True),
        ("url('http://a/b') == url('http://a/b')", True),
    ],
)
def test_the_parts_of_a_url(text: str, value: Any) -> None:
    assert evaluate(text) == value


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("", "empty url"),
        ("foo", "invalid URI for request"),
        (":a", "missing protocol scheme"),
        ("http://[::1", "missing ']' in host"),
        ("https://exa mple.com/", 'invalid character " " in host name'),
        ("https://example.com:port/", 'invalid port ":port" after host'),
        ("https://a:b:c/", 'invalid port ":b:c" after host'),
        ("http://a/%zz", 'invalid URL escape "%zz"'),
        ("http://us er@a/", "net/url: invalid userinfo"),
        ("http://[1.2.3.4]/", "invalid IP-literal"),
    ],
)
def test_why_a_text_is_no_url(url: str, reason: str) -> None:
    assert error(f"url('{url}')") == f'URL parse error during conversion from string: parse "{url}": {reason}'
