"""A bar chart of ratios as SVG: one bar a figure, on a scale of doublings, the goal as a tick."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log2

_ROW = 26
_LEFT = 330
_WIDTH = 420
_COLOURS = ("#2563eb", "#16a34a", "#d97706", "#9333ea", "#dc2626", "#0891b2")


@dataclass(frozen=True, slots=True)
class Bar:
    """A ratio with its label, the group it is coloured by, and the goal it is held against."""

    label: str
    ratio: float
    group: str
    goal: float | None = None


def chart(title: str, bars: Sequence[Bar]) -> str:
    """The SVG of these bars."""
    values = [bar.ratio for bar in bars] + [bar.goal for bar in bars if bar.goal] + [1.0]
    low, high = floor(log2(min(values))), max(1, ceil(log2(max(values))))
    groups = list(dict.fromkeys(bar.group for bar in bars))

    def x(value: float) -> float:
        return _LEFT + _WIDTH * (log2(value) - low) / (high - low)

    top = 64
    height = top + _ROW * len(bars) + 36
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_LEFT + _WIDTH + 80} {height}" '
        f'role="img" aria-label="{escape(title)}">',
        "<style>text{font:13px system-ui,sans-serif;fill:#1f2937}.dim{fill:#64748b;font-size:11px}"
        ".grid{stroke:#cbd5e1}.one{stroke:#475569}.goal{stroke:#dc2626;stroke-width:2}"
        "@media (prefers-color-scheme:dark){text{fill:#e2e8f0}.dim{fill:#94a3b8}"
        ".grid{stroke:#334155}.one{stroke:#94a3b8}}</style>",
        f'<text x="10" y="22" font-weight="600">{escape(title)}</text>',
    ]
    for number, group in enumerate(groups):
        at = 10.0 + 190 * number
        colour = _COLOURS[number % len(_COLOURS)]
        parts.append(f'<rect x="{at}" y="34" width="12" height="12" rx="2" fill="{colour}"/>')
        parts.append(f'<text class="dim" x="{at + 18}" y="44">{escape(group)}</text>')
    for power in range(low, high + 1):
        at, label = x(2.0**power), f"{2.0**power:g}×"
        kind = "one" if power == 0 else "grid"
        parts.append(
            f'<line class="{kind}" x1="{at:.1f}" x2="{at:.1f}" y1="{top - 8}" y2="{height - 28}"/>'
        )
        parts.append(f'<text class="dim" x="{at - 8:.1f}" y="{height - 12}">{label}</text>')
    for number, bar in enumerate(bars):
        y = top + _ROW * number
        colour = _COLOURS[groups.index(bar.group) % len(_COLOURS)]
        start, end = sorted((x(1.0), x(bar.ratio)))
        parts.append(
            f'<text x="{_LEFT - 12}" y="{y + 15}" text-anchor="end">{escape(bar.label)}</text>'
        )
        parts.append(
            f'<rect x="{start:.1f}" y="{y + 3}" width="{max(1.0, end - start):.1f}" height="16" '
            f'rx="2" fill="{colour}"/>'
        )
        parts.append(f'<text class="dim" x="{end + 6:.1f}" y="{y + 15}">{bar.ratio:.2f}</text>')
        if bar.goal:
            at = x(bar.goal)
            parts.append(f'<line class="goal" x1="{at:.1f}" x2="{at:.1f}" y1="{y}" y2="{y + 22}"/>')
    parts.append(
        f'<text class="dim" x="{_LEFT + _WIDTH + 10}" y="{height - 12}">red: goal</text></svg>'
    )
    return "\n".join(parts) + "\n"
