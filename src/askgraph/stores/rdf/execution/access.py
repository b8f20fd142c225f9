"""What plans read of a graph: the nodes that fit a pattern, edges from many nodes at once, values of properties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ....core.graph import Direction
from ....core.plan import Comparator, EdgePattern, NodePattern
from ....core.schema import UNTYPED, Schema
from ....core.values import Value
from ..arrays import distinct, positions_of_slices
from ..columns import RdfColumns

Rows = NDArray[np.int64]

_BACKWARD: Final[dict[Direction, Direction]] = {"out": "in", "in": "out", "both": "both"}


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """For each row a slice of an array of other ends."""

    starts: Rows
    lengths: Rows
    ends: NDArray[np.int32]
    drops_loops: bool


@dataclass(frozen=True, slots=True, eq=False)
class Fan:
    """The hops from each of many rows, not yet made. ``sizes``: how many there are at most for each row."""

    rows: Rows
    sides: Sequence[_Side]
    sizes: Rows

    @classmethod
    def of_slices(cls, rows: Rows, starts: Rows, lengths: Rows, ends: NDArray[np.int32]) -> Fan:
        """For each row a slice of ``ends``."""
        return cls(rows, (_Side(starts, lengths, ends, False),), lengths)

    def where(self, chosen: NDArray[np.bool_]) -> Fan:
        """The hops of some rows."""
        sides = [
            _Side(side.starts[chosen], side.lengths[chosen], side.ends, side.drops_loops)
            for side in self.sides
        ]
        return Fan(self.rows[chosen], sides, self.sizes[chosen])

    def take(self, part: slice) -> tuple[Rows, Rows]:
        """The hops of some rows: for each its row's position within the part, and the other end."""
        origins, ends = [], []
        for side in self.sides:
            lengths = side.lengths[part]
            found = side.ends[positions_of_slices(side.starts[part], lengths)].astype(np.int64)
            positions = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
            if side.drops_loops:
                kept = found != self.rows[part][positions]
                positions, found = positions[kept], found[kept]
            origins.append(positions)
            ends.append(found)
        if len(origins) == 1:
            return origins[0], ends[0]
        return np.concatenate(origins), np.concatenate(ends)


