"""`kubewright install`, `kubewright uninstall`: the CRDs of an operator come to a cluster, and go.

Nothing is done by halves: every CRD is looked at before the first is written. What would break stored objects or
clients is refused, and so is a deletion that would take objects with it, unless it is forced.
"""

import argparse
import asyncio
import sys
from collections.abc import Coroutine, Sequence
from typing import Any, Final

from kubewright.cli import place
from kubewright.cli.apps import operators_in, own_kinds
from kubewright.cli.sources import CommandError, is_module, load_crds, load_module
from kubewright.client.api import Api
from kubewright.client.endpoint import Document, Endpoint
from kubewright.client.errors import ApiError, Conflict, Invalid, NotFound
from kubewright.schema.crd import crds_of
from kubewright.schema.diff import Change, diff_crds

__all__ = ["crds_for", "install", "install_crds", "uninstall"]

_CRDS: Final[Endpoint[Document]] = Endpoint(
    "apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition", False
)
#: Seconds until a CRD is served, or gone.
_PATIENCE: Final = 30
#: So many objects are named to somebody who would delete them.
_NAMED: Final = 3


class RefusedError(CommandError):
    """What was asked for would do harm, and nobody said that it is meant."""


def install(words: Sequence[str]) -> int:
    """`kubewright install TARGET…`."""
    parser = _parser("install", "Install the CRDs of an operator, and wait until they are served.")
    parser.add_argument("--force", action="store_true", help="also what breaks stored objects or clients")
    given = parser.parse_args(words)
    crds = [crd for target in given.targets for crd in crds_for(target)]

    async def work() -> None:
        async with place.connect(place.find(given)) as api:
            await install_crds(api, crds, force=given.force)

    return _run(work())


def uninstall(words: Sequence[str]) -> int:
    """`kubewright uninstall TARGET…`."""
    parser = _parser("uninstall", "Delete the CRDs of an operator.")
    parser.add_argument("--force", action="store_true", help="also if there are objects: they are deleted with it")
    given = parser.parse_args(words)
    names = [str(crd["metadata"]["name"]) for target in given.targets for crd in crds_for(target)]

    async def work() -> None:
        async with place.connect(place.find(given)) as api:
            await uninstall_crds(api, names, force=given.force)

    return _run(work())


def crds_for(target: str) -> list[dict[str, Any]]:
    """The CRDs of a file of them, or of a module: of its operators' kinds, or of all kinds if it has no operator."""
    if is_module(target):
        module, _, name = target.partition(":")
        found = operators_in(load_module(module))
        chosen = [found[name]] if name in found else [] if name else list(found.values())
        if chosen:
            kinds = [kind for app in chosen for kind in own_kinds(app)]
            if not kinds:
                raise CommandError(f"{target}: its operator declares no kind of its own, so there is no CRD.")
            return crds_of(dict.fromkeys(kinds))
    return load_crds(target)


async def install_crds(
    api: Api, crds: Sequence[dict[str, Any]], *, force: bool = False, forced_by: str = "--force"
) -> None:
    """Have the cluster serve these; says what became of each. What is refused would be done by `forced_by`."""
    found = await asyncio.gather(*(_find(api, str(crd["metadata"]["name"])) for crd in crds))
    if not force:
        _refuse_breaking(crds, found, forced_by)
    for crd, old in zip(crds, found, strict=True):
        made = await _apply(api, crd)
        word = "created" if old is None else "unchanged" if _same(old, made) else "changed"
        await _established(api, made)
        print(f"{crd['metadata']['name']} {word}", flush=True)


async def uninstall_crds(api: Api, names: Sequence[str], *, force: bool = False) -> None:
    """Have the cluster serve these no longer; says what became of each."""
    found = {name: await _find(api, name) for name in names}
    there = {name: crd for name, crd in found.items() if crd is not None}
    if not force:
        for name, crd in there.items():
            if objects := await _objects(api, crd):
                raise RefusedError(
                    f"{name} has {_shown(objects)}: delete what is yours first, or have all of it deleted with --force."
                )
    for name in names:
        if name not in there:
            print(f"{name} is not installed", flush=True)
            continue
        await api.delete(_CRDS, name, uid=there[name]["metadata"]["uid"])
        await _gone(api, name, there[name])
        print(f"{name} deleted", flush=True)


def _refuse_breaking(crds: Sequence[dict[str, Any]], found: Sequence[Document | None], forced_by: str) -> None:
    broken: list[tuple[str, Change]] = []
    for crd, old in zip(crds, found, strict=True):
        if old is not None:
            broken += [(crd["metadata"]["name"], change) for change in diff_crds(old, crd) if change.breaks]
    if not broken:
        return
    for name, change in broken:
        print(f"{name} {change}")
    many = "one change breaks" if len(broken) == 1 else f"{len(broken)} changes break"
    raise RefusedError(
        f"{many} what is there: serve them as a new version, or install them all the same with {forced_by}."
    )


