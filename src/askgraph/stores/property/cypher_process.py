"""Runs Cypher text in a process of its own, on a graph that is derived from the truth when it is first needed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ...core.budget import Budget
from ...core.errors import CapExceededError, DeadlineExceededError, QueryFailedError
from ...core.progress import SILENT, Progress
from ...core.query_result import QueryExplanation
from ...core.values import Value, to_json_value
from ...core.version import version_of
from ..workers.process import WorkerProcess, Workplace
from .cypher_feed import CypherFeed

_FORMAT: Final = 1
_EXPLAIN: Final = "EXPLAIN "
_PASS: Final = "OptimizerPass"
# startNode(r) with what stands before it (a function, a comparison) and behind it (a key, a comparison, a name).
_END_OF_EDGE: Final = re.compile(
    r"(?:(?P<function>\w+)\s*\(\s*(?:DISTINCT\s+)?|(?P<compared><>|=|\bIN\b)\s*)?"
    r"\b(?P<call>(?:start_?node|end_?node)\s*\([^()]*\))"
    r"\s*(?P<behind>\.|\{|\[|<>|=|\bIN\b|:|\bAS\s+`?(?P<alias>\w+)`?)?",
    re.IGNORECASE,
)
# Functions for which the engine does take it for a node.
_OF_NODES: Final = frozenset({"id", "elementid", "labels", "keys", "properties", "count", "size"})
_QUOTED: Final = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")
_NO_CODE: Final = rf"({_QUOTED.pattern}|`(?:[^`]|``)*`)"
_ID: Final = re.compile(r"\bid\s*\(", re.IGNORECASE)
_ELEMENT_ID: Final = re.compile(rf"{_NO_CODE}|\belementId(?=\s*\()", re.IGNORECASE)
_ELEMENT_ID_OF: Final = re.compile(rf"{_NO_CODE}|\belementId\s*\(\s*(\w+)\s*\)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CypherRows:
    """What a query gave, with nodes and edges as numbers of rows.

    Attributes:
        columns: the columns' names.
        rows: cells in the form of :mod:`askgraph.core.values`; nodes, edges and paths as :mod:`.cypher_values` writes
            them.
        truncated: whether there were more rows than are allowed.
        warnings: what the engine said.
    """

    columns: tuple[str, ...]
    rows: list[list[Any]]
    truncated: bool
    warnings: tuple[str, ...]


class CypherProcess:
    """The Cypher engine of one version of a graph. Safe to use from several threads, which take turns."""

    def __init__(self, feed: CypherFeed, folder: Path | None) -> None:
        """Nothing is started yet.

        Args:
            feed: gives the graph.
            folder: of the version, where the engine's graph is kept; ``None``: in the memory of its process.
        """
        self._feed = feed
        self._worker = WorkerProcess(
            Workplace(
                module="askgraph.stores.property.cypher_worker",
                language="Cypher",
                hand_over=feed.pieces,
                size=feed.size,
                derived=None if folder is None else folder / engine_folder(),
            )
        )

    def run(self, text: str, parameters: Mapping[str, Value], rows: int, budget: Budget) -> CypherRows:
        """Run a query that has passed the gate; at most so many rows of it.

        Raises:
            QueryFailedError: the engine cannot run it, or take the parameters; code ``"unsupported"`` for one that it
                would answer wrongly.
            DeadlineExceededError, CapExceededError, OpenError: as :meth:`WorkerProcess.ask`.
        """
        _refuse_shown_ends(text)
        reply = self._ask(_with_public_ids(text), parameters, rows, budget)
        warnings = [*reply["warnings"], *self._own_warnings(text)]
        return CypherRows(tuple(reply["columns"]), reply["rows"], reply["truncated"], tuple(warnings))

    def explain(self, text: str, parameters: Mapping[str, Value], budget: Budget) -> QueryExplanation:
        """What the engine says it would do. Raises as :meth:`run`."""
        _refuse_shown_ends(text)
        asked = _with_public_ids(text if text.upper().startswith(_EXPLAIN) else _EXPLAIN + text)
        reply = self._ask(asked, parameters, budget.rows, budget)
        steps = [dict(zip(reply["columns"], row, strict=True)) for row in reply["rows"]]
        operators = [step for step in steps if not step["operation"].startswith(_PASS)]
        expected = [step["estimated_rows"] for step in operators if step["estimated_rows"] is not None]
        return QueryExplanation(
            text="\n".join(map(_line, steps)),
            operators=tuple(step["operation"] for step in reversed(operators)),
            estimated_rows=float(expected[-1]) if expected else None,
            warnings=tuple(reply["warnings"]),
        )

    def prepare(self, progress: Progress = SILENT) -> None:
        """Derive the engine's graph if it is not there. Raises as :meth:`WorkerProcess.prepare`."""
        self._worker.prepare(progress)

    def close(self) -> None:
        """End the worker. Closing twice is allowed."""
        self._worker.close()

    @property
    def process_id(self) -> int | None:
        """Of the worker, if one runs."""
        return self._worker.process_id

    def _ask(self, text: str, parameters: Mapping[str, Value], rows: int, budget: Budget) -> dict[str, Any]:
        request = {
            "query": text,
            "parameters": {name: to_json_value(value) for name, value in parameters.items()},
            "rows": rows,
            "bytes": budget.bytes,
        }
        reply = self._worker.ask(request, budget)
        if "error" not in reply:
            return reply
        message = reply["error"]
        match reply["kind"]:
            case "time":
                raise DeadlineExceededError(
                    f"{budget.stated_time} was up while running Cypher",
                    advice="Allow more with --timeout or Budget(seconds=…), or ask something narrower.",
                )
            case "cap":
                raise CapExceededError(
                    "the query makes more on its way than the embedded engine holds at once",
                    advice="Ask something narrower: join patterns by relationships, filter earlier.",
                )
            case "parameters":
                raise QueryFailedError(f"a parameter cannot be used: {message}", code="parameters")
        raise QueryFailedError(f"the embedded engine cannot run this query: {message}", code="engine")

    def _own_warnings(self, text: str) -> list[str]:
        plain = _QUOTED.sub("''", text)
        return [
            f"The property {key} holds very long lists, which are not part of the graph that Cypher runs on."
            for key in self._feed.left_out
            if re.search(rf"\b{re.escape(key)}\b", plain)
        ]


