"""Service accounts and their tokens: what a token says of whom, and whether that is still true.

    account, what it is bound to ──► claims ──► signed ──► a pod or a user ──► a request ──► signed by us? in time?
                                                                             meant for us? account and pod still there?

A token is looked at closely once. As long as the store tells of no change to what it names, only the time is
looked at again.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import inf
from typing import Any, Final, NamedTuple

import msgspec

from kubewright import clock
from kubewright.cluster.auth.jwt import Key, Token, read_token
from kubewright.cluster.auth.rules import format_texts
from kubewright.cluster.auth.token import ISSUER, BadToken, Identity
from kubewright.cluster.auth.user import AUTHENTICATED, Extra, User
from kubewright.cluster.store import Record, Store
from kubewright.schema.walk.golang import quote
from kubewright.schema.walk.names import namespace_name, subdomain

__all__ = ["Accounts", "Bound", "account_groups", "account_name", "split_account"]

#: Of tokens that are kept in Secrets and never expire.
LEGACY_ISSUER: Final = "kubernetes/serviceaccount"
#: Labels of Secrets that hold tokens.
_LAST_USED: Final = "kubernetes.io/legacy-token-last-used"
_INVALID_SINCE: Final = "kubernetes.io/legacy-token-invalid-since"
_PREFIX: Final = "system:serviceaccount:"
_AUTH: Final = "authentication.kubernetes.io"
#: So many seconds clocks may differ.
_LEEWAY: Final = 60
_KEPT: Final = 10_000
#: So many seconds the time of a token is not looked at again.
_FRESH: Final = 1.0


class Bound(NamedTuple):
    """An object that a token names."""

    name: str
    uid: str

    @property
    def claim(self) -> dict[str, str]:
        """As it stands in a token."""
        return {key: value for key, value in (("name", self.name), ("uid", self.uid)) if value}


@dataclass(slots=True)
class _Known:
    """A token that was looked at: what it stands for, and what must stay as it was."""

    user: User
    audiences: tuple[str, ...]
    #: From when on it is good, and until when, in seconds; clocks may differ.
    start: float
    end: float
    #: What it names in the store.
    keys: list[str] = field(default_factory=list)
    #: When an object that it names was deleted, though it is still there.
    deleted: list[tuple[datetime, str]] = field(default_factory=list)
    #: For whom it was asked for last, what came of it, and until when the time need not be looked at again.
    asked: Sequence[str] = ()
    identity: Identity | None = None
    fresh: float = 0.0
    #: What ends the listening to the store.
    ends: list[Callable[[], None]] = field(default_factory=list)


def account_name(namespace: str, name: str) -> str:
    """The user's name of an account."""
    return f"{_PREFIX}{namespace}:{name}"


def account_groups(namespace: str) -> tuple[str, ...]:
    """The groups of an account."""
    return ("system:serviceaccounts", f"system:serviceaccounts:{namespace}")


def split_account(user: str) -> tuple[str, str] | None:
    """The namespace and name of the account that a user's name means, if it means one."""
    namespace, colon, name = user.removeprefix(_PREFIX).partition(":")
    if not user.startswith(_PREFIX) or not colon or namespace_name(namespace) or subdomain(name):
        return None
    return namespace, name


