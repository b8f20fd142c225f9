"""What is SPARQL 1.1 is read as its author meant it; what is not is refused with the place and the reason."""

from __future__ import annotations

from contextlib import suppress

import pytest

from askgraph.core.errors import QuerySyntaxError
from askgraph.querying.sparql.expression_tree import (
    Aggregate,
    BuiltInCall,
    Exists,
    FunctionCall,
    Membership,
    Operation,
    Unary,
)
from askgraph.querying.sparql.parser import Parsed, parse
from askgraph.querying.sparql.path_tree import (
    AlternativePath,
    InversePath,
    NegatedPropertySet,
    RepeatedPath,
    SequencePath,
)
from askgraph.querying.sparql.pattern_tree import (
    Bind,
    BlankNodeProperties,
    Collection,
    Filter,
    GroupPattern,
    InlineValues,
    NamedGraphPattern,
    ServicePattern,
    SubSelect,
    TriplesBlock,
    UnionPattern,
)
from askgraph.querying.sparql.printer import text_of
from askgraph.querying.sparql.query_tree import (
    AskQuery,
    ConstructQuery,
    DescribeQuery,
    OrderCondition,
    SelectQuery,
    SolutionModifiers,
)
from askgraph.querying.sparql.term_tree import (
    RDF_TYPE,
    XSD,
    BlankNode,
    BooleanLiteral,
    Expression,
    Iri,
    NumericLiteral,
    StringLiteral,
    Variable,
)
from askgraph.querying.tree import transform, walk

PREFIXES = "PREFIX : <http://e/> PREFIX x: <http://x/> "


def select(text: str) -> SelectQuery:
    form = parse(PREFIXES + text).query.form
    assert isinstance(form, SelectQuery)
    return form


def elements(pattern: str) -> tuple[object, ...]:
    where = select(f"SELECT * {{ {pattern} }}").where
    assert isinstance(where, GroupPattern)
    return where.elements


def triples(pattern: str):
    (block,) = elements(pattern)
    assert isinstance(block, TriplesBlock)
    return block.triples


def verb(path: str):
    return triples(f"?s {path} ?o")[0].properties[0].verb


def obj(text: str):
    return triples(f"?s :p {text}")[0].properties[0].objects[0]


def expression(text: str) -> Expression:
    (found,) = elements(f"FILTER({text})")
    assert isinstance(found, Filter)
    return found.condition


def error_of(text: str) -> QuerySyntaxError:
    with pytest.raises(QuerySyntaxError) as caught:
        parse(text)
    return caught.value


# Terms


def test_iris_are_expanded_and_keep_how_they_were_written() -> None:
    assert obj("<http://a/b>") == Iri("http://a/b")
    assert obj(":b") == Iri("http://e/b", ":b")
    assert obj(":") == Iri("http://e/", ":")
    assert obj("x:a.b:c%41\\-\\/d") == Iri("http://x/a.b:c%41-/d", "x:a.b:c%41\\-\\/d")
    assert verb("a") == Iri(RDF_TYPE, "a")


def test_a_dot_after_a_name_is_the_end_of_the_triple() -> None:
    first, second = triples("?s :p :a.b. ?s :p x:c.")
    assert first.properties[0].objects == (Iri("http://e/a.b", ":a.b"),)
    assert second.properties[0].objects == (Iri("http://x/c", "x:c"),)


def test_relative_iris_are_resolved_against_the_base_that_holds() -> None:
    query = parse(
        "BASE <http://a/b/c> PREFIX p: <d#> BASE <../e/> PREFIX q: <f/> ASK { p:x q:x <y> ; <> <//h/i> }"
    ).query
    found = [node for node in walk(query) if isinstance(node, Iri)]
    assert [(node.value, node.written) for node in found] == [
        ("http://a/b/d#x", "p:x"),
        ("http://a/e/f/x", "q:x"),
        ("http://a/e/y", "<y>"),
        ("http://a/e/", "<>"),
        ("http://h/i", "<//h/i>"),
    ]


def test_without_a_base_a_relative_iri_stays_relative() -> None:
    assert obj("<y>") == Iri("y")


def test_of_two_prefixes_with_one_name_the_later_counts() -> None:
    query = parse("PREFIX p: <http://a/> PREFIX p: <http://b/> ASK { p:x p:y p:z }").query
    assert {node.value[:9] for node in walk(query) if isinstance(node, Iri)} == {"http://b/"}


