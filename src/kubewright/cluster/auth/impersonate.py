"""Acting as somebody else: by headers, and with permission for every part of who that is.

| mode              | for                                    |
|-------------------|----------------------------------------|
| `associated-node` | the node that a pod's token tells of   |
| `arbitrary-node`  | any node                               |
| `serviceaccount`  | an account                             |
| `user-info`       | anybody else, with groups and the rest |
| (the old one)     | anybody                                |

Who asks must be allowed `impersonate-on:<mode>:<verb>` on what is to be done, and `impersonate:<mode>` on each part of
who he wants to be: the user, node or account, each group, the uid, all that is extra. The old mode asks for
`impersonate` on each part, and no more.

They are tried in this order, but first the one by which the same user came last; who may not in any is told of the
first that was tried.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple
from urllib.parse import unquote

from kubewright.cluster.auth.accounts import account_groups, split_account
from kubewright.cluster.auth.authorize import Authorizer, aggregate, refusal
from kubewright.cluster.auth.intent import Intent
from kubewright.cluster.auth.rules import ALL
from kubewright.cluster.auth.user import ANONYMOUS, AUTHENTICATED, MASTERS, UNAUTHENTICATED, User
from kubewright.cluster.wire.status import Failure, bad_request
from kubewright.http import Headers
from kubewright.schema.walk.errors import FieldError, invalid
from kubewright.schema.walk.golang import quote
from kubewright.schema.walk.names import subdomain

__all__ = ["Impersonation", "wanted_user"]

_PREFIX: Final = b"impersonate-"
_EXTRA: Final = b"impersonate-extra-"
_NODE: Final = "system:node:"
_NODE_KEY: Final = "authentication.kubernetes.io/node-name"
_AUTHENTICATION: Final = "authentication.k8s.io"
_MALFORMED: Final = re.compile("%(?![0-9A-Fa-f]{2})")
_PATH: Final = r"[A-Za-z0-9/\-._~%!$&'()*+,;=:]+"
#: From so many on it is asked first whether all may be had.
_MANY: Final = 4
_KEPT: Final = 10_000


def wanted_user(headers: Headers) -> User | None:
    """Whom a request is to be done as; None if it is to be done as who asks."""
    name = uid = ""
    groups: list[str] = []
    extra: dict[str, list[str]] = {}
    found = False
    for key, value in headers.pairs:
        lower = key.lower()
        if not lower.startswith(_PREFIX):
            continue
        text = value.decode(errors="replace")
        if lower == b"impersonate-user":
            name = name or text
        elif lower == b"impersonate-uid":
            uid = uid or text
            found = found or bool(text)
        elif lower == b"impersonate-group":
            groups.append(text)
            found = True
        elif lower.startswith(_EXTRA):
            extra.setdefault(_unescaped(lower[len(_EXTRA) :].decode(errors="replace")), []).append(text)
            found = True
    if not name and found:
        raise _nobody(uid, groups, extra)
    more = tuple((key, tuple(values)) for key, values in sorted(extra.items()))
    return User(name, tuple(groups), uid, more) if name else None


def _unescaped(key: str) -> str:
    return key if _MALFORMED.search(key) else unquote(key, errors="replace")


def _nobody(uid: str, groups: list[str], extra: dict[str, list[str]]) -> Failure:
    shown = f"[]string{{{', '.join(map(quote, groups))}}}" if groups else "[]string(nil)"
    more = "map[string][]string(nil)"
    if extra:
        pairs = (f"{quote(key)}:[]string{{{', '.join(map(quote, extra[key]))}}}" for key in sorted(extra))
        more = f"map[string][]string{{{', '.join(pairs)}}}"
    who = f'&user.DefaultInfo{{Name:"", UID:{quote(uid)}, Groups:{shown}, Extra:{more}}}'
    return bad_request(f"requested {who} without impersonating a user name", nosniff=True)


class _Mode(NamedTuple):
    #: Empty for the old one.
    name: str
    meant: Callable[[User, User], bool]

    @property
    def verb(self) -> str:
        return f"impersonate:{self.name}" if self.name else "impersonate"


def _plain(wanted: User) -> bool:
    return not (wanted.groups or wanted.uid or wanted.extra)


def _node(name: str) -> str:
    """The node that a user's name means, if it means one."""
    node = name.removeprefix(_NODE)
    return node if name.startswith(_NODE) and not subdomain(node) else ""


def _associated(wanted: User, requestor: User) -> bool:
    known = dict(requestor.extra).get(_NODE_KEY, ())
    return split_account(requestor.name) is not None and known == (_node(wanted.name),)


_MODES: Final = (
    _Mode(
        "associated-node", lambda wanted, by: _plain(wanted) and bool(_node(wanted.name)) and _associated(wanted, by)
    ),
    _Mode("arbitrary-node", lambda wanted, _: _plain(wanted) and bool(_node(wanted.name))),
    _Mode("serviceaccount", lambda wanted, _: _plain(wanted) and split_account(wanted.name) is not None),
    _Mode("user-info", lambda wanted, _: not _node(wanted.name) and split_account(wanted.name) is None),
    _Mode("", lambda _, __: True),
)