def _refuse_shown_ends(text: str) -> None:
    """Refuse a query that gives ``startNode(r)`` or ``endNode(r)`` as a result: the engine gives no node for it, and
    says nothing of that. A key of it, its id or labels, or a comparison are fine."""
    plain = _QUOTED.sub("''", text)
    returned = re.split(r"\bRETURN\b", plain, flags=re.IGNORECASE)[-1]
    for match in _END_OF_EDGE.finditer(plain):
        function, alias = (match["function"] or "").lower(), match["alias"]
        is_used = bool(match["compared"]) or function in _OF_NODES or (match["behind"] and not alias)
        is_named = alias is not None and match.start() < len(plain) - len(returned)
        if is_named and not re.search(rf"(?<![.\w]){re.escape(alias)}\b(?!\s*[.(:])", returned):
            continue
        if not is_used:
            raise QueryFailedError(
                f"the embedded engine gives no node for {match['call']} in a result",
                code="unsupported",
                advice="Name the node in the pattern and return it: MATCH (start)-[r]->(end) RETURN start.",
            )


def engine_folder() -> str:
    """The folder, within that of a version, of the graph that this engine in this version reads."""
    return f"kglite-{version_of('kglite')}-{_FORMAT}"


def _line(step: dict[str, Any]) -> str:
    expected = step["estimated_rows"]
    return str(step["operation"]) if expected is None else f"{step['operation']} (about {expected:,} rows)"


def _with_public_ids(text: str) -> str:
    """The text with ``id`` for ``elementId``: the engine's own element ids mean nothing to anyone else.

    Where ``id`` is there as well, it is told from it, because the engine lets no two columns be called alike.
    """
    if _ID.search(_QUOTED.sub("", text)):
        text = _ELEMENT_ID_OF.sub(lambda found: found[1] or f"coalesce(id({found[2]}))", text)
    return _ELEMENT_ID.sub(lambda found: found[1] or "id", text)