def test_prefixes_that_the_engine_knows_are_printed_in_full() -> None:
    query = parse("PREFIX x: <http://x/> ASK { ?s rdfs:label x:y }", prefixes={"rdfs": "http://r#"}).query
    assert text_of(query) == "PREFIX x: <http://x/> ASK WHERE { ?s <http://r#label> x:y }"


def test_literals_mean_what_they_say() -> None:
    assert obj("'a\\tb\\\"\\\\'") == StringLiteral('a\tb"\\')
    assert obj('"""a\n"b" ""c"""') == StringLiteral('a\n"b" ""c')
    assert obj("'''it's'''") == StringLiteral("it's")
    assert obj("''") == obj('""') == obj("''''''") == StringLiteral("")
    assert obj('"a"@de-CH') == StringLiteral("a", "de-CH")
    assert obj("'1'^^x:y") == StringLiteral("1", "", Iri("http://x/y", "x:y"))
    assert obj("true") == obj("TRUE") == BooleanLiteral(True)
    assert obj("false") == BooleanLiteral(False)
    assert [obj(text).datatype for text in ("1", "-1.5", "+.5", "1e3", "1.E-3")] == [
        XSD + name for name in ("integer", "decimal", "decimal", "double", "double")
    ]
    assert obj("-1") == NumericLiteral("-1")


def test_a_variable_is_the_same_with_either_sign() -> None:
    assert obj("$v") == obj("?v") == Variable("v")


def test_blank_nodes_and_lists_are_kept_as_written() -> None:
    assert obj("[]") == BlankNode()
    assert obj("_:b.c") == BlankNode("b.c")
    assert obj("()") == Collection(())
    nested = obj("(1 [ :p 2, 3 ; ; a :c ; ] (?x))")
    assert isinstance(nested, Collection)
    number, blank, inner = nested.items
    assert isinstance(blank, BlankNodeProperties)
    assert (number, inner) == (NumericLiteral("1"), Collection((Variable("x"),)))
    assert [len(properties.objects) for properties in blank.properties] == [2, 1]


def test_a_list_or_a_blank_node_can_say_it_all_by_itself() -> None:
    assert [len(found.properties) for found in triples("[ :p 1 ] . (1 2) . [ :p 1 ] :q 2 . [] :r 3")] == [
        0,
        0,
        1,
        1,
    ]


# Paths


def test_paths_are_read_by_their_ranks() -> None:
    a, b, c = (Iri(f"http://e/{name}", f":{name}") for name in "abc")
    assert verb(":a|:b/:c") == AlternativePath((a, SequencePath((b, c))))
    assert verb("(:a|:b)/:c") == SequencePath((AlternativePath((a, b)), c))
    assert verb("^:a*") == InversePath(RepeatedPath(a, "*"))
    assert verb("(^:a)+") == RepeatedPath(InversePath(a), "+")
    assert verb("(:a/:b)/:c") == SequencePath((SequencePath((a, b)), c))
    assert verb("((:a))") == a
    assert verb("!:a") == NegatedPropertySet((a,))
    assert verb("!(:a|^a)?") == RepeatedPath(NegatedPropertySet((a, InversePath(Iri(RDF_TYPE, "a")))), "?")
    assert verb("!()") == NegatedPropertySet(())


# Expressions


def test_operators_are_read_by_their_ranks() -> None:
    a, b, c, d = (Variable(name) for name in "abcd")
    assert expression("?a || ?b && ?c || ?d") == Operation(("||", "||"), (a, Operation(("&&",), (b, c)), d))
    assert expression("?a + ?b * ?c - ?d") == Operation(("+", "-"), (a, Operation(("*",), (b, c)), d))
    assert expression("(?a + ?b) * ?c") == Operation(("*",), (Operation(("+",), (a, b)), c))
    assert expression("?a - (?b - ?c)") == Operation(("-",), (a, Operation(("-",), (b, c))))
    assert expression("!?a = -?b") == Operation(("=",), (Unary("!", a), Unary("-", b)))
    assert expression("?a + 1 IN (?b, ?c) && ?d") == Operation(
        ("&&",), (Membership(Operation(("+",), (a, NumericLiteral("1"))), (b, c)), d)
    )
    assert expression("?a NOT IN ()") == Membership(a, (), negated=True)


