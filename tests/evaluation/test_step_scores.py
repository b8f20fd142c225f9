"""Seeds, coverage and execution, each by hand."""

from __future__ import annotations

from typing import Any

import pytest

from askgraph.core.evidence import Fact, Link, LinkKind, Mention
from askgraph.core.graph import Hop, Name, Node, Path
from askgraph.core.schema import EdgeType, Schema
from askgraph.evaluation.gold import GoldItem
from askgraph.evaluation.gold_answers import Gold
from askgraph.evaluation.query_content import QueryContent
from askgraph.evaluation.step_scores import StepScores, gives_the_right, step_scores

MANAGER_OF_ADA = QueryContent(things=("ada",), texts=("London",), relations=("MANAGED_BY", "LIVES_IN"))


def _schema(*edge_types: EdgeType) -> Schema:
    return Schema("property", 0, 0, (), edge_types, ())


def link(id: str, name: str, kind: LinkKind = "node") -> Link:
    return Link(Mention(name, 0, len(name)), kind, id, name, 1.0, "exact")


def path(*ends: str, type: str = "MANAGED_BY") -> Fact:
    hops = tuple(Hop(type, type.lower(), True, f"{end}-edge", end, end) for end in ends[1:])
    return Fact(" ".join(ends), "path", 1.0, "test", path=Path(ends[0], ends[0], hops), elements=ends)


def scores(
    gold: QueryContent = MANAGER_OF_ADA,
    *,
    named: QueryContent | None = None,
    made: QueryContent | None = None,
    links: tuple[Link, ...] = (),
    facts: tuple[Fact, ...] = (),
    schema: Schema | None = None,
) -> StepScores:
    return step_scores(
        gold, named or gold, made or QueryContent(), links, facts, schema or _schema(), frozenset()
    )


def test_what_was_linked_is_held_against_what_is_named() -> None:
    found = scores(links=(link("ada", "Ada"), link("bob", "Bob"), link("cid", "Cid")))
    assert found.seed_recall == 0.5
    assert found.seed_precision == pytest.approx(1 / 3)


def test_a_text_is_a_seed_as_a_node_is() -> None:
    found = scores(links=(link("ada", "Ada"), link('["city", "London"]', "London", "value")))
    assert (found.seed_recall, found.seed_precision) == (1, 1)


def test_types_and_relations_are_no_seeds() -> None:
    links = (link("ada", "Ada"), link("Person", "person", "node type"), link("KNOWS", "knows", "edge type"))
    assert scores(links=links).seed_precision == 1


def test_a_thing_is_one_seed_however_often_it_is_linked() -> None:
    assert scores(links=(link("bob", "Bob"), link("ada", "Ada"), link("ada", "Ada"))).seed_precision == 0.5


def test_what_the_question_does_not_name_need_not_be_linked_and_may_be() -> None:
    named = QueryContent(things=("ada",))
    only_ada, both = (link("ada", "Ada"),), (link("ada", "Ada"), link("x", "London"))
    assert scores(named=named, links=only_ada).seed_recall == 1
    assert scores(named=named, links=both).seed_precision == 1


def test_where_nothing_is_there_there_is_no_share() -> None:
    assert scores(QueryContent()) == StepScores()
    assert scores().seed_precision is None


def test_evidence_covers_what_its_paths_pass() -> None:
    found = scores(facts=(path("bob", "ada"),))
    assert (found.entity_coverage, found.relation_coverage) == (0.5, 0.5)


def test_a_query_covers_what_it_names() -> None:
    made = QueryContent(things=("ada",), texts=("Greater London",), relations=("LIVES_IN",))
    found = scores(made=made)
    assert (found.entity_coverage, found.relation_coverage) == (1, 0.5)


def test_query_and_facts_cover_together_and_nothing_twice() -> None:
    made = QueryContent(things=("ada",), relations=("LIVES_IN",))
    found = scores(made=made, facts=(path("bob", "ada"),))
    assert (found.entity_coverage, found.relation_coverage) == (0.5, 1)


def test_a_text_in_a_row_is_covered() -> None:
    row = Fact("a row", "row", 1.0, "test", row={"city": "London", "empty": None})
    assert scores(facts=(row,)).entity_coverage == 0.5


def test_an_inverse_covers_its_relation() -> None:
    schema = _schema(
        EdgeType("MANAGED_BY", "managed by", 1, inverse="MANAGES"),
        EdgeType("MANAGES", "manages", 1, inverse="MANAGED_BY"),
    )
    found = scores(made=QueryContent(relations=("MANAGES",)), schema=schema)
    assert found.relation_coverage == 0.5


# --- execution


def gold(*values: Any) -> Gold:
    return Gold(tuple(GoldItem((value,)) for value in values))


@pytest.mark.parametrize(
    ("found", "right", "expected"),
    [
        (gold("Ada", "Bob"), gold("Bob", "Ada"), True),
        (gold("Ada"), gold("Ada", "Bob"), False),
        (gold("Ada", "Bob", "Cid"), gold("Ada", "Bob"), False),
        (gold(6), gold("6"), True),
        (gold(), gold("Ada"), False),
        (gold(True), gold(True), True),
        (gold(False), gold(True), False),
    ],
)
def test_a_result_is_right_if_it_is_all_of_it_and_no_more(found: Gold, right: Gold, expected: bool) -> None:
    assert gives_the_right(found, right, {}) is expected


def test_the_answer_may_stand_in_any_column() -> None:
    def row(*cells: str | None) -> tuple[GoldItem | None, ...]:
        return tuple(None if cell is None else GoldItem((cell,)) for cell in cells)

    rows = (row("1", "Ada", None), row("2", "Bob", "x"), row("3", "Ada", "y"))
    found = Gold((GoldItem(("1",)),), rows)
    assert gives_the_right(found, gold("Ada", "Bob"), {})
    assert gives_the_right(found, gold("x", "y"), {})
    assert not gives_the_right(found, gold("Ada"), {})


def test_a_node_is_right_by_its_name_too() -> None:
    found = Gold((GoldItem(("n1",), "n1"),))
    assert not gives_the_right(found, gold("Ada"), {})
    assert gives_the_right(found, gold("Ada"), {"n1": Node("n1", (Name("Ada", "name"),))})
