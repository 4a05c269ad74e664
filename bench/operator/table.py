"""The table: ours and the peers', what was aimed at, and what was missed."""

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Table"]


@dataclass
class Table:
    """Rows in the order in which they were found, printed as they come."""

    peers: tuple[str, ...]
    missed: list[str] = field(default_factory=list)

    def head(self, title: str) -> None:
        """A part of the table begins."""
        peers = "".join(f"{peer:>22}" for peer in self.peers)
        print(f"\n{title}\n  {'':<48}{'kubewright':>13}{peers}   aims", flush=True)

    def row(self, name: str, found: float, unit: str, *aims: str, beside: Mapping[str, float] | None = None) -> None:
        """One figure, beside the peers'. An aim is `<= 60`, or `<= 0.6 x kopf` for a multiple of that peer's."""
        others = beside or {}
        cells = "".join(
            f"{_shown(others[peer], unit):>13}{_ratio(found, others[peer]):>9}" if peer in others else " " * 22
            for peer in self.peers
        )
        missed = [aim for aim in aims if not _met(found, aim, others)]
        self.missed += [f"{name.strip()} {aim}" for aim in missed]
        verdict = ", ".join(f"{aim} MISSED" if aim in missed else aim for aim in aims)
        print(f"  {name:<48}{_shown(found, unit):>13}{cells}   {verdict}".rstrip(), flush=True)


def _met(found: float, aim: str, peers: Mapping[str, float]) -> bool:
    word, number, *rest = aim.split()
    limit = float(number) * (peers[rest[1]] if rest else 1)
    return found <= limit if word == "<=" else found >= limit if word == ">=" else found == limit


def _ratio(found: float, other: float) -> str:
    return f"{found / other:.2f} x" if other else ""


def _shown(number: float, unit: str) -> str:
    if number == int(number) and abs(number) < 1000:
        return f"{int(number)} {unit}"
    digits = 0 if abs(number) >= 1000 else 1 if abs(number) >= 100 else 2
    return f"{number:,.{digits}f} {unit}"
