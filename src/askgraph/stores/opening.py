"""Open a graph by path, address or object: what it is picks the store."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.errors import GraphNotFoundError, UnsupportedGraphError
from ..core.progress import SILENT, Progress
from .base import GraphStore
from .cache import cached_folder
from .folder import GraphFolder

_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]*)://", re.IGNORECASE)
# Seconds that another process may take to load a bare file before this one gives up.
_LONGEST_WAIT = 600.0
_HOW_TO_LOAD = "Load it into a graph folder first: askgraph load {file} --into {stem}.graph"


@dataclass(frozen=True, slots=True)
class OpenedStore:
    """An open store.

    Attributes:
        store: the graph.
        location: where it is, for people.
        derived_folder: where what is derived from this version of the graph (indexes) may be kept beside it; ``None``
            for a graph in memory.
    """

    store: GraphStore
    location: str
    derived_folder: Path | None


def open_store(
    location: Any,
    *,
    label_properties: Sequence[str] = (),
    languages: Sequence[str] = ("en",),
    cache_directory: Path | None = None,
    progress: Progress = SILENT,
) -> OpenedStore:
    """Open a graph folder, an RDF file, or a networkx graph.

    Args:
        location: its path or the object.
        label_properties: properties that name the nodes of an RDF graph, before the usual ones.
        languages: preferred languages of labels of an RDF graph.
        cache_directory: where graphs made from bare files are kept; the user's cache folder by default.
        progress: told about the loading of a bare file.

    Raises:
        OpenError: there is no graph, or it cannot be read.
        LoadError: a bare file that is not RDF.
    """
    if not isinstance(location, str | Path):
        return _open_object(location)
    address = _ADDRESS.match(str(location))
    if address:
        raise UnsupportedGraphError(
            f"graphs at {address[1]}:// addresses cannot be opened yet",
            advice="Open a graph folder or an RDF file; `askgraph load` makes a graph folder from files.",
        )
    path = Path(location)
    if path.is_file():
        path = _loaded(path, cache_directory, progress)
    folder = GraphFolder.open(path)
    if folder.kind == "property":
        from .property.store import PropertyStore

        store = PropertyStore.open(path)
        return OpenedStore(store, str(location), store.version_folder)
    from .rdf.names import LabelSettings
    from .rdf.store import RdfStore

    labels = LabelSettings(properties=tuple(label_properties), languages=tuple(languages))
    rdf_store = RdfStore.open(path, labels=labels)
    return OpenedStore(rdf_store, str(location), rdf_store.version_folder)


def _open_object(location: Any) -> OpenedStore:
    if not (hasattr(location, "adj") and hasattr(location, "is_multigraph")):
        raise UnsupportedGraphError(
            f"a {type(location).__name__} is not a graph",
            advice="Give a path, or a networkx Graph, DiGraph, MultiGraph or MultiDiGraph.",
        )
    from .memory import from_networkx

    return OpenedStore(from_networkx(location), f"networkx {type(location).__name__}", None)


def _loaded(file: Path, directory: Path | None, progress: Progress) -> Path:
    """The graph folder of a bare RDF file, in the cache; made when the file is new or has changed.

    Two processes that open the same new file make it once: the second waits, and finds nothing left to do.
    """
    from .loading.sources import FileFormat, find_files

    if find_files([file])[0].format is not FileFormat.RDF:
        raise UnsupportedGraphError(
            f"{file} is a table of nodes or edges, not a whole graph",
            advice=_HOW_TO_LOAD.format(file=file, stem=file.stem),
        )
    folder = cached_folder([file], directory=directory)
    try:
        GraphFolder.open(folder).current_version()
    except GraphNotFoundError:
        from .rdf.loading import load_rdf

        folder.parent.mkdir(parents=True, exist_ok=True)
        load_rdf([file], folder, on_error="stop", wait=_LONGEST_WAIT, progress=progress)
    return folder
