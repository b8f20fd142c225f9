"""Queries changed where they stand: the rest of the text stays as it was written."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from askgraph.querying.cypher import parser as cypher
from askgraph.querying.cypher.expression_tree import PropertyAccess, Text
from askgraph.querying.cypher.pattern_tree import LabelName, NodePattern, RelationshipPattern
from askgraph.querying.cypher.printer import text_of as cypher_text
from askgraph.querying.rewriting import RewritesText, place_of, replaced, rewritten
from askgraph.querying.sparql import parser as sparql
from askgraph.querying.sparql.path_tree import InversePath
from askgraph.querying.sparql.printer import text_of as sparql_text
from askgraph.querying.sparql.term_tree import Iri, StringLiteral
from askgraph.querying.tree import SyntaxNode, walk

CYPHER = RewritesText(lambda text: cypher.parse(text).statement, cypher_text)
SPARQL = RewritesText(lambda text: sparql.parse(text).query, sparql_text)
Change = Callable[[SyntaxNode], SyntaxNode]


def changed_cypher(text: str, is_wanted: Callable[[SyntaxNode], bool], change: Change) -> str:
    parsed = cypher.parse(text)
    places = {place_of(node): change for node in walk(parsed.statement) if is_wanted(node)}
    return rewritten(parsed.source, parsed.statement, replaced(parsed.statement, places), CYPHER)


def changed_sparql(text: str, is_wanted: Callable[[SyntaxNode], bool], change: Change) -> str:
    parsed = sparql.parse(text)
    places = {place_of(node): change for node in walk(parsed.query) if is_wanted(node)}
    return rewritten(parsed.source, parsed.query, replaced(parsed.query, places), SPARQL)


def test_only_the_place_that_changes_is_written_anew() -> None:
    text = "MATCH  (n:person)   // a person\nWHERE n.name='Ann'\nRETURN n"
    new = changed_cypher(
        text, lambda node: isinstance(node, LabelName), lambda node: node.changed(name="Person")
    )
    assert new == "MATCH  (n:Person)   // a person\nWHERE n.name='Ann'\nRETURN n"


def test_nothing_changes_where_nothing_is_replaced() -> None:
    text = "match (n) /* as it is */ return n"
    assert changed_cypher(text, lambda node: False, lambda node: node) == text


def test_changes_inside_one_another_are_both_made() -> None:
    text = "MATCH (a)-[:knows]->(b {name: 'x'}) RETURN a.nme, b"
    parsed = cypher.parse(text)
    places: dict[object, Change] = {}
    for node in walk(parsed.statement):
        if isinstance(node, RelationshipPattern):
            places[place_of(node)] = lambda found: found.changed(to_left=True, to_right=False)
        elif isinstance(node, LabelName):
            places[place_of(node)] = lambda found: found.changed(name="KNOWS")
        elif isinstance(node, PropertyAccess):
            places[place_of(node)] = lambda found: found.changed(key="name")
    tree = replaced(parsed.statement, places)  # type: ignore[arg-type]
    new = rewritten(parsed.source, parsed.statement, tree, CYPHER)
    assert new == "MATCH (a)<-[:KNOWS]-(b {name: 'x'}) RETURN a.name, b"


@pytest.mark.parametrize(
    "value",
    ["O'Brien", 'say "hi"', 'it\'s "both"', "back\\slash", "new\nline", "'}) DETACH DELETE n //", "\u2028"],
)
def test_values_are_written_as_the_language_writes_them(value: str) -> None:
    new = changed_cypher(
        "MATCH (n {name: 'x'}) RETURN n",
        lambda node: isinstance(node, Text),
        lambda node: node.changed(value=value),
    )
    texts = [node.value for node in walk(cypher.parse(new).statement) if isinstance(node, Text)]
    assert texts == [value]
    new = changed_sparql(
        'SELECT * { ?s ?p "x" }',
        lambda node: isinstance(node, StringLiteral),
        lambda node: node.changed(value=value),
    )
    literals = [node.value for node in walk(sparql.parse(new).query) if isinstance(node, StringLiteral)]
    assert literals == [value]


@pytest.mark.parametrize("name", ["has blank", "tick`tock", "MATCH", "1st", "`) DELETE n //"])
def test_names_are_quoted_where_they_must_be(name: str) -> None:
    new = changed_cypher(
        "MATCH (n:X) RETURN n", lambda node: isinstance(node, LabelName), lambda node: node.changed(name=name)
    )
    labels = [node.name for node in walk(cypher.parse(new).statement) if isinstance(node, LabelName)]
    assert labels == [name]


def test_something_that_was_not_there_is_added() -> None:
    new = changed_cypher(
        "MATCH (n)-->(m) RETURN n",
        lambda node: isinstance(node, NodePattern) and node.variable == "m",
        lambda node: node.changed(labels=LabelName("Movie")),
    )
    assert new == "MATCH (n)-->(m:Movie) RETURN n"


def test_a_text_with_escapes_is_printed_anew_whole() -> None:
    text = "MATCH (n:person {name: 'Zo\\u00EB'})  RETURN n"
    new = changed_cypher(
        text, lambda node: isinstance(node, LabelName), lambda node: node.changed(name="Person")
    )
    assert new == "MATCH (n:Person {name: 'Zoë'}) RETURN n"


def test_a_predicate_of_sparql_is_read_the_other_way() -> None:
    text = "PREFIX e: <http://e/>\nSELECT ?a # why\nWHERE { ?a e:knows ?b ; e:likes ?c }"
    new = changed_sparql(
        text,
        lambda node: isinstance(node, Iri) and node.value == "http://e/knows",
        lambda node: InversePath(node),  # type: ignore[arg-type]
    )
    assert new == "PREFIX e: <http://e/>\nSELECT ?a # why\nWHERE { ?a ^e:knows ?b ; e:likes ?c }"
