"""Questions are asked, measured, and what failed first is found."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from askgraph import Graph, Settings, open_graph
from askgraph.core.errors import EvaluationError, PlanError
from askgraph.evaluation.asking import evaluate, sample
from askgraph.evaluation.gold_answers import gold_of
from askgraph.evaluation.outcome import Outcome
from askgraph.models.scripted import ScriptedModel

from .conftest import company, questions

MANAGER_OF_CLARA = {
    "nodes": [{"variable": "manager"}, {"variable": "clara", "ids": ["p2"]}],
    "edges": [{"source": "clara", "target": "manager", "types": ["HAS_MANAGER"]}],
    "columns": [{"name": "manager", "expression": {"node": "manager"}}],
}


def asked(graph: Graph, question: str, **gold: Any) -> Outcome:
    (found,) = evaluate(graph, questions({"question": question, **gold})).outcomes
    return found


def changed(**changes: Any) -> dict[str, Any]:
    return {"plan": MANAGER_OF_CLARA | changes}


# --- what is right


def test_answers_by_name_id_and_gold_query_are_the_same(graph: Graph) -> None:
    for gold in ({"answers": ["agnes sorrel"]}, {"answers": ["p0"]}, {"query": {"plan": MANAGER_OF_CLARA}}):
        found = asked(graph, "Who is the manager of Clara Umber?", **gold)
        assert (found.f1, found.hit_1, found.failing_step) == (1, True, "")


def test_a_gold_query_tells_what_was_linked_and_found(graph: Graph) -> None:
    found = asked(graph, "Who is the manager of Clara Umber?", query={"plan": MANAGER_OF_CLARA})
    assert (found.seed_recall, found.seed_precision, found.kind) == (1, 1, "one hop")
    assert (found.entity_coverage, found.relation_coverage, found.execution) == (1, 1, True)
    assert found.seconds > 0
    assert found.confidence > 0.5
    assert found.reading


def test_answers_alone_tell_nothing_of_the_steps_but_whether_the_query_was_right(graph: Graph) -> None:
    found = asked(graph, "Who is the manager of Clara Umber?", answers=["p0"])
    assert (found.seed_recall, found.seed_precision) == (None, None)
    assert (found.entity_coverage, found.relation_coverage) == (None, None)
    assert found.execution is True
    assert asked(graph, "Who is the manager of Clara Umber?", answers=["p3"]).execution is False


def test_a_right_query_that_was_not_trusted_is_a_right_query(graph: Graph) -> None:
    settings = Settings.load(save_runs=False, least_confidence=1.0)
    with open_graph(company(), settings=settings) as careful:
        found = asked(careful, "Who is the manager of Clara Umber?", query={"plan": MANAGER_OF_CLARA})
    assert found.abstained
    assert (found.execution, found.f1) == (True, 0)
    assert found.failing_step == "abstention"


def test_a_question_for_which_no_query_was_made_counts_as_a_wrong_one(graph: Graph) -> None:
    found = asked(graph, "Colourless ideas?", answers=["p0"])
    assert found.abstained
    assert found.execution is False


def test_a_question_that_cannot_be_answered_has_no_query_to_be_right(graph: Graph) -> None:
    assert asked(graph, "What is the shoe size of Zebulon Quince?", answers=[]).execution is None


def test_a_query_that_a_model_wrote_is_what_is_measured() -> None:
    query = "MATCH (:Employee {name: 'Clara Umber'})-[:HAS_MANAGER]->(m) RETURN m.name AS name, m AS manager"
    model = ScriptedModel([query, "Agnes Sorrel. [1]"])
    with open_graph(company(), settings=Settings.load(save_runs=False), model=model) as asking:
        gold = questions(
            {"question": "Who is the manager of Clara Umber?", "query": {"plan": MANAGER_OF_CLARA}}
        )
        (found,) = evaluate(asking, gold, strategy="query").outcomes
    assert found.execution is True  # in one of its columns
    assert found.relation_coverage == 1


def test_a_traversal_is_measured_by_what_it_found_also_where_it_has_no_answer(graph: Graph) -> None:
    gold = questions(
        {
            "question": "How many years older than Clara Umber is her manager?",
            "query": {"plan": MANAGER_OF_CLARA},
        }
    )
    (found,) = evaluate(graph, gold, strategy="paths").outcomes
    assert found.abstained
    assert (found.entity_coverage, found.relation_coverage, found.execution) == (1, 1, None)


def test_a_query_that_asks_whether(graph: Graph) -> None:
    plan = MANAGER_OF_CLARA | {
        "nodes": [{"variable": "manager", "ids": ["p0"]}, {"variable": "clara", "ids": ["p2"]}]
    }
    found = asked(graph, "Is Agnes Sorrel the manager of Clara Umber?", query={"plan": plan, "asks": True})
    assert found.gold == ("True",)
    assert found.kind == "yes/no"


def test_a_form_that_the_file_gives_is_kept(graph: Graph) -> None:
    assert asked(graph, "Who manages Clara Umber?", answers=["p0"], form="easy").kind == "easy"


def test_a_question_without_an_answer_is_right_without_one(graph: Graph) -> None:
    found = asked(graph, "What is the shoe size of Zebulon Quince?", answers=[])
    assert found.is_unanswerable
    assert (found.credit, found.f1, found.kind, found.failing_step) == (1, None, "unanswerable", "")


def test_an_answer_where_there_is_none_is_wrong(graph: Graph) -> None:
    found = asked(graph, "Who is the manager of Clara Umber?", answers=[])
    assert (found.credit, found.failing_step) == (0, "abstention")
    assert "cannot answer it" in found.reason


# --- what failed first


def test_what_is_not_linked_fails_at_linking(graph: Graph) -> None:
    found = asked(graph, "Who is the manager of Umbra Clarissa?", query={"plan": MANAGER_OF_CLARA})
    assert (found.failing_step, found.seed_recall) == ("linking", 0)


def test_another_relation_fails_at_the_relation(graph: Graph) -> None:
    plan = changed(edges=[{"source": "clara", "target": "manager", "types": ["MEMBER_OF"]}])
    found = asked(graph, "Who is the manager of Clara Umber?", query=plan)
    assert found.failing_step == "relation"
    assert "member of" in found.reason
    assert found.relation_coverage == 0


def test_the_right_relation_the_other_way_round_fails_at_the_path(graph: Graph) -> None:
    plan = {
        "nodes": [{"variable": "x"}, {"variable": "agnes", "ids": ["p0"]}],
        "edges": [{"source": "x", "target": "agnes", "types": ["HAS_MANAGER"]}],
        "columns": [{"name": "x", "expression": {"node": "x"}}],
    }
    right = asked(graph, "Who is managed by Agnes Sorrel?", query={"plan": plan})
    turned = plan | {
        "edges": [{"source": "x", "target": "agnes", "types": ["MEMBER_OF"], "direction": "both"}]
    }
    assert right.f1 == 1
    further = plan | {
        "nodes": [{"variable": "x"}, {"variable": "y"}, {"variable": "agnes", "ids": ["p0"]}],
        "edges": [
            {"source": "agnes", "target": "y", "types": ["HAS_MANAGER"], "direction": "both"},
            {"source": "y", "target": "x", "types": ["HAS_MANAGER"], "direction": "both"},
        ],
        "where": {"not": {"is null": {"node": "x"}}},
    }
    found = asked(graph, "Who is managed by Agnes Sorrel?", query={"plan": further})
    assert found.failing_step == "path"
    assert "edges where 2 are right" in found.reason
    assert asked(
        graph, "Who is managed by Agnes Sorrel?", answers=["Sales"], query={"plan": turned}
    ).failing_step


def test_something_else_made_of_the_right_pattern_fails_at_the_form(graph: Graph) -> None:
    plan = {
        "nodes": [{"variable": "x", "types": ["Employee"]}, {"variable": "d", "ids": ["d0"]}],
        "edges": [{"source": "x", "target": "d", "types": ["MEMBER_OF"]}],
        "columns": [{"name": "n", "expression": {"aggregate": "count"}}],
    }
    found = asked(graph, "Which employees are members of Research?", query={"plan": plan})
    assert (found.failing_step, found.reason) == ("form", "the gold query counts")


def test_without_a_gold_query_a_right_reading_that_was_not_chosen_tells(graph: Graph) -> None:
    found = asked(graph, "Who is the manager of Clara Umber?", answers=["Edgar Wren", "Clara Umber"])
    assert found.failing_step in ("path", "unknown")
    unknown = asked(graph, "Who is the manager of Clara Umber?", answers=["Somebody Else"])
    assert unknown.failing_step == "unknown"


def test_a_deadline_is_an_error_of_the_question_alone(graph: Graph) -> None:
    found = evaluate(
        graph,
        questions({"question": "Who is the manager of Clara Umber?", "answers": ["p0"]}),
        timeout=1e-9,
    ).outcomes[0]
    assert found.failing_step in ("error", "relation", "unknown", "abstention")
    assert found.f1 == 0


# --- the set


SET = questions(
    *({"question": f"Who is the manager of number {number}?", "answers": ["p0"]} for number in range(20))
)


def test_a_limit_takes_the_first_or_by_lot(graph: Graph) -> None:
    assert [item.id for item in sample(SET.questions, 3, None)] == ["1", "2", "3"]
    drawn = [item.id for item in sample(SET.questions, 5, 7)]
    assert drawn == [item.id for item in sample(SET.questions, 5, 7)]
    assert drawn == sorted(drawn, key=int)
    assert drawn != [item.id for item in sample(SET.questions, 5, 8)]
    assert len(sample(SET.questions, 99, 1)) == 20
    with pytest.raises(EvaluationError, match="at least one"):
        sample(SET.questions, 0, None)


def test_two_evaluations_are_the_same_but_for_times(graph: Graph) -> None:
    some = questions(
        {"question": "Who is the manager of Clara Umber?", "answers": ["p0"]},
        {"question": "How many employees are there?", "answers": [6]},
        {"question": "Who is the oldest employee?", "answers": ["p0"]},
    )

    def content() -> list[dict[str, Any]]:
        return [item.to_dict() | {"seconds": 0} for item in evaluate(graph, some).outcomes]

    assert content() == content()


def test_a_question_whose_gold_query_cannot_be_run_is_left_out(graph: Graph) -> None:
    some = questions(
        {"question": "Who?", "query": "SELECT ?x { ?x ?y ?z }"},
        {"question": "Who is the manager of Clara Umber?", "answers": ["p0"]},
    )
    found = evaluate(graph, some)
    assert len(found.outcomes) == 1
    assert "it is sparql" in found.left_out["1"]


def test_a_set_of_which_nothing_can_be_asked(graph: Graph) -> None:
    with pytest.raises(EvaluationError, match="no question has right answers"):
        evaluate(graph, questions({"question": "Who?", "query": "SELECT ?x { ?x ?y ?z }"}))


# --- gold queries in SPARQL


@pytest.fixture(scope="module")
def ck25(ck25_turtle: Path) -> Iterator[Graph]:
    with open_graph(ck25_turtle, settings=Settings.load(save_runs=False)) as opened:
        yield opened


PREFIX = "PREFIX pv: <http://ld.company.org/prod-vocab/> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> "


def gold(graph: Graph, query: str) -> Any:
    (question,) = questions({"question": "Who?", "query": PREFIX + query}).questions
    return gold_of(question, graph.store, 30)


def test_sparql_gives_nodes_values_and_truths(ck25: Graph) -> None:
    people = gold(ck25, "SELECT ?e { ?e a pv:Manager } LIMIT 3")
    assert len(people.items) == 3
    assert all(item.node and item.node.startswith("http://") for item in people.items)
    assert gold(ck25, "SELECT (COUNT(*) AS ?n) { ?e a pv:Manager }").items[0].forms[0] > 0
    assert gold(ck25, "ASK { ?e a pv:Manager }").items[0].forms == (True,)
    assert gold(ck25, "SELECT ?e { ?e a pv:Unicorn }").is_unanswerable


def test_several_columns_are_rows_and_the_first_is_the_answer(ck25: Graph) -> None:
    found = gold(ck25, "SELECT ?name ?mail { ?e a pv:Manager ; pv:email ?mail ; pv:name ?name } LIMIT 2")
    assert len(found.rows) == 2
    assert found.items == tuple(row[0] for row in found.rows)


def test_casts_to_derived_integers_are_run(ck25: Graph) -> None:
    assert gold(ck25, 'SELECT (xsd:int("7") AS ?n) {}').items[0].forms == (7,)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SELECT ?x { SERVICE <http://127.0.0.1:9/sparql> { ?x ?y ?z } }", "SERVICE|another server"),
        ("INSERT DATA { <urn:a> <urn:b> <urn:c> }", "neither SPARQL nor Cypher|cannot be run"),
        ("SELECT ?x { ?x", "cannot be run"),
        ("CONSTRUCT { ?x a pv:Manager } WHERE { ?x a pv:Manager }", "SELECT or ASK|gives triples"),
    ],
)
def test_gold_queries_neither_write_nor_leave_the_graph(ck25: Graph, query: str, message: str) -> None:
    with pytest.raises(Exception, match=message) as caught:
        gold(ck25, query)
    assert type(caught.value).__name__ in ("EvaluationError", "Fault")


@pytest.mark.parametrize(("strategy", "said"), [("agent", "language model"), ("magic", "no strategy")])
def test_a_strategy_that_cannot_be_taken_is_an_error_and_no_figure(
    graph: Graph, strategy: str, said: str
) -> None:
    with pytest.raises(PlanError, match=said):
        evaluate(graph, questions({"question": "Who?", "answers": ["x"]}), strategy=strategy)
