"""The order in which everything is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from ..core.progress import SILENT, Progress
from ..core.settings import Settings
from .finding import Finding, look
from .installation import embedder, packages, settings_in_force


def examine(location: str | Path | None, settings: Settings, *, progress: Progress = SILENT) -> list[Finding]:
    """Look at this installation, then at a graph.

    Args:
        location: a graph folder or a bare file; ``None`` for the installation alone.
        settings: the settings in force.
        progress: told about the loading of a bare file.

    Returns:
        What was found, in a fixed order. What is wrong is a finding, never an error.
    """
    findings = [
        *look("packages", packages),
        *look("settings", lambda: settings_in_force(settings)),
        *look("embedder", lambda: embedder(settings)),
    ]
    if location is None:
        return findings
    path = Path(location)
    if path.is_dir():
        from .folder import graph_folder

        findings += look("graph folder", lambda: graph_folder(path))
        if any(finding.severity == "problem" and finding.about == "graph folder" for finding in findings):
            return findings
    return [*findings, *look("graph", lambda: _graph(path, settings, progress))]


def _graph(location: Path, settings: Settings, progress: Progress) -> Iterator[Finding]:
    from ..engine import open_graph
    from .content import abilities, content, index, names

    with closing(open_graph(location, settings=settings, progress=progress)) as graph:
        yield from content(graph)
        yield from names(graph)
        yield from index(graph)
        yield from abilities(graph)
