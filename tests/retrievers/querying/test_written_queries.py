"""Queries of a model: gated, put right, run, and what became of each told apart."""

from __future__ import annotations

import pytest
from tests.engine.conftest import company

from askgraph import open_graph
from askgraph.core.budget import Budget
from askgraph.core.errors import DeadlineExceededError
from askgraph.strategies.agent.assembly import Assembly


@pytest.fixture(scope="module")
def queries(tmp_path_factory):
    from askgraph import Settings

    folder = tmp_path_factory.mktemp("askgraph")
    settings = Settings.load(save_runs=False, cache_dir=folder / "cache", data_dir=folder / "data")
    with open_graph(company(), settings=settings) as graph:
        yield Assembly(graph.parts())._written_queries()


@pytest.mark.parametrize(
    ("text", "outcome", "told"),
    [
        ("MATCH (n:Department) RETURN n", "rows", "it gave 2 rows"),
        ("MATCH (n:Product) WHERE n.price > 1000 RETURN n", "empty", "it ran and found nothing"),
        ("MATCH (n:Department {name: 'Kitchens'}) RETURN n", "empty", "Kitchens"),
        ("MATCH (n:Kitchen) RETURN n", "wrong", "Kitchen"),
        ("MATCH (n) SET n.x = 1", "refused", "it may not run"),
        ("CREATE (n:Department)", "refused", "it may not run"),
        ("MATCH (n:Department RETURN n", "wrong", "It cannot be read"),
        ("RETURN 1/0 AS x", "failed", "divides by zero"),
    ],
)
def test_what_became_of_a_query_is_told_apart(queries, text, outcome, told):
    ran = queries.run(text, Budget())
    assert ran.outcome == outcome
    assert told in ran.feedback
    assert bool(ran.evidence.facts) == (outcome == "rows")
    assert bool(ran.answers) == (outcome == "rows")


def test_a_value_in_another_spelling_is_put_right_and_that_is_said(queries):
    ran = queries.run("MATCH (e:Employee {name: 'ada lovelace'})-[:MEMBER_OF]->(d) RETURN d", Budget())
    assert [answer.node for answer in ran.answers] == ["d1"]
    assert any("Ada Lovelace" in note for note in ran.evidence.notes)


def test_a_fence_or_a_preamble_does_not_keep_a_query_from_running(queries):
    for text in ("```cypher\nMATCH (n:Product) RETURN n\n```", "Here it is:\nMATCH (n:Product) RETURN n"):
        assert len(queries.run(text, Budget()).answers) == 3


def test_a_literal_that_looks_like_a_write_is_no_write(queries):
    ran = queries.run("MATCH (n:Product) WHERE n.name <> 'Tea SET // DELETE' RETURN n", Budget())
    assert ran.outcome == "rows"


def test_the_time_of_the_run_is_kept(queries):
    with pytest.raises(DeadlineExceededError):
        queries.run("MATCH (n:Product) RETURN n", Budget(seconds=0))


def test_dates_and_other_values_come_through(queries):
    ran = queries.run("RETURN date('2024-05-01') AS day, 1.5 AS number, [1, 2] AS list", Budget())
    assert ran.outcome == "rows"
    assert "2024-05-01" in ran.evidence.facts[0].text
