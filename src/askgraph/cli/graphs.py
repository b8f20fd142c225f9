"""A graph opened for a command, and what is said where none can be opened."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import GraphNotFoundError, MissingFileError
from .progress import ProgressBar
from .suggestions import did_you_mean, nearest_paths
from .terminal import Terminal

if TYPE_CHECKING:
    from ..core.settings import Settings
    from ..engine import Graph


def add_graph_argument(parser: argparse.ArgumentParser) -> None:
    """The GRAPH of a command."""
    parser.add_argument(
        "graph",
        metavar="GRAPH",
        help="a graph folder, an RDF file, or an address (neo4j://…, sparql+https://…)",
    )


@contextmanager
def opened_graph(location: str, terminal: Terminal, settings: Settings | None = None) -> Iterator[Graph]:
    """The graph at a path, closed again at the end. A bare file becomes a graph first, with a progress bar.

    Raises:
        AskgraphError: it cannot be opened; if nothing is there, with the nearest paths that exist.
    """
    from ..engine import open_graph

    with ProgressBar(terminal) as progress, nearest_paths_told(location):
        graph = open_graph(location, settings=settings, progress=progress)
    with graph:
        yield graph


def insist_that_it_exists(location: str) -> None:
    """Raises :class:`GraphNotFoundError`, with the nearest paths that exist, where nothing is at a path."""
    with nearest_paths_told(location):
        if "://" not in location and not Path(location).exists():
            raise GraphNotFoundError(f"there is nothing at {location}")


@contextmanager
def nearest_paths_told(*paths: str) -> Iterator[None]:
    """Adds the nearest existing paths to the error that one of these does not exist."""
    try:
        yield
    except (GraphNotFoundError, MissingFileError) as error:
        missing = next((path for path in paths if "://" not in path and not Path(path).exists()), None)
        suggestion = did_you_mean(nearest_paths(missing)) if missing is not None else ""
        if suggestion and "Did you mean" not in (error.advice or ""):
            error.advice = "\n".join(part for part in (suggestion, error.advice) if part)
        raise
