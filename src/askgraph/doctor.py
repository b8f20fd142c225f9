"""What is there, what is stale, what a graph's back end can and cannot do, and what to do about it.

Nothing is changed in the graph. (A bare file is first turned into a graph in the cache, as for every use of one.)
"""

from __future__ import annotations

import os
import platform
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from importlib import metadata
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from . import __version__
from .core.errors import AskgraphError
from .core.progress import SILENT, Progress
from .core.settings import Settings, settings_file
from .core.words import quantity

if TYPE_CHECKING:
    from .engine import Graph

Severity = Literal["ok", "note", "warning", "problem"]

PACKAGES = ("duckdb", "numpy", "onnxruntime", "pydantic", "pyoxigraph", "rapidfuzz", "tokenizers")
"""Packages whose versions are told; all of them must be there."""

MOST_NODES_LOOKED_AT = 200_000
"""Nodes whose names are counted. In a larger graph the first ones stand for the rest, and this is said."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        severity: ``"ok"``; ``"note"``: worth knowing; ``"warning"``: works, but not as well as it could; ``"problem"``:
            does not work.
        about: what was looked at, in a word or two.
        what: what was found.
        advice: what to do about it; empty if nothing needs to be done.
    """

    severity: Severity
    about: str
    what: str
    advice: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {"severity": self.severity, "about": self.about, "what": self.what, "advice": self.advice}


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
        *_look("packages", _packages),
        *_look("settings", lambda: _settings(settings)),
        *_look("embedder", lambda: _embedder(settings)),
    ]
    if location is None:
        return findings
    path = Path(location)
    if path.is_dir():
        findings += _look("graph folder", lambda: _folder(path))
        if any(finding.severity == "problem" and finding.about == "graph folder" for finding in findings):
            return findings
    return [*findings, *_look("graph", lambda: _graph(path, settings, progress))]


def _look(about: str, check: Callable[[], Iterator[Finding]]) -> list[Finding]:
    """What a check finds. Where it fails itself, that is a finding too, behind those that it made before."""
    findings: list[Finding] = []
    try:
        findings.extend(check())
    except AskgraphError as error:
        location = getattr(error, "location", None)
        what = f"{location}: {error.message}" if location else error.message
        findings.append(Finding("problem", about, what, error.advice or ""))
    except OSError as error:
        findings.append(Finding("problem", about, str(error)))
    return findings


# --- this installation


def _packages() -> Iterator[Finding]:
    found = {package: _version(package) for package in PACKAGES}
    listed = ", ".join(f"{package} {version}" for package, version in found.items() if version)
    yield Finding("ok", "packages", f"askgraph {__version__}, Python {platform.python_version()}, {listed}")
    missing = [package for package, version in found.items() if not version]
    if missing:
        yield Finding(
            "problem",
            "packages",
            f"not installed: {', '.join(missing)}",
            f"pip install {' '.join(missing)}",
        )


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _settings(settings: Settings) -> Iterator[Finding]:
    file = settings_file()
    variables = sorted(name for name in os.environ if name.startswith("ASKGRAPH_"))
    sources = [f"the file {file}"] if file is not None else []
    if variables:
        sources.append(f"the environment ({', '.join(variables)})")
    yield Finding(
        "ok",
        "settings",
        f"from {' and '.join(sources)}" if sources else "the defaults: no file, no ASKGRAPH_…",
    )
    for about, folder in (("cache", settings.cache_dir), ("run records", settings.runs_dir)):
        if _is_writable(folder):
            yield Finding("ok", about, f"in {folder}")
        elif about == "run records" and not settings.save_runs:
            yield Finding("note", about, f"{folder} cannot be written to; runs are not stored anyway")
        else:
            variable = "ASKGRAPH_CACHE_DIR" if about == "cache" else "ASKGRAPH_DATA_DIR"
            yield Finding(
                "problem", about, f"{folder} cannot be written to", f"Make it writable, or set {variable}."
            )


def _is_writable(folder: Path) -> bool:
    """Whether files can be made in a folder, or the folder itself where it is not there yet."""
    existing = next((part for part in (folder, *folder.parents) if part.exists()), None)
    if existing is None or not existing.is_dir():
        return False
    try:
        # Permissions do not tell all (a file system may be mounted read-only): only trying does.
        with tempfile.TemporaryFile(dir=existing):
            return True
    except OSError:
        return False


