"""The cells of a result's column: numbers to compare and sort by, and the values that they stand for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ....core.values import Value

Positions = NDArray[np.int64]


class Cells(Protocol):
    """One column of a result."""

    ranks: NDArray[np.int64]
    """For each row a number in the order of values; -1 for null."""

    def take(self, rows: Positions) -> Cells:
        """Some rows."""

    def values(self) -> Sequence[Value]:
        """The values of all rows."""


class CodeCells:
    """Cells that are numbers (rows of nodes, codes of values) until somebody wants to see them."""

    def __init__(
        self, codes: NDArray[np.int64], read: Callable[[NDArray[np.int64]], Sequence[Value]]
    ) -> None:
        self.ranks = codes
        self._read = read

    def take(self, rows: Positions) -> CodeCells:
        """Some rows."""
        return CodeCells(self.ranks[rows], self._read)

    def values(self) -> Sequence[Value]:
        """The values of all rows."""
        return self._read(self.ranks)


class ValueCells:
    """Cells that are values already."""

    def __init__(self, values: Sequence[Value], ranks: NDArray[np.int64]) -> None:
        self.ranks = ranks
        self._values = values

    def take(self, rows: Positions) -> ValueCells:
        """Some rows."""
        return ValueCells([self._values[row] for row in rows.tolist()], self.ranks[rows])

    def values(self) -> Sequence[Value]:
        """The values of all rows."""
        return self._values
