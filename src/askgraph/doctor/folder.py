"""Looks at a graph folder: its version, its size, and what a load left behind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..core.words import quantity
from .finding import Finding, megabytes


def graph_folder(path: Path) -> Iterator[Finding]:
    """The state of the folder at a path. Raises :class:`OpenError` if it is no graph folder, or damaged."""
    from ..stores.folder import FORMAT_VERSION, GraphFolder
    from ..stores.folder_state import folder_state

    folder = GraphFolder.open(path)
    version = folder.current_version()
    state = folder_state(path)
    yield Finding(
        "ok",
        "graph folder",
        f"{'an RDF graph' if folder.kind == 'rdf' else 'a property graph'}, version {version.number}, "
        f"{megabytes(state.bytes)}, folder format {FORMAT_VERSION}",
    )
    if state.writer:
        yield Finding(
            "note",
            "graph folder",
            f"being written to by {state.writer}; readers see version {version.number} until that is done",
        )
    elif state.unfinished:
        yield Finding(
            "warning",
            "graph folder",
            f"{quantity(len(state.unfinished), 'unfinished version')} left by a load that was killed; "
            "the graph itself is whole",
            "The next `askgraph load` into it sweeps them away.",
        )
    older = [number for number in state.versions if number != version.number]
    if older and not state.writer:
        yield Finding(
            "note",
            "graph folder",
            f"{quantity(len(older), 'other version')} still there, for readers that had it open",
            "The next `askgraph load` removes what nobody reads any more.",
        )