def _embedder(settings: Settings) -> Iterator[Finding]:
    if settings.embedder == "none":
        yield Finding(
            "note",
            "embedder",
            "switched off: relations are found by their words alone, not by meaning",
            "Set embedder to minilm for better answers.",
        )
        return
    from .models.minilm import MODEL_FILE, TOKENIZER_FILE, MiniLM

    size = sum(len(file.read()) for file in (MODEL_FILE, TOKENIZER_FILE))
    yield Finding("ok", "embedder", f"{MiniLM.name}: {_megabytes(size)}, the known content")


# --- the graph folder


def _folder(path: Path) -> Iterator[Finding]:
    from .stores.folder import FORMAT_VERSION, GraphFolder
    from .stores.folder_state import folder_state

    folder = GraphFolder.open(path)
    version = folder.current_version()
    state = folder_state(path)
    yield Finding(
        "ok",
        "graph folder",
        f"{'an RDF graph' if folder.kind == 'rdf' else 'a property graph'}, version {version.number}, "
        f"{_megabytes(state.bytes)}, folder format {FORMAT_VERSION}",
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


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:,.1f} MB"


# --- the graph


def _graph(location: Path, settings: Settings, progress: Progress) -> Iterator[Finding]:
    from .engine import open_graph

    with closing(open_graph(location, settings=settings, progress=progress)) as graph:
        yield from _content(graph)
        yield from _names(graph)
        yield from _index(graph)
        yield from _abilities(graph)


def _content(graph: Graph) -> Iterator[Finding]:
    schema = graph.schema()
    counts = (
        f"{quantity(schema.node_count, 'node')}, {quantity(schema.edge_count, 'edge')}, "
        f"{quantity(len(schema.node_types), 'node type')}, {quantity(len(schema.edge_types), 'edge type')}"
    )
    if schema.node_count == 0:
        yield Finding("warning", "content", f"nothing: {counts}", "Load files into it: askgraph load FILE…")
    else:
        yield Finding("ok", "content", counts)
    for note in schema.notes:
        yield Finding("note", "schema", note)


def _names(graph: Graph) -> Iterator[Finding]:
    looked_at = nameless = 0
    for node in islice(graph.store.nodes(), MOST_NODES_LOOKED_AT):
        looked_at += 1
        nameless += not any(name.source for name in node.names)  # else it is called by a part of its id
    if not looked_at:
        return
    among = "" if looked_at < MOST_NODES_LOOKED_AT else f" of the first {looked_at:,}"
    if not nameless:
        yield Finding("ok", "names", f"every node{among} has a name")
        return
    share = nameless / looked_at
    what = f"{nameless:,}{among or f' of {looked_at:,}'} nodes ({_percent(share)}) have no name"
    yield Finding(
        "warning" if share > 0.5 else "note",
        "names",
        f"{what}; they are found by the last part of their id",
        "If a property holds their names: askgraph load … --name-property KEY, or the setting label_properties.",
    )


def _percent(share: float) -> str:
    return "<1%" if 0 < share < 0.01 else f"{share:.0%}"


def _index(graph: Graph) -> Iterator[Finding]:
    status = graph.index_status()
    command = f"askgraph index {graph.location}"
    match status.state:
        case "current":
            built = f", made {status.built}" if status.built else ""
            yield Finding("ok", "index", f"current: {quantity(status.names, 'name')}{built}")
        case "missing":
            yield Finding("note", "index", "not made yet; the first question makes it", f"Or now: {command}")
        case "stale":
            yield Finding(
                "warning",
                "index",
                f"stale: {status.detail}; the next question makes it anew",
                f"Or now: {command}",
            )
        case "damaged":
            yield Finding("problem", "index", f"damaged: {status.detail}", f"{command} --rebuild")


def _abilities(graph: Graph) -> Iterator[Finding]:
    abilities = graph.store.capabilities
    languages = ", ".join(abilities.query_languages) or "none"
    yield Finding("ok", "back end", f"{abilities.engine}; query languages: {languages}")
    for limit in abilities.limits:
        yield Finding("note", "back end", limit)
