"""What the gate says of SPARQL: it lets pass what reads the opened graph, and nothing else."""

from __future__ import annotations

import pytest
from tests.querying.cases import gate_cases, policy_of
from tests.querying.sparql.own_cases import CASES, REFUSED, Case
from tests.querying.sparql.w3c import INVALID_KINDS, QUERY_KINDS, UPDATE_KINDS, w3c_tests

from askgraph.core.errors import QueryError, QueryRefusedError, SettingsError
from askgraph.querying import CheckedQuery, GatePolicy, check
from askgraph.querying.sparql.examination import faithful_text
from askgraph.querying.sparql.parser import parse
from askgraph.querying.sparql.term_tree import Iri, Variable
from askgraph.querying.tree import transform


def let_through(text: str, **options) -> CheckedQuery:
    return check(text, language="sparql", **options)


def code_of(text: str, **options) -> str:
    """The code of the refusal, or an empty text."""
    try:
        let_through(text, **options)
    except QueryError as error:
        return error.code
    return ""


def test_every_labelled_case_gets_its_verdict() -> None:
    """A case marked ``policy`` escapes a limit without writing: it may be refused, or clamped and said so."""
    wrong = []
    for case in gate_cases("sparql"):
        try:
            checked = let_through(case["query"], policy=policy_of(case))
            right = case["verdict"] == "allow" or ("policy" in case and bool(checked.notes))
        except QueryError:
            right = case["verdict"] == "reject"
        if not right:
            wrong.append(case["id"])
    assert wrong == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.text[:60])
def test_our_own_cases_get_their_verdicts(case: Case) -> None:
    assert code_of(case.text) == case.code, case.why


def test_there_are_enough_of_our_own() -> None:
    assert len(CASES) >= 150
    assert len({case.text for case in CASES}) == len(CASES)


def test_every_refusal_shows_a_place_and_says_why() -> None:
    for case in REFUSED:
        with pytest.raises(QueryError) as caught:
            let_through(case.text)
        error = caught.value
        assert error.message
        if error.code != "too-long":
            assert error.excerpt, case.text
            assert 0 <= error.offset <= len(case.text)


def test_a_refusal_points_at_what_is_refused() -> None:
    with pytest.raises(QueryRefusedError) as caught:
        let_through("SELECT * {\n  ?s ?p ?o .\n  SERVICE <http://127.0.0.1:9/> { }\n}")
    assert (caught.value.line, caught.value.column) == (3, 3)
    assert "allow_services" in (caught.value.advice or "")


def test_of_the_W3C_queries_only_those_are_refused_that_reach_out_or_cost_too_much() -> None:
    refused: dict[str, list[str]] = {}
    for suite in ("sparql10", "sparql11"):
        for test in w3c_tests(suite, QUERY_KINDS):
            if code := code_of(test.text):
                refused.setdefault(code, []).append(test.path.stem)
        for test in w3c_tests(suite, (*INVALID_KINDS, *UPDATE_KINDS)):
            assert code_of(test.text), test.place
    assert {code: len(stems) for code, stems in refused.items()} == {
        "other-graph": 18,  # FROM
        "outside-data": 10,  # SERVICE
        "function": 8,  # functions that the tests make up
        "cost": 3,
        "escape": 2,
    }
    assert sorted(refused["cost"]) == ["path-ng-01", "path-ng-02", "pp14"]
    assert sorted(refused["escape"]) == ["syntax-esc-04", "syntax-esc-05"]


# What an operator allows

WIKIBASE = "http://wikiba.se/ontology#label"
FETCHED = "http://127.0.0.1:9/g"


