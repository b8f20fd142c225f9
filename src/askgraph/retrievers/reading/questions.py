"""The retriever that needs no model: reads the question, runs the best reading, and gives the facts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...core.budget import Budget
from ...core.errors import PlanError
from ...core.evidence import Evidence, Fact
from ...core.graph import Hop, Node, Path
from ...core.plan import Plan, Table
from ...core.plan_json import plan_to_dict
from ...core.run import Run
from ...core.schema import Schema
from ...core.values import Value, display
from ...core.words import quantity
from ...linking.linked_question import LinkedQuestion
from ...stores.base import GraphStore
from ..provenance import provenance_of
from ..relevance import Relevance
from .measures import MeasureWords
from .read import Reader
from .reading import Reading, Scale
from .reading_plan import ANSWER, COUNT, NODES, VALUES, plan_of
from .reading_words import describe
from .row_figures import share_of, worked_out

_MEMBERS_SHOWN = 20


@dataclass(frozen=True)
class Found:
    """What a question found: its reading, the plan of it, and the rows that the plan gave. ``members`` are some of the
    nodes that were counted."""

    reading: Reading
    plan: Plan
    table: Table
    in_words: str
    notes: tuple[str, ...]
    members: Table | None = None


class QuestionRetriever:
    """Finds evidence for questions to one graph."""

    name = "reading"

    def __init__(
        self,
        store: GraphStore,
        schema: Schema,
        relevance: Callable[[LinkedQuestion], tuple[Relevance, MeasureWords]],
        *,
        max_hops: int,
        max_facts: int,
    ) -> None:
        self._store = store
        self._schema = schema
        self._relevance = relevance
        self._reader = Reader(store, schema, max_hops=max_hops)
        self._max_facts = max_facts

    def retrieve(self, question: LinkedQuestion, budget: Budget, run: Run) -> Evidence:
        """See :class:`~askgraph.retrievers.base.Retriever`."""
        readings, notes, _ = self.read(question, budget, run)
        if not readings:
            return Evidence((), notes)
        found = self.run(readings[0], budget, run)
        return Evidence(tuple(self.facts(found)), (*notes, *found.notes))

    def read(
        self, question: LinkedQuestion, budget: Budget, run: Run
    ) -> tuple[list[Reading], tuple[str, ...], Relevance]:
        """The readings of a question, the best first; what was cut on the way; and what weighed them."""
        with run.step("read") as step:
            relevance, measures = self._relevance(question)
            readings, notes = self._reader.read(question, relevance, measures, budget)
            step.note(
                words=list(question.words),
                readings=[
                    {
                        "reading": describe(reading, self._schema),
                        "score": round(reading.total, 4),
                        "explained": round(reading.share_explained, 4),
                        "plan": self._recorded_plan(reading),
                    }
                    for reading in readings[:5]
                ],
            )
        return readings, tuple(notes), relevance

    def _recorded_plan(self, reading: Reading) -> dict[str, Any] | None:
        """The plan of a reading, for the record: what was not answered can be looked into as well."""
        try:
            return plan_to_dict(plan_of(reading, self._schema))
        except PlanError:
            return None

    def run(self, reading: Reading, budget: Budget, run: Run) -> Found:
        """Run the plan of a reading."""
        plan = plan_of(reading, self._schema)
        with run.step("run") as step:
            table = self._store.run(plan, budget)
            notes = self._notes(reading, table)
            if reading.is_worked_out_of_rows:
                table = worked_out(reading, table)
            if reading.share is not None:
                everything = self._store.run(plan_of(_all_of_its_type(reading), self._schema), budget)
                table = share_of(table, everything, reading.share)
                notes.extend(table.notes[-1:])
            if reading.scale is not None:
                table, tied = _with_ties(table, plan.order[0].column, reading.scale)
                notes.extend(tied)
            step.note(rows=len(table.rows), columns=list(table.columns), truncated=table.truncated)
        members = self._members(reading, budget) if reading.counts else None
        return Found(reading, plan, table, describe(reading, self._schema), tuple(notes), members)

    def _members(self, reading: Reading, budget: Budget) -> Table:
        """Some of the nodes that were counted, to be looked at."""
        plan = plan_of(replace(reading, counts=False), self._schema)
        return self._store.run(replace(plan, limit=min(_MEMBERS_SHOWN, self._max_facts)), budget)

    # --- what is said beside the answer

    def _notes(self, reading: Reading, table: Table) -> list[str]:
        notes = list(table.notes)
        if table.truncated:
            notes.append(f"There are more rows; the first {len(table.rows):,} were read.")
        cut = {node: count for route in reading.routes for node, count in route.cut.items()}
        for node in self._store.nodes(list(cut)[:3]):
            notes.append(
                f"{node.name} has {quantity(cut[node.id], 'edge')} of one type; not all were followed."
            )
        if reading.target is not None:
            notes.extend(self._subtypes(reading.target))
        if reading.leaves_out_those_without and reading.target is not None:
            missing = self._schema.node_type(reading.target).total - len(table.rows)
            if missing > 0 and not table.truncated:
                label = self._schema.label_of(reading.target)
                notes.append(f"Left out, for having none: {missing:,} of the type {label}.")
        if VALUES in table.columns and table.rows:
            row = dict(zip(table.columns, table.rows[0], strict=True))
            if row[VALUES] != row[NODES]:
                notes.append(f"Of {display(row[NODES])} nodes, {display(row[VALUES])} values were found.")
        return notes

    def _subtypes(self, target: str) -> Sequence[str]:
        asked = self._schema.node_type(target)
        below = [
            self._schema.node_type(id)
            for id in self._schema.subtypes(target)[1:]
            if self._schema.has_node_type(id)
        ]
        counted = [item for item in below if item.count]
        if not counted:
            return []
        listed = ", ".join(f"{item.label} ({item.count:,})" for item in counted[:6])
        more = f" and {len(counted) - 6} more" if len(counted) > 6 else ""
        return [
            f"{asked.label} includes its subtypes {listed}{more}; {asked.count:,} carry the type {asked.label} itself."
        ]

    # --- facts

    def facts(self, found: Found, most: int | None = None) -> list[Fact]:
        """The first facts of what was found, all that may be given without ``most``: the paths to each node, and the
        row where more than paths was asked."""
        most = self._max_facts if most is None else min(most, self._max_facts)
        if found.table.columns[0] != ANSWER or not found.table.rows:
            return [*self._figure_facts(found), *self._member_facts(found)][:most]
        ids = list(dict.fromkeys(str(row[0]) for row in found.table.rows))[: self._max_facts]
        walked = [route for route in found.reading.routes if route.hops]
        paths = (route.path_to(id) for id in ids for route in walked if id in route.layers[-1].first)
        facts = self._path_facts(_first_unlike(paths, most), found)
        if len(found.table.columns) > 1 or not facts:
            facts.extend(self._row_facts(found, most - len(facts)))
        return facts

    def _figure_facts(self, found: Found) -> list[Fact]:
        column = found.table.columns[0] if found.table.rows else COUNT
        count = found.table.rows[0][0] if found.table.rows else 0
        return [
            Fact(
                text=_figure_in_words(found, count),
                kind="count",
                score=found.reading.total,
                retriever=self.name,
                step=found.in_words,
                elements=tuple(id for route in found.reading.routes for id in route.seed.nodes[:10]),
                row={column: count},
            )
        ]

    def _member_facts(self, found: Found) -> list[Fact]:
        if found.members is None:
            return []
        return self._row_facts(replace(found, table=found.members), len(found.members.rows))

    def _path_facts(self, paths: Sequence[Path], found: Found) -> list[Fact]:
        nodes = {
            node.id: node for node in self._store.nodes(_unique(id for path in paths for id in path.node_ids))
        }
        edges = {
            edge.id: edge for edge in self._store.edges(_unique(id for path in paths for id in path.edge_ids))
        }
        facts = []
        for path in paths:
            named = _named(path, nodes)
            own_edges = [edges[id] for id in path.edge_ids if id in edges]
            own_nodes = [nodes[id] for id in path.node_ids if id in nodes]
            facts.append(
                Fact(
                    text=named.in_words,
                    kind="path",
                    score=found.reading.total,
                    retriever=self.name,
                    step=found.in_words,
                    path=named,
                    elements=(*path.node_ids, *path.edge_ids),
                    provenance=provenance_of(own_edges, own_nodes),
                )
            )
        return facts

    def _row_facts(self, found: Found, most: int) -> list[Fact]:
        rows = found.table.rows[: max(0, most)]
        ids = _unique(
            str(cell)
            for row in rows
            for cell, kind in zip(row, found.table.kinds, strict=True)
            if kind == "node" and cell is not None
        )
        nodes = {node.id: node for node in self._store.nodes(ids)}
        return [self._row_fact(row, found, nodes) for row in rows]

    def _conditions_met(self, found: Found) -> list[str]:
        """The values by which the question named the nodes of a row."""
        seeds = [route.seed for route in found.reading.routes if not route.hops]
        values = [seed.value for seed in seeds if seed.value is not None]
        return [f"{self._schema.label_of(key)}: {text}" for key, text in values]

    def _row_fact(self, row: Sequence[Value], found: Found, nodes: Mapping[str, Node]) -> Fact:
        table = found.table
        shown = {
            column: (_name(str(cell), nodes) if kind == "node" and cell is not None else cell)
            for column, kind, cell in zip(table.columns, table.kinds, row, strict=True)
        }
        subject = display(shown.pop(ANSWER, None))
        parts = [f"{column}: {display(cell)}" for column, cell in shown.items() if cell is not None]
        parts = [*self._conditions_met(found), *parts]
        node = nodes.get(str(row[0]))
        if not parts and node is not None and node.types:
            parts = [f"type: {', '.join(self._schema.label_of(kind) for kind in node.types)}"]
        return Fact(
            text=f"{subject} — {'; '.join(parts)}" if parts else subject,
            kind="row",
            score=found.reading.total,
            retriever=self.name,
            step=found.in_words,
            elements=tuple(
                str(cell)
                for cell, kind in zip(row, table.kinds, strict=True)
                if kind == "node" and cell is not None
            ),
            provenance=provenance_of((), [node] if node is not None else []),
            row={ANSWER: subject, **shown},
        )


def _first_unlike(paths: Iterable[Path], most: int) -> list[Path]:
    """The first paths, none of them twice."""
    kept: dict[Path, None] = {}
    for path in paths:
        if len(kept) == most:
            break
        kept[path] = None
    return list(kept)


def _all_of_its_type(reading: Reading) -> Reading:
    """How many nodes there are of the type asked for, whatever they meet."""
    return Reading(reading.question, reading.target, (), None, reading.explained, counts=True)


def _with_ties(table: Table, column: str, scale: Scale) -> tuple[Table, list[str]]:
    """The first rows of an order, and those that are as good as the last of them; with a note where there are such."""
    place = table.columns.index(column)
    limit = scale.limit if scale.share is None else max(1, math.ceil(scale.share * len(table.rows)))
    last = scale.skip + limit
    kept = list(table.rows[scale.skip : last])
    if kept:
        worst = kept[-1][place]
        kept.extend(row for row in table.rows[last:] if row[place] == worst)
    places = "place" if limit == 1 else "places"
    tied = [] if len(kept) <= limit else [f"{len(kept)} share the first {places}."]
    return replace(table, rows=kept), tied


def _figure_in_words(found: Found, figure: Value) -> str:
    """What was found as a number; of a yes-or-no question without a row, what was looked for and is not there."""
    if found.reading.is_yes_no and not found.table.rows:
        return f"the graph has no record of this: {found.in_words.removeprefix('whether there is ')}"
    return f"{found.in_words}: {display(figure)}"


def _named(path: Path, nodes: Mapping[str, Node]) -> Path:
    hops = tuple(
        hop
        if hop.target is None
        else Hop(hop.type, hop.label, hop.forward, hop.edge, hop.target, _name(hop.target, nodes), hop.value)
        for hop in path.hops
    )
    return Path(path.start, _name(path.start, nodes), hops)


def _name(id: str, nodes: Mapping[str, Node]) -> str:
    return nodes[id].name if id in nodes else Node(id).name


def _unique(ids: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(ids))