def test_the_sign_of_a_number_after_a_value_is_an_operator() -> None:
    a, one, two = Variable("a"), NumericLiteral("1"), NumericLiteral("2")
    assert expression("?a -1") == expression("?a-1") == expression("?a - 1") == Operation(("-",), (a, one))
    assert expression("?a +1*2") == Operation(("+",), (a, Operation(("*",), (one, two))))
    assert expression("1-1+2") == Operation(("-", "+"), (one, one, two))
    assert expression("?a * -1") == Operation(("*",), (a, NumericLiteral("-1")))
    assert expression("-1") == NumericLiteral("-1")
    assert expression("-(1)") == expression("- 1") == Unary("-", one)


def test_calls_are_told_apart_by_their_names() -> None:
    assert expression("strstarts(?a, 'b')") == BuiltInCall("STRSTARTS", (Variable("a"), StringLiteral("b")))
    assert expression("isIri(?a)") == BuiltInCall("ISIRI", (Variable("a"),))
    assert expression("x:f(?a)") == FunctionCall(Iri("http://x/f", "x:f"), (Variable("a"),))
    assert expression("x:f()") == FunctionCall(Iri("http://x/f", "x:f"), ())
    assert expression("x:f") == Iri("http://x/f", "x:f")
    assert isinstance(expression("NOT EXISTS { ?a ?b ?c }"), Exists)
    assert isinstance(expression("!EXISTS { ?a ?b ?c }"), Unary)


def test_aggregates_are_read_where_they_may_stand() -> None:
    query = select(
        "SELECT (COUNT(*) AS ?n) (COUNT(DISTINCT *) AS ?m) (GROUP_CONCAT(DISTINCT ?x; SEPARATOR='; ') AS ?t)"
        " { ?x :p ?y } HAVING (SUM(?y) > 1) ORDER BY MIN(?y)"
    )
    found = [node for node in walk(query) if isinstance(node, Aggregate)]
    x, y = Variable("x"), Variable("y")
    assert found == [
        Aggregate("COUNT", None),
        Aggregate("COUNT", None, distinct=True),
        Aggregate("GROUP_CONCAT", x, distinct=True, separator="; "),
        Aggregate("SUM", y),
        Aggregate("MIN", y),
    ]


# Patterns and forms


def test_every_kind_of_pattern_is_read() -> None:
    found = elements(
        "?s ?p ?o FILTER(?o > 1) OPTIONAL { ?s :q ?r } . MINUS { ?s :m ?m } { ?a ?b ?c } UNION { } UNION { ?d ?e ?f }"
        " { ?g ?h ?i } GRAPH ?graph { } SERVICE SILENT <http://s/> { } BIND(1 AS ?one) VALUES (?v ?w) { (1 UNDEF) }"
        " VALUES ?z { :a 'b' } { SELECT ?k { ?k ?l ?m } LIMIT 1 }"
    )
    kinds = [type(element).__name__ for element in found]
    assert kinds == [
        "TriplesBlock", "Filter", "OptionalPattern", "MinusPattern", "UnionPattern", "GroupPattern",
        "NamedGraphPattern", "ServicePattern", "Bind", "InlineValues", "InlineValues", "SubSelect",
    ]  # fmt: skip
    union, graph, service, bind = found[4], found[6], found[7], found[8]
    assert isinstance(union, UnionPattern)
    assert len(union.branches) == 3
    assert isinstance(graph, NamedGraphPattern)
    assert graph.graph == Variable("graph")
    assert isinstance(service, ServicePattern)
    assert service.silent
    assert isinstance(bind, Bind)
    assert bind.variable == Variable("one")
    full, sub = found[9], found[11]
    assert isinstance(full, InlineValues)
    assert len(full.rows[0].values) == 2
    assert isinstance(sub, SubSelect)
    assert sub.modifiers.limit == 1


def test_the_four_forms_are_read() -> None:
    query = select("SELECT DISTINCT ?x (1 AS ?y) FROM <g> FROM NAMED :h WHERE { ?x ?p ?o } VALUES ?x { 1 }")
    assert query.projection.modifier == "DISTINCT"
    assert [clause.named for clause in query.dataset] == [False, True]
    assert query.values is not None
    construct = parse("CONSTRUCT { ?s ?p _:b . } WHERE { ?s ?p ?o } LIMIT 5").query.form
    assert isinstance(construct, ConstructQuery)
    assert construct.template is not None
    short = parse("CONSTRUCT WHERE { ?s ?p ?o }").query.form
    assert isinstance(short, ConstructQuery)
    assert short.template is None
    assert isinstance(parse("ASK {}").query.form, AskQuery)
    describe = parse("DESCRIBE <a> ?x").query.form
    assert isinstance(describe, DescribeQuery)
    assert describe.where is None
    assert len(describe.targets) == 2
    everything = parse("DESCRIBE * { ?s ?p ?o }").query.form
    assert isinstance(everything, DescribeQuery)
    assert everything.targets == ()