@pytest.mark.parametrize(
    ("text", "settings", "code"),
    [
        (f"SELECT * {{ SERVICE <{WIKIBASE}> {{ }} }}", {"allow_services": [WIKIBASE]}, ""),
        (f"SELECT * {{ SERVICE <{WIKIBASE}#> {{ }} }}", {"allow_services": [WIKIBASE]}, "outside-data"),
        (
            f"SELECT * {{ SERVICE <{WIKIBASE.upper()}> {{ }} }}",
            {"allow_services": [WIKIBASE]},
            "outside-data",
        ),
        (
            "SELECT * { SERVICE <http://ex.org/a> { } }",
            {"allow_services": ["http://ex.org/*"]},
            "outside-data",
        ),
        ("SELECT * { SERVICE ?e { } }", {"allow_services": ["?e", "e", WIKIBASE]}, "outside-data"),
        (
            f"SELECT * {{ SERVICE <{WIKIBASE}> {{ SERVICE <http://127.0.0.1:9/> {{ }} }} }}",
            {"allow_services": [WIKIBASE]},
            "outside-data",
        ),
        (
            f"SELECT * {{ SERVICE <{WIKIBASE}> {{ ?s <java:x> ?o }} }}",
            {"allow_services": [WIKIBASE]},
            "function",
        ),
        (
            "PREFIX gas: <http://www.bigdata.com/rdf/gas#> SELECT * { SERVICE gas:service { gas:program gas:in ?x } }",
            {"allow_services": ["http://www.bigdata.com/rdf/gas#service"]},
            "",
        ),
        (f"SELECT * FROM <{FETCHED}> {{ ?s ?p 1 }}", {"allow_graphs": [FETCHED]}, ""),
        (
            f"SELECT * FROM <{FETCHED}> FROM <http://x> {{ ?s ?p 1 }}",
            {"allow_graphs": [FETCHED]},
            "other-graph",
        ),
        (f"BASE <{FETCHED}> SELECT * FROM <> {{ ?s ?p 1 }}", {"allow_graphs": [FETCHED]}, ""),
        ("SELECT * { GRAPH <file:///x> { ?s ?p ?o } }", {"allow_graphs": ["file:///x"]}, ""),
        ("SELECT (<http://ex.org/f>(1) AS ?x) { }", {"allow_functions": ["http://ex.org/f"]}, ""),
        ("SELECT (<http://ex.org/f#g>(1) AS ?x) { }", {"allow_functions": ["http://ex.org/f#*"]}, ""),
        ("SELECT (<http://ex.org/fg>(1) AS ?x) { }", {"allow_functions": ["http://ex.org/f*"]}, "function"),
        ("SELECT (<http://ex.org/F>(1) AS ?x) { }", {"allow_functions": ["http://ex.org/f"]}, "function"),
        (
            "PREFIX b: <bif:> SELECT * { ?s ?p ?o . ?o b:contains 'x' }",
            {"allow_functions": ["bif:contains"]},
            "",
        ),
        (
            "PREFIX b: <bif:> SELECT (b:system(1) AS ?x) { ?o b:contains 'x' }",
            {"allow_functions": ["bif:contains"]},
            "function",
        ),
        ("SELECT * { ?o bif:contains 'x' }", {"prefixes": {"bif": "bif:"}}, "function"),
        (
            "SELECT * { ?o bif:contains 'x' }",
            {"prefixes": {"bif": "bif:"}, "allow_functions": ["bif:contains"]},
            "",
        ),
        ("SELECT * { ?a <http://p>+ ?b }", {"unbounded_paths": "allow"}, ""),
        ("SELECT * { <http://a> <http://p>+ ?b }", {"unbounded_paths": "refuse"}, "cost"),
        ("SELECT * { <http://a> <http://p>? ?b }", {"unbounded_paths": "refuse"}, ""),
        ("SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f }", {"refuse_costly": False}, ""),
        ("SELECT * { ?s ?p ?o FILTER REGEX(?o, '(a+)+$') }", {"refuse_costly": False}, ""),
        ("SELECT * { VALUES ?x { 1 2 3 } VALUES ?y { 1 2 3 } }", {"longest_range": 8}, "cost"),
        ("SELECT * { VALUES ?x { 1 2 3 } VALUES ?x { 1 2 3 } }", {"longest_range": 8}, ""),
        ("SELECT * { VALUES ?x { 1 2 3 } } VALUES ?y { 1 2 3 }", {"longest_range": 8}, "cost"),
        (
            "SELECT * { VALUES ?x { 1 2 3 } { { VALUES ?y { 1 2 3 } } UNION { VALUES ?y { 1 } } } }",
            {"longest_range": 8},
            "cost",
        ),
        (
            "SELECT * { VALUES ?x { 1 2 3 } { SELECT ?y { } VALUES ?y { 1 2 3 } } }",
            {"longest_range": 8},
            "cost",
        ),
        ("ASK { FILTER EXISTS { VALUES ?x { 1 2 3 } VALUES ?y { 1 2 3 } } }", {"longest_range": 8}, "cost"),
    ],
)
def test_an_operator_allows_more_by_exact_names(text: str, settings: dict[str, object], code: str) -> None:
    assert code_of(text, policy=GatePolicy().updated(settings)) == code