class Impersonation:
    """Lets users act as others."""

    def __init__(self, authorizer: Authorizer) -> None:
        self._authorizer = authorizer
        #: By which mode somebody came last.
        self._last: dict[str, _Mode] = {}

    def user(self, requestor: User, intent: Intent, headers: Headers) -> User:
        """As whom a request is done; a `Failure` if who asks may not."""
        wanted = wanted_user(headers)
        if wanted is None:
            return requestor
        last = self._last.get(requestor.name)
        refused: Failure | None = None
        for mode in sorted(_MODES, key=lambda each: each is not last):
            if not mode.meant(wanted, requestor):
                continue
            try:
                found = self._as(mode, requestor, wanted, intent)
            except Failure as failure:
                refused = refused or failure
                continue
            if len(self._last) >= _KEPT:
                self._last.clear()
            self._last[requestor.name] = mode
            return found
        assert refused is not None, "the old mode is for anybody"
        raise refused

    def _as(self, mode: _Mode, requestor: User, wanted: User, intent: Intent) -> User:
        def check(asked: Intent) -> None:
            decision = self._authorizer.decide(requestor, asked)
            if not decision.allowed:
                raise refusal(requestor, asked, decision.reason)

        if mode.name:
            check(intent._replace(verb=f"impersonate-on:{mode.name}:{intent.verb}"))
        groups = self._check_name(mode, wanted, check)
        if wanted.uid:
            check(_asked(mode.verb, _AUTHENTICATION, "uids", wanted.uid))
        self._check_groups(mode, requestor, wanted.groups, check)
        self._check_extra(mode, requestor, wanted, check)
        if wanted.name == ANONYMOUS.name:
            groups = _with(groups, UNAUTHENTICATED)
        elif UNAUTHENTICATED not in groups:
            groups = _with(groups, AUTHENTICATED)
        return User(wanted.name, groups, wanted.uid, wanted.extra)

    def _check_name(self, mode: _Mode, wanted: User, check: Callable[[Intent], None]) -> tuple[str, ...]:
        """See that the name may be had; the groups that go with it."""
        group = _AUTHENTICATION if mode.name else ""
        groups = wanted.groups
        asked = _asked(mode.verb, group, "users", wanted.name)
        if mode.name and (node := _node(wanted.name)):
            asked = _asked(mode.verb, group, "nodes", ALL if mode.name == "associated-node" else node)
            groups = ("system:nodes",)
        elif (account := split_account(wanted.name)) is not None:
            asked = _asked(mode.verb, group, "serviceaccounts", account[1])._replace(namespace=account[0])
            groups = groups or account_groups(account[0])
        check(asked)
        return groups

    def _check_groups(
        self, mode: _Mode, requestor: User, groups: tuple[str, ...], check: Callable[[Intent], None]
    ) -> None:
        asked = _asked(mode.verb, _AUTHENTICATION if mode.name else "", "groups", "")
        if mode.name and "" in groups:
            raise refusal(requestor, asked, "impersonating the empty string group is not allowed")
        if mode.name and MASTERS in groups:
            named = asked._replace(name=MASTERS)
            raise refusal(requestor, named, "impersonating the system:masters group is not allowed")
        if mode.name and len(groups) >= _MANY and self._may(requestor, asked._replace(name=ALL)):
            return
        for group in groups:
            check(asked._replace(name=group))

    def _check_extra(self, mode: _Mode, requestor: User, wanted: User, check: Callable[[Intent], None]) -> None:
        asked = _asked(mode.verb, _AUTHENTICATION, "userextras", "")
        if mode.name and (why := next(_extra_errors(wanted.extra), "")):
            raise refusal(requestor, asked, why)
        many = max(len(wanted.extra), sum(len(values) for _, values in wanted.extra)) >= _MANY
        if mode.name and many and self._may(requestor, asked._replace(subresource=ALL, name=ALL)):
            return
        for key, values in wanted.extra:
            for value in values:
                check(asked._replace(subresource=key, name=value))

    def _may(self, user: User, asked: Intent) -> bool:
        return self._authorizer.decide(user, asked).allowed


def _asked(verb: str, group: str, resource: str, name: str) -> Intent:
    return Intent(verb, "", True, group, "v1", "", resource, "", name)


def _with(groups: tuple[str, ...], group: str) -> tuple[str, ...]:
    return groups if group in groups else (*groups, group)


def _extra_errors(extra: Iterable[tuple[str, tuple[str, ...]]]) -> Iterator[str]:
    """What the newer modes do not take."""
    for key, values in extra:
        if not key:
            yield "impersonating the empty string key in extra is not allowed"
        if complaints := [str(error) for error in _key_errors(key)]:
            yield f"impersonating an invalid key in extra is not allowed: {aggregate(complaints)}"
        if "" in values:
            yield "impersonating the empty string value in extra is not allowed"


def _key_errors(key: str) -> Iterator[FieldError]:
    """What is wrong with a key that is to be a domain and a path."""
    domain, _, path = key.partition("/")
    if not domain or not path:
        yield invalid("extra.key", key, 'must be a domain-prefixed path (such as "acme.io/foo")')
        return
    for complaint in subdomain(domain):
        yield invalid("extra.key", domain, complaint)
    if re.fullmatch(_PATH, path) is None:
        yield invalid("extra.key", path, f"Invalid path (regex used for validation is '{_PATH}')")
