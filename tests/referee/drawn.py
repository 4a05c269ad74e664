"""Requests drawn mechanically: for each kind and verb, mutations of a valid request.

Every write is a dry run beside one object that stays, so each request meets the same state and its answer depends on
nothing before it. The answers of the real server are kept in one file a kind.
"""

import gzip
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from tests.referee.families import FOLDER
from tests.referee.kinds import KINDS, Kind
from tests.referee.language import Ask, Open, Script, Step, ask, get, patch, post, script, until
from tests.referee.mutate import mutants
from tests.referee.run import Transcript

__all__ = ["VERBS", "draw", "drawn", "keep", "kept"]

VERBS = ("create", "variants", "update", "patch", "status", "delete", "get", "list", "watch")
MUTATIONS = FOLDER / "recorded" / "mutations"

_VALUES = ("", "x", "0", "1", "-1", "1.5", "1e3", "%20", "true", "9" * 25, "a%3Db", "%C3%A9", "%zz", "%25")
_PARAMETERS = {
    "create": ("dryRun", "fieldManager", "fieldValidation", "pretty", "nope"),
    "get": ("resourceVersion", "pretty", "nope", "limit"),
    "list": (
        "limit",
        "continue",
        "labelSelector",
        "fieldSelector",
        "resourceVersion",
        "resourceVersionMatch",
        "sendInitialEvents",
        "timeoutSeconds",
        "nope",
    ),
    "watch": (
        "labelSelector",
        "fieldSelector",
        "resourceVersion",
        "resourceVersionMatch",
        "sendInitialEvents",
        "allowWatchBookmarks",
        "timeoutSeconds",
        "nope",
    ),
    "delete": ("gracePeriodSeconds", "propagationPolicy", "orphanDependents", "dryRun", "nope"),
}
#: What every kind has.
_HEAD = ("apiVersion", "kind", "metadata")
_OPTIONS = {
    "apiVersion": "v1",
    "kind": "DeleteOptions",
    "gracePeriodSeconds": 5,
    "propagationPolicy": "Background",
    "preconditions": {"uid": "{base.metadata.uid}", "resourceVersion": "{base.metadata.resourceVersion}"},
    "dryRun": ["All"],
}


@cache
def drawn() -> dict[str, Script]:
    """All drawn requests: a script for each `Kind verb`."""
    return {f"{name} {verb}": draw(name, verb) for name in KINDS for verb in VERBS}


def draw(name: str, verb: str) -> Script:
    """The requests of one kind and verb; the first is the valid one."""
    kind = KINDS[name]
    base, new = _names(name)
    steps = [*_requests(kind, verb, base, new)]
    return script(f"{name} {verb}", "X-1", *steps, setup=_setup(kind, base))


def _names(name: str) -> tuple[str, str]:
    """Of the object that is there, and of the one to be made."""
    if name == "CustomResourceDefinition":
        return "things.{group}", "others.{group}"
    if name == "APIService":
        return "v1.{own}.example.com", "v1.new-{own}"
    return ("base-{own}", "new-{own}") if KINDS[name].cluster else ("base", "new")


def _setup(kind: Kind, base: str) -> tuple[Step, ...]:
    account = post("{serviceaccounts}", {"metadata": {"name": "default"}})
    made = post(kind.path, kind.named(base))
    awaited = {"CustomResourceDefinition": ("Established", "True"), "APIService": ("Available", "False")}
    condition, status = awaited.get(kind.body["kind"], ("", ""))
    has = {"status": {"conditions": [{"type": condition, "status": status}]}} if condition else None
    return (account, made, until(get(f"{kind.path}/{base}", keep="base"), has=has))