def test_sparql_has_no_dialects() -> None:
    with pytest.raises(SettingsError):
        let_through("ASK { }", dialect="neo4j")
    assert let_through("ASK { }").dialect == ""
    assert let_through("ASK { }").language == "sparql"


# What is sent


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        # A declaration that nothing uses may be an option of an engine.
        ("PREFIX a: <x:a> PREFIX b: <http://b#> ASK { ?s b:p 1 }", "PREFIX b: <http://b#> ASK WHERE { ?s b:p 1 }"),
        # Of two declarations the later counts; readers might disagree.
        ("PREFIX a: <java:> PREFIX a: <http://a#> ASK { ?s a:p 1 }", "PREFIX a: <http://a#> ASK WHERE { ?s a:p 1 }"),
        (
            "BASE <http://x/> PREFIX a: <y#> BASE <http://z/> ASK { <s> a:p <#o> }",
            "PREFIX a: <http://x/y#> ASK WHERE { <http://z/s> a:p <http://z/#o> }",
        ),
        ("PREFIX : <http://a#> ASK { :s a :T }", "PREFIX : <http://a#> ASK WHERE { :s a :T }"),
        ("ASK { <s> ?p 'a\\nb' } # x", 'ASK WHERE { <s> ?p "a\\nb" }'),
    ],
)  # fmt: skip
def test_what_is_sent_says_one_thing_to_all_readers(text: str, sent: str) -> None:
    assert let_through(text).text == sent


def test_a_prefix_that_an_operator_declares_is_written_in_full() -> None:
    policy = GatePolicy(prefixes={"ex": "http://ex.org/"})
    assert let_through("ASK { ?s ex:p 1 }", policy=policy).text == "ASK WHERE { ?s <http://ex.org/p> 1 }"
    own = "PREFIX ex: <http://own/> ASK WHERE { ?s ex:p 1 }"
    assert let_through(own, policy=policy).text == own
    for odd in ({"ex": 1}, ["ex"], "ex", {"ex": "http://x/> } ; DROP ALL #"}, {"ex": "no iri"}):
        with pytest.raises(SettingsError):
            GatePolicy().updated({"prefixes": odd})


def test_a_tree_whose_text_would_read_differently_is_not_sent() -> None:
    parsed = parse("SELECT ?x { ?x <http://p> <http://o> }")

    def with_other(old: str, new: str):
        def change(node):
            if isinstance(node, Iri) and node.value == old:
                return node.changed(value=new)
            return node.changed(name=new) if isinstance(node, Variable) else node

        return transform(parsed.query, change)

    for old, new in (("http://o", "http://o> } ; DROP ALL #"), ("", "x } #"), ("", "x } ; DROP ALL")):
        with pytest.raises(QueryError):
            faithful_text(with_other(old, new), parsed.source)


# The row cap

FIVE = GatePolicy(rows=5)