def test_solutions_are_grouped_ordered_and_paged() -> None:
    query = select(
        "SELECT ?x { ?x ?p ?y } GROUP BY ?x (?y + 1 AS ?z) STR(?y) HAVING (?x > 1) (?x < 9) ORDER BY ?x DESC(?z)"
        " ASC(?x) (?x + 1) OFFSET 2 LIMIT 3"
    )
    assert len(query.modifiers.group_by) == 3
    assert len(query.modifiers.having) == 2
    assert [condition.descending for condition in query.modifiers.order_by] == [False, True, False, False]
    assert query.modifiers.order_by[0] == OrderCondition(Variable("x"))
    assert (query.modifiers.limit, query.modifiers.offset) == (3, 2)
    assert select("SELECT * {}").modifiers == SolutionModifiers()


def test_spans_point_at_the_text() -> None:
    text = "SELECT ?x WHERE { ?x a <http://e/T> ; !<p>* 'v'@en . OPTIONAL { ?x <q> -1 } FILTER(?x IN (1, 2)) } LIMIT 10"
    parsed = parse(text)
    said = {type(node).__name__: parsed.source.slice(node.span) for node in walk(parsed.query)}
    assert said["Query"] == text
    assert said["Projection"] == "SELECT ?x"
    assert said["Triples"] == "?x <q> -1"
    assert said["RepeatedPath"] == "!<p>*"
    assert said["StringLiteral"] == "'v'@en"
    assert said["OptionalPattern"] == "OPTIONAL { ?x <q> -1 }"
    assert said["Membership"] == "?x IN (1, 2)"
    assert said["Filter"] == "FILTER(?x IN (1, 2))"
    assert said["SolutionModifiers"] == "LIMIT 10"


def test_trees_are_made_to_be_changed() -> None:
    parsed = parse("SELECT ?x { ?x ?p ?o } OFFSET 3 VALUES ?x { <a> }")
    form = parsed.query.form
    limited = parsed.query.changed(form=form.changed(modifiers=form.modifiers.changed(limit=10)))
    assert text_of(limited) == "SELECT ?x WHERE { ?x ?p ?o } LIMIT 10 OFFSET 3 VALUES ?x { <a> }"
    renamed = transform(parsed.query, lambda node: node.changed(name="y") if node == Variable("x") else node)
    assert text_of(renamed) == "SELECT ?y WHERE { ?y ?p ?o } OFFSET 3 VALUES ?y { <a> }"
    assert text_of(parsed.query) == "SELECT ?x WHERE { ?x ?p ?o } OFFSET 3 VALUES ?x { <a> }"


# What is refused

