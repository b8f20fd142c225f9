"""From a pattern and a condition to the steps that match them, the most selective first."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ....core.budget import Budget
from ....core.plan import (
    And,
    Compare,
    Condition,
    Constant,
    EdgePattern,
    Exists,
    NodePattern,
    NodeReference,
    Pattern,
    Plan,
    PropertyOf,
)
from ...plan_names import conditions_within, properties_of
from .access import GraphAccess, Rows, is_among
from .batches import NULL, Batch, RowGroups, Slot
from .conditions import Conditions
from .steps import DOING, Step, connect, filter_by, follow, live_slots, narrow, read, run_steps, scan

_MATCH = "\0match"
"""The slot that numbers the matches for which :class:`Exists` is asked."""


class Matcher:
    """Matches patterns in one graph within one budget."""

    def __init__(self, access: GraphAccess, budget: Budget | None) -> None:
        self._access = access
        self._budget = budget
        self.conditions = Conditions(access.columns, self._exist, self._check)

    def _check(self) -> None:
        if self._budget is not None:
            self._budget.check(DOING)

    def matches(self, plan: Plan, wanted: Collection[Slot]) -> Iterator[Batch]:
        """All matches of a plan that meet its condition, with the slots that are wanted."""
        builder = _StepBuilder(self._access, self.conditions, plan.where, properties_of(plan))
        steps = builder.steps(plan.pattern)
        return run_steps(steps, live_slots(steps, wanted), Batch.start(), self._budget)

    def _exist(self, pattern: Pattern, batch: Batch) -> NDArray[np.bool_]:
        """For each match whether the pattern matches too, with the nodes that both know as they are."""
        shared = [variable for variable in _variables_of(pattern) if variable in batch.slots]
        known = np.ones(batch.length, dtype=np.bool_)
        for variable in shared:
            known &= batch.slots[variable] != NULL
        rows = batch.take(known)
        if not rows.length:
            return known
        groups = RowGroups.of([rows.slots[variable] for variable in shared]) if shared else None
        count = 1 if groups is None else len(groups.representatives)
        numbers = np.arange(count, dtype=np.int64)
        slots: dict[Slot, Rows] = {_MATCH: numbers}
        if groups is not None:
            slots |= {variable: rows.slots[variable][groups.representatives] for variable in shared}
        found = np.zeros(count, dtype=np.bool_)
        steps = _StepBuilder(self._access, self.conditions, None, ()).required_steps(pattern, bound=shared)
        for made in run_steps(steps, live_slots(steps, {_MATCH}), Batch(slots, None, count), self._budget):
            found[made.slots[_MATCH]] = True
            if found.all():
                break
        exists = known.copy()
        exists[known] = found[groups.group_of_rows()] if groups is not None else found[0]
        return exists


class _StepBuilder:
    """Puts the steps of one pattern together."""

    def __init__(
        self,
        access: GraphAccess,
        conditions: Conditions,
        where: Condition | None,
        properties: Sequence[PropertyOf],
    ) -> None:
        self._access = access
        self._conditions = conditions
        self._parts = _conjuncts(where)
        self._filters: list[tuple[Condition, frozenset[Slot]]] = []
        self._properties = list(properties)
        self._bound: set[Slot] = set()
        self._steps: list[Step] = []

    def steps(self, pattern: Pattern) -> list[Step]:
        """The steps that match a plan's pattern, test its condition and read its properties."""
        variables = {node.variable for node in pattern.nodes}
        for part in self._parts:
            # What Exists binds by itself is no business of ours.
            slots = {slot for slot in slots_of(part) if isinstance(slot, PropertyOf) or slot in variables}
            self._filters.append((part, frozenset(slots)))
        optional = {
            node.variable: node for node in pattern.nodes if node.variable in pattern.optional_variables
        }
        self.required_steps(pattern, bound=())
        for edge in pattern.optional_edges:
            self._match_optional(edge, optional.get(edge.target))
        for slot in self._properties:
            if slot not in self._bound:
                self._read(slot)
        return self._steps

    def required_steps(self, pattern: Pattern, *, bound: Collection[str]) -> list[Step]:
        """The steps that match a pattern without its optional edges, where some variables are bound already."""
        self._bound.update(bound)
        nodes = [
            node
            for node in pattern.nodes
            if node.variable in bound or node.variable not in pattern.optional_variables
        ]
        candidates = {node.variable: self._candidates(node) for node in nodes}
        for name in bound:
            rows = candidates.get(name)
            if rows is not None:
                self._steps.append(narrow(name, rows))
        self._add_ready()
        required = [node.variable for node in nodes if node.variable not in bound]
        self._match_required(required, list(pattern.required_edges), candidates)
        return self._steps

    def _candidates(self, node: NodePattern) -> Rows | None:
        """The nodes that fit a pattern and what the condition says of their values."""
        rows = self._access.candidates(node)
        for part in self._parts:
            match part:
                case Compare(PropertyOf(variable, key), comparator, Constant(value)) if (
                    variable == node.variable
                ):
                    found = None if value is None else self._access.nodes_where(key, comparator, value)
                    if found is not None:
                        rows = found if rows is None else rows[is_among(rows, found)]
        return rows

    def _match_required(
        self, waiting: list[str], edges: list[EdgePattern], candidates: dict[str, Rows | None]
    ) -> None:
        while waiting or edges:
            ready = [edge for edge in edges if {edge.source, edge.target} <= self._bound]
            for edge in ready:
                edges.remove(edge)
                self._add(connect(self._access, edge))
            if ready:
                continue
            reachable = [edge for edge in edges if edge.source in self._bound or edge.target in self._bound]
            if reachable:
                edge = min(reachable, key=lambda edge: self._growth(edge, candidates))
                edges.remove(edge)
                forward = edge.source in self._bound
                end = edge.target if forward else edge.source
                waiting.remove(end)
                self._add(follow(self._access, edge, candidates.get(end), forward=forward))
            elif waiting:
                self._scan(waiting, edges, candidates)

    def _scan(self, waiting: list[str], edges: list[EdgePattern], candidates: dict[str, Rows | None]) -> None:
        rows = {name: self._starting_rows(name, edges, candidates[name]) for name in waiting}
        name = min(waiting, key=lambda name: (len(rows[name]), waiting.index(name)))
        waiting.remove(name)
        self._add(scan(name, rows[name]))

    def _starting_rows(self, name: str, edges: Sequence[EdgePattern], rows: Rows | None) -> Rows:
        """Where a variable may begin: its candidates, or the ends of an edge that it must have."""
        if rows is None:
            for edge in edges:
                if name in (edge.source, edge.target) and edge.source != edge.target:
                    rows = self._access.ends_of_type(edge, forward=name == edge.source)
                    if rows is not None:
                        return rows
        return self._access.columns.node_rows if rows is None else rows

    def _growth(self, edge: EdgePattern, candidates: dict[str, Rows | None]) -> float:
        """About how many matches an edge makes of one."""
        end = edge.target if edge.source in self._bound else edge.source
        nodes = max(len(self._access.columns.node_rows), 1)
        rows = candidates.get(end)
        share = 1.0 if rows is None else len(rows) / nodes
        return share * self._access.edge_count(edge) / nodes

    def _match_optional(self, edge: EdgePattern, target: NodePattern | None) -> None:
        if edge.target not in self._bound:
            rows = None if target is None else self._access.candidates(target)
            self._add(follow(self._access, edge, rows, forward=True, optional=True))
        elif len(edge.types) != 1 or edge.direction == "both":
            self._add(connect(self._access, edge, optional=True))
        # Else there is one such edge or none, and a match either way.

    def _add(self, step: Step) -> None:
        self._steps.append(step)
        if step.gives is not None:
            self._bound.add(step.gives)
        self._add_ready()

    def _add_ready(self) -> None:
        """Test every condition as soon as what it speaks of is bound, and read the properties that it waits for."""
        for part, slots in list(self._filters):
            missing = slots - self._bound
            if all(isinstance(slot, PropertyOf) and slot.variable in self._bound for slot in missing):
                self._filters.remove((part, slots))
                for slot in self._properties:
                    if slot in missing:
                        self._read(slot)
                self._steps.append(filter_by(self._conditions, part, slots))

    def _read(self, slot: PropertyOf) -> None:
        self._steps.append(read(self._access, slot))
        self._bound.add(slot)


def _variables_of(pattern: Pattern) -> list[str]:
    """The variables that an inner pattern may share: its nodes and the ends of its required edges."""
    names = [node.variable for node in pattern.nodes]
    names += [end for edge in pattern.required_edges for end in (edge.source, edge.target)]
    return list(dict.fromkeys(names))


def slots_of(condition: Condition) -> Iterator[Slot]:
    """What a condition reads of a match."""
    for part in conditions_within(condition):
        match part:
            case Exists(pattern):
                yield from _variables_of(pattern)
            case _:
                for expression in _operands(part):
                    match expression:
                        case NodeReference(variable):
                            yield variable
                        case PropertyOf():
                            yield expression


def _operands(condition: Condition) -> tuple[object, ...]:
    return tuple(
        getattr(condition, name) for name in ("left", "right", "expression") if hasattr(condition, name)
    )


def _conjuncts(condition: Condition | None) -> tuple[Condition, ...]:
    """The parts that all must be true."""
    match condition:
        case None:
            return ()
        case And(parts):
            return tuple(conjunct for part in parts for conjunct in _conjuncts(part))
        case _:
            return (condition,)
