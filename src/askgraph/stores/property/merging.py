"""What merging nodes and merging edges have in common: rows of several relations, numbered as they arrive."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from .staging import EdgeRelation, FaultyRow, NodeRelation, Problems, PropertyColumns, faulty_rows

if TYPE_CHECKING:
    import duckdb

    from .catalog import PropertyColumn

AFTER_ALL: Final = 2**62
"""More than any arrival: no load has so many rows."""

Relation = TypeVar("Relation", NodeRelation, EdgeRelation)


class Merger(ABC, Generic[Relation]):
    """Merges rows of relations into tables of a new version.

    Args:
        connection: on the new version, with :data:`~.database.PREVIOUS` attached if ``previous_types`` is not ``None``.
        columns: all columns of properties; those of the version before are among them and are ``previous_columns``.
        previous_types: type by code in the version before; ``None``: there is no version before.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        columns: PropertyColumns,
        *,
        previous_columns: Sequence[PropertyColumn],
        previous_types: Sequence[str] | None,
        problems: Problems,
    ) -> None:
        self._connection = connection
        self._columns = columns
        self._previous_columns = {column.column_name for column in previous_columns}
        self._previous_types = previous_types
        self._problems = problems
        self._relations: list[tuple[int, Relation]] = []

    def _scalar(self, sql: str) -> int:
        (value,) = self._connection.execute(sql).fetchone() or (0,)
        return int(value)

    @abstractmethod
    def _shown_of(self, relation: Relation) -> list[str]:
        """SQL: what of a faulty row is needed to say what is wrong with it."""

    def _faulty(self, arrivals: Sequence[int]) -> list[FaultyRow]:
        """The rows with these arrivals (ascending)."""
        found: list[FaultyRow] = []
        if not arrivals:
            return found  # perhaps there are no relations either
        ends = [offset for offset, _ in self._relations[1:]] + [AFTER_ALL]
        for (offset, relation), end in zip(self._relations, ends, strict=True):
            ordinals = [arrival - offset for arrival in arrivals if offset <= arrival < end]
            if ordinals:
                shown = self._shown_of(relation)
                found += faulty_rows(self._connection, relation.relation, relation.source, ordinals, shown)
        return found
