"""A selection as a notebook shows it."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Final

from ...core.words import quantity
from .selection import AddedBy, SelectedNode, SubgraphSelection

STEP_COLOURS: Final[Mapping[AddedBy, str]] = {
    "seed": "#c0392b",
    "neighbours": "#e67e22",
    "diamond": "#2980b9",
    "c3": "#8e44ad",
    "walk": "#27ae60",
    "whole": "#7f8c8d",
}
"""A colour for each step."""

_MOST_ROWS: Final = 60


def selection_to_html(selection: SubgraphSelection) -> str:
    """A table of the nodes with the steps that added them; what is long is cut, and said to be."""
    rows = "".join(map(_row, selection.nodes[:_MOST_ROWS]))
    left = len(selection.nodes) - _MOST_ROWS
    more = f"<p>… and {quantity(left, 'more node')}</p>" if left > 0 else ""
    notes = "".join(f"<li>{escape(note)}</li>" for note in selection.notes)
    listed = f"<ul>{notes}</ul>" if notes else ""
    return (
        f"<div><p><b>{escape(selection.question)}</b> {quantity(len(selection.nodes), 'node')}, "
        f"{quantity(len(selection.edges), 'edge')} ({escape(selection.nested)})</p>"
        "<table><thead><tr><th>step</th><th>rank</th><th>node</th><th>type</th><th>p-value</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>{more}{listed}</div>"
    )


def _row(item: SelectedNode) -> str:
    p_value = "" if item.p_value is None else f"{item.p_value:.3g}"
    return (
        f'<tr><td style="color:{STEP_COLOURS[item.step]}">{item.step}</td><td>{item.rank}</td>'
        f"<td>{escape(item.node.name)}</td><td>{escape(', '.join(item.node.types))}</td><td>{p_value}</td></tr>"
    )
