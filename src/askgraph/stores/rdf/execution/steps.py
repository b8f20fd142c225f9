"""The steps by which a pattern is matched: each makes more of every match, or leaves out what does not fit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ....core.budget import Budget
from ....core.plan import Condition, EdgePattern, PropertyOf
from .access import Fan, GraphAccess, Rows, is_among
from .batches import NULL, ROWS_AT_ONCE, Batch, Slot
from .conditions import Conditions

DOING = "running a plan"


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """Makes batches of one batch.

    Attributes:
        apply: the matches that come of some.
        needs: the slots that it reads.
        gives: the slot that it adds, if any.
        weigh: the same matches without the slot that it adds, where only their number is wanted.
    """

    apply: Callable[[Batch], Iterator[Batch]]
    needs: frozenset[Slot]
    gives: Slot | None = None
    weigh: Callable[[Batch], Batch] | None = None


def run_steps(
    steps: Sequence[Step], live: Sequence[Collection[Slot]], batch: Batch, budget: Budget | None
) -> Iterator[Batch]:
    """All matches that come of a batch. ``live``: for each step the slots that are still needed after it.

    Raises :class:`DeadlineExceededError`.
    """
    if not batch.length:
        return
    if not steps:
        yield batch
        return
    step = steps[0]
    if step.weigh is not None and step.gives not in live[0]:
        yield from run_steps(steps[1:], live[1:], step.weigh(batch).only(live[0]), budget)
        return
    for made in step.apply(batch):
        if budget is not None:
            budget.check(DOING)
        yield from run_steps(steps[1:], live[1:], made.only(live[0]), budget)


def live_slots(steps: Sequence[Step], wanted: Collection[Slot]) -> list[frozenset[Slot]]:
    """For each step the slots that later steps or the result need."""
    live: list[frozenset[Slot]] = []
    needed = frozenset(wanted)
    for step in reversed(steps):
        live.append(needed)
        needed |= step.needs
    return live[::-1]


def scan(variable: str, rows: Rows) -> Step:
    """Every match with every one of these nodes."""

    def apply(batch: Batch) -> Iterator[Batch]:
        for start in range(0, len(rows), ROWS_AT_ONCE):
            some = rows[start : start + ROWS_AT_ONCE]
            for part in batch.pieces(np.full(batch.length, len(some), dtype=np.int64)):
                few = batch.take(part)
                repeated = few.take(np.repeat(np.arange(few.length, dtype=np.int64), len(some)))
                yield repeated.with_slot(variable, np.tile(some, few.length))

    def weigh(batch: Batch) -> Batch:
        return batch.weighted(np.full(batch.length, len(rows), dtype=np.int64))

    return Step(apply, frozenset(), variable, weigh)


def follow(
    access: GraphAccess, edge: EdgePattern, rows: Rows | None, *, forward: bool, optional: bool = False
) -> Step:
    """Edges from a node that is bound to one that is not.

    Args:
        access: the graph.
        edge: their pattern.
        rows: where they may end; ``None``: anywhere.
        forward: whether the source is bound, and not the target.
        optional: whether a match without such an edge stays, with null at the end.
    """
    here, there = (edge.source, edge.target) if forward else (edge.target, edge.source)

    def apply(batch: Batch) -> Iterator[Batch]:
        fan = access.fan(batch.slots[here], edge, forward=forward)
        for part in batch.pieces(np.maximum(fan.sizes, 1)):
            origins, ends = fan.take(part)
            if rows is not None:
                fits = is_among(ends, rows)
                origins, ends = origins[fits], ends[fits]
            few = batch.take(part)
            if optional:
                origins, ends = _with_nulls(origins, ends, few.length)
            yield few.take(origins).with_slot(there, ends)

    def weigh(batch: Batch) -> Batch:
        sizes = access.fan(batch.slots[here], edge, forward=forward).sizes
        return batch.weighted(np.maximum(sizes, 1) if optional else sizes)

    # In both directions, self-loops are sorted out one by one.
    can_weigh = rows is None and edge.direction != "both"
    return Step(apply, frozenset({here}), there, weigh if can_weigh else None)


def connect(access: GraphAccess, edge: EdgePattern, *, optional: bool = False) -> Step:
    """Edges between two nodes that are bound: a match for each. If ``optional``, matches without any stay."""

    def apply(batch: Batch) -> Iterator[Batch]:
        outward = access.fan(batch.slots[edge.source], edge, forward=True)
        inward = access.fan(batch.slots[edge.target], edge, forward=False)
        is_shorter = outward.sizes <= inward.sizes
        yield from count(batch.take(is_shorter), outward.where(is_shorter), edge.target)
        yield from count(batch.take(~is_shorter), inward.where(~is_shorter), edge.source)

    def count(batch: Batch, fan: Fan, wanted: str) -> Iterator[Batch]:
        for part in batch.pieces(fan.sizes):
            few = batch.take(part)
            origins, ends = fan.take(part)
            counts = np.bincount(origins[ends == few.slots[wanted][origins]], minlength=few.length)
            yield few.weighted(np.maximum(counts, 1) if optional else counts)

    return Step(apply, frozenset({edge.source, edge.target}))


def narrow(variable: str, rows: Rows) -> Step:
    """Leaves matches whose node is one of these."""

    def apply(batch: Batch) -> Iterator[Batch]:
        yield batch.take(is_among(batch.slots[variable], rows))

    return Step(apply, frozenset({variable}))


def read(access: GraphAccess, asked: PropertyOf) -> Step:
    """Binds a property to each of its values, to null where there is none."""

    def apply(batch: Batch) -> Iterator[Batch]:
        subjects, codes = access.values(asked.key)
        rows = batch.slots[asked.variable]
        wanted = rows.astype(np.int32)
        starts = np.searchsorted(subjects, wanted, side="left")
        sizes = np.searchsorted(subjects, wanted, side="right") - starts
        fan = Fan.of_slices(rows, starts, sizes, codes)
        for part in batch.pieces(np.maximum(sizes, 1)):
            few = batch.take(part)
            origins, values = _with_nulls(*fan.take(part), few.length)
            yield few.take(origins).with_slot(asked, values)

    return Step(apply, frozenset({asked.variable}), asked)


def filter_by(conditions: Conditions, condition: Condition, slots: Collection[Slot]) -> Step:
    """Leaves matches for which a condition is true."""

    def apply(batch: Batch) -> Iterator[Batch]:
        yield batch.take(conditions.holds(condition, batch))

    return Step(apply, frozenset(slots))


def _with_nulls(origins: Rows, ends: Rows, length: int) -> tuple[Rows, Rows]:
    """The same with one null for each row that has nothing."""
    missing = np.flatnonzero(np.bincount(origins, minlength=length) == 0)
    if not len(missing):
        return origins, ends
    return np.concatenate([origins, missing]), np.concatenate(
        [ends, np.full(len(missing), NULL, dtype=np.int64)]
    )
