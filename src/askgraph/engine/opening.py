"""Opening a graph, and asking one in passing."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.descriptions import read_descriptions
from ..core.evidence import Answer
from ..core.progress import SILENT, Progress
from ..core.settings import Settings
from ..models.registry import make_model
from ..stores.address import Credentials
from ..stores.opening import Access, open_store
from .graph import Graph
from .pool import shared_pool

if TYPE_CHECKING:
    from pydantic import SecretStr

    from ..stores.loading.report import LoadReport


def open_graph(
    location: Any,
    *,
    settings: Settings | None = None,
    descriptions: Path | str | None = None,
    model: Any = None,
    progress: Progress = SILENT,
) -> Graph:
    """Open a graph.

    Args:
        location: a graph folder, an RDF file, the address of a database (``neo4j://host/database``) or endpoint
            (``sparql+https://host/sparql``), or a networkx graph.
        settings: the settings in force otherwise.
        descriptions: a TOML or JSON file of your own labels, synonyms and descriptions
            (:mod:`askgraph.core.descriptions`); the setting ``descriptions`` otherwise.
        model: what answers are written with: ``"openai:gpt-4o-mini"`` and the like, a language model, or any object
            with ``generate(prompt, system_prompt)``; the setting ``model`` otherwise.
        progress: told about the loading of a bare file.

    Raises:
        OpenError: there is no graph, or it cannot be read.
        LoadError: a bare file that is not a graph.
        SettingsError: descriptions that cannot be read.
    """
    settings = settings or Settings.load()
    opened = open_store(
        location,
        label_properties=settings.label_properties,
        languages=settings.languages,
        access=access_of(settings),
        cache_directory=settings.cache_dir,
        progress=progress,
    )
    try:
        chosen = descriptions or settings.descriptions
        said = read_descriptions(chosen) if chosen else None
        return Graph(
            opened.location,
            opened.store,
            opened.derived_folder,
            settings,
            said,
            make_model(settings, model) if model is not None else None,
        )
    except BaseException:
        opened.store.close()
        raise


def load_graph(paths: Iterable[Path | str] | Path | str, into: Path | str, **options: Any) -> LoadReport:
    """Load files into a graph folder; see :func:`askgraph.stores.loading.load.load_files` for the options."""
    from ..stores.loading.load import load_files

    files = [paths] if isinstance(paths, str | Path) else list(paths)
    return load_files([Path(file) for file in files], Path(into), **options)


def ask(graph: Any, question: str, **options: Any) -> Answer:
    """Answer a question from a graph: an open :class:`Graph`, or anything that :func:`open_graph` takes."""
    if isinstance(graph, Graph):
        return graph.ask(question, **options)
    with open_graph(graph) as opened:
        return opened.ask(question, **options)


async def ask_async(graph: Any, question: str, **options: Any) -> Answer:
    """As :func:`ask`, without blocking the event loop of the caller."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(shared_pool(), lambda: ask(graph, question, **options))


def access_of(settings: Settings) -> Access:
    """How a server is entered: the settings, or what the tools of Neo4j read from the environment."""

    def secret(value: SecretStr | None) -> str:
        return value.get_secret_value() if value is not None else ""

    credentials = Credentials(
        settings.user or os.environ.get("NEO4J_USERNAME", ""),
        secret(settings.password) or os.environ.get("NEO4J_PASSWORD", ""),
        secret(settings.token),
    )
    return Access(credentials, settings.impersonate, settings.hidden, settings.ca_file)
