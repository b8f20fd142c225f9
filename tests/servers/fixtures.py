"""Real servers for tests: how to use them.

Ask for a server by the name of its fixture; it starts when the first test needs it and ends with the test run:

- ``neo4j`` (5.26), ``neo4j_2026`` (2026.08: Cypher 5 and 25), ``arcadedb``: property graphs over Bolt, with ``url``,
  ``user``, ``password``, ``auth``, ``database``, ``driver``, ``rows(cypher)``, ``load(*cypher)``, ``clear()``,
  ``dump()``. ArcadeDB has a second user who can only read: ``reader``, ``reader_password``.
- ``fuseki``, ``virtuoso``, ``oxigraph``: RDF graphs over HTTP, with ``url`` (the query endpoint), ``load(turtle)``
  (text or a path) and ``ask(query)``, which gives status, headers and body as they came. Fuseki also has ``tdb_url``
  and ``calling_url``; Virtuoso ``graph``, ``row_cap``.

- ``model_server``: a small language model over OpenAI's protocol, with ``url``, ``tokens``, ``count(text)``.

``load`` replaces whatever another module loaded, so load in a fixture of your module (``scope="module"``), and leave
the data alone afterwards. Servers have a time-out of their own of 1 or 2 s (``timeout``), so that tests are short.

To test an outage take an instance of your own: ``start_server("neo4j")`` gives one that ends with the test, and that
you may ``kill()``, ``pause()`` and ``resume()``, ``stop()`` and ``restart()`` (same port, same data). Options of the
class behind it may follow (``start_server("neo4j", settings=["server.bolt.thread_pool_max_size=3"])``).

A test that uses one of these is marked ``server`` (``-m "not server"`` leaves them out) and, with xdist, runs in the
process of its group, so that each server starts once: one process has all that speak Bolt, one all that speak SPARQL,
one the language model.
Where the name of the server is a parameter, say so: ``pytest.param("fuseki", marks=pytest.mark.server("fuseki"))``
and ``request.getfixturevalue("fuseki")``.

What the servers need is installed by ``make servers``. Where that is missing a test is skipped and says so; with
``ASKGRAPH_REQUIRE_SERVERS=1``, as in CI, it fails.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from scripts.servers import places

if TYPE_CHECKING:
    from tests.servers.processes import Server

REQUIRE_VARIABLE = "ASKGRAPH_REQUIRE_SERVERS"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of server: its class (imported only where it is used), its options, and what has to be installed."""

    module: str
    name: str
    parts: tuple[str, ...]
    options: dict[str, Any] = field(default_factory=dict)


KINDS = {
    "neo4j": Kind("neo4j_server", "Neo4jServer", (places.PYTHON, places.NEO4J_5)),
    "neo4j_2026": Kind(
        "neo4j_server", "Neo4jServer", (places.PYTHON, places.NEO4J_2026), {"part": places.NEO4J_2026}
    ),
    "arcadedb": Kind("arcadedb_server", "ArcadeDbServer", (places.PYTHON,)),
    "fuseki": Kind("fuseki_server", "FusekiServer", (places.PYTHON, places.FUSEKI)),
    "virtuoso": Kind("virtuoso_server", "VirtuosoServer", (places.VIRTUOSO,)),
    "oxigraph": Kind("oxigraph_server", "OxigraphServer", (places.PYTHON,)),
    "model_server": Kind("model_server", "ModelServer", (places.MODEL_SERVER,)),
}
_BOLT = ("neo4j", "neo4j_2026", "arcadedb")


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests that need a server, and keeps those of one kind in one process."""
    for item in items:
        names = [name for name in getattr(item, "fixturenames", ()) if name in KINDS]
        names += [name for mark in item.iter_markers("server") for name in mark.args]
        if not names and "start_server" not in getattr(item, "fixturenames", ()):
            continue
        if item.get_closest_marker("server") is None:
            item.add_marker("server")
        for group in sorted({_group(name) for name in names}):
            item.add_marker(pytest.mark.xdist_group(group))


def _group(name: str) -> str:
    if name == "model_server":
        return "model"
    return "bolt" if name in _BOLT else "sparql"


def insist_on(what: str, parts: Sequence[str]) -> None:
    """Skips the test where a part is not installed that ``what`` needs; fails it where all have to be."""
    missing = [part for part in parts if not places.is_installed(part)]
    if not missing:
        return
    advice = f"{what} is not installed; `make servers` does that ({', '.join(missing)} missing)"
    if os.environ.get(REQUIRE_VARIABLE) == "1":
        pytest.fail(advice, pytrace=False)
    pytest.skip(advice)


def started(name: str, folder: Path, options: dict[str, Any]) -> Server:
    """A server of this kind that answers; a test that needs one where there is none is skipped, or fails."""
    insist_on(f"the server {name}", KINDS[name].parts)
    kind = KINDS[name]
    server_class: Callable[..., Server] = getattr(import_module(f"tests.servers.{kind.module}"), kind.name)
    return server_class(folder, **{**kind.options, **options}).start()


def _shared(name: str, factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = started(name, factory.mktemp(name), {})
    yield server
    server.stop()


@pytest.fixture(scope="session", name="neo4j")
def _neo4j(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Neo4j Community 5.26."""
    yield from _shared("neo4j", tmp_path_factory)


@pytest.fixture(scope="session", name="neo4j_2026")
def _neo4j_2026(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Neo4j Community 2026.08."""
    yield from _shared("neo4j_2026", tmp_path_factory)


@pytest.fixture(scope="session", name="arcadedb")
def _arcadedb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """ArcadeDB."""
    yield from _shared("arcadedb", tmp_path_factory)


@pytest.fixture(scope="session", name="fuseki")
def _fuseki(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Apache Jena Fuseki."""
    yield from _shared("fuseki", tmp_path_factory)


@pytest.fixture(scope="session", name="virtuoso")
def _virtuoso(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """OpenLink Virtuoso."""
    yield from _shared("virtuoso", tmp_path_factory)


@pytest.fixture(scope="session", name="oxigraph")
def _oxigraph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The Oxigraph server."""
    yield from _shared("oxigraph", tmp_path_factory)


@pytest.fixture(scope="session", name="model_server")
def _model_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A small language model."""
    yield from _shared("model_server", tmp_path_factory)


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Starts servers for this test alone: ``start_server("neo4j", **options)``."""
    servers: list[Server] = []

    def start(name: str, **options: Any) -> Server:
        server = started(name, tmp_path / f"{name}-{len(servers)}", options)
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.kill()
