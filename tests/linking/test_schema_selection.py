"""The part of a schema that a question needs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from askgraph.core.hidden import Hidden
from askgraph.core.progress import SILENT
from askgraph.core.run import Run
from askgraph.core.schema import Schema
from askgraph.engine import Graph, open_graph
from askgraph.evaluation import read_questions
from askgraph.evaluation.sparql_content import content_of_sparql
from askgraph.linking.language import language
from askgraph.linking.linked_question import LinkedQuestion
from askgraph.linking.linker import Linker
from askgraph.linking.schema_relevance import SchemaRelevance
from askgraph.linking.schema_selection import SelectedSchema, select_schema
from askgraph.linking.schema_text import schema_text
from askgraph.models.estimates import estimated_tokens

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
pytestmark = pytest.mark.skipif(not BENCHMARKS.is_dir(), reason="the benchmarks are not in a source package")
PV = "http://ld.company.org/prod-vocab/"


@cache
def _wide(schema: Schema) -> Schema:
    sys.path.insert(0, str(BENCHMARKS))
    from wide_schema import wide_schema  # type: ignore[import-not-found, unused-ignore]

    wide: Schema = wide_schema(schema, 1_500, 1)
    return wide


class Chooser:
    """Chooses from one schema of the company graph, or of one with 1,500 types round it."""

    def __init__(self, graph: Graph, schema: Schema) -> None:
        self.schema = schema
        index = graph._open_index(Run("", graph="", graph_version=""), SILENT)
        rules = language("en")
        self.linker = Linker(index.names, index.values, schema, rules, None, index.edge_values)
        self.relevance = SchemaRelevance(schema, rules, {}, None)

    def choose(
        self,
        question: str | LinkedQuestion,
        budget: int,
        *,
        spelling: str = "sparql",
        hidden: Hidden | None = None,
    ) -> SelectedSchema:
        return select_schema(
            self.schema,
            self.linker.link(question) if isinstance(question, str) else question,
            self.relevance,
            schema_text(spelling),
            budget=budget,
            tokens=estimated_tokens,
            hidden=hidden or Hidden(),
        )


@pytest.fixture(scope="module")
def company(ck25_turtle: Path) -> Iterator[Graph]:
    with open_graph(ck25_turtle) as graph:
        yield graph


@pytest.fixture(scope="module")
def small(company: Graph) -> Chooser:
    return Chooser(company, company.schema())


@pytest.fixture(scope="module")
def wide(company: Graph) -> Chooser:
    return Chooser(company, _wide(company.schema()))


def test_a_schema_that_fits_is_given_whole(small: Chooser):
    chosen = small.choose("Who is the manager of Heinrich Hoch?", 4_000)
    assert chosen.is_whole
    assert chosen.schema == small.schema
    assert chosen.left_out == (0, 0, 0)
    assert chosen.tokens == estimated_tokens(chosen.text) <= 4_000


@pytest.mark.parametrize("budget", [300, 2_000])
@pytest.mark.parametrize("spelling", ["sparql", "cypher"])
def test_the_budget_is_kept(wide: Chooser, budget: int, spelling: str):
    chosen = wide.choose(
        "Which suppliers deliver hardware to the department Marketing?", budget, spelling=spelling
    )
    assert chosen.tokens == estimated_tokens(chosen.text) <= budget
    assert chosen.tokens >= budget // 2
    assert not chosen.is_whole


def test_what_is_named_is_there_with_what_lies_between(wide: Chooser):
    """From Karen Brant, an employee, to a supplier it is two steps: over what she is product manager of."""
    chosen = wide.choose("Which suppliers does Karen Brant have?", 1_000)
    types = {item.id for item in chosen.schema.node_types}
    edges = {item.id for item in chosen.schema.edge_types}
    assert {PV + "Employee", PV + "Supplier", PV + "Hardware"} <= types
    assert {PV + "hasSupplier", PV + "hasProductManager"} <= edges


def test_what_a_superlative_measures_is_there(wide: Chooser):
    chosen = wide.choose("What is the cheapest Coil?", 1_000)
    assert PV + "price" in {item.id for item in chosen.schema.edge_types}


def test_every_edge_type_has_its_ends_and_every_property_its_owner(wide: Chooser):
    schema = wide.choose("Which departments are responsible for services?", 2_000).schema
    types = {item.id for item in schema.node_types}
    for item in schema.edge_types:
        assert any(pair.source in types and pair.target in types for pair in item.ends), item.id
    assert all(item.owner in types for item in schema.properties if not item.of_edges)


def test_the_choice_is_told_with_its_reasons(wide: Chooser):
    chosen = wide.choose("Who is the manager of Heinrich Hoch?", 1_000)
    told = chosen.to_dict()
    assert told["left_out"]["node_types"] == len(wide.schema.node_types) - len(chosen.schema.node_types)
    assert any("'Heinrich Hoch' is one of them" in reason for reason in told["reasons"])
    assert told["tokens"] == chosen.tokens


@pytest.mark.parametrize("budget", [1_000, 100_000])
def test_what_is_hidden_is_never_shown(small: Chooser, budget: int):
    hidden = Hidden(
        types=(PV + "Department", PV + "hasManager"), properties=(PV + "email", f"{PV}Employee.{PV}phone")
    )
    chosen = small.choose(
        "What is the email and phone of the manager of the department?", budget, hidden=hidden
    )
    assert "Department" not in chosen.text
    assert "hasManager" not in chosen.text
    assert "email" not in chosen.text
    assert all(item.owner != PV + "Employee" for item in chosen.schema.properties if item.key == PV + "phone")


def test_the_same_question_gets_the_same_part(company: Graph, wide: Chooser):
    again = Chooser(company, _wide(company.schema()))
    question = "In which cities are our US suppliers for LCDs?"
    assert wide.choose(question, 1_500).text == again.choose(question, 1_500).text


def test_a_question_without_a_known_word_gets_what_is_most_frequent(wide: Chooser):
    chosen = wide.choose("zzyzx?", 500)
    assert chosen.schema.edge_types
    assert chosen.tokens <= 500


def test_an_empty_schema_is_whole(small: Chooser):
    empty = Schema("property", 0, 0, (), (), ())
    linked = small.linker.link("who?")
    relevance = SchemaRelevance(empty, language("en"), {}, None)
    chosen = select_schema(
        empty, linked, relevance, schema_text("cypher"), budget=10, tokens=estimated_tokens
    )
    assert chosen.is_whole
    assert chosen.text == ""


def test_of_1500_types_those_that_a_question_needs_are_chosen(wide: Chooser, ck25_questions: Path):
    """The share of the types, edge types and properties of gold queries; benchmarks/schema_selection.py has all."""
    found = wanted = 0
    for question in read_questions(ck25_questions).questions[::5]:
        assert question.query is not None
        content = content_of_sparql(question.query.text, wide.schema)
        gold = {*content.types, *content.relations}
        schema = wide.choose(question.text, 4_000).schema
        there = {item.id for item in schema.node_types} | {item.id for item in schema.edge_types}
        there |= {item.key for item in schema.properties}
        found, wanted = found + len(gold & there), wanted + len(gold)
    assert found >= 0.9 * wanted
