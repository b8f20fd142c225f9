"""Nodes of syntax trees behave like frozen dataclasses."""

from __future__ import annotations

import pytest

from askgraph.querying.cypher.clause_tree import Projection, ProjectionItem, Return
from askgraph.querying.cypher.expression_tree import ListLiteral, Number, Operation, Variable
from askgraph.querying.cypher.parser import parse
from askgraph.querying.source import Span
from askgraph.querying.tree import SyntaxNode, children, map_children, transform, walk

SUM = Operation(("+",), (Number("1"), ListLiteral((Variable("a"), Variable("b")))))


def test_nodes_are_equal_if_they_say_the_same_wherever_they_stand() -> None:
    assert Variable("n", span=Span(1, 2)) == Variable("n", span=Span(7, 8))
    assert hash(Variable("n", span=Span(1, 2))) == hash(Variable("n"))
    assert Variable("n") != Variable("m")
    assert Variable("n") != Number("n")


def test_a_node_cannot_be_changed_but_copied_with_changes() -> None:
    node = Variable("n", span=Span(1, 2))
    with pytest.raises(AttributeError):
        node.name = "m"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del node.name
    assert node.changed(name="m") == Variable("m")
    assert node.changed(name="m").span == Span(1, 2)


def test_fields_are_given_by_position_or_name_and_have_defaults() -> None:
    assert ProjectionItem(Variable("n")).alias is None
    assert Projection(items=(), distinct=True) == Projection((), False, True)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Variable(),  # type: ignore[call-arg]
        lambda: Variable("a", "b"),  # type: ignore[call-arg, arg-type]
        lambda: Variable(nmae="a"),  # type: ignore[call-arg]
        lambda: Variable("a", name="b"),  # type: ignore[misc]
        lambda: ProjectionItem(Variable("n"), alais="x"),  # type: ignore[call-arg]
    ],
)
def test_a_missing_or_unknown_field_is_an_error_at_once(make) -> None:
    with pytest.raises(TypeError):
        make()


def test_walking_follows_the_order_of_the_text() -> None:
    assert [type(node).__name__ for node in walk(SUM)] == [
        "Operation",
        "Number",
        "ListLiteral",
        "Variable",
        "Variable",
    ]
    assert [type(node).__name__ for node in children(SUM)] == ["Number", "ListLiteral"]


def test_a_transformation_copies_only_what_changes() -> None:
    def rename(node: SyntaxNode) -> SyntaxNode:
        return Variable("z") if node == Variable("a") else node

    changed = transform(SUM, rename)
    assert changed == Operation(("+",), (Number("1"), ListLiteral((Variable("z"), Variable("b")))))
    assert changed.operands[0] is SUM.operands[0]
    assert transform(SUM, lambda node: node) is SUM
    assert map_children(SUM, lambda node: node) is SUM


def test_a_repr_shows_the_fields() -> None:
    assert repr(Return(Projection(()))).startswith("Return(projection=Projection(items=(), everything=False")


def test_every_node_of_a_tree_is_reached_by_walking() -> None:
    query = (
        "CYPHER 25 runtime=slotted MATCH p = ANY SHORTEST (a:A|B {x: 1} WHERE a.y > 0)-[r:R*1..3 {z: $p}]->(b)"
        " USING INDEX a:A(x) WHERE EXISTS { (a)-->(c) WHERE c.x } WITH *, a.x AS x ORDER BY x SKIP 1 LIMIT 2"
        " CALL (x) { UNWIND [1, {k: 2}] AS u RETURN u } CALL db.labels() YIELD label AS l WHERE l = 'x'"
        " RETURN CASE x WHEN > 1 THEN [y IN [1] WHERE y | y] ELSE reduce(s = 0, i IN [1] | s + i) END AS z"
    )
    tree = parse(query).statement
    reached = {id(node) for node in walk(tree)}

    def look(value: object) -> None:
        if isinstance(value, SyntaxNode):
            assert id(value) in reached
            for name in value._names:
                look(getattr(value, name))
        elif isinstance(value, tuple):
            for item in value:
                look(item)

    look(tree)
    assert len(reached) > 60
