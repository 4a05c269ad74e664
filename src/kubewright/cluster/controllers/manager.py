"""kube-controller-manager: the built-in controllers that are kubewright controllers, run as one operator."""

import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubewright.cluster.controllers.sleeper import Kind
from kubewright.entropy import Entropy

if TYPE_CHECKING:
    from kubewright.client import Client
    from kubewright.controller.declaration import Controller

__all__ = ["MANAGER", "MEMBERS", "Member", "manage"]

MANAGER: Final = "kube-controller-manager"


class Member(NamedTuple):
    """A controller: where it is declared, and the kinds that it is woken by."""

    place: str
    kinds: tuple[Kind, ...]

    def load(self) -> "Controller[Any, Any]":
        """The declaration; loaded when it is wanted."""
        module, _, name = self.place.partition(":")
        found: Controller[Any, Any] = getattr(importlib.import_module(f"{__package__}.{module}"), name)
        return found


#: By kube-controller-manager's names.
MEMBERS: Final[dict[str, Member]] = {}


async def manage(client: "Client", names: Sequence[str], entropy: Entropy) -> None:
    """Run controllers, until cancelled."""
    from kubewright.controller.news import COUNT
    from kubewright.operator import Operator

    operator = Operator(
        MANAGER,
        [MEMBERS[name].load() for name in names],
        field_manager=MANAGER,
        events=COUNT,
        grace=0.0,
        watchdog=False,
    )
    async with operator.running(client.but(user_agent=MANAGER), entropy=entropy) as running:
        await running.wait()
