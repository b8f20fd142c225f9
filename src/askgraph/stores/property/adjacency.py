"""The adjacency arrays of a property graph: made from its edges table, kept in files, mapped into memory."""

from __future__ import annotations

import tokenize
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ...core.adjacency import Adjacency
from ...core.errors import CorruptGraphError

if TYPE_CHECKING:
    import duckdb

_ARRAYS: Final = (
    "out_offsets",
    "out_targets",
    "out_types",
    "in_offsets",
    "in_sources",
    "in_types",
    "in_edges",
)
_CHUNK: Final = 1_000_000
_INTEGER_BITS: Final = 63


def build_adjacency(connection: duckdb.DuckDBPyConnection, node_count: int) -> Adjacency:
    """The adjacency of the table ``edges``, whose rows are numbered in the order (source, type, target)."""
    (edge_count,) = connection.execute("SELECT count(*) FROM edges").fetchone() or (0,)
    sources, targets, types = (np.empty(edge_count, dtype=np.int32) for _ in range(3))
    for start in range(0, edge_count, _CHUNK):
        chunk = connection.execute(
            "SELECT row, source, target, type FROM edges WHERE row >= $start AND row < $end",
            {"start": start, "end": start + _CHUNK},
        ).fetchnumpy()
        # Placed by their numbers, so that the order in which the rows come does not matter.
        rows = chunk["row"]
        sources[rows], targets[rows], types[rows] = chunk["source"], chunk["target"], chunk["type"]
    return adjacency_of(sources, targets, types, node_count)


def adjacency_of(
    sources: NDArray[np.int32], targets: NDArray[np.int32], types: NDArray[np.int32], node_count: int
) -> Adjacency:
    """The adjacency of edges that are given in the order (source, type, target)."""
    type_count = int(types.max()) + 1 if len(types) else 1
    # Stable sorts of edges that are ordered by source: by type within target, and by source within type.
    incoming = stable_order(targets.astype(np.int64) * type_count + types, node_count * type_count)
    numbers: NDArray[np.int32] | NDArray[np.int64] = incoming
    if len(incoming) < 2**31:
        numbers = incoming.astype(np.int32)
    return Adjacency(
        out_offsets=_offsets(sources, node_count),
        out_targets=targets,
        out_types=types,
        in_offsets=_offsets(targets, node_count),
        in_sources=sources[incoming],
        in_types=types[incoming],
        in_edges=numbers,
    )


def save_adjacency(adjacency: Adjacency, folder: Path) -> None:
    """Write each array to ``folder`` as a ``.npy`` file."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in _ARRAYS:
        np.save(folder / f"{name}.npy", getattr(adjacency, name), allow_pickle=False)


def open_adjacency(folder: Path) -> Adjacency:
    """Map the arrays of :func:`save_adjacency` into memory. Raises :class:`CorruptGraphError`."""
    adjacency = Adjacency(**{name: open_array(folder / f"{name}.npy") for name in _ARRAYS})
    offsets, edges = (adjacency.out_offsets, adjacency.in_offsets), adjacency.edge_count
    if (
        any(len(array) != adjacency.node_count + 1 or array[-1] != edges for array in offsets)
        or any(len(getattr(adjacency, name)) != edges for name in _ARRAYS if not name.endswith("offsets"))
    ):  # fmt: skip
        raise CorruptGraphError(f"the arrays in {folder} do not fit together", advice="Load the graph again.")
    return adjacency


def open_array(file: Path) -> NDArray[Any]:
    """Map one array into memory, read-only. Raises :class:`CorruptGraphError`."""
    try:
        array: NDArray[Any] = np.load(file, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError, SyntaxError, tokenize.TokenError) as error:
        # numpy reads a header as Python source: a damaged one fails in any of these ways.
        raise CorruptGraphError(f"{file} cannot be read: {error}", advice="Load the graph again.") from error
    # A plain view: numpy's class for mapped files makes each small slice several times slower.
    return np.asarray(array)


def stable_order(keys: NDArray[np.int64], bound: int) -> NDArray[np.int64]:
    """``numpy.argsort(keys, kind="stable")`` of keys from 0 to below ``bound``.

    Where key and position fit in 63 bits together, sorting the two as one number is stable by itself, and numpy sorts
    plain numbers several times as fast as it sorts by a key.
    """
    position_bits = max(len(keys) - 1, 1).bit_length()
    if max(bound - 1, 1).bit_length() + position_bits > _INTEGER_BITS:
        return np.argsort(keys, kind="stable")
    packed = (keys << position_bits) | np.arange(len(keys), dtype=np.int64)
    packed.sort()
    packed &= (1 << position_bits) - 1
    return packed


def _offsets(sorted_or_not: NDArray[np.int32], node_count: int) -> NDArray[np.int64]:
    offsets: NDArray[np.int64] = np.zeros(node_count + 1, dtype=np.int64)
    np.cumsum(np.bincount(sorted_or_not, minlength=node_count), out=offsets[1:])
    return offsets
