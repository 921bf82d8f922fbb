"""What every measurement reports: a figure beside its floor or budget, and how far it scattered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median


@dataclass(frozen=True, slots=True)
class Row:
    """`value` is what the budget is about, usually a ratio to a floor measured in the same run.

    `holds` is whatever else the row promises, which `detail` puts into figures. `bars` are what a chart
    sets side by side, in milliseconds. `why` is for the reader of a row that was missed.
    """

    value: float
    unit: str
    budget: float
    spread: tuple[float, float]
    detail: str
    holds: bool = True
    bars: Mapping[str, float] = field(default_factory=dict[str, float])
    why: str = ""

    @property
    def kept(self) -> bool:
        return self.holds and self.value <= self.budget


def ratio(measured: Sequence[float], floor: Sequence[float], *, budget: float) -> Row:
    """Runs are given in pairs: what slows the machine for a while slows both of a pair."""
    ratios = sorted(one / other for one, other in zip(measured, floor, strict=True))
    quarter = len(ratios) // 4
    figures = f"{median(measured) * 1000:.1f} ms CPU against {median(floor) * 1000:.1f} ms"
    return Row(
        value=median(measured) / median(floor),
        unit="x",
        budget=budget,
        spread=(ratios[quarter], ratios[-1 - quarter]),
        detail=f"{figures}, {len(ratios)} pairs",
    )
