"""Questions that name a type and no node: how many there are, or which.

Half of real questions are of this kind ("how many departments are there?"). A type means its subtypes too, and that is
said.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..core.budget import Budget
from ..core.evidence import Evidence, Fact, Link
from ..core.plan import Aggregate, Column, NodePattern, NodeReference, Pattern, Plan, Table
from ..core.run import Run
from ..core.schema import NodeType, Schema
from ..core.words import quantity
from ..linking.language import Language
from ..linking.linker import LinkedQuestion
from ..stores.base import GraphStore


@dataclass(frozen=True)
class MembersReading:
    """A question read as one about all nodes of a type.

    ``counted``: the question asks how many; else it asks which. ``note`` says which subtypes were counted in.
    """

    link: Link
    type: NodeType
    counted: bool
    table: Table
    facts: tuple[Fact, ...]
    note: str


class MemberRetriever:
    """Counts and lists the nodes of a type."""

    name = "members"

    def __init__(self, store: GraphStore, schema: Schema, rules: Language, *, max_facts: int = 50) -> None:
        self._store = store
        self._schema = schema
        self._rules = rules
        self._max_facts = max_facts

    def retrieve(self, question: LinkedQuestion, budget: Budget, run: Run) -> Evidence:
        """See :class:`~askgraph.retrievers.base.Retriever`."""
        reading = self.read(question, budget, run)
        if reading is None:
            return Evidence()
        return Evidence(reading.facts, (reading.note,) if reading.note else ())

    def read(self, question: LinkedQuestion, budget: Budget, run: Run) -> MembersReading | None:
        """Read the question as one about a type; ``None`` if it names a node, no type, or a condition."""
        types = [link for link in question.terms if link.kind == "node type"]
        if question.nodes or not types or not self._is_all_there_is(question, types[0]):
            return None
        link = types[0]
        node_type = self._schema.node_type(link.id)
        normal = question.question.normal
        counted = any(phrase in normal for phrase in self._rules.count_phrases)
        with run.step("count" if counted else "list") as step:
            table = self._store.run(_plan(link.id, counted), budget)
            step.note(type=link.id, rows=len(table.rows), truncated=table.truncated)
        facts = self._count_fact(node_type, table) if counted else self._member_facts(node_type, table)
        return MembersReading(link, node_type, counted, table, tuple(facts), self._note(node_type))

    def _is_all_there_is(self, question: LinkedQuestion, link: Link) -> bool:
        """Whether the type's own words are all that the question says: another word would be a condition."""
        own = set(self._rules.content_stems(" ".join(link.mention.text.lower().split())))
        said = set(question.stems) - own
        phrases = " ".join((*self._rules.count_phrases, *self._rules.list_phrases))
        return said <= set(self._rules.content_stems(phrases))

    def _note(self, node_type: NodeType) -> str:
        below = [self._schema.node_type(id) for id in self._schema.subtypes(node_type.id)[1:]]
        counted = [item for item in below if item.count and self._schema.has_node_type(item.id)]
        if not counted:
            return ""
        listed = ", ".join(f"{item.label} ({item.count:,})" for item in counted[:6])
        more = f" and {len(counted) - 6} more" if len(counted) > 6 else ""
        own = f"{node_type.count:,} carry the type {node_type.label} itself"
        return f"Subtypes are counted in: {listed}{more}; {own}."

    def _count_fact(self, node_type: NodeType, table: Table) -> list[Fact]:
        count = table.rows[0][0] if table.rows else 0
        number = count if isinstance(count, int) else 0
        return [
            Fact(
                text=f"The graph has {quantity(number, 'node')} of type {node_type.label}",
                kind="count",
                score=1.0,
                retriever=self.name,
                step="count",
                elements=(node_type.id,),
                row={"count": number},
            )
        ]

    def _member_facts(self, node_type: NodeType, table: Table) -> list[Fact]:
        ids = [str(row[0]) for row in table.rows[: self._max_facts]]
        return [
            Fact(
                text=f"{node.name} is a {self._own_type(node.types, node_type)}",
                kind="row",
                score=1.0,
                retriever=self.name,
                step="list",
                elements=(node.id,),
                row={node_type.label: node.name},
            )
            for node in self._store.nodes(ids)
        ]

    def _own_type(self, types: tuple[str, ...], asked: NodeType) -> str:
        below = set(self._schema.subtypes(asked.id))
        return next((self._schema.label_of(kind) for kind in types if kind in below), asked.label)


def _plan(type_id: str, counted: bool) -> Plan:
    pattern = Pattern((NodePattern("node", (type_id,)),))
    node = NodeReference("node")
    column = Column("count", Aggregate("count", node, distinct=True)) if counted else Column("node", node)
    return Plan(pattern, (column,))
