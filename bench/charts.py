"""Bars drawn from figures, as SVG that reads on light and dark pages alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

FLOOR = "bare Textual app"
_WIDTH, _ROW, _TOP = 860, 30, 54
_NAMES, _FIGURES = 300, 110
_FONT = 'font-family="ui-monospace, monospace" font-size="13"'
_PAGE, _TEXT, _DIM, _TRACK = "#101418", "#e6e6e6", "#9aa4ad", "#1d242b"
_OURS, _OTHERS, _OVER, _MARK = "#7fb2e5", "#5b6670", "#e08a7a", "#e5c07b"


@dataclass(frozen=True, slots=True)
class Bar:
    name: str
    value: float
    figure: str
    colour: str = _OURS


def bars(title: str, rows: Sequence[Bar], *, mark: float | None = None, most: float | None = None) -> str:
    """`mark` is a line at that value; what is longer than `most` is cut there, its figure still tells."""
    longest = most or max(bar.value for bar in rows)
    room = _WIDTH - _NAMES - _FIGURES - 40
    height = _TOP + _ROW * len(rows) + 16
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" {_FONT}>',
        f"<title>{escape(title)}</title>",
        f'<rect width="{_WIDTH}" height="{height}" rx="8" fill="{_PAGE}"/>',
        f'<text x="20" y="30" fill="{_TEXT}" font-weight="bold">{escape(title)}</text>',
    ]
    for number, bar in enumerate(rows):
        y = _TOP + _ROW * number
        length = max(2.0, room * min(1.0, bar.value / longest))
        lines += [
            f'<text x="20" y="{y + 14}" fill="{_DIM}">{escape(bar.name)}</text>',
            f'<rect x="{_NAMES}" y="{y}" width="{room}" height="18" rx="3" fill="{_TRACK}"/>',
            f'<rect x="{_NAMES}" y="{y}" width="{length:.1f}" height="18" rx="3" fill="{bar.colour}"/>',
            f'<text x="{_NAMES + room + 14}" y="{y + 14}" fill="{_TEXT}">{escape(bar.figure)}</text>',
        ]
    if mark is not None:
        x = _NAMES + room * mark / longest
        dashes = f'stroke="{_MARK}" stroke-width="2" stroke-dasharray="4 3"'
        lines.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP - 6}" y2="{height - 12}" {dashes}/>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def budgets(shares: Mapping[str, float]) -> str:
    """What part of its budget each row uses; the line is all of it."""
    rows = [
        Bar(name, share, f"{share:.0%}", _OURS if share <= 1 else _OVER) for name, share in shares.items()
    ]
    return bars("Part of the budget that is used", rows, mark=1.0, most=1.5)


def starts(pairs: Sequence[Mapping[str, float]], others: Mapping[str, float]) -> str:
    """Milliseconds from the start to the echo of a key; each of ours stands beside its own floor."""
    rows = [
        _start(f"{name} beside it" if name == FLOOR else name, ms, _OTHERS if name == FLOOR else _OURS)
        for pair in sorted(pairs, key=lambda each: min(each.values()))
        for name, ms in pair.items()
    ]
    rows += [_start(name, ms, _OTHERS) for name, ms in sorted(others.items(), key=lambda each: each[1])]
    return bars("Start to echoed key", rows)


def _start(name: str, milliseconds: float, colour: str) -> Bar:
    return Bar(name, milliseconds, f"{milliseconds:.0f} ms", colour)
