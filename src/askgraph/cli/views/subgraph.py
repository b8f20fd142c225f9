"""A subgraph and a calibration on a page."""

from __future__ import annotations

from rich.text import Text

from ...core.schema import Schema
from ...core.words import quantity
from ...retrievers.subgraph.calibration import CHECKPOINTS, Calibration, PairCalibration
from ...retrievers.subgraph.selection import STEPS_WITHIN, AddedBy, SelectedNode, SubgraphSelection
from ..page import Page

_MOST_NODES = 15
_STEPS: dict[AddedBy, tuple[str, str]] = {
    "seed": ("named", "bold"),
    "neighbours": ("neighbours", "yellow"),
    "diamond": ("added by DIAMOnD", "cyan"),
    "c3": ("added by C3", "magenta"),
    "walk": ("added by the random walk", "green"),
    "whole": ("in the graph", ""),
}


def show_selection(selection: SubgraphSelection, schema: Schema, page: Page) -> list[Text]:
    """The nodes by the step that added them, then how many edges there are, then what has to be said."""
    lines: list[Text] = []
    for step in STEPS_WITHIN["full"]:
        nodes = [item for item in selection.nodes if item.step == step]
        if nodes:
            heading, style = _STEPS[step]
            lines += page.paragraph(f"{heading} ({len(nodes)})", style=style)
            for item in nodes[:_MOST_NODES]:
                lines += page.paragraph(_node(item, schema, page), indent=2, hanging=4)
            if len(nodes) > _MOST_NODES:
                more = f"{page.glyphs.ellipsis} {len(nodes) - _MOST_NODES:,} more"
                lines += page.paragraph(more, indent=2, style="dim")
    said = f"{quantity(len(selection.nodes), 'node')}, {quantity(len(selection.edges), 'edge')} between them."
    lines += page.paragraph(said)
    for note in selection.notes:
        lines += page.paragraph(note, style="dim")
    return lines


def _node(item: SelectedNode, schema: Schema, page: Page) -> Text:
    line = page.text(item.node.name)
    line.append(" ").append_text(page.text(", ".join(map(schema.label_of, item.node.types)), "dim"))
    if item.p_value is not None:
        line.append(f"  p = {item.p_value:.2g}", "cyan")
        if item.ties > 1:
            line.append(f" (as {quantity(item.ties - 1, 'other')})", "dim")
    elif item.score is not None and item.step == "walk":
        line.append(f"  {item.score:.2g}", "cyan")
    return line


def show_calibration(calibration: Calibration, schema: Schema, page: Page) -> list[Text]:
    """For each pair of types how many steps were chosen, and what they bring."""
    if not calibration.pairs and calibration.notes:
        return [line for note in calibration.notes for line in page.paragraph(note)]
    if not calibration.pairs:
        return page.paragraph(
            "Nothing was measured: that takes nodes with at least 10 neighbours within a type whose nodes have "
            "edges between them, and there are none. Subgraphs are grown as before."
        )
    lines: list[Text] = []
    for pair in calibration.pairs:
        lines += _pair(pair, schema, page)
    for note in calibration.notes:
        lines += page.paragraph(note, style="dim")
    return [*lines, *page.paragraph("Kept with the graph: subgraphs are grown by it from now on.")]


def _pair(pair: PairCalibration, schema: Schema, page: Page) -> list[Text]:
    place = CHECKPOINTS.index(pair.steps)
    head = f"{schema.label_of(pair.origin)} > {schema.label_of(pair.layer)}: {quantity(pair.steps, 'step')}"
    recall = (
        f"hidden seeds that come back: {pair.recall[place]:.0%}, by chance {pair.recall_by_chance[place]:.0%} "
        f"({quantity(pair.samples, 'node')}, {pair.seeds:.0f} seeds each)"
    )
    largest = (
        f"largest component: {pair.largest[place]:.0f}, from like degrees {pair.largest_matched[place]:.0f}, from any "
        f"nodes {pair.largest_uniform[place]:.0f}"
    )
    return [
        *page.paragraph(head, style="bold"),
        *page.paragraph(recall, indent=2, hanging=4),
        *page.paragraph(largest, indent=2, hanging=4, style="dim"),
    ]