INVALID = [
    ("", "the query is empty"),
    ("# only a comment", "the query is empty"),
    ("PREFIX a: <b>", "expected SELECT, CONSTRUCT, ASK or DESCRIBE, found the end of the query"),
    ("I cannot answer that.", "expected SELECT, CONSTRUCT, ASK or DESCRIBE, found 'I'"),
    ("SELCT ?x {}", "Did you mean SELECT?"),
    ("MATCH (n) RETURN n", "This looks like Cypher."),
    ("```sparql\nSELECT ?s { ?s ?p ?o }\n```", "send only what is inside"),
    ("SELECT ?s WHERE { ?s ?p ?o", "expected a pattern or '}', found the end of the query"),
    ("SELECT ?s WHERE ?s ?p ?o", "expected '{' after WHERE, found '?s'"),
    ("SELECT ?s { ?s ?p ?o }}", "There is one '}' more than '{'."),
    ("SELECT ?s { ?s ?p ?o };", "a query does not end with ';'"),
    ("SELECT { ?s ?p ?o }", "expected a variable, (expression AS ?name) or * after SELECT"),
    ("SELECT ?a, ?b { }", "Blanks separate the columns"),
    ("SELECT COUNT(?x) AS ?n { }", "Write (COUNT(…) AS ?name)."),
    ("SELECT ?x COUNT(?x) { }", "Write (COUNT(…) AS ?name)."),
    ("SELECT (COUNT(?x)) { }", "A column that is an expression needs a name"),
    ("SELECT ?s { ?s :p ?o }", "the prefix : is not declared"),
    ("SELECT ?s { ?s rdfs:label ?o }", "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>"),
    ("PREFIX foaf: <f> SELECT ?s { ?s foav:name ?o }", "Did you mean foaf:?"),
    ("SELECT ?s { ?s a http://x/y }", "stands in angle brackets"),
    ("PREFIX foaf <f> SELECT ?s { }", "Write PREFIX name: <iri>."),
    ("PREFIX foaf:x <f> SELECT ?s { }", "Write PREFIX name: <iri>."),
    ("SELECT ?s { ?s <a b> ?o }", "this IRI is not closed: a blank cannot stand in one"),
    ("SELECT ?s { ?s <http://x/{id}> ?o }", "'{' cannot stand in one"),
    ("SELECT ?s { ?s <abc", "this IRI is never closed"),
    ("SELECT ?s { ?s ?p ?o ?s ?p ?o }", "expected '.' between triples"),
    ("SELECT ?s { ?s ?p }", "expected an object, found '}'"),
    ("SELECT ?s { ?s }", "expected a predicate, found '}'"),
    ("SELECT ?s { . }", "A dot follows triples"),
    ("SELECT ?s { ?s ?p ?o . . }", "A dot follows triples"),
    ("SELECT ?s { OPTINAL { } }", "Did you mean OPTIONAL?"),
    ("SELECT ?s { ?s ?p name }", "Write ?name for a variable"),
    ("SELECT ?s { ?s ?p ?o SELECT ?x { } }", "A subquery stands in braces of its own"),
    ("SELECT ?s { ?s ?p ?o LIMIT 5 }", "LIMIT follows the '}' that closes WHERE"),
    ("SELECT ?s { { ASK { } } }", "A query inside another is a SELECT"),
    ("SELECT ?s { { SELECT ?x FROM <g> { } } }", "a subquery has no FROM"),
    ("SELECT ?s { FILTER ?x > 3 }", "Put the condition in parentheses"),
    ("SELECT ?s { FILTER(?x > 3 AND ?y) }", "SPARQL writes && for AND"),
    ("SELECT ?s { FILTER(?x <> 3) }", "SPARQL writes != for <>"),
    ("SELECT ?s { FILTER(?x == 3) }", "SPARQL writes = for =="),
    ("SELECT ?s { FILTER(1 < ?x < 3) }", "Join comparisons with && or ||"),
    ("SELECT ?s { FILTER(?x = ) }", "expected an expression, found ')'"),
    ("SELECT ?s { FILTER(?x & ?y) }", "Write && for 'and'"),
    ("SELECT ?s { FILTER(CONTANS(?x, 'a')) }", "Did you mean CONTAINS?"),
    ("SELECT ?s { FILTER(CONTAINS(?x)) }", "CONTAINS takes two arguments, not 1"),
    ("SELECT ?s { FILTER(SUBSTR(?x)) }", "SUBSTR takes two or three arguments, not 1"),
    ("SELECT (RAND(1) AS ?x) { }", "RAND takes no argument, not 1"),
    ("SELECT ?s { FILTER(BOUND(1)) }", "expected a variable in BOUND"),
    ("SELECT ?s { FILTER(STR ?x) }", "expected '(' after STR"),
    ("SELECT (GROUP_CONCAT(?x, ',') AS ?t) { }", "SEPARATOR"),
    ("SELECT (COUNT(?x, ?y) AS ?n) { }", "COUNT takes one argument"),
    ("SELECT (SUM(*) AS ?n) { }", "expected an expression, found '*'"),
    ("SELECT ?s { BIND(1, ?x) }", "expected AS after the expression in BIND"),
    ("SELECT ?s { BIND(1 AS x) }", "Write ?x."),
    ("SELECT ?s { VALUES (?a ?b) { (1) } }", "this row of VALUES has 1 value, but there are 2 variables"),
    ("SELECT ?s { VALUES (?a) { (1 2) } }", "this row of VALUES has 2 values, but there is 1 variable"),
    ("SELECT ?s { VALUES (?a ?a) { } }", "?a stands twice in VALUES"),
    ("SELECT ?s { VALUES ?a { 1, 2 } }", "Blanks separate the values"),
    ("SELECT ?s { VALUES ?a { ?b } }", "expected a value or '}'"),
    ("SELECT ?s { } LIMIT -1", "expected a whole number after LIMIT"),
    ("SELECT ?s { } LIMIT ten", "expected a whole number after LIMIT"),
    ("SELECT ?s { } LIMIT 9999999999999999999", "too large"),
    ("SELECT ?s { } LIMIT 1 LIMIT 2", "each once"),
    ("SELECT ?s { } LIMIT 1 ORDER BY ?s", "The order is GROUP BY"),
    ("SELECT ?s { } ORDER BY ?s DESC", "Write DESC(?s)."),
    ("SELECT ?s { } ORDER BY DESC ?s", "Write DESC(?x)."),
    ("SELECT ?s { } ORDER BY ?s, ?t", "Blanks separate the conditions"),
    ("SELECT ?s { } GROUP BY ?sORDER BY ?s", "Is a blank missing in '?sORDER'?"),
    ("SELECT ?s FROM g { }", "the IRI of a graph after FROM"),
    ("SELECT ?s { } WHERE { }", "there is one WHERE"),
    ("CONSTRUCT { ?s <p>/<q> ?o } WHERE { }", "a property path cannot stand in a template"),
    ("CONSTRUCT { ?s ?p ?o FILTER(1) } WHERE { }", "only triples stand in a template"),
    ("CONSTRUCT WHERE { ?s ?p ?o OPTIONAL { } }", "only triples stand in a pattern of CONSTRUCT without"),
    ("CONSTRUCT { ?s ?p ?o }", "expected '{' or WHERE"),
    ("CONSTRUCT { GRAPH ?g { ?s ?p ?o } } WHERE { }", "expected"),
    ("DESCRIBE { ?s ?p ?o }", "an IRI, a variable or * after DESCRIBE"),
    ("SELECT ?s { ?s ?p 'abc }", "this string is never closed"),
    ("SELECT ?s { ?s ?p 'abc\n' }", "stands between ''' and '''"),
    ("SELECT ?s { ?s ?p 'a\\qb' }", "there is no escape \\q"),
    ("SELECT ?s { ?s ?p 'a\\u12' }", "four hexadecimal digits after \\u"),
    ("SELECT ?s { ?s ?p 'a\\uD83D\\uDE00' }", "half of a surrogate pair"),
    ("SELECT ?s { ?s ?p 'a\\U00110000' }", "there is no character U+110000"),
    ("SELECT ?s { ?s ?p 'a'@ }", "'@' does not belong"),
    ("SELECT ?s { ?s ?p @en }", "A language tag follows a string"),
    ("SELECT ?s { ?s ?p 'a'^^'b' }", "expected the IRI of a datatype after ^^"),
    ("SELECT ?s { ?s\u00a0?p ?o }", "the invisible character U+00A0"),
    ("SELECT ?s { /* no */ }", "A comment begins with #."),
    ("SELECT ?s { ?s _x ?o }", "A blank node is written _:name."),
    ("SELECT ?s { ?s !(<a>/<b>) ?o }", "or '|' in the set of properties"),
    ("SELECT ?s { ?s [] ?o }", "expected a predicate, found '['"),
    ("SELECT ?s { [] }", "expected a predicate, found '}'"),
    ("SELECT ?s { (1 2 }", "an item of the list, or ')'"),
    ("SELECT ?s { GRAPH { } }", "an IRI or a variable after GRAPH"),
    ("SELECT ?s { SERVICE { } }", "the address of an endpoint after SERVICE"),
    ("SELECT ?s { { } UNION ?x }", "expected '{' after UNION"),
    ("SELECT ?s { FILTER NOT { } }", "expected EXISTS after NOT"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), INVALID)
