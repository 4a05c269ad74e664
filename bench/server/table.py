"""The table: what was aimed at, and what was found."""

from dataclasses import dataclass, field

__all__ = ["Table"]


@dataclass
class Table:
    """Rows in the order in which they were found, printed as they come."""

    missed: list[str] = field(default_factory=list)

    def head(self, title: str) -> None:
        """A part of the table begins."""
        print(f"\n{title}\n  {'':<52} {'kubewright':>14} {'aim':>12} {'real':>12}", flush=True)

    def row(self, name: str, found: float, unit: str, aim: str = "", real: float | None = None) -> None:
        """One figure. An aim is `<= 300`, `>= 80000`, or `>= 2 x` for a multiple of the real server's."""
        other = "" if real is None else f"{_shown(real)} {unit}"
        verdict = ""
        if aim:
            met = _met(found, aim, real)
            verdict = "" if met else "missed"
            if not met:
                self.missed.append(name)
        ratio = f"{found / real:6.2f} x" if real else ""
        print(f"  {name:<52} {_shown(found) + ' ' + unit:>14} {aim:>12} {other:>12} {ratio:>9} {verdict}", flush=True)


def _met(found: float, aim: str, real: float | None) -> bool:
    word, number, *rest = aim.split()
    limit = float(number) * (real or 0 if rest else 1)
    return found <= limit if word == "<=" else found >= limit


def _shown(number: float) -> str:
    return f"{number:,.0f}" if abs(number) >= 100 else f"{number:.3g}"
