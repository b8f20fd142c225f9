"""Writing a whole graph, from any store, to a new folder."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ...core.errors import ExportError
from ...core.progress import SILENT, Progress
from ..base import GraphStore
from .report import FORMATS, ExportFormat, ExportReport


def export_graph(
    store: GraphStore, directory: Path | str, format: ExportFormat = "csv", progress: Progress = SILENT
) -> ExportReport:
    """Write a graph to files that other programs read, and that a load brings back.

    ``csv`` and ``parquet`` are tables of nodes and of edges (see :mod:`.tables`), ``jsonl`` has a JSON object for each
    (see :mod:`.jsonlines`), ``nt`` is RDF (see :mod:`.ntriples`). The graph is streamed: it need not fit in memory.

    Args:
        store: the graph.
        directory: a folder that is new or empty. It appears when everything is written, and not before.
        format: one of :data:`~askgraph.stores.exporting.report.FORMATS`.
        progress: told how far the export is.

    Raises:
        ExportError: the folder has something in it or cannot be written, or the format cannot hold the graph.
    """
    directory = Path(directory)
    if format not in FORMATS:
        raise ExportError(f"{format!r} is no format of export", advice=f"Choose one of {', '.join(FORMATS)}.")
    _refuse_what_is_there(directory)
    with _unfinished(directory) as folder:
        match format:
            case "csv" | "parquet":
                from .tables import write_tables

                return write_tables(store, folder, directory, format, progress)
            case "jsonl":
                from .jsonlines import write_json_lines

                return write_json_lines(store, folder, directory, progress)
            case "nt":
                from .ntriples import write_ntriples

                return write_ntriples(store, folder, directory, progress)


def _refuse_what_is_there(directory: Path) -> None:
    advice = "Name a folder that does not exist yet, or an empty one."
    if directory.exists() and not directory.is_dir():
        raise ExportError(f"{directory} is a file", advice=advice)
    if directory.is_dir() and any(directory.iterdir()):
        raise ExportError(f"{directory} has something in it", advice=advice)


@contextmanager
def _unfinished(directory: Path) -> Iterator[Path]:
    """A folder beside the wanted one, which takes its place when the block ends well and is gone if it does not."""
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=f".{directory.name}-", dir=directory.parent))
    except OSError as error:
        raise _cannot_write(directory, error) from error
    try:
        yield folder
        folder.chmod(0o777 & ~_umask())
        if directory.is_dir():
            directory.rmdir()
        folder.rename(directory)
    except OSError as error:
        raise _cannot_write(directory, error) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _umask() -> int:
    """The rights that this process withholds. Asking for them means setting them for a moment."""
    import os

    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _cannot_write(directory: Path, error: OSError) -> ExportError:
    return ExportError(
        f"{directory} cannot be written: {error.strerror or error}",
        advice="Choose a folder that you may write to, on a disk with room.",
    )
