"""Reads the manifests of the W3C's SPARQL test suites, where they lie."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph
import pytest
from tests.querying.tck import CONFORMANCE

SUITES = CONFORMANCE / "w3c" / "sparql"

_MANIFEST = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
_QUERY = "http://www.w3.org/2001/sw/DataAccess/tests/test-query#"
_UPDATE = "http://www.w3.org/2009/sparql/tests/test-update#"
_TYPE = pyoxigraph.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
_LABEL = pyoxigraph.NamedNode("http://www.w3.org/2000/01/rdf-schema#label")

QUERY_KINDS = ("QueryEvaluationTest", "PositiveSyntaxTest", "PositiveSyntaxTest11", "CSVResultFormatTest")
INVALID_KINDS = ("NegativeSyntaxTest", "NegativeSyntaxTest11")
UPDATE_KINDS = (
    "UpdateEvaluationTest",
    "PositiveUpdateSyntaxTest",
    "PositiveUpdateSyntaxTest11",
    "NegativeUpdateSyntaxTest",
    "NegativeUpdateSyntaxTest11",
)


@dataclass(frozen=True, slots=True)
class W3cTest:
    """A test of a suite that has a text.

    Attributes:
        suite: ``"sparql10"``, ``"sparql11"`` or ``"sparql12"``.
        kind: the last part of its type: ``"QueryEvaluationTest"``, ``"NegativeSyntaxTest11"`` …
        path: the file of the text.
        data: files of the default graph.
        graphs: name and file of each named graph.
    """

    suite: str
    kind: str
    path: Path
    data: tuple[Path, ...] = ()
    graphs: tuple[tuple[str, Path], ...] = ()

    @property
    def place(self) -> str:
        """The file within the suites, for messages."""
        return str(self.path.relative_to(SUITES))

    @property
    def text(self) -> str:
        """The query or update; line ends stay as they are."""
        with self.path.open(encoding="utf-8", newline="") as file:
            return file.read()


def w3c_tests(suite: str, kinds: tuple[str, ...]) -> list[W3cTest]:
    """The tests of these kinds; skips the test, and says so, where the suites are not there."""
    if not SUITES.is_dir():
        pytest.skip(
            f"the W3C suites are not in {SUITES}; set ASKGRAPH_CONFORMANCE to the folder that holds them"
        )
    found = [
        test
        for path in sorted((SUITES / suite).rglob("manifest*.ttl"))
        for test in _tests_of(path, suite)
        if test.kind in kinds
    ]
    return sorted({test.path: test for test in found}.values(), key=lambda test: test.place)


def _tests_of(manifest: Path, suite: str) -> Iterator[W3cTest]:
    graph = pyoxigraph.Store()
    graph.load(path=str(manifest), format=pyoxigraph.RdfFormat.TURTLE, base_iri=manifest.as_uri())
    for quad in graph.quads_for_pattern(None, _TYPE, None):
        kind = getattr(quad.object, "value", "").rpartition("#")[2]
        if kind not in (*QUERY_KINDS, *INVALID_KINDS, *UPDATE_KINDS):
            continue
        action = _one(graph, quad.subject, _MANIFEST + "action")
        text = _one(graph, action, _QUERY + "query") or _one(graph, action, _UPDATE + "request") or action
        path = _path(text)
        if path is None:
            continue
        data = [_path(node) for node in _all(graph, action, _QUERY + "data")]
        graphs = [_named_graph(graph, node) for node in _all(graph, action, _QUERY + "graphData")]
        yield W3cTest(suite, kind, path, tuple(file for file in data if file), tuple(graphs))


def _named_graph(graph: pyoxigraph.Store, node: object) -> tuple[str, Path]:
    """A graph is named by its file, or it is a node that has a file and a name."""
    file = _one(graph, node, _QUERY + "graph") or node
    label = _one(graph, node, _LABEL.value)
    path = _path(file)
    assert path is not None
    return (getattr(label, "value", "") or path.as_uri(), path)


def _all(graph: pyoxigraph.Store, subject: object, predicate: str) -> list[object]:
    if not isinstance(subject, pyoxigraph.NamedNode | pyoxigraph.BlankNode):
        return []
    return [quad.object for quad in graph.quads_for_pattern(subject, pyoxigraph.NamedNode(predicate), None)]


def _one(graph: pyoxigraph.Store, subject: object, predicate: str) -> object:
    return next(iter(_all(graph, subject, predicate)), None)


def _path(node: object) -> Path | None:
    value = getattr(node, "value", "")
    return Path(value.removeprefix("file://")) if value.startswith("file://") else None
