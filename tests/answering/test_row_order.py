"""Why a row is the one that was asked for: the order of its query, in words, and held against what a model says."""

from __future__ import annotations

import pytest

from askgraph.answering.support.judge import Judge
from askgraph.core.graph import Name, Node
from askgraph.core.query_result import QueryResult
from askgraph.retrievers.querying.query_rows import row_facts


def facts(query, columns, *rows, limit=10):
    return row_facts(QueryResult(tuple(columns), list(rows)), query, limit=limit)


def verdict(text, facts, question):
    return Judge(list(facts), question).judge(text, ()).verdict.kind


CHEAPEST = "MATCH (p:Product) RETURN p.name AS name, p.price AS price ORDER BY p.price LIMIT 1"
DEAREST = "MATCH (p:Product) RETURN p.name AS name, p.price AS price ORDER BY price DESC LIMIT 3"
NAMELESS = "MATCH (p:Product) RETURN p.name AS name ORDER BY p.price LIMIT 1"
SPARQL = """PREFIX v: <http://e.org/v/> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
SELECT ?name ?price { ?p a v:Product ; rdfs:label ?name ; v:price ?price } ORDER BY ?price LIMIT 1"""
MOST = (
    "MATCH (d:Department)<-[:MEMBER_OF]-(e:Employee)"
    " RETURN d.name AS department, count(e) AS n ORDER BY n DESC LIMIT 1"
)
WORKED_OUT = (
    "MATCH (p:Product) WITH min(p.price) AS least MATCH (q:Product) WHERE q.price = least"
    " RETURN q.name AS name"
)


@pytest.mark.parametrize(
    ("query", "columns", "row", "said"),
    [
        (CHEAPEST, ["name", "price"], ("Punch Card", 2.0), "with the least price"),
        (NAMELESS, ["name"], ("Punch Card",), "with the least price"),
        (DEAREST, ["name", "price"], ("Difference Engine", 120.5), "with the most price"),
        (SPARQL, ["name", "price"], ("Punch Card", 2.0), "with the least price"),
        (MOST, ["department", "n"], ("Engines", 2), "with the most Employee"),
        (WORKED_OUT, ["name"], ("Punch Card",), "with the least price"),
        (
            "MATCH (p:Product)-[r:SOLD_IN]->() RETURN p.name, sum(r.amount) AS total ORDER BY total DESC",
            ["p.name", "total"],
            ("Punch Card", 9),
            "with the most total amount",
        ),
    ],
)
def test_the_order_of_a_query_is_said_of_the_row_that_stands_first(query, columns, row, said):
    [fact] = facts(query, columns, row)
    assert fact.step == said
    assert fact.text.endswith(f"({said})")


@pytest.mark.parametrize(
    ("query", "columns", "row"),
    [
        ("MATCH (p:Product) RETURN p.name AS name, p.price AS price", ["name", "price"], ("Punch Card", 2.0)),
        # The second, and whatever is ordered by what no word says.
        ("MATCH (p:Product) RETURN p.name AS name ORDER BY p.price SKIP 1 LIMIT 1", ["name"], ("Compiler",)),
        ("MATCH (p:Product) RETURN p.name AS name ORDER BY rand() LIMIT 1", ["name"], ("Compiler",)),
        # A product without a price stands first when it is sorted downwards, and the row does not show that.
        ("MATCH (p:Product) RETURN p.name AS name ORDER BY p.price DESC LIMIT 1", ["name"], ("Compiler",)),
        (DEAREST, ["name", "price"], ("Priceless", None)),
        ("not a query", ["name"], ("Compiler",)),
        ("MATCH (a) RETURN a.name AS name UNION MATCH (b) RETURN b.name AS name", ["name"], ("Compiler",)),
    ],
)
def test_of_other_rows_nothing_is_said(query, columns, row):
    [fact] = facts(query, columns, row)
    assert fact.step == ""
    assert "(with" not in fact.text


def test_rows_that_tie_are_all_the_cheapest_and_the_next_is_not():
    found = facts(DEAREST, ["name", "price"], ("One", 5), ("Two", 5), ("Three", 4))
    assert [fact.step for fact in found] == ["with the most price", "with the most price", ""]


