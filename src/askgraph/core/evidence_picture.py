"""A small picture of the evidence graph: SVG text, laid out the same way every time, no script, nothing fetched.

Nodes stand in columns by their distance from where their first path begins, within a column in order of
appearance. Colours come from the page around the picture, so that it reads on light and on dark.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from .graph import Hop, Path
from .printable import printable, shortened
from .values import display
from .words import quantity

MOST_NODES = 24
"""More would be a picture of a crowd; what is left out is said under it."""

_BOX_WIDTH, _BOX_HEIGHT = 168, 28
_COLUMN_STEP, _ROW_STEP = 318, 46
_MARGIN = 8
_NAME_LENGTH, _LABEL_LENGTH = 21, 22
# Middle tones, which stand out from white and from black.
_START_COLOR, _END_COLOR = "#3b82f6", "#22a06b"


@dataclass(slots=True)
class _Box:
    """A node or a value in the picture."""

    title: str
    name: str
    column: int
    row: int = 0
    is_value: bool = False
    color: str = "currentColor"

    @property
    def left(self) -> float:
        return _MARGIN + self.column * _COLUMN_STEP

    @property
    def middle(self) -> float:
        return _MARGIN + self.row * _ROW_STEP + _BOX_HEIGHT / 2


@dataclass(frozen=True, slots=True)
class _Picture:
    """Boxes by key, and the labels of the arrows between them by (from key, to key), in order of appearance."""

    boxes: dict[str, _Box]
    arrows: dict[tuple[str, str], list[str]]
    left_out: int


def evidence_picture(paths: Iterable[Path], *, highlighted: Sequence[str] = ()) -> str:
    """Draw the paths as one graph.

    Args:
        paths: what to draw, the most important first.
        highlighted: ids of the nodes that answer the question.

    Returns:
        An ``<svg>`` element and, where nodes were left out, a line that says so; ``""`` if there is no path.
    """
    picture = _arrange(tuple(path for path in paths if path.hops), frozenset(highlighted))
    if not picture.boxes:
        return ""
    columns = 1 + max(box.column for box in picture.boxes.values())
    rows = 1 + max(box.row for box in picture.boxes.values())
    width = 2 * _MARGIN + (columns - 1) * _COLUMN_STEP + _BOX_WIDTH
    height = 2 * _MARGIN + (rows - 1) * _ROW_STEP + _BOX_HEIGHT
    shapes = [_draw_arrow(picture, ends, labels) for ends, labels in picture.arrows.items()]
    shapes += [_draw_box(box) for box in picture.boxes.values()]
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="The evidence as a graph" '
        f'width="{width}" height="{height}" viewBox="0 0 {width} {height}" fill="none" '
        f'style="max-width:100%;height:auto" font-family="system-ui,sans-serif" font-size="12">'
        + "".join(shapes)
        + "</svg>"
    )
    if picture.left_out:
        svg += f'<div style="opacity:.7;font-size:.85em">{quantity(picture.left_out, "more node")} not drawn</div>'
    return svg


def _arrange(paths: tuple[Path, ...], highlighted: frozenset[str]) -> _Picture:
    boxes: dict[str, _Box] = {}
    arrows: dict[tuple[str, str], list[str]] = {}
    left_out: set[str] = set()
    for path in paths:
        here = f"node {path.start}"
        _place(boxes, left_out, here, _Box(path.start, path.start_name, 0, color=_START_COLOR))
        for column, hop in enumerate(path.hops, start=1):
            there, box = _end_of(hop, here, column, highlighted)
            _place(boxes, left_out, there, box)
            if here in boxes and there in boxes:
                ends = (here, there) if hop.forward else (there, here)
                labels = arrows.setdefault(ends, [])
                if hop.label not in labels:
                    labels.append(hop.label)
            here = there
    _give_rows(boxes)
    return _Picture(boxes, arrows, len(left_out))


def _place(boxes: dict[str, _Box], left_out: set[str], key: str, box: _Box) -> None:
    # Where a node first appears it stays: the first paths are the best, and read from left to right.
    if key in boxes:
        return
    if len(boxes) < MOST_NODES:
        boxes[key] = box
    else:
        left_out.add(key)


def _end_of(hop: Hop, here: str, column: int, highlighted: frozenset[str]) -> tuple[str, _Box]:
    if hop.target is None:
        text = display(hop.value)
        return f"value {here} {hop.type} {text}", _Box(text, text, column, is_value=True, color=_END_COLOR)
    color = _END_COLOR if hop.target in highlighted else "currentColor"
    return f"node {hop.target}", _Box(hop.target, hop.target_name or hop.target, column, color=color)


def _give_rows(boxes: dict[str, _Box]) -> None:
    # A column may be empty: where only its boxes were left out.
    used = {
        column: position for position, column in enumerate(sorted({box.column for box in boxes.values()}))
    }
    filled: dict[int, int] = {}
    for box in boxes.values():
        box.column = used[box.column]
        box.row = filled.get(box.column, 0)
        filled[box.column] = box.row + 1


def _draw_box(box: _Box) -> str:
    shape = 'stroke-dasharray="4 3"' if box.is_value else 'rx="14"'
    return (
        f"<g><title>{_text(box.name)}{'' if box.title == box.name else ' · ' + _text(box.title)}</title>"
        f'<rect x="{box.left:g}" y="{box.middle - _BOX_HEIGHT / 2:g}" width="{_BOX_WIDTH}" height="{_BOX_HEIGHT}" '
        f'{shape} fill="{box.color}" fill-opacity=".1" stroke="{box.color}" stroke-opacity=".7"/>'
        f'<text x="{box.left + _BOX_WIDTH / 2:g}" y="{box.middle + 4:g}" text-anchor="middle" fill="currentColor">'
        f"{_text(box.name, _NAME_LENGTH)}</text></g>"
    )


def _draw_arrow(picture: _Picture, ends: tuple[str, str], labels: list[str]) -> str:
    source, target = picture.boxes[ends[0]], picture.boxes[ends[1]]
    label = ", ".join(labels)
    if source.column == target.column:
        return _draw_side_arrow(source, target, label)
    rightward = source.column < target.column
    x1 = source.left + (_BOX_WIDTH if rightward else 0)
    x2 = target.left + (0 if rightward else _BOX_WIDTH)
    lean = (x2 - x1) * 0.4
    y1, y2 = source.middle, target.middle
    curve = f"M{x1:g} {y1:g}C{x1 + lean:g} {y1:g} {x2 - lean:g} {y2:g} {x2:g} {y2:g}"
    # The label stands at the end that lies further right, where arrows that fan out are apart.
    outer = target if rightward else source
    middle = outer.left - (_COLUMN_STEP - _BOX_WIDTH) / 2
    return _arrow(curve, (x2, y2), 1 if rightward else -1, (middle, outer.middle - 5), "middle", label)


def _draw_side_arrow(source: _Box, target: _Box, label: str) -> str:
    """Between two boxes of one column (or a box and itself): a bow on the right of it."""
    x = source.left + _BOX_WIDTH
    y1, y2 = source.middle, target.middle
    if source is target:
        y1, y2 = y1 - 7, y2 + 7
    curve = f"M{x:g} {y1:g}C{x + 40:g} {y1:g} {x + 40:g} {y2:g} {x:g} {y2:g}"
    return _arrow(curve, (x, y2), -1, (x + 34, (y1 + y2) / 2 + 4), "start", label)


def _arrow(
    curve: str, tip: tuple[float, float], heading: int, place: tuple[float, float], anchor: str, label: str
) -> str:
    x, y = tip
    back = x - 8 * heading
    return (
        f"<g><title>{_text(label)}</title>"
        f'<path d="{curve}" stroke="currentColor" stroke-opacity=".5"/>'
        f'<path d="M{x:g} {y:g}L{back:g} {y - 4:g}L{back:g} {y + 4:g}Z" fill="currentColor" fill-opacity=".6"/>'
        f'<text x="{place[0]:g}" y="{place[1]:g}" text-anchor="{anchor}" font-size="11" fill="currentColor" '
        f'fill-opacity=".8">{_text(label, _LABEL_LENGTH)}</text></g>'
    )


def _text(text: str, length: int | None = None) -> str:
    shown = printable(text)
    return escape(shown if length is None else shortened(shown, length))