class GraphAccess:
    """Reads the columns of a graph for plans."""

    def __init__(self, columns: RdfColumns, schema: Schema) -> None:
        self.columns = columns
        self.schema = schema
        self._distinct_ends: dict[tuple[int, bool], int] = {}

    # --- nodes

    def candidates(self, pattern: NodePattern) -> Rows | None:
        """The nodes that fit a pattern, ascending; ``None``: all."""
        rows = self._of_types(pattern.types) if pattern.types else None
        if pattern.ids:
            found = self.columns.find_rows(list(dict.fromkeys(pattern.ids)))
            found = distinct(found[found >= 0])
            found = found[self.columns.is_node[found]]
            rows = found if rows is None else found[is_among(found, rows)]
        return rows

    def _of_types(self, types: Sequence[str]) -> Rows:
        parts: list[NDArray[Any]] = [
            self.columns.members_of(name) for name in self.schema.with_subtypes(types) if name != UNTYPED
        ]
        if UNTYPED in types:
            parts.append(self._untyped)
        if len(parts) == 1:
            return parts[0].astype(np.int64)
        return distinct(np.concatenate(parts)) if parts else np.empty(0, dtype=np.int64)

    @cached_property
    def _untyped(self) -> Rows:
        without = self.columns.is_node.copy()
        without[self.columns.class_members] = False
        return np.flatnonzero(without)

    # --- edges

    def fan(self, rows: Rows, edge: EdgePattern, *, forward: bool) -> Fan:
        """The hops over the edges of a pattern, from its source (``forward``) or from its target. Rows may be null."""
        direction = edge.direction if forward else _BACKWARD[edge.direction]
        sides = []
        for code in self._type_codes(edge):
            if direction != "in":
                sides.append(self._side(rows, code, outward=True, drops_loops=False))
            if direction != "out":
                sides.append(self._side(rows, code, outward=False, drops_loops=direction == "both"))
        sizes = np.zeros(len(rows), dtype=np.int64)
        for side in sides:
            sizes += side.lengths
        if not sides:
            sides.append(_Side(sizes, sizes, np.empty(0, dtype=np.int32), False))
        return Fan(rows, sides, sizes)

    def _type_codes(self, edge: EdgePattern) -> list[int | None]:
        if not edge.types:
            return [None]
        numbers = self.columns.predicate_numbers
        return [numbers[name] for name in dict.fromkeys(edge.types) if name in numbers]

    def _side(self, rows: Rows, code: int | None, *, outward: bool, drops_loops: bool) -> _Side:
        columns, adjacency = self.columns, self.columns.adjacency
        safe = np.maximum(rows, 0)
        if code is None:
            offsets = adjacency.out_offsets if outward else adjacency.in_offsets
            ends = adjacency.out_targets if outward else adjacency.in_sources
            starts = offsets[safe] if len(offsets) > 1 else np.zeros(len(rows), dtype=np.int64)
            lengths = offsets[safe + 1] - starts if len(offsets) > 1 else starts
        else:
            first, last = columns.typed_offsets[code : code + 2].tolist()
            owners = (columns.typed_sources if outward else columns.typed_in_targets)[first:last]
            ends = (columns.typed_targets if outward else columns.typed_in_sources)[first:last]
            wanted = safe.astype(np.int32)
            starts = np.searchsorted(owners, wanted, side="left")
            lengths = np.searchsorted(owners, wanted, side="right") - starts
        return _Side(starts, np.where(rows < 0, 0, lengths), ends, drops_loops)

    def edge_count(self, edge: EdgePattern) -> int:
        """How many edges fit the types of a pattern."""
        if not edge.types:
            return self.columns.adjacency.edge_count
        offsets = self.columns.typed_offsets
        return sum(
            int(offsets[code + 1] - offsets[code]) for code in self._type_codes(edge) if code is not None
        )

    def ends_of_type(self, edge: EdgePattern, *, forward: bool) -> Rows | None:
        """The nodes from which edges of a pattern lead off, from its source or from its target; ``None`` if that is
        not quickly said."""
        codes = [code for code in self._type_codes(edge) if code is not None]
        if len(codes) != 1 or edge.direction == "both":
            return None
        outward = forward == (edge.direction == "out")
        first, last = self.columns.typed_offsets[codes[0] : codes[0] + 2].tolist()
        owners = (self.columns.typed_sources if outward else self.columns.typed_in_targets)[first:last]
        return owners[np.flatnonzero(np.diff(owners, prepend=-1))].astype(np.int64)

    # --- values

    def values(self, key: str) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The nodes and value codes of a property, by node and value."""
        number = self.columns.predicate_numbers.get(key)
        if number is None:
            nothing = np.empty(0, dtype=np.int32)
            return nothing, nothing
        first, last = self.columns.property_offsets[number : number + 2].tolist()
        return self.columns.property_subjects[first:last], self.columns.property_values[first:last]

    def nodes_where(self, key: str, comparator: Comparator, constant: Value) -> Rows | None:
        """The nodes with a value for which a comparison with a constant holds, ascending; ``None`` if that is not
        quickly said."""
        found = self.columns.terms.matching_range(comparator, constant)
        if found is None:
            return None
        subjects, codes = self.values(key)
        subjects = subjects[(codes >= found[0]) & (codes < found[1])]
        return subjects[np.flatnonzero(np.diff(subjects, prepend=-1))].astype(np.int64)


def is_among(rows: Rows, sorted_rows: Rows) -> NDArray[np.bool_]:
    """Whether each row is among the sorted ones."""
    if not len(sorted_rows):
        return np.zeros(len(rows), dtype=np.bool_)
    places = np.minimum(np.searchsorted(sorted_rows, rows), len(sorted_rows) - 1)
    found: NDArray[np.bool_] = sorted_rows[places] == rows
    return found
