"""Open a graph by path, address or object: what it is picks the store."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.errors import GraphNotFoundError, SettingsError, UnsupportedGraphError
from ..core.hidden import NOTHING_HIDDEN, Hidden
from ..core.progress import SILENT, Progress
from .address import NO_CREDENTIALS, Address, Credentials, parse_address
from .base import GraphStore
from .cache import cached_folder, remote_folder
from .folder import GraphFolder

_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]*)://", re.IGNORECASE)
BOLT_SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")
ENDPOINT_SCHEMES = ("sparql+http", "sparql+https", "http", "https")
# Seconds that another process may take to load a bare file before this one gives up.
_LONGEST_WAIT = 600.0
_HOW_TO_LOAD = "Load it into a graph folder first: askgraph load {file} --into {stem}.graph"


@dataclass(frozen=True, slots=True)
class Access:
    """How a database or endpoint is to be entered, and what of it is not to be seen.

    Attributes:
        credentials: used where the address has none.
        impersonate: on Neo4j, the user whose rights hold.
        hidden: the deny-lists.
        ca_file: certificates of authorities that TLS trusts beside those of the system.
    """

    credentials: Credentials = NO_CREDENTIALS
    impersonate: str | None = None
    hidden: Hidden = NOTHING_HIDDEN
    ca_file: Path | None = None


NO_ACCESS = Access()


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
    access: Access = NO_ACCESS,
    cache_directory: Path | None = None,
    progress: Progress = SILENT,
) -> OpenedStore:
    """Open a graph folder, an RDF file, a database or endpoint, or a networkx graph.

    Args:
        location: its path or address, or the object.
        label_properties: properties that name the nodes, before the usual ones.
        languages: preferred languages of labels of an RDF graph.
        access: for a database or endpoint.
        cache_directory: where graphs made from bare files are kept; the user's cache folder by default.
        progress: told about the loading of a bare file.

    Raises:
        OpenError: there is no graph, or it cannot be read.
        LoadError: a bare file that is not RDF.
    """
    if not isinstance(location, str | Path):
        _insist_on_nothing_hidden(access.hidden)
        return _open_object(location)
    address = _ADDRESS.match(str(location))
    if address:
        return _open_address(str(location), access, label_properties, languages, cache_directory)
    _insist_on_nothing_hidden(access.hidden)
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


def _open_address(
    text: str,
    access: Access,
    label_properties: Sequence[str],
    languages: Sequence[str],
    cache_directory: Path | None,
) -> OpenedStore:
    scheme = text.partition("://")[0].lower()
    store: GraphStore
    if scheme in BOLT_SCHEMES:
        from .bolt.store import open_bolt

        address = parse_address(text, access.credentials, access.ca_file)
        store = open_bolt(
            address,
            hidden=access.hidden,
            impersonate=access.impersonate,
            label_properties=tuple(label_properties),
        )
    elif scheme in ENDPOINT_SCHEMES:
        from .sparql.store import open_endpoint

        address = parse_address(text, access.credentials, access.ca_file)
        store = open_endpoint(
            address,
            hidden=access.hidden,
            label_properties=tuple(label_properties),
            languages=tuple(languages),
        )
    else:
        known = ", ".join(f"{name}://" for name in (*BOLT_SCHEMES, *ENDPOINT_SCHEMES[:2]))
        raise UnsupportedGraphError(
            f"graphs at {scheme}:// addresses cannot be opened", advice=f"These can: {known}."
        )
    return OpenedStore(
        store, address.shown, remote_folder(_identity(address, access), directory=cache_directory)
    )


def _identity(address: Address, access: Access) -> str:
    """What two ways into a server must share to see the same graph: what is kept of one is never shown to another."""
    parts = (
        address.shown,
        sorted(address.repeated.items()),
        address.credentials.user,
        address.credentials.token,
        access.impersonate,
        access.hidden,
    )
    return repr(parts)


def _insist_on_nothing_hidden(hidden: Hidden) -> None:
    """Deny-lists hold on databases and endpoints; on a file or an object, which its reader
    could read past us, they would lie."""
    if hidden:
        raise SettingsError(
            "hidden_types and hidden_properties hold on a database or endpoint, not on files and objects",
            advice="Leave out of the graph what must not be seen when you load it, or unset them.",
        )


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
