"""Paths drawn in text.

``Heinrich Hoch ─has manager→ Nina Quast``, and against the edge ``Nina Quast ←has manager─ Heinrich Hoch``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from rich.text import Text

from ...core.graph import Hop, Path
from ...core.printable import shortened
from ...core.values import display
from ...core.words import local_name
from ..page import Page, cells

RELATION_STYLE, ANSWER_STYLE = "cyan", "bold green"

_LONGEST_VALUE = 400


def draw_path(
    path: Path, page: Page, *, indent: int, answers: Collection[str] = (), twins: Collection[str] = ()
) -> list[Text]:
    """A path on one line, or with one hop a line where it is too long.

    Args:
        path: what to draw.
        page: where.
        indent: cells from the left; further lines stand four cells further in.
        answers: ids of nodes that answer the question; they stand out.
        twins: ids of nodes whose name another node shows too; their ids stand behind their names.
    """
    parts = [_node(path.start, path.start_name, page, answers, twins)]
    parts += [_hop(hop, page, answers, twins) for hop in path.hops]
    whole = Text(" ").join(parts)
    if indent + cells(whole.plain) <= page.width:
        return page.paragraph(whole, indent=indent)
    first, *others = parts
    lines = page.paragraph(first, indent=indent, hanging=4)
    for part in others:
        lines += page.paragraph(part, indent=indent + 4, hanging=2)
    return lines


def nodes_of_one_name(paths: Iterable[Path]) -> frozenset[str]:
    """Ids of the nodes on these paths whose name is also the name of another node on them."""
    ids_by_name: dict[str, set[str]] = {}
    for path in paths:
        ids_by_name.setdefault(path.start_name, set()).add(path.start)
        for hop in path.hops:
            if hop.target is not None:
                ids_by_name.setdefault(hop.target_name, set()).add(hop.target)
    return frozenset(id for ids in ids_by_name.values() if len(ids) > 1 for id in ids)


def _node(id: str, name: str, page: Page, answers: Collection[str], twins: Collection[str]) -> Text:
    text = page.text(name or local_name(id), ANSWER_STYLE if id in answers else "bold")
    if id in twins:
        text.append(" ").append_text(page.text(f"({shortened(local_name(id), 40)})", "dim"))
    return text


def _hop(hop: Hop, page: Page, answers: Collection[str], twins: Collection[str]) -> Text:
    glyphs = page.glyphs
    tail, tip = (glyphs.line, glyphs.right) if hop.forward else (glyphs.left, glyphs.line)
    arrow = Text(tail, RELATION_STYLE).append_text(page.text(hop.label)).append(tip)
    if hop.target is None:
        end = page.text(shortened(display(hop.value), _LONGEST_VALUE), "green")
    else:
        end = _node(hop.target, hop.target_name, page, answers, twins)
    return Text(" ").join([arrow, end])
