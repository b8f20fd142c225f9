"""What the formats have in common once their rows are in DuckDB: a staging table, a mapping, and places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from ...core.budget import Budget
from ...core.errors import Location
from .conversion import Alternative
from .mapping import Column, TableMapping
from .report import ProblemLog
from .sources import InputFile

if TYPE_CHECKING:
    import duckdb

T = TypeVar("T")

_BETWEEN_CHECKS: Final = 10_000


@dataclass(frozen=True, slots=True)
class PropertyValues:
    """How a property is read from a staging table.

    Attributes:
        alternatives: the types that its values may have, each with an SQL expression.
        present: SQL: whether a row has a value.
        shown: SQL: the value as text, for a message.
        expected: what a value must be, for a message.
        advice: what to do with one that is not.
        certain: whether every value is known to be of one of the alternatives.
    """

    alternatives: Sequence[Alternative]
    present: str
    shown: str
    expected: str = ""
    advice: str | None = None
    certain: bool = False


def within(items: Iterable[T], budget: Budget | None, doing: str) -> Iterator[T]:
    """The items, as long as there is time. Raises :class:`DeadlineExceededError`."""
    for number, item in enumerate(items):
        if budget is not None and number % _BETWEEN_CHECKS == 0:
            budget.check(doing)
        yield item


class StagedTable(Protocol):
    """A file whose rows are in a temporary table of DuckDB, numbered by ``rowid`` in their order in the file."""

    @property
    def name(self) -> str:
        """The file, as the user called it."""

    @property
    def relation(self) -> str:
        """The temporary table."""

    @property
    def mapping(self) -> TableMapping:
        """What its columns mean."""

    @property
    def headers(self) -> Sequence[str]:
        """Its columns or keys."""

    @property
    def has_blank_rows(self) -> bool:
        """Whether a row without any value is no row."""

    def text(self, column: Column) -> str:
        """SQL: a cell as VARCHAR, as ids and types need it; null if it is empty or no text or whole number."""

    def shown(self, column: Column) -> str:
        """SQL: a cell as VARCHAR, for a message."""

    def present(self, column: Column) -> str:
        """SQL: whether a cell has a value of any kind."""

    def types(self, column: Column, separator: str) -> str:
        """SQL: the types in a cell as VARCHAR[]."""

    def values(self, column: Column) -> PropertyValues:
        """How a property is read."""

    def locate(self, cells: Sequence[tuple[int, Column | None]]) -> list[Location]:
        """The places of cells, given by row number and column; ``None``: of the whole row."""


class Loadable(Protocol):
    """A file that was looked at and can be staged."""

    @property
    def file(self) -> InputFile:
        """The file."""

    @property
    def headers(self) -> Sequence[str] | None:
        """Its columns or keys; ``None`` where they are not known before the file is read."""

    @property
    def reads(self) -> Sequence[InputFile]:
        """The files that DuckDB must be allowed to read."""

    def stage(
        self, connection: duckdb.DuckDBPyConnection, relation: str, log: ProblemLog, budget: Budget | None
    ) -> StagedTable:
        """Read the file into a temporary table. Rows that cannot be read go to the log.

        Raises:
            LoadError: what the log's policy does not let pass, or a file that cannot be read at all.
            DeadlineExceededError: the budget's time is up.
        """