async def _find(api: Api, name: str) -> Document | None:
    try:
        return await api.get(_CRDS, name)
    except NotFound:
        return None


async def _apply(api: Api, crd: dict[str, Any]) -> Document:
    """Make the CRD as it is here. Fields that others set and we do not have would outlive an apply: they go, too."""
    name = crd["metadata"]["name"]
    wanted = {key: value for key, value in crd.items() if key != "status"}
    try:
        made = await api.apply(wanted, force=True)
        if any(not change.path.startswith("metadata.") for change in diff_crds(made, crd)):
            made = await api.update({**made, "spec": crd["spec"]})
    except Invalid as error:
        raise CommandError(
            f"the server refuses {name}: {error}; correct it, `kubewright crd lint` may help."
        ) from error
    except Conflict as error:
        raise CommandError(f"{name} is being changed by somebody else: {error}; try again.") from error
    return made


def _same(old: Document, new: Document) -> bool:
    return bool(old["metadata"].get("generation") == new["metadata"].get("generation"))


async def _established(api: Api, crd: Document) -> None:
    """Wait until the kind is served."""
    name = crd["metadata"]["name"]
    if _condition(crd, "Established") == "True" and _condition(crd, "NamesAccepted") == "True":
        return
    async for event in api.watch(_CRDS, name=name, seconds=_PATIENCE):
        if not isinstance(event.object, dict) or event.type not in ("ADDED", "MODIFIED"):
            continue
        if _condition(event.object, "NamesAccepted") == "False":
            raise CommandError(f"the names of {name} are not accepted: {_message(event.object)}; choose others.")
        if _condition(event.object, "Established") == "True":
            return
    raise CommandError(f"{name} is not served after {_PATIENCE} s; `kubectl describe crd {name}` may say why.")


async def _gone(api: Api, name: str, crd: Document) -> None:
    """Wait until the CRD is no more; its objects go before it, in their own time."""
    for _ in range(_PATIENCE * 10):
        found = await _find(api, name)
        if found is None or found["metadata"]["uid"] != crd["metadata"]["uid"]:
            return
        await asyncio.sleep(0.1)
    left = _shown(await _objects(api, crd)) or "nothing that can be seen"
    raise CommandError(
        f"{name} is being deleted, but {left} is left: if finalizers hold them, run the operator until it has seen to "
        "them, or take the finalizers off."
    )


async def _objects(api: Api, crd: Document) -> list[str]:
    """Which objects of a kind there are: some names, and how many more."""
    spec = crd["spec"]
    version = next((each["name"] for each in spec["versions"] if each.get("served")), None)
    if version is None:
        return []
    names, namespaced = spec["names"], spec["scope"] == "Namespaced"
    endpoint: Endpoint[Document] = Endpoint(spec["group"], version, names["plural"], names["kind"], namespaced)
    try:
        items = (await api.list(endpoint)).items
    except NotFound:  # established no more
        return []
    metas = [item["metadata"] for item in items]
    return [f"{meta['namespace']}/{meta['name']}" if namespaced else str(meta["name"]) for meta in metas]


def _shown(objects: list[str]) -> str:
    if not objects:
        return ""
    rest = f" and {len(objects) - _NAMED} more" if len(objects) > _NAMED else ""
    return f"{len(objects)} object{'' if len(objects) == 1 else 's'} ({', '.join(objects[:_NAMED])}{rest})"


def _condition(crd: Document, kind: str) -> str:
    conditions = (crd.get("status") or {}).get("conditions") or []
    return next((str(each["status"]) for each in conditions if each["type"] == kind), "Unknown")


def _message(crd: Document) -> str:
    conditions = (crd.get("status") or {}).get("conditions") or []
    return next((str(each.get("message", "")) for each in conditions if each["type"] == "NamesAccepted"), "")


def _parser(command: str, description: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"kubewright {command}",
        description=description,
        epilog="Exits with 1 if it refuses, with 2 if it cannot.",
    )
    parser.add_argument(
        "targets",
        metavar="TARGET",
        nargs="+",
        help="MODULE[:NAME] with an operator or kinds (a .py file will do), or a YAML or JSON file of CRDs",
    )
    place.add_options(parser)
    return parser


def _run(work: Coroutine[Any, Any, None]) -> int:
    try:
        asyncio.run(work)
    except RefusedError as error:
        print(f"kubewright: {error}", file=sys.stderr)
        return 1
    except ApiError as error:
        raise CommandError(f"the server refuses: {error}.") from error
    return 0