def test_what_is_no_query_is_refused_with_a_reason(text: str, message: str) -> None:
    assert message in str(error_of(text))


def test_errors_point_at_the_place() -> None:
    error = error_of("SELECT ?s WHERE {\n  ?s ?p 'Z\\u00FCrich' .\n  OPTINAL { ?s ?q ?r }\n}")
    assert (error.line, error.column, error.code) == (3, 3, "syntax")
    assert str(error) == (
        "expected a pattern or '}', found 'OPTINAL' (line 3, column 3)\n"
        "3 |   OPTINAL { ?s ?q ?r }\n"
        "      ^^^^^^^\n"
        "Did you mean OPTIONAL?"
    )


UPDATES = {
    "INSERT DATA { <a> <b> <c> }": "INSERT DATA",
    "DELETE DATA { <a> <b> <c> }": "DELETE DATA",
    "DELETE { ?s ?p ?o } INSERT { ?s ?p 1 } WHERE { ?s ?p ?o }": "DELETE",
    "INSERT { ?s ?p 1 } WHERE { ?s ?p ?o }": "INSERT",
    "WITH <g> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }": "WITH",
    "DELETE WHERE { ?s ?p ?o }": "DELETE WHERE",
    "LOAD SILENT <http://127.0.0.1:9/> INTO GRAPH <g>": "LOAD",
    "CLEAR ALL": "CLEAR",
    "CREATE GRAPH <g>": "CREATE",
    "DROP NAMED": "DROP",
    "COPY DEFAULT TO <g>": "COPY",
    "MOVE <g> TO <h>": "MOVE",
    "ADD <g> TO DEFAULT": "ADD",
}
DISGUISES = ["{}", "# SELECT * {{}}\n{}", "PREFIX select: <s> BASE <b>\n{}", "prefix : <a#b>\t{}"]


