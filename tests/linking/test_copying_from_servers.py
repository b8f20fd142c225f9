"""Names copied from a server that goes away in the middle, and comes back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.stores.sparql.support import address_of

from askgraph import Graph, Settings, open_graph
from askgraph.core.errors import DeadlineExceededError, ServerError

_PEOPLE = 2_600
TURTLE = "@prefix : <http://x.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n" + "\n".join(
    f':p{number} a :Person ; rdfs:label "Person Number{number}" .' for number in range(_PEOPLE)
)


class Counting:
    """A progress that counts what is read, and can do something once a number of nodes is."""

    def __init__(self, after: int = 10**9, then: Callable[[], object] = lambda: None) -> None:
        self.steps: list[int] = []
        self._after = after
        self._then = then

    def start(self, label: str, total: int | None = None) -> None:
        """A stage begins."""

    def advance(self, amount: int = 1) -> None:
        """Some nodes were read."""
        before = sum(self.steps)
        self.steps.append(amount)
        if before < self._after <= before + amount:
            self._then()

    def finish(self) -> None:
        """The stage is done."""


def _opened(server: Any, tmp_path: Path) -> Graph:
    settings = Settings.load(save_runs=False, embedder="none", cache_dir=tmp_path / "cache")
    return open_graph(address_of(server), settings=settings)


@pytest.mark.server("oxigraph")
def test_a_server_that_dies_while_names_are_copied_is_told_and_the_copy_goes_on_when_it_is_back(
    start_server: Callable[..., Any], tmp_path: Path
) -> None:
    server = start_server("oxigraph", timeout=60)
    server.load(TURTLE)
    with _opened(server, tmp_path) as graph:
        graph.schema()
        dying = Counting(after=500, then=server.kill)
        with pytest.raises((ServerError, DeadlineExceededError)):
            graph.build_index(progress=dying)
        assert 500 <= sum(dying.steps) < _PEOPLE
        assert graph.index_status().state == "missing"
    server.restart()
    with _opened(server, tmp_path) as graph:
        going_on = Counting()
        report = graph.build_index(progress=going_on)
        assert report.nodes == _PEOPLE
        # What had been read before counts at once, and is not read again.
        assert going_on.steps[0] == sum(dying.steps)
        assert graph.linked("Who is Person Number2599?").things[0].id == "http://x.org/p2599"
    left = [
        file.name
        for file in (tmp_path / "cache").rglob("*")
        if "pages" in file.name or "unfinished" in file.name
    ]
    assert left == []