def test_a_node_shows_what_it_was_ordered_by():
    query = "MATCH (p:Product) RETURN p ORDER BY p.price DESC LIMIT 1"
    node = Node("a", (Name("Difference Engine"),), ("Product",), {"price": 120.5})
    assert facts(query, ["p"], (node,))[0].step == "with the most price"


@pytest.mark.parametrize(
    ("query", "columns", "rows", "question", "good", "bad"),
    [
        (
            CHEAPEST,
            ["name", "price"],
            [("Punch Card", 2.0)],
            "Which product is the cheapest?",
            ["Punch Card is the cheapest product.", "The cheapest product is Punch Card, with price 2."],
            ["Compiler is the cheapest product.", "Punch Card is the most expensive product.",
             "Punch Card is the heaviest product."],
        ),
        (
            DEAREST,
            ["name", "price"],
            [("Difference Engine", 120.5), ("Compiler", 80.0), ("Punch Card", 2.0)],
            "What is the most expensive product?",
            ["Difference Engine is the most expensive.", "The most expensive product is Difference Engine."],
            ["Compiler is the most expensive.", "Punch Card is the cheapest."],
        ),
        (
            SPARQL,
            ["name", "price"],
            [("Punch Card", 2.0)],
            "Which product is the cheapest?",
            ["Punch Card is the cheapest product."],
            ["Compiler is the cheapest product."],
        ),
        (
            MOST,
            ["department", "n"],
            [("Engines", 2)],
            "Which department has the most employees?",
            ["Engines has the most employees."],
            ["Compilers has the most employees.", "Engines has the fewest employees.",
             "Engines has the most products."],
        ),
        (
            WORKED_OUT,
            ["name"],
            [("Punch Card",)],
            "Which product is the cheapest?",
            ["Punch Card is the cheapest product."],
            ["Compiler is the cheapest product."],
        ),
        (
            "MATCH (e:Employee) RETURN e.name AS name, e.birthDate AS born ORDER BY e.birthDate LIMIT 1",
            ["name", "born"],
            [("Ada Lovelace", "1815-12-10")],
            "Who is the oldest employee?",
            ["Ada Lovelace is the oldest employee."],
            ["Ada Lovelace is the youngest employee."],
        ),
        (
            "MATCH (e:Employee) RETURN e.name AS name, e.age AS age ORDER BY e.age LIMIT 1",
            ["name", "age"],
            [("Ada Lovelace", 36)],
            "Who is the youngest employee?",
            ["Ada Lovelace is the youngest employee."],
            ["Ada Lovelace is the oldest employee."],
        ),
    ],
)  # fmt: skip
def test_the_end_of_a_scale_is_supported_for_the_row_that_stands_there_alone(
    query, columns, rows, question, good, bad
):
    found = facts(query, columns, *rows)
    for sentence in good:
        assert verdict(sentence, found, question) == "supported", sentence
    for sentence in bad:
        assert verdict(sentence, found, question) == "unsupported", sentence


@pytest.mark.parametrize(
    ("condition", "question", "kind"),
    [
        ("", "What is the cheapest product?", "supported"),
        ("WHERE p.maker = 'Anderson'", "What is the cheapest product?", "unsupported"),
        ("WHERE p.maker = 'Anderson'", "What is the cheapest product by Anderson?", "supported"),
        ("WHERE p.price > 10", "What is the cheapest product?", "unsupported"),
        ("WHERE p.price > 10", "What is the cheapest product over 10 euro?", "supported"),
        ("WHERE p.price IS NOT NULL", "What is the cheapest product?", "supported"),
        ("WHERE NOT (p)-[:SOLD_IN]->()", "What is the cheapest product?", "unsupported"),
    ],
)
def test_the_cheapest_of_some_is_not_the_cheapest_unless_these_were_asked_for(condition, question, kind):
    query = f"MATCH (p:Product) {condition} RETURN p.name AS name, p.price AS price ORDER BY price LIMIT 1"
    found = facts(query, ["name", "price"], ("Punch Card", 12.0))
    assert verdict("Punch Card is the cheapest product.", found, question) == kind
