"""What deny-lists name appears in no result of SPARQL, is counted by none, and changes none."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.querying.sparql.generated import examples
from tests.querying.sparql.hidden_graph import GRAPH, HIDDEN, OPEN, POLICY, PROPERTIES, RDF_TYPE, SAME, E

from askgraph.core.errors import QueryError, QueryRefusedError
from askgraph.core.hidden import Hidden
from askgraph.querying import GatePolicy, check
from askgraph.querying.sparql.hidden_names import HiddenIris

pyoxigraph = pytest.importorskip("pyoxigraph", reason="the embedded engine, pyoxigraph, is not installed")


@cache
def stored(graph: str = GRAPH) -> Any:
    """The graph in memory; the same each time, so that its blank nodes are."""
    store = pyoxigraph.Store()
    store.load(graph, format=pyoxigraph.RdfFormat.TURTLE)
    return store


def without(store: Any, hidden: Hidden) -> Any:
    """The graph with everything taken out that is hidden."""
    iris = HiddenIris.of(hidden)
    names = {pyoxigraph.NamedNode(iri.value) for iri in iris.names}
    types = {pyoxigraph.NamedNode(iri.value) for iri in iris.types}
    is_a = {(quad.subject, quad.object) for quad in store if quad.predicate.value == RDF_TYPE}
    gone = names | {node for node, type in is_a if type in types}
    owners = {
        (pyoxigraph.NamedNode(key), pyoxigraph.NamedNode(owner.value))
        for key, found in iris.owners.items()
        for owner in found
    }
    left = pyoxigraph.Store()
    for quad in store:
        owned = any(quad.predicate == key and (quad.subject, owner) in is_a for key, owner in owners)
        if not owned and gone.isdisjoint((quad.subject, quad.predicate, quad.object)):
            left.add(quad)
    return left


def rows(store: Any, text: str) -> Any:
    """The result of a query, fit to be compared."""
    result = store.query(text)
    if isinstance(result, pyoxigraph.QueryBoolean):
        return bool(result)
    if isinstance(result, pyoxigraph.QueryTriples):
        return sorted(map(str, result))
    # In which order the columns of SELECT * come, is the engine's choice.
    names = [variable.value for variable in result.variables]
    return sorted(tuple(sorted(zip(names, map(str, row), strict=True))) for row in result)


def asked(text: str, policy: GatePolicy = POLICY) -> Any:
    """What the query gives on the whole graph."""
    return rows(stored(), check(text, language="sparql", policy=policy).text)


def refusal(text: str, policy: GatePolicy = POLICY) -> str:
    """The code of the refusal, or an empty text."""
    try:
        check(text, language="sparql", policy=policy)
    except QueryError as error:
        return error.code
    return ""


@pytest.mark.parametrize("text", SAME)
def test_a_query_gives_what_it_gives_on_a_graph_without_what_is_hidden(text: str) -> None:
    plain = check(text, language="sparql", policy=OPEN).text
    assert asked(text) == rows(without(stored(), HIDDEN), plain)


@pytest.mark.parametrize("text", SAME)
def test_hidden_properties_alone_leave_all_nodes_to_be_seen(text: str) -> None:
    policy = POLICY.updated({"hidden": PROPERTIES})
    if "e:pay" in text or "e:mail" in text:
        assert refusal(text, policy) == "hidden"
        return
    plain = check(text, language="sparql", policy=OPEN).text
    assert asked(text, policy) == rows(without(stored(), PROPERTIES), plain)


def test_there_is_something_to_hide_from_these_queries() -> None:
    whole, left = stored(), without(stored(), HIDDEN)
    plain = [check(text, language="sparql", policy=OPEN).text for text in SAME]
    assert sum(rows(whole, text) != rows(left, text) for text in plain) > len(SAME) * 2 / 3


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?x { ?x a e:Secret }",
        "SELECT ?x { ?x e:mail ?m }",
        "SELECT ?x { ?x e:spies ?m }",
        "SELECT ?x { ?x <http://e/mail> ?m }",
        "PREFIX x: <http://e/ma> SELECT ?x { ?x x:il ?m }",
        "BASE <http://e/> SELECT ?x { ?x <mail> ?m }",
        "SELECT ?x { ?x <mail> ?m }",
        "SELECT ?x { ?x e:knows/e:mail ?m }",
        "SELECT ?x { ?x !e:mail ?m }",
        "SELECT ?x { ?x ^e:mail ?m }",
        "SELECT ?x { ?x (e:knows|e:mail)* ?m }",
        "SELECT ?x { ?x ?p ?m FILTER(?p = e:mail) }",
        "SELECT ?x { ?x ?p ?m FILTER(?p IN (e:name, e:mail)) }",
        "SELECT ?x { VALUES ?p { e:mail } ?x ?p ?m }",
        "SELECT ?x { ?x ?p ?m } VALUES ?p { e:mail }",
        "SELECT ?x { BIND(e:mail AS ?p) ?x ?p ?m }",
        "SELECT ?x { e:mail ?p ?x }",
        "SELECT ?x { ?x e:name ?n FILTER EXISTS { ?x e:mail ?m } }",
        "SELECT ?x { ?x e:name ?n OPTIONAL { ?x e:mail ?m } }",
        "SELECT ?x { ?x e:name ?n MINUS { ?x a e:Secret } }",
        "SELECT ?x { [ e:mail ?x ] }",
        "SELECT ?x { ?x a [ a e:Secret ] }",
        "SELECT ?x { ?x e:likes (1 e:Secret) }",
        "SELECT ?x { { SELECT ?x { ?x a e:Secret } } }",
        "DESCRIBE e:mail",
        "CONSTRUCT { ?x e:mail 1 } { ?x e:name ?n }",
        "SELECT ?x { ?x e:name ?n } ORDER BY (EXISTS { ?x e:mail ?m })",
        "SELECT ?x { ?x e:v '1'^^e:Secret }",
    ],
)
def test_what_is_hidden_cannot_be_named(text: str) -> None:
    assert refusal(text) == "hidden"
    assert refusal(text, OPEN) == ""


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?x { GRAPH ?g { ?x e:name ?n } }",
        "SELECT ?x { GRAPH e:g { ?x e:name ?n } }",
        "SELECT ?x FROM e:g { ?x e:name ?n }",
        "SELECT ?x { ?x e:name ?n SERVICE e:s { ?x ?p ?o } }",
        "SELECT ?x { e:ann e:knows+ ?x }",
        "SELECT ?x { e:ann (e:knows/e:knows)? ?x }",
        "SELECT ?x ?y { ?x e:knows* ?y }",
        "SELECT ?x ?y { ?x e:knows? ?y }",
        "SELECT ?x ?y { ?x e:knows?/e:name? ?y }",
        "SELECT ?x ?y { ?x (e:name|e:knows?) ?y }",
        "SELECT ?x ?y { OPTIONAL { ?x e:name ?n } ?x e:knows? ?y }",
        "SELECT ?x ?y { ?x e:name ?n { SELECT * { ?x e:knows? ?y } } }",
        "SELECT ?x { ?x (e:pay)? ?y . ?x e:name ?n }",
        "SELECT ?x { ?x !(e:name) ?y }",
        "SELECT * { e:ann e:name [] }",
    ],
)
def test_what_cannot_be_kept_from_showing_it_is_refused(text: str) -> None:
    policy = POLICY.updated({"allow_graphs": [E + "g"], "allow_services": [E + "s"]})
    assert refusal(text, policy) == "hidden"
    with pytest.raises(QueryRefusedError) as caught:
        check(text, language="sparql", policy=policy)
    assert caught.value.excerpt
    assert refusal(text, policy.updated({"hidden": Hidden()})) == ""


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?x ?y { ?x !(e:name) ?y }",
        "SELECT ?x ?y { ?x !(^e:name) ?y }",
        "SELECT ?x ?y { ?x !(e:name|^e:knows) ?y }",
        "SELECT ?x { e:ann e:knows+ ?x }",
        "SELECT ?x { e:ann (!(e:name))* ?x }",
        "SELECT ?x { e:ann (e:knows/e:knows)+ ?x }",
        "SELECT ?x ?y { ?x e:name ?n OPTIONAL { ?x e:knows* ?y } }",
        "SELECT ?x ?y { ?x e:name ?n { ?x e:knows* ?y } UNION { ?x (e:name|e:knows?) ?y } }",
        "SELECT ?g { GRAPH ?g { ?x e:name ?n } }",
    ],
)
def test_paths_are_followed_where_only_properties_are_hidden(text: str) -> None:
    policy = POLICY.updated({"hidden": Hidden(properties=(E + "mail", E + "spies"))})
    plain = check(text, language="sparql", policy=OPEN).text
    assert asked(text, policy) == rows(without(stored(), policy.hidden), plain)


def test_a_description_gives_what_is_visible_of_a_node() -> None:
    left = without(stored(), HIDDEN)
    for text, nodes in (
        ("DESCRIBE e:ann", ["ann"]),
        ("DESCRIBE e:ann e:cat e:sid", ["ann", "cat"]),
        ("DESCRIBE ?x { ?x a e:Artist }", ["bob", "cat"]),
        ("DESCRIBE ?x ?y { ?x e:knows ?y . ?x a e:Artist }", ["bob", "cat", "ann"]),
        ("DESCRIBE * { ?x e:name 'Bob' }", ["bob"]),
        ("DESCRIBE ?x e:ann { ?x e:name ?n } ORDER BY ?n LIMIT 1 OFFSET 1", ["ann", "bob"]),
        ("DESCRIBE e:eve", []),
    ):
        values = " ".join(f"<{E}{node}>" for node in nodes)
        wanted = rows(left, f"CONSTRUCT {{ ?x ?p ?o }} {{ VALUES ?x {{ {values} }} ?x ?p ?o }}")
        assert sorted(set(asked(text))) == sorted(set(wanted)), text
        assert any("DESCRIBE" in note for note in check(text, language="sparql", policy=POLICY).notes)


def test_what_is_shown_of_a_query_names_nothing_hidden() -> None:
    checked = check("SELECT * { ?s ?p ?o }", language="sparql", policy=POLICY)
    assert "Secret" in checked.text
    assert checked.shown == "SELECT * WHERE { ?s ?p ?o }"
    assert "Secret" not in f"{checked.shown} {checked!r} {checked.notes} {checked.columns} {checked.tree!r}"
    assert checked.columns == ("s", "p", "o")
    capped = check("SELECT * { ?s ?p ?o }", language="sparql", policy=POLICY.updated({"rows": 3}))
    assert capped.shown.endswith("LIMIT 4")
    assert capped.text.endswith("LIMIT 4")
    plain = check("SELECT * { ?s ?p ?o }", language="sparql", policy=OPEN)
    assert plain.shown == plain.text


def test_variables_that_are_added_take_no_name_of_the_query() -> None:
    text = "SELECT ?_1 ?_2 { ?_1 e:knows/e:name ?_2 . [] e:knows ?_1 }"
    assert asked(text) == rows(without(stored(), HIDDEN), check(text, language="sparql", policy=OPEN).text)


@pytest.mark.parametrize(
    ("hidden", "names", "owners"),
    [
        (Hidden(("Secret",), ("mail", "Person.mail")), [], {}),
        (Hidden((E + "A",), (E + "b",)), [E + "A", E + "b"], {}),
        (Hidden((), (f"{E}A.{E}b", f"{E}C.{E}b")), [], {E + "b": [E + "A", E + "C"]}),
        (Hidden((), ("http://www.w3.org/a.b",)), ["http://www.w3.org/a.b"], {}),
        (Hidden((), ("http://x/a.b:c",)), ["http://x/a.b:c"], {"b:c": ["http://x/a"]}),
        (Hidden(("http://x/> } #",), ()), [], {}),
    ],
)
def test_deny_lists_are_read_as_iris(hidden: Hidden, names: list[str], owners: dict[str, list[str]]) -> None:
    iris = HiddenIris.of(hidden)
    assert [iri.value for iri in iris.names] == names
    assert {key: [iri.value for iri in found] for key, found in iris.owners.items()} == owners


# Graphs and queries that nobody wrote.

PEOPLE = ["e:a", "e:b", "e:c", "e:d"]
FACTS = st.one_of(
    st.tuples(st.sampled_from(PEOPLE), st.sampled_from(["e:k", "e:l", "e:spies"]), st.sampled_from(PEOPLE)),
    st.tuples(st.sampled_from(PEOPLE), st.just("a"), st.sampled_from(["e:A", "e:Person", "e:Secret"])),
    st.tuples(st.sampled_from(PEOPLE), st.sampled_from(["e:pay", "e:mail", "e:name"]), st.sampled_from("12")),
    st.tuples(st.sampled_from(["e:Secret", "e:mail", "e:A"]), st.just("e:name"), st.sampled_from("12")),
)
GRAPHS = st.lists(FACTS, min_size=3, max_size=14).map(
    lambda facts: "@prefix e: <http://e/> . " + " ".join(f"{' '.join(fact)} ." for fact in facts)
)
ENDS = st.sampled_from(["?x", "?y", "?z", "e:a", "e:b", "[]", "_:n"])
VERBS = st.sampled_from(
    ["e:k", "e:l", "e:pay", "e:name", "a", "?p", "^e:k", "e:k/e:l", "e:k|e:pay", "(e:k/^e:k|e:l)", "e:k/e:l?",
     "^e:pay/e:k"]
)  # fmt: skip
OBJECTS = st.one_of(ENDS, st.sampled_from(["1", "[ e:k ?z ]", "e:A", "(?x 1)"]))
TRIPLES = st.builds("{} {} {} .".format, ENDS, VERBS, OBJECTS)


def _around(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("{} {}".format, TRIPLES, inner),
        st.builds("{} OPTIONAL {{ {} }}".format, TRIPLES, inner),
        st.builds("{{ {} }} UNION {{ {} }}".format, inner, inner),
        st.builds("{} MINUS {{ {} }}".format, TRIPLES, inner),
        st.builds("{} FILTER {} {{ {} }}".format, TRIPLES, st.sampled_from(["EXISTS", "NOT EXISTS"]), inner),
        st.builds("{} FILTER(?x != ?y || ?z > 1)".format, inner),
        st.builds("{} BIND(STR(?x) AS ?s)".format, inner),
        st.builds("{{ SELECT ?x (COUNT(*) AS ?c) {{ {} }} GROUP BY ?x }}".format, inner),
        st.builds("VALUES ?x {{ e:a e:c }} {}".format, inner),
    )


QUERIES = st.builds(
    "{} {{ {} }}".format,
    st.sampled_from(
        ["SELECT ?x ?y ?z ?p", "SELECT (COUNT(*) AS ?n)", "SELECT DISTINCT ?p ?x", "ASK", "CONSTRUCT { ?x ?p ?z }"]
    ),
    st.recursive(TRIPLES, _around, max_leaves=4),
)  # fmt: skip


@examples(250)
@given(GRAPHS, QUERIES)
def test_nothing_leaks_from_graphs_and_queries_that_nobody_wrote(graph: str, text: str) -> None:
    if text.count("_:n") > 1:
        # A blank node may stand in one pattern only.
        text = text.replace("_:n", "?n")
    try:
        hiding = check(text, language="sparql", policy=POLICY)
    except QueryError:
        assume(False)
    plain = check(text, language="sparql", policy=OPEN)
    whole = stored(graph)
    assert rows(whole, hiding.text) == rows(without(whole, HIDDEN), plain.text)
