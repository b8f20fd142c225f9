"""A tree that is printed and read again is the same tree; and any text gets a verdict."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.querying.sparql.generated import PROLOGUE, QUERIES, examples

from askgraph.core.errors import QuerySyntaxError
from askgraph.querying.printing import _WRITERS
from askgraph.querying.sparql import expression_tree, path_tree, pattern_tree, query_tree, term_tree
from askgraph.querying.sparql.expression_tree import Operation, Unary
from askgraph.querying.sparql.parser import parse
from askgraph.querying.sparql.path_tree import InversePath, RepeatedPath
from askgraph.querying.sparql.pattern_tree import (
    Filter,
    GroupPattern,
    PropertyList,
    SubSelect,
    Triples,
    TriplesBlock,
)
from askgraph.querying.sparql.printer import text_of
from askgraph.querying.sparql.query_tree import Projection, Query, SolutionModifiers
from askgraph.querying.sparql.term_tree import Iri, NumericLiteral, StringLiteral, Variable
from askgraph.querying.tokens import words
from askgraph.querying.tree import SyntaxNode, walk

SAME = [
    "SELECT * WHERE { ?s ?p ?o }",
    "SELECT DISTINCT ?s (COUNT(*) AS ?n) FROM <g> FROM NAMED <h> WHERE { } GROUP BY ?s (STR(?o) AS ?t) (ABS(?p))",
    "SELECT REDUCED ?s WHERE { } ORDER BY ?s DESC(?n) (?n + 1) LIMIT 5 OFFSET 2",
    "ASK WHERE { } HAVING (1) (2 > 1)",
    "SELECT * WHERE { } VALUES (?s ?o) { (UNDEF 1) (<a> true) }",
    "BASE <http://b/> PREFIX : <c#> ASK WHERE { :a :b <d> . [ a :e ] . ?s !(a|^:f)/(:g|^(:h/:i)*)? () }",
    "CONSTRUCT { ?s ?p (1 -2 [ ?q \"x\"@en, 'say \"y\"' ; ?r \"1\"^^<int> ]) } WHERE { }",
    "CONSTRUCT WHERE { ?s ?p _:a . _:a ?q [] }",
    "DESCRIBE <a> ?x WHERE { ?x ?p ?o } LIMIT 1",
    "DESCRIBE *",
    "DESCRIBE <a>",
    "ASK WHERE { OPTIONAL { ?a ?b ?c } MINUS { ?d ?e ?f } GRAPH ?g { } SERVICE SILENT <s> { { } UNION { ?h ?i ?j } } }",
    "ASK WHERE { ?a ?b ?c . FILTER NOT EXISTS { ?c ?d ?e } BIND(IF(BOUND(?a), 1, sameTerm(?b, ?c)) AS ?x) ?y ?z ?w }",
    "SELECT ?x WHERE { SELECT (GROUP_CONCAT(DISTINCT ?y; SEPARATOR=\", \") AS ?x) WHERE { VALUES ?y { 1 2.5 1e3 } } }",
    "ASK WHERE { FILTER(?a - -1 * (2 - ?b) - (3 - 4) != 5 && !(?c = -(6)) || ?d IN (7, -?e) && isIRI(?f) = <f>(?g)) }",
]  # fmt: skip


@pytest.mark.parametrize("text", SAME)
def test_what_is_written_as_it_is_printed_stays_as_it_is(text: str) -> None:
    query = parse(text).query
    assert text_of(query) == text
    assert parse(text_of(query)).query == query


def test_every_kind_of_node_can_be_printed() -> None:
    modules = (expression_tree, path_tree, pattern_tree, query_tree, term_tree)
    kinds = {
        kind
        for module in modules
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, SyntaxNode) and kind.__module__ == module.__name__
    }
    abstract = {
        kind for kind in kinds if any(other is not kind and issubclass(other, kind) for other in kinds)
    }
    assert kinds - abstract <= set(_WRITERS)


def test_parentheses_stand_where_a_made_tree_needs_them() -> None:
    a, b = Variable("a"), Variable("b")
    either = Operation(("||",), (a, b))
    assert text_of(Operation(("&&",), (either, Unary("!", either)))) == "(?a || ?b) && !(?a || ?b)"
    assert text_of(Unary("-", NumericLiteral("1"))) == "-(1)"
    assert text_of(Unary("!", Unary("!", a))) == "!(!?a)"
    assert text_of(Operation(("=",), (Operation(("=",), (a, b)), b))) == "(?a = ?b) = ?b"
    p = Iri("p")
    assert text_of(RepeatedPath(RepeatedPath(InversePath(p), "*"), "?")) == "((^<p>)*)?"
    assert text_of(InversePath(InversePath(RepeatedPath(p, "+")))) == "^(^<p>+)"


@pytest.mark.parametrize("value", ["a> . ?s ?p ?o", "a b", "a\nb", 'a"', "a\\u003E", "a{b}"])
def test_a_made_iri_cannot_end_too_early(value: str) -> None:
    with pytest.raises(ValueError, match="is no IRI"):
        text_of(Iri(value))


def test_a_made_pattern_is_separated_from_its_neighbours() -> None:
    s, p, o = Variable("s"), Variable("p"), Variable("o")
    triples = TriplesBlock((Triples(s, (PropertyList(p, (o,)),)),))
    inner = SubSelect(Projection((s,)), GroupPattern((triples,)), SolutionModifiers(limit=1))
    group = GroupPattern((triples, triples, inner, Filter(o), triples))
    assert text_of(group) == (
        "{ ?s ?p ?o . ?s ?p ?o . { SELECT ?s WHERE { ?s ?p ?o } LIMIT 1 } FILTER(?o) ?s ?p ?o }"
    )
    parse(f"ASK {text_of(group)}")


@given(st.text())
@examples(300)
def test_any_value_survives_in_a_string(value: str) -> None:
    parsed = parse(f"ASK WHERE {{ ?s ?p {text_of(StringLiteral(value))} }}")
    assert StringLiteral(value) in list(walk(parsed.query))


@examples(200)
@given(QUERIES)
def test_what_is_printed_says_the_same_as_what_was_read(text: str) -> None:
    query = parse(PROLOGUE + text).query
    printed = text_of(query)
    assert parse(printed).query == query
    assert text_of(parse(printed).query) == printed
    assert "\n" not in printed


PIECES = [
    *words(
        """SELECT * ?x WHERE { } ( ) [ ] . ; , a <a> e:b :c _:d 'x' "y"@en ^^ 1 -2.5 FILTER OPTIONAL UNION MINUS GRAPH
        SERVICE BIND AS VALUES UNDEF ASK CONSTRUCT DESCRIBE GROUP BY HAVING ORDER ASC DESC LIMIT 5 OFFSET EXISTS NOT IN
        COUNT SUM( STR( IF( DISTINCT | / ^ ! * + ? = != < > && || - PREFIX e: BASE FROM NAMED INSERT DELETE DATA ' '''
        <b # \\u0041 true"""
    ),
    "SELECT * {",
    "GROUP BY ?x",
    "?s ?p ?o",
    "\n",
]  # fmt: skip


@examples(500)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map(" ".join))
def test_pieces_of_sparql_in_any_order_get_a_verdict(text: str) -> None:
    verdict(PROLOGUE + text)
    verdict(text)


@examples(300)
@given(st.text(max_size=200))
def test_any_text_gets_a_verdict(text: str) -> None:
    verdict(text)


@examples(120)
@given(QUERIES, st.data())
def test_a_query_that_is_cut_or_mixed_up_gets_a_verdict(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    verdict(PROLOGUE + text[:start] + text[end:])
    verdict(PROLOGUE + text[:start] + data.draw(st.sampled_from(PIECES)) + text[start:])


def verdict(text: str) -> None:
    """A query that is read can be printed; one that is not has an error that points into the text."""
    found: Query | QuerySyntaxError
    try:
        found = parse(text).query
    except QuerySyntaxError as error:
        found = error
    if isinstance(found, Query):
        assert parse(text_of(found)).query == found
        return
    assert found.code
    assert 0 <= found.offset <= len(text)
    assert found.excerpt