class Accounts:
    """The tokens of a cluster's accounts, signed with its key."""

    def __init__(self, store: Store, key: Key) -> None:
        self._store = store
        self._key = key
        self._known: dict[str, _Known] = {}

    # -- giving

    def issue(
        self,
        namespace: str,
        account: Bound,
        audiences: Iterable[str],
        seconds: int,
        identifier: str,
        bound: dict[str, Bound],
        warn_after: int = 0,
    ) -> str:
        """A token of an account; `bound` are the pod, node or secret with which it ends."""
        now = int(clock.now().timestamp())
        own: dict[str, Any] = {"namespace": namespace, "serviceaccount": account.claim}
        own |= {kind: each.claim for kind, each in bound.items()}
        if warn_after:
            own["warnafter"] = now + warn_after
        return self._key.sign(
            {
                "aud": [*audiences],
                "exp": now + seconds,
                "iat": now,
                "iss": ISSUER,
                "jti": identifier,
                "kubernetes.io": own,
                "nbf": now,
                "sub": account_name(namespace, account.name),
            }
        )

    def issue_legacy(self, namespace: str, account: Bound, secret: str) -> str:
        """A token that lives in a Secret, as long as that does."""
        place = "kubernetes.io/serviceaccount"
        return self._key.sign(
            {
                "iss": LEGACY_ISSUER,
                f"{place}/namespace": namespace,
                f"{place}/secret.name": secret,
                f"{place}/service-account.name": account.name,
                f"{place}/service-account.uid": account.uid,
                "sub": account_name(namespace, account.name),
            }
        )

    def keys(self) -> bytes:
        """What anybody needs to check a token: the public keys, as JSON."""
        return msgspec.json.encode({"keys": [self._key.public]})

    # -- checking

    def identify(self, text: str, audiences: Sequence[str]) -> Identity | None:
        """Who a token is of; None if it is none of ours, `BadToken` if it is and is not good."""
        known = self._known.get(text)
        if known is None:
            known = self._look(text, audiences)
            if known is None:
                return None
            self._keep(text, known)
        now = clock.monotonic()
        if known.identity is None or known.asked is not audiences or now > known.fresh:
            _check_time(known)
            known.identity = Identity(known.user, _audience(known.audiences, audiences))
            known.asked, known.fresh = audiences, now + _FRESH
        return known.identity

    def _keep(self, text: str, known: _Known) -> None:
        """Remember a token until something that it names changes."""
        if len(self._known) >= _KEPT:
            for each in [*self._known]:
                self._forget(each)
        self._known[text] = known
        known.ends += [self._store.listen(key, lambda _: self._forget(text)) for key in known.keys]

    def _forget(self, text: str) -> None:
        if (known := self._known.pop(text, None)) is not None:
            for end in known.ends:
                end()

    def _look(self, text: str, audiences: Sequence[str]) -> _Known | None:
        token = read_token(text)
        issuer = token.claims.get("iss") if token is not None else None
        if token is None or issuer not in (ISSUER, LEGACY_ISSUER):
            return None
        named = token.header.get("kid")
        if named and named != self._key.id:
            raise BadToken("invalid signature, no keys found")
        if not self._key.signed(token):
            raise BadToken("go-jose/go-jose: error in cryptographic primitive")
        try:
            return self._legacy(token, text) if issuer == LEGACY_ISSUER else self._bound(token, audiences)
        except (
            KeyError,
            TypeError,
            ValueError,
            AttributeError,
        ):  # signed by us, and yet of another form than we give them
            raise BadToken("the claims of the token cannot be read") from None

    def _bound(self, token: Token, audiences: Sequence[str]) -> _Known:
        claims, own = token.claims, token.claims["kubernetes.io"]
        given = tuple([claims["aud"]] if isinstance(claims["aud"], str) else claims["aud"])
        _audience(given, audiences)
        known = _Known(User(""), given, float(claims["nbf"]), float(claims["exp"]))
        _check_time(known)
        namespace, account = own["namespace"], _bound(own["serviceaccount"])
        record = self._record(known, f"/serviceaccounts/{namespace}/{account.name}")
        if record is None:
            raise BadToken(f"serviceaccounts {quote(account.name)} not found")
        self._same(known, record, account, "service account", "claim")
        for kind, plural in (("secret", "secrets"), ("pod", "pods"), ("node", "nodes")):
            # A pod that moved is another pod: of its node nothing is looked at.
            if kind not in own or (kind == "node" and "pod" in own):
                continue
            place = f"/{plural}/{own[kind]['name']}" if kind == "node" else f"/{plural}/{namespace}/{own[kind]['name']}"
            record = self._record(known, place)
            if record is None:
                raise BadToken("service account token has been invalidated")
            self._same(known, record, _bound(own[kind]), kind, f"service account {kind} ref claim")
        user = account_name(namespace, account.name)
        groups = (*account_groups(namespace), AUTHENTICATED)
        known.user = User(user, groups, account.uid, _extra(own, claims.get("jti", "")))
        return known

    def _record(self, known: _Known, key: str) -> Record | None:
        known.keys.append(key)
        return self._store.get(key)

    @staticmethod
    def _same(known: _Known, record: Record, bound: Bound, kind: str, claim: str) -> None:
        """See that an object is the one that a token means, and note when it was deleted."""
        meta = _meta(record)
        if meta["uid"] != bound.uid:
            raise BadToken(f"{kind} UID ({meta['uid']}) does not match {claim} ({bound.uid})")
        if "deletionTimestamp" in meta:
            gone = "service account token has been invalidated"
            if kind == "service account":
                gone = f"service account {meta['namespace']}/{meta['name']} has been deleted"
            known.deleted.append((datetime.fromisoformat(meta["deletionTimestamp"]), gone))

    def _legacy(self, token: Token, text: str) -> _Known:
        claims, place = token.claims, "kubernetes.io/serviceaccount"
        namespace, secret = claims[f"{place}/namespace"], claims[f"{place}/secret.name"]
        account = Bound(claims[f"{place}/service-account.name"], claims[f"{place}/service-account.uid"])
        known = _Known(User(""), (ISSUER,), 0.0, inf)
        kept = self._record(known, f"/secrets/{namespace}/{secret}")
        if kept is None or "deletionTimestamp" in _meta(kept):
            raise BadToken("Token has been invalidated")
        if _secret_token(kept) != text:
            raise BadToken("Token does not match server's copy")
        record = self._record(known, f"/serviceaccounts/{namespace}/{account.name}")
        if record is None:
            raise BadToken(f"serviceaccounts {quote(account.name)} not found")
        meta = _meta(record)
        if "deletionTimestamp" in meta:
            raise BadToken(f"ServiceAccount {namespace}/{account.name} has been deleted")
        if meta["uid"] != account.uid:
            raise BadToken(f"ServiceAccount UID ({meta['uid']}) does not match claim ({account.uid})")
        self._note_use(kept, f"{namespace}/{secret}", f"{namespace}/{account.name}")
        known.user = User(
            account_name(namespace, account.name), (*account_groups(namespace), AUTHENTICATED), account.uid
        )
        return known

    def _note_use(self, record: Record, secret: str, account: str) -> None:
        """Write on a Secret when its token was last used, once a day; refuse one that is not to be used any more."""
        document = msgspec.json.decode(record.value or b"")
        labels = document["metadata"].get("labels") or {}
        now = clock.now()
        days = [f"{now + timedelta(days=ahead):%Y-%m-%d}" for ahead in (0, 1)]
        if labels.get(_LAST_USED) not in days:
            from kubewright.cluster.wire.builtin import builtin_codec

            document["metadata"]["labels"] = dict(sorted((labels | {_LAST_USED: days[0]}).items()))

            def value(revision: int) -> bytes:
                document["metadata"]["resourceVersion"] = str(revision)
                return builtin_codec("", "v1", "Secret").write(document)

            self._store.commit(record.key, record.revision, value)
        if labels.get(_INVALID_SINCE):
            raise BadToken(
                f"the token in secret {secret} for service account {account} has been marked invalid. Use tokens from "
                "the TokenRequest API or manually created secret-based tokens, or remove the "
                f"'{_INVALID_SINCE}' label from the secret to temporarily allow use of this token"
            )


