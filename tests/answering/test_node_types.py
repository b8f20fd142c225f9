from __future__ import annotations

from askgraph.answering.node_types import with_types
from askgraph.core.evidence import Evidence, Fact
from askgraph.core.graph import Hop, Path


def evidence() -> Evidence:
    path = Path("p1", "Ada Lovelace", (Hop("MEMBER_OF", "member of", True, "e", "d1", "Engines"),))
    row = Fact("a row", "row", 0.5, "tests", elements=("a", "nowhere"), row={"answer": "Difference Engine"})
    return Evidence((Fact("a path", "path", 0.5, "tests", path=path), row))


def test_the_types_of_the_nodes_of_paths_and_rows_go_with_the_evidence(company_graph):
    typed = with_types(evidence(), company_graph.store, company_graph.schema())
    assert typed.types == {"p1": ("Employee",), "d1": ("Department",), "a": ("Product",)}
    assert typed.facts == evidence().facts


def test_types_that_are_known_are_not_asked_for_again(company_graph):
    known = Evidence(evidence().facts, (), {"p1": ("Boss",), "d1": ("Room",), "a": ("Thing",), "nowhere": ()})
    assert with_types(known, company_graph.store, company_graph.schema()) is known


def test_without_nodes_nothing_is_asked(company_graph):
    nothing = Evidence((Fact("a text", "statement", 0.5, "tests"),))
    assert with_types(nothing, company_graph.store, company_graph.schema()) is nothing