@pytest.mark.parametrize(
    ("text", "end", "in_text"),
    [
        ("SELECT * { ?s ?p ?o }", "{ ?s ?p ?o } LIMIT 6", True),
        ("SELECT * { ?s ?p ?o } LIMIT 5", "LIMIT 5", True),
        ("SELECT * { ?s ?p ?o } LIMIT 6", "LIMIT 6", True),
        ("SELECT * { ?s ?p ?o } LIMIT 700", "LIMIT 6", True),
        ("SELECT * { ?s ?p ?o } LIMIT 0", "LIMIT 0", True),
        ("SELECT * { ?s ?p ?o } OFFSET 3", "LIMIT 6 OFFSET 3", True),
        ("SELECT * { ?s ?p ?o } OFFSET 3 LIMIT 2", "LIMIT 2 OFFSET 3", True),
        ("SELECT * { ?s ?p ?o } ORDER BY ?o", "ORDER BY ?o LIMIT 6", True),
        ("SELECT * { ?s ?p ?o } VALUES ?s { <http://a> }", "LIMIT 6 VALUES ?s { <http://a> }", True),
        ("SELECT * { { ?s ?p 1 } UNION { ?s ?p 2 } }", "{ { ?s ?p 1 } UNION { ?s ?p 2 } } LIMIT 6", True),
        ("SELECT * { { SELECT * { ?s ?p ?o } LIMIT 2 } }", "LIMIT 2 } } LIMIT 6", True),
        ("SELECT * { ?s ?p ?o } # LIMIT 3", "LIMIT 6", True),
        ("SELECT * { ?s ?p 'LIMIT 3' }", '"LIMIT 3" } LIMIT 6', True),
        ("SELECT (COUNT(*) AS ?limit) { ?s ?p ?o }", "LIMIT 6", True),
        ("ASK { ?s ?p ?o }", "ASK WHERE { ?s ?p ?o }", True),
        ("CONSTRUCT WHERE { ?s ?p ?o }", "LIMIT 6", False),
        ("CONSTRUCT { ?s ?p 1 } WHERE { ?s ?p ?o } LIMIT 4", "LIMIT 4", False),
        ("DESCRIBE ?s WHERE { ?s ?p ?o }", "LIMIT 6", False),
        ("DESCRIBE <http://a>", "DESCRIBE <http://a>", False),
    ],
)
def test_no_query_gives_more_rows_than_allowed(text: str, end: str, in_text: bool) -> None:
    checked = let_through(text, policy=FIVE)
    assert checked.text.endswith(end)
    assert checked.capped_in_text is in_text
    assert checked.row_cap == 5


def test_what_the_cap_changed_is_said() -> None:
    assert let_through("SELECT * { ?s ?p ?o } LIMIT 7", policy=FIVE).notes == (
        "LIMIT 7 was lowered to the cap of 5 rows",
    )
    assert let_through("SELECT * { ?s ?p ?o }", policy=FIVE).notes == ()
    assert "6 solutions" in let_through("CONSTRUCT WHERE { ?s ?p ?o }", policy=FIVE).notes[0]
    free = let_through("SELECT * { ?s ?p ?o }", policy=GatePolicy(rows=None))
    assert free.text == "SELECT * WHERE { ?s ?p ?o }"
    assert free.row_cap is None


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("SELECT ?b ?a { ?a ?b ?c }", ("b", "a")),
        ("SELECT (COUNT(*) AS ?n) ?a { ?a ?b ?c } GROUP BY ?a", ("n", "a")),
        ("SELECT * { ?a ?b _:c OPTIONAL { ?a ?d ?e } MINUS { ?f ?g ?h } }", ("a", "b", "d", "e")),
        ("SELECT * { ?a ?b 1 } VALUES ?v { 1 }", ("a", "b", "v")),
        ("ASK { ?a ?b ?c }", None),
        ("CONSTRUCT WHERE { ?a ?b ?c }", None),
        ("DESCRIBE ?a { ?a ?b ?c }", None),
    ],
)
def test_the_columns_are_told(text: str, columns: tuple[str, ...] | None) -> None:
    assert let_through(text).columns == columns
