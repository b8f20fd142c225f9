"""What a row says by the query that gave it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askgraph.answering.support.judge import Judge
from askgraph.answering.support.query_reading import Triple, read_query
from askgraph.core.evidence import Fact


def row(query: str, *elements: str, text: str = "", kind: str = "row", **columns: object) -> Fact:
    shown = text or "; ".join(f"{name}: {value}" for name, value in columns.items())
    return Fact(shown, kind, 1.0, "query", elements=elements, provenance={"query": query}, row=columns)  # type: ignore[arg-type]


MANAGER = "MATCH (e:Employee {name: 'Ada Lovelace'})-[:HAS_MANAGER]->(m) RETURN m.name AS manager"
SPARQL = """
PREFIX pv: <http://ld.company.org/prod-vocab/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
SELECT ?name ?phone WHERE {
  ?e a pv:Employee ; rdfs:label "Heinrich Hoch" ; pv:hasManager ?m .
  ?m rdfs:label ?name ; pv:phone ?phone .
}
"""


def verdict(text: str, fact: Fact, question: str = "Who manages Ada Lovelace?") -> str:
    return Judge([fact], question).judge(text, (1,)).verdict.kind


@pytest.mark.parametrize(
    ("query", "columns", "good", "bad"),
    [
        (
            MANAGER,
            {"manager": "Charles Babbage"},
            ["The manager of Ada Lovelace is Charles Babbage.", "Charles Babbage manages Ada Lovelace."],
            ["Ada Lovelace manages Charles Babbage.", "The manager of Ada Lovelace is Grace Hopper.",
             "The manager of Grace Hopper is Charles Babbage.", "Charles Babbage married Ada Lovelace."],
        ),
        (
            "MATCH (m)<-[:HAS_MANAGER]-(e) WHERE toLower(e.name) = 'ada lovelace' RETURN m.name, m.phone LIMIT 5",
            {"m.name": "Charles Babbage", "m.phone": "+44 2"},
            ["Ada Lovelace's manager is Charles Babbage.", "Charles Babbage's phone is +44 2."],
            ["Charles Babbage's manager is Ada Lovelace.", "Ada Lovelace's phone is +44 2."],
        ),
        (
            "MATCH (d:Department {name: 'Engines'})<-[:MEMBER_OF]-(e:Employee) RETURN count(e) AS employees",
            {"employees": 12},
            ["12 employees are members of Engines.", "Engines has 12 employees."],
            ["13 employees are members of Engines.", "12 employees are members of Compilers."],
        ),
        (
            SPARQL,
            {"name": "Waldtraud Kuttner", "phone": "+49 7"},
            ["Heinrich Hoch's manager is Waldtraud Kuttner.", "Waldtraud Kuttner's phone is +49 7."],
            ["Waldtraud Kuttner's manager is Heinrich Hoch.", "Heinrich Hoch's phone is +49 7.",
             "Heinrich Hoch's manager is Nina Quast."],
        ),
        (
            ("SELECT (COUNT(DISTINCT ?p) AS ?n) { ?p a <http://e.org/Product> ; <http://e.org/hasSupplier> ?s . "
            '?s <http://e.org/name> ?x . FILTER(LCASE(?x) = "anderson ltd") }'),
            {"n": 7},
            ["Anderson Ltd is the supplier of 7 products."],
            ["Anderson Ltd is the supplier of 8 products.", "Petty Ltd is the supplier of 7 products."],
        ),
    ],
)  # fmt: skip
def test_a_row_says_what_its_query_asked_for(query, columns, good, bad):
    fact = row(
        query,
        kind="count" if len(columns) == 1 and isinstance(next(iter(columns.values())), int) else "row",
        **columns,
    )
    for sentence in good:
        assert verdict(sentence, fact) == "supported", sentence
    for sentence in bad:
        assert verdict(sentence, fact) == "unsupported", sentence


def test_a_node_in_a_row_is_called_by_its_name_and_known_by_its_id():
    query = "MATCH (e {name: 'Ada Lovelace'})-[:HAS_MANAGER]->(m) RETURN m"
    fact = row(query, "p2", text="m: Charles Babbage", m="p2")
    judged = Judge([fact], "Who manages Ada Lovelace?").judge("Charles Babbage manages Ada Lovelace.", (1,))
    assert judged.verdict.kind == "supported"
    assert {end.node for item in judged.verdict.statements for end in item.ends if end.name} >= {"p2"}


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (e:Employee) WHERE NOT (e)-[:HAS_MANAGER]->(:Manager {name: 'Ada Lovelace'}) RETURN e.name AS name",
        'SELECT ?name { ?e rdfs:label ?name . MINUS { ?e pv:hasManager ?m . ?m rdfs:label "Ada Lovelace" } }',
    ],
)
def test_a_query_that_denies_says_nothing_of_what_it_denies(query):
    assert not read_query(query).triples
    fact = row(query, name="Charles Babbage")
    assert verdict("Ada Lovelace manages Charles Babbage.", fact) == "unsupported"


def test_an_edge_without_a_direction_is_read_as_it_is_written():
    assert read_query("MATCH (a)-[:KNOWS]-(b) RETURN a").triples == [Triple("?a", "KNOWS", "?b")]


@given(st.text(alphabet="MATCHRETURNselect?x:{}()[]-<>.;,'\"= aw1", max_size=80))
def test_no_query_breaks_the_reading(query):
    read_query(query)
    Judge([row(query, x="one", n=2)], "What?").judge("One is two.", (1,))


ASKED = 'ASK { ?e rdfs:label "Ada Lovelace" ; pv:hasManager ?m . ?m rdfs:label "Charles Babbage" }'


@pytest.mark.parametrize(
    ("answer", "sentence", "kind"),
    [
        (True, "Yes, Charles Babbage is the manager of Ada Lovelace.", "supported"),
        (True, "Charles Babbage is not the manager of Ada Lovelace.", "unsupported"),
        (False, "No, Charles Babbage is not the manager of Ada Lovelace.", "supported"),
        (False, "Charles Babbage is the manager of Ada Lovelace.", "unsupported"),
        (False, "Charles Babbage has manager Ada Lovelace.", "unsupported"),
    ],
)
def test_a_query_that_asks_whether_is_so_or_not(answer, sentence, kind):
    fact = row(ASKED, kind="count", text="answer: x", answer=answer)
    assert verdict(sentence, fact) == kind
