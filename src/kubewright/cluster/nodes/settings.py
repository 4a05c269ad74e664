"""How a pod shall fare on a simulated node: delays, and what goes wrong. Pure.

    metadata:
      annotations:
        kubewright.dev/stage: crash-loop
        kubewright.dev/start-after: 500ms

A setting is an annotation of the pod, or a field of a `Stage` that selects it (`stage`); what the pod itself says wins.
With none of them a pod runs and is ready at once; it ends when its command does, if that is plain to see (`course`),
and that of a Job at once and well if not; one that is deleted goes at once. `docs/nodes.md` lists them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any, Final, Literal, get_args

from kubewright.errors import KubewrightError
from kubewright.model.duration import Duration, DurationError

__all__ = ["PREFIX", "STAGES", "Settings", "SettingsError", "check_settings", "read_settings"]

Document = dict[str, Any]

#: Of the annotations.
PREFIX: Final = "kubewright.dev/"

#: What may go wrong.
Fault = Literal[
    "",
    "never-ready",
    "crash-loop",
    "image-pull-error",
    "evicted",
    "oom-killed",
    "stuck-terminating",
    "unschedulable",
]
STAGES: Final[tuple[str, ...]] = get_args(Fault)


class SettingsError(KubewrightError):
    """A setting that cannot be understood."""


@dataclass(frozen=True)
class Settings:
    """How one pod fares. Times are seconds."""

    #: What goes wrong; nothing, if it is empty.
    stage: Fault = ""
    #: The containers it happens to; all but the init containers, if there are none.
    containers: tuple[str, ...] = ()
    #: From its creation until it is bound to a node.
    schedule_after: float = 0.0
    #: From then until the containers run (`ContainerCreating`).
    start_after: float = 0.0
    #: How long each init container runs.
    init_for: float = 0.0
    #: From running to ready.
    ready_after: float = 0.0
    #: From running to the end of its containers; None: as their commands say.
    exit_after: float | None = None
    #: Of a container that ends by itself.
    exit_code: int = 0
    #: From the deletion until the containers have ended; no longer than the pod's grace.
    stop_after: float = 0.0
    #: Each time is longer by a part of itself, from nothing up to this.
    jitter: float = 0.0
    #: What is said where a message is needed: of an eviction, of a failed pull, of a container that ends.
    message: str = ""
    #: What the containers have written.
    log: str = ""
    #: What commands answer, in YAML (`commands`).
    exec: str = ""
    #: What listens on which ports, in YAML (`ports`).
    ports: str = ""

    def happens_to(self, container: str, *, init: bool) -> bool:
        """Whether it is this container to which the stage happens."""
        return container in self.containers if self.containers else not init


#: By the names of annotations.
_NAMES: Final = {each.name.replace("_", "-"): each.name for each in fields(Settings)}
_TIMES: Final = frozenset(("schedule_after", "start_after", "init_for", "ready_after", "exit_after", "stop_after"))
_NONE: Final = Settings()


def read_settings(pod: Document, stages: Iterable[Mapping[str, str]] = ()) -> Settings:
    """The settings of a pod: of the stages that select it, the later ones winning, and then its own annotations.

    Of a setting that cannot be understood a `SettingsError` tells which.
    """
    said: dict[str, str] = {}
    for stage in stages:
        said |= stage
    for name, text in (pod["metadata"].get("annotations") or {}).items():
        if name.startswith(PREFIX):
            said[name[len(PREFIX) :]] = text
    settings = _read(said) if said else _NONE
    if settings.exit_after is None:
        after = _ends_by_itself(settings, said)
        if after is not None:
            settings = replace(settings, exit_after=after)
    if not settings.exit_code and settings.stage == "crash-loop":
        settings = replace(settings, exit_code=1)
    return settings


def check_settings(said: Mapping[str, str]) -> None:
    """See that settings can be understood."""
    _read(said)


def _ends_by_itself(settings: Settings, said: Mapping[str, str]) -> float | None:
    if settings.stage in ("crash-loop", "oom-killed", "evicted"):
        return 1.0  # so that it is seen running, and a ReplicaSet does not replace it a hundred times a second
    return 0.0 if "exit-code" in said else None


def _read(said: Mapping[str, str]) -> Settings:
    found: dict[str, Any] = {}
    for name, text in said.items():
        field = _NAMES.get(name)
        if field is None:
            raise SettingsError(f"{PREFIX}{name} is no setting; there are {', '.join(_NAMES)}.")
        try:
            found[field] = _value(field, text)
        except ValueError as error:
            raise SettingsError(f"{PREFIX}{name}: {error}") from None
    return Settings(**found)


def _value(field: str, text: str) -> Any:
    if field == "stage":
        if text not in STAGES:
            raise ValueError(f"{text!r} is no stage; there are {', '.join(STAGES[1:])}.")
        return text
    if field in _TIMES:
        return _seconds(text)
    if field == "exit_code":
        if not (text.isascii() and text.isdecimal() and int(text) < 256):
            raise ValueError(f"{text!r} is no exit code: give a number from 0 to 255.")
        return int(text)
    if field == "jitter":
        return _part(text)
    if field in ("exec", "ports"):
        _check_script(field, text)
    if field == "containers":
        return tuple(name.strip() for name in text.split(",") if name.strip())
    return text


@lru_cache(64)  # a pod's settings are read at each step of its life, and YAML is slow
def _check_script(field: str, text: str) -> None:
    """See that what is written there in YAML can be understood, long before somebody asks for it."""
    # Loaded when they are wanted: few pods have such settings.
    from kubewright.cluster.nodes.commands import read_answers
    from kubewright.cluster.nodes.ports import read_ports

    try:
        read_answers(text) if field == "exec" else read_ports(text)
    except KubewrightError as error:
        raise SettingsError(f"{str(error).removesuffix('.')}.") from error


def _seconds(text: str) -> float:
    try:
        seconds = Duration(text).seconds
    except DurationError:
        seconds = -1.0
    if seconds < 0:
        raise ValueError(f"{text!r} is no time: write it as 2s, 500ms or 1m30s.")
    return seconds


def _part(text: str) -> float:
    try:
        part = float(text)
    except ValueError:
        part = -1.0
    if not 0 <= part <= 10:
        raise ValueError(f"{text!r} is no part: 0.5 makes each time longer by up to a half.")
    return part
