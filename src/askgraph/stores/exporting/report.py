"""What an export wrote, and what it had to leave out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, get_args

from ...core.words import quantity

ExportFormat = Literal["csv", "parquet", "jsonl", "nt"]
FORMATS: Final[tuple[ExportFormat, ...]] = get_args(ExportFormat)


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What an export wrote.

    Attributes:
        directory: where the files are.
        files: their names.
        format: their format.
        nodes: nodes of the graph.
        edges: edges of the graph.
        notes: what the format could not hold as it is, in plain sentences.
    """

    directory: Path
    files: tuple[str, ...]
    format: ExportFormat
    nodes: int
    edges: int
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        wrote = f"Wrote {quantity(self.nodes, 'node')} and {quantity(self.edges, 'edge')} to {self.directory}"
        return "\n".join([f"{wrote}: {', '.join(self.files)}", *self.notes])

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "directory": str(self.directory),
            "files": list(self.files),
            "format": self.format,
            "nodes": self.nodes,
            "edges": self.edges,
            "notes": list(self.notes),
        }