def _meta(record: Record) -> dict[str, Any]:
    assert record.value is not None, "a record that is there has a value"
    found: dict[str, Any] = msgspec.json.decode(record.value)["metadata"]
    return found


def _secret_token(record: Record) -> str:
    from base64 import b64decode

    assert record.value is not None, "a record that is there has a value"
    data = msgspec.json.decode(record.value).get("data") or {}
    return b64decode(data.get("token", "")).decode(errors="replace")


def _bound(claim: dict[str, str]) -> Bound:
    return Bound(claim.get("name", ""), claim.get("uid", ""))


def _audience(given: tuple[str, ...], asked: Sequence[str]) -> tuple[str, ...]:
    """For which of the audiences that are asked for a token is good."""
    found = tuple(each for each in given if each in asked)
    if not found:
        raise BadToken(
            f"token audiences {format_texts(given)} is invalid for the target audiences {format_texts(asked)}"
        )
    return found


def _check_time(known: _Known) -> None:
    """See that a token is good now, and that nothing it names has been gone for long."""
    moment = clock.now()
    now = moment.timestamp()
    if now + _LEEWAY < known.start:
        raise BadToken("service account token is not valid yet")
    if now - _LEEWAY > known.end:
        raise BadToken("service account token has expired")
    for when, gone in known.deleted:
        if (moment - when).total_seconds() > _LEEWAY:
            raise BadToken(gone)


def _extra(own: dict[str, Any], identifier: str) -> Extra:
    """What is told of who bears a token besides its account."""
    found: list[tuple[str, tuple[str, ...]]] = []
    if identifier:
        found.append((f"{_AUTH}/credential-id", (f"JTI={identifier}",)))
    for kind in ("node", "pod"):
        if kind in own:
            bound = _bound(own[kind])
            found += [(f"{_AUTH}/{kind}-{key}", (value,)) for key, value in bound.claim.items()]
    return tuple(found)
