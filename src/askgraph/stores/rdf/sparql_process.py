"""Runs SPARQL in a process of its own, which is killed when the time is up."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from ...core.budget import Budget
from ...core.errors import AskgraphError, QueryFailedError
from ...core.progress import SILENT, Progress
from ...core.query_result import ResultShape
from ..workers.process import Handed, WorkerProcess, Workplace

INDEX_FOLDER: Final = "oxigraph"

_LINES_AT_ONCE: Final = 20_000


@dataclass(frozen=True, slots=True)
class Solutions:
    """What a query gave.

    Attributes:
        columns: names of variables; ``subject``, ``predicate`` and ``object`` of triples; ``answer`` of ASK.
        rows: for each column ``None``, ``["node", id]`` or ``["literal", text, datatype, language]``; one truth value
            for ASK.
        truncated: whether there were more rows than are allowed.
        shape: what kind of query it was.
    """

    columns: tuple[str, ...]
    rows: list[list[Any]]
    truncated: bool
    shape: ResultShape = "rows"


class SparqlProcess:
    """One worker process for one version of a graph: started when needed, used again and again, killed at a deadline
    and started anew. Safe to use from several threads, which take turns."""

    def __init__(self, lines: Callable[[], Iterable[str]], size: int, folder: Path | None) -> None:
        """Nothing is started yet.

        Args:
            lines: gives the graph as lines of N-Quads, for the index.
            size: the number of lines, as far as it is known.
            folder: where the index is kept, or is to be kept; ``None``: in the worker's memory.
        """
        self._worker = WorkerProcess(
            Workplace(
                module="askgraph.stores.rdf.worker",
                language="SPARQL",
                hand_over=lambda: _pieces(lines()),
                size=size,
                derived=None if folder is None else folder / INDEX_FOLDER,
            )
        )

    def select(self, query: str, budget: Budget) -> Solutions:
        """Run the SELECT query of a plan, which may use a function of ours.

        Raises:
            AskgraphError: the query is no SPARQL, and what :meth:`WorkerProcess.ask` raises.
        """
        request = {"query": query, "rows": budget.rows, "bytes": budget.bytes, "plan": True}
        reply = self._worker.ask(request, budget)
        if "error" in reply:
            raise AskgraphError(f"the query cannot be run: {reply['error']}")
        return _solutions(reply)

    def run(self, text: str, rows: int, budget: Budget) -> Solutions:
        """Run a query of any form that has passed the gate; at most so many rows of it.

        Raises:
            QueryFailedError: the engine cannot run it.
            DeadlineExceededError, CapExceededError, OpenError: as :meth:`WorkerProcess.ask`.
        """
        request = {"query": text, "rows": rows, "bytes": budget.bytes, "plan": False}
        reply = self._worker.ask(request, budget)
        if "error" in reply:
            raise QueryFailedError(
                f"the embedded engine cannot run this query: {reply['error']}", code="engine"
            )
        return _solutions(reply)

    def prepare(self, progress: Progress = SILENT) -> None:
        """Make the index if there is none. Raises as :meth:`WorkerProcess.prepare`."""
        self._worker.prepare(progress)

    def close(self) -> None:
        """End the worker. Closing twice is allowed."""
        self._worker.close()

    @property
    def process_id(self) -> int | None:
        """Of the worker, if one runs."""
        return self._worker.process_id


def _solutions(reply: dict[str, Any]) -> Solutions:
    return Solutions(
        tuple(reply["columns"]), reply["rows"], reply["truncated"], cast("ResultShape", reply["shape"])
    )


def _pieces(lines: Iterable[str]) -> Generator[Handed]:
    iterator = iter(lines)
    while part := list(itertools.islice(iterator, _LINES_AT_ONCE)):
        yield Handed("".join(part).encode(), len(part))
