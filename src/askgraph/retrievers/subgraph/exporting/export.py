"""Writes a selection into a new file or folder: all of it, or nothing."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal, get_args

from ....core.errors import ExportError
from ..communities import CommunityReport
from ..selection import SubgraphSelection
from .graphrag_tables import write_graphrag
from .plain import write_csv, write_cytoscape, write_graphml, write_json

SubgraphFormat = Literal["graphrag", "graphml", "json", "csv", "cytoscape"]
EXPORT_FORMATS: Final[tuple[SubgraphFormat, ...]] = get_args(SubgraphFormat)

_FILES: Final[Mapping[str, Callable[[SubgraphSelection, Path], None]]] = {
    "graphml": write_graphml,
    "json": write_json,
    "cytoscape": write_cytoscape,
}


def export_selection(
    selection: SubgraphSelection,
    target: Path | str,
    format: SubgraphFormat,
    *,
    reports: Sequence[CommunityReport] = (),
) -> Path:
    """Write a selection.

    Args:
        selection: what is written.
        target: a file that does not exist yet; for ``"csv"`` and ``"graphrag"`` a folder.
        format: one of :data:`EXPORT_FORMATS`.
        reports: communities with their reports, for ``"graphrag"``, so that it answers without an index of its own.

    Returns:
        Where it lies now.

    Raises:
        ExportError: the target exists, the format does not, or nothing can be written there.
    """
    target = Path(target)
    if format not in EXPORT_FORMATS:
        raise ExportError(f"there is no format {format!r}", advice=f"There are: {', '.join(EXPORT_FORMATS)}.")
    if target.exists():
        raise ExportError(f"{target} exists already", advice="Name another, or delete it first.")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".askgraph-", dir=target.parent) as name:
            draft = Path(name) / "draft"
            if format in _FILES:
                _FILES[format](selection, draft)
            else:
                draft.mkdir()
                if format == "csv":
                    write_csv(selection, draft)
                else:
                    write_graphrag(selection, draft, reports)
            shutil.move(draft, target)
    except OSError as error:
        raise ExportError(f"{target} cannot be written: {error.strerror or error}") from error
    return target