@pytest.mark.parametrize("disguise", DISGUISES)
@pytest.mark.parametrize(("text", "named"), UPDATES.items())
def test_an_update_is_recognised_after_any_prologue(text: str, named: str, disguise: str) -> None:
    for version in (text, text.lower()):
        error = error_of(disguise.format(version))
        assert error.code == "update"
        assert error.message == f"{named} is an update: it would change the graph"


@pytest.mark.parametrize("text", UPDATES)
def test_an_update_that_follows_a_query_is_known_for_one(text: str) -> None:
    for between in (" ; ", "\n", " LIMIT 5 ;", ";;\n", "; BASE <b> PREFIX a: <c>\n"):
        assert error_of(f"SELECT ?s {{ ?s ?p ?o }}{between}{text}").code == "second-update"


def test_a_second_query_is_a_second_statement() -> None:
    assert error_of("ASK {} ASK {}").code == "several-statements"
    assert error_of("ASK {} ; PREFIX a: <b> SELECT * {}").code == "several-statements"


def test_words_of_updates_are_names_like_any_other() -> None:
    parse(
        "PREFIX insert: <http://e/> SELECT ?delete ?load { ?delete insert:data ?load ; <drop> 'CLEAR ALL' } # DROP ALL"
    )


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * { <<( ?s ?p ?o )>> ?q ?r }", "SELECT * { ?s ?p ?o {| ?q ?r |} }", "SELECT * { ?s ?p ?o ~ ?r }",
        "ASK { FILTER(isTRIPLE(?x)) }", "ASK { ?s ?p 'a'@en--ltr }", "VERSION '1.2' ASK {}", "ASK { LATERAL { } }",
        "DEFINE input:inference 'x' ASK {}", "ASK { ?s <p>{1,2} ?o }",
    ],
)  # fmt: skip
def test_extensions_are_said_to_be_unsupported(text: str) -> None:
    assert error_of(text).code == "unsupported"


# Limits

DEEP = [
    "ASK " + "{" * 3_000,
    "ASK {" + " OPTIONAL {" * 3_000,
    "ASK {" + " MINUS { GRAPH ?g { SERVICE <s> {" * 1_000,
    "ASK {" + " { } UNION {" * 3_000,
    "ASK {" + " FILTER EXISTS {" * 3_000,
    "ASK {" + " BIND(!EXISTS { FILTER EXISTS {" * 2_000,
    "SELECT * " + "{ SELECT * " * 3_000,
    "SELECT * { FILTER(" + "(" * 3_000 + "1" + ")" * 3_000 + ")}",
    "SELECT * { FILTER(" + "!" * 3_000 + "?x)}",
    "SELECT * { FILTER(" + "- (" * 3_000,
    "SELECT * { FILTER(" + "ABS(" * 3_000,
    "SELECT * { FILTER(" + "1 IN (" * 3_000,
    "SELECT * { FILTER(" + "<f>(" * 3_000,
    "SELECT * { FILTER(" + "1 + (2 * (3 || (" * 1_000,
    "SELECT * { ?s " + "(" * 3_000 + "<p>" + ")" * 3_000 + " ?o }",
    "SELECT * { ?s " + "^(" * 3_000 + "<p>" + ")" * 3_000 + " ?o }",
    "SELECT * { ?s ?p " + "(" * 3_000,
    "SELECT * { ?s ?p " + "[ ?p " * 3_000,
    "SELECT * { ?s ?p " + "[ (<p>) ( " * 2_000,
    "CONSTRUCT { ?s ?p " + "[ ?p (" * 3_000,
]


