"""The order in which everything is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from ..core.errors import SettingsError
from ..core.progress import SILENT, Progress
from ..core.run import without_credentials
from ..core.settings import Settings
from ..stores.address import parse_address
from .finding import Finding, look
from .installation import embedder, language_model, packages, settings_in_force


def examine(
    location: str | Path | None, settings: Settings, *, self_test: bool = False, progress: Progress = SILENT
) -> list[Finding]:
    """Look at this installation, then at a graph.

    Args:
        location: a graph folder, a bare file, or the address of a database or endpoint; ``None`` for the installation
            alone.
        settings: the settings in force.
        self_test: whether the protections of a server are tried out, as far as that is harmless.
        progress: told about the loading of a bare file.

    Returns:
        What was found, in a fixed order. What is wrong is a finding, never an error, and no finding holds a password.
    """
    findings = [
        *look("packages", packages),
        *look("settings", lambda: settings_in_force(settings)),
        *look("embedder", lambda: embedder(settings)),
        *look("language model", lambda: language_model(settings)),
    ]
    if location is None:
        return findings
    if "://" in str(location):
        from .server import server

        return [*findings, *server(str(location), settings, self_test=self_test)]
    return [*findings, *_local(Path(location), settings, progress)]


def shown(location: str) -> str:
    """A path as it is; an address without user, password, token and options."""
    if "://" not in location:
        return location
    try:
        return parse_address(location).shown
    except SettingsError:
        return without_credentials(location)


def _local(path: Path, settings: Settings, progress: Progress) -> list[Finding]:
    findings: list[Finding] = []
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
