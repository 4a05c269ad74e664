"""`Stage`: settings for all pods that it selects, as an object of the API.

    apiVersion: kubewright.dev/v1
    kind: Stage
    metadata: {name: slow-start}
    spec:
      selector: {matchLabels: {app: web}}
      settings: {start-after: 2s, jitter: "0.5"}

The names in `settings` are those of the pods' annotations without their prefix. Stages of one namespace are taken in
the order of their names, the later ones winning, and annotations win over all of them. The kind is there once somebody
has installed its CRD; until then nobody asks for it.
"""

import asyncio
from collections.abc import Callable
from typing import Any

import kubewright as kw
from kubewright.client.api import Api
from kubewright.cluster.nodes.script import Script
from kubewright.cluster.nodes.settings import SettingsError, check_settings
from kubewright.controller.declaration import Controller
from kubewright.entropy import Entropy
from kubewright.k8s.meta.v1 import LabelSelector
from kubewright.model.codec import to_dict
from kubewright.model.selectors import LabelSelector as Selector
from kubewright.model.selectors import SelectorError

__all__ = ["Stage", "StageSpec", "run_stages"]


class StageSpec(kw.Model):
    """Which pods, and how they fare."""

    selector: LabelSelector = kw.field(default_factory=LabelSelector)
    """The pods; all of the namespace, if it says nothing."""
    settings: dict[str, str] = kw.field(default_factory=dict)
    """Settings by their names, such as start-after: 2s."""


class Stage(
    kw.Resource,
    group="kubewright.dev",
    version="v1",
    columns=[
        kw.Column("Accepted", '.status.conditions[?(@.type=="Accepted")].status'),
        kw.Column("Age", ".metadata.creationTimestamp"),
    ],
):
    """How the pods that it selects fare on simulated nodes."""

    spec: StageSpec
    status: kw.Status = kw.field(default_factory=kw.Status)


def stage_controller(script: Script, changed: Callable[[], None]) -> Controller[Any, Any]:
    """What keeps the script as the Stages say; `changed` is called when it has changed."""

    @kw.controller(Stage, name="stages")
    async def stages(stage: Stage, ctx: kw.Context) -> None:
        key = ctx.namespace, ctx.name
        before = script.stages.pop(key, None)
        try:
            selector = Selector.from_json(to_dict(stage.spec.selector))
            check_settings(stage.spec.settings)
        except (SettingsError, SelectorError) as error:
            stage.status.set("Accepted", False, reason="Invalid", message=str(error))
        else:
            script.stages[key] = selector, dict(stage.spec.settings)
            stage.status.set("Accepted", True, reason="Valid")
        if script.stages.get(key) != before:
            changed()

    @stages.absent
    async def forget(key: kw.Key, ctx: kw.Context) -> None:
        if script.stages.pop((key.namespace, key.name), None) is not None:
            changed()

    return stages


async def run_stages(api: Api, script: Script, changed: Callable[[], None], entropy: Entropy) -> None:
    """Follow the Stages of a server that has them, until cancelled."""
    operator = kw.Operator("kubewright-stages", [stage_controller(script, changed)], grace=1.0, watchdog=False)
    async with operator.running(api, identity="nodes", entropy=entropy):
        await asyncio.Event().wait()