@pytest.mark.parametrize("text", DEEP)
def test_deep_nesting_is_refused_and_never_exhausts_the_stack(text: str) -> None:
    assert error_of(text).code == "too-deep"


def deepest(head: str, opening: str, inside: str, closing: str, tail: str) -> Parsed:
    """The query with as many nested parts as are allowed."""
    for depth in range(100, 0, -1):
        with suppress(QuerySyntaxError):
            return parse(head + opening * depth + inside + closing * depth + tail)
    raise AssertionError("not even one")


@pytest.mark.parametrize(
    "parts",
    [
        ("ASK {", "OPTIONAL {", "", "}", "}"),
        ("ASK {", "FILTER EXISTS {", "", "}", "}"),
        ("ASK {", "FILTER(!EXISTS {", "", "})", "}"),
        ("ASK ", "{ SELECT * ", "{}", "}", ""),
        ("ASK {", "{ } UNION {", "", "}", "}"),
        ("ASK { FILTER(", "-(?x + ", "1", ")", ")}"),
        ("ASK { FILTER(", "IF(?x, 1, ", "1", ")", ")}"),
        ("ASK { ?s ?p ", "[ ?p (", "1", ")]", "}"),
        ("ASK { ?s ", "(^(<p>/", "<p>", ")*)?", " ?o }"),
        ("ASK {", "OPTIONAL { FILTER(1 IN (2, EXISTS {", "", "})) }", "}"),
    ],
)
def test_what_is_as_deep_as_allowed_can_be_handled(parts: tuple[str, str, str, str, str]) -> None:
    query = deepest(*parts).query
    assert parse(text_of(query)).query == query
    assert hash(query) == hash(transform(query, lambda node: node.changed()))
    assert repr(query)
    assert len(list(walk(query))) > 20
    assert transform(query, lambda node: node) is query
    assert transform(query, lambda node: node.changed()) == query


def test_what_is_long_but_not_deep_is_read() -> None:
    parse("SELECT * { " + "?s ?p ?o . " * 5_000 + "}")
    parse("SELECT * { " + " UNION ".join(["{ ?s ?p ?o }"] * 4_000) + " }")
    parse("SELECT * { FILTER(" + " || ".join(["?x = 1"] * 5_000) + ") }")
    parse("SELECT * { FILTER(?x IN (" + ", ".join(["1"] * 15_000) + ")) }")
    parse("SELECT * { ?s " + "/".join(["<p>"] * 10_000) + " ?o }")
    parse("SELECT * { VALUES ?x { " + "<p> " * 10_000 + "} }")
    parse("SELECT * { ?s ?p '" + "x" * 60_000 + "' }")
    parse("SELECT * { ?s ?p '''" + "'x" * 30_000 + "''' }")
    parse("SELECT * { ?s ?p ?o } #" + "x" * 60_000)


@pytest.mark.parametrize(
    "unit",
    [
        "?s ?p ?o .", "?s ?p ?o ; ?q ?r, ?t .", "FILTER(1 + 2 * 3 > 4 || !?x)", "OPTIONAL { ?s ?p ?o }",
        "?s (<a>/<b>)* ?o .", "{ SELECT ?x { ?x ?y ?z } }", "FILTER NOT EXISTS { ?s ?p ?o }", "BIND(1 -1 -1 AS ?v)",
        "VALUES (?x ?y) { (1 2) (3 4) }",
        "[ ?p (1 2 [ ?q ?r ]) ] .", "FILTER(IF(BOUND(?x), ABS(-1), STR(?y)))", "{ } UNION { }",
    ],
)  # fmt: skip
def test_the_work_is_linear_in_the_number_of_tokens(unit: str) -> None:
    def steps(count: int) -> int:
        numbered = [unit.replace("?v", f"?v{place}") for place in range(count)]
        return parse(f"SELECT * {{ {' '.join(numbered)} }}").steps

    small, large = steps(50), steps(500)
    assert large <= 10 * small * 1.05