def _requests(kind: Kind, verb: str, base: str, new: str) -> Iterator[Step]:
    if verb == "create":
        document = kind.named(new)
        if "names" in document.get("spec", {}):
            names = {"plural": "others", "singular": "other", "kind": "Other", "listKind": "OtherList"}
            document = {**document, "spec": {**document["spec"], "names": names}}
        yield from _written("POST", f"{kind.path}?dryRun=All", document)
        yield from _asked(kind, "POST", kind.path + "?dryRun=All&", "create", kind.named(new))
    elif verb == "variants":
        for variant in kind.variants:
            yield from _written("POST", f"{kind.path}?dryRun=All", kind.named(new, variant), apart=_HEAD)
    elif verb == "update":
        document = kind.named(base)
        document["metadata"]["resourceVersion"] = "{base.metadata.resourceVersion}"
        yield from _written("PUT", f"{kind.path}/{base}?dryRun=All", document, changed=True)
    elif verb == "patch":
        yield from _patches(f"{kind.path}/{base}?dryRun=All", kind.body)
    elif verb == "status":
        yield from _reported(kind, base)
    elif verb == "delete":
        yield from _written("DELETE", f"{kind.path}/{base}?dryRun=All", _OPTIONS)
        yield from _asked(kind, "DELETE", f"{kind.path}/{base}?dryRun=All&", "delete")
    elif verb == "get":
        yield get(f"{kind.path}/{base}")
        yield get(f"{kind.path}/{base}", accept="application/json;as=Table;v=v1;g=meta.k8s.io")
        yield from _asked(kind, "GET", f"{kind.path}/{base}?", "get")
    elif verb == "list":
        mine = f"{kind.path}?fieldSelector=metadata.name%3D{base}"
        yield get(mine)
        yield from _asked(kind, "GET", mine + "&", "list")
    else:
        mine = f"{kind.path}?watch=1&fieldSelector=metadata.name%3D{base}"
        for asked in (get(mine), *_asked(kind, "GET", mine + "&", "watch")):
            yield Open(name="w", ask=asked)


def _written(
    method: str, path: str, document: dict[str, Any], *, changed: bool = False, apart: tuple[str, ...] = ("dryRun",)
) -> Iterator[Ask]:
    """A document and its mutants, apart from some of its fields: a dry run must be one."""
    yield ask(method, path, document)
    for mutant in mutants(document, changed=changed):
        # This would tell a number of that run.
        if mutant.what == "metadata.resourceVersion: changed" or mutant.path[0] in apart:
            continue
        yield ask(method, path, mutant.text, note=mutant.what, unordered="details causes")


def _reported(kind: Kind, base: str) -> Iterator[Ask]:
    """Writes of a status, of those kinds that have one at a path of its own."""
    if kind.status:
        path, document = f"{kind.path}/{base}/status?dryRun=All", kind.named(base)
        document["metadata"]["resourceVersion"] = "{base.metadata.resourceVersion}"
        rest = tuple(name for name in document if name != "metadata")
        yield from _written("PUT", path, {**document, "status": kind.status}, changed=True, apart=rest)
        yield from _patches(path, {"status": kind.status})


def _patches(path: str, document: dict[str, Any]) -> Iterator[Ask]:
    yield patch(path, "merge", {})
    for mutant in mutants(document, changed=True):
        if not mutant.what.endswith((": missing", ": twice", ": repeated")) and mutant.path[0] in mutant.document:
            top = str(mutant.path[0])
            body = {top: mutant.document[top]}
            yield patch(path, "merge", body, note=mutant.what, unordered="details causes")


def _asked(kind: Kind, method: str, path: str, verb: str, body: Any = None) -> Iterator[Ask]:
    """Parameters are read before the kind matters: two built-in kinds and a custom one stand for all."""
    for parameter in _PARAMETERS[verb] if kind.body["kind"] in ("ConfigMap", "Namespace", "Widget") else ():
        for value in _VALUES:
            yield ask(method, f"{path}{parameter}={value}", body)


def kept(name: str) -> dict[str, Any]:
    """What was recorded of a kind: for each verb the script's digest and its steps."""
    path = MUTATIONS / f"{name}.json.gz"
    return dict(json.loads(gzip.decompress(path.read_bytes()))) if path.exists() else {}


def keep(name: str, answers: dict[str, Transcript]) -> None:
    """Record the answers of a kind, by verb."""
    MUTATIONS.mkdir(exist_ok=True)
    record = {verb: {"script": draw(name, verb).digest, "steps": steps} for verb, steps in answers.items()}
    text = json.dumps(record, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    # No time in it: the same answers are the same file.
    (MUTATIONS / f"{name}.json.gz").write_bytes(gzip.compress(text, mtime=0))
