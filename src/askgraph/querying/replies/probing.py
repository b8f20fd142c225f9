"""Whether a text is a query, and how far it is one, as our own parsers see it.

A pattern of letters cannot tell where a query ends and the sentence after it begins; a parser can.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from ...core.errors import QueryError, QueryRefusedError

if TYPE_CHECKING:
    from ..cypher.clause_tree import Branch, Query, Statement

Finding = Literal["whole", "unfinished", "unsafe", "faulty"]

_NO_HARM = ("several-statements", "unsupported")
"""Refusals of what may be cut off, or put right: ``HAVING`` is no clause of Cypher."""


class Probe(NamedTuple):
    """What a parser says of a text.

    Attributes:
        finding: it is a query; it could become one if it went on; it would do more than read; or it is none.
        stop: how far it reads: to its end, or to the first character that does not fit.
        undeclared: SPARQL prefixes that it uses and does not declare.
        touches_graph: whether it asks for anything of a graph, as ``RETURN the`` does not.
    """

    finding: Finding
    stop: int
    undeclared: tuple[str, ...] = ()
    touches_graph: bool = True


@dataclass(slots=True)
class Work:
    """How much may be read to find queries in one reply, in characters: it bounds the time that a reply takes, however
    it was made to take long. ``read``: how much was read so far."""

    allowed: int
    read: int = 0
    known: dict[tuple[str, str], Probe] = field(default_factory=dict)

    @property
    def is_used_up(self) -> bool:
        """Whether nothing more is read."""
        return self.read >= self.allowed

    def probe(self, text: str, language: str) -> Probe:
        """What the parser of a language says of a text; nothing can be said when the work is used up."""
        key = (language, text)
        if key not in self.known:
            if self.is_used_up:
                return Probe("faulty", 0)
            self.read += len(text)
            self.known[key] = _probe_sparql(text) if language == "sparql" else _probe_cypher(text)
        return self.known[key]


def _probe_cypher(text: str) -> Probe:
    from ..cypher.parser import parse

    if not text.strip():
        return Probe("unfinished", len(text))
    try:
        statement = parse(text).statement
    except QueryRefusedError as error:
        return Probe("faulty" if error.code in _NO_HARM else "unsafe", error.offset)
    except QueryError as error:
        return _unread(text, error)
    finding: Finding = "whole" if _gives_rows(statement.query) else "unfinished"
    return Probe(finding, len(text), touches_graph=_asks_graph(statement))


def _gives_rows(query: Query) -> bool:
    """Whether a Cypher query ends as one that gives rows must: the grammar alone lets ``MATCH (n)`` pass."""
    from ..cypher.clause_tree import Union

    stage = query.stages[-1]
    return not isinstance(stage, Union) or _branch_gives_rows(stage.branches[-1])


def _branch_gives_rows(branch: Branch) -> bool:
    from ..cypher.clause_tree import BracedQuery, CallProcedure, ClauseSequence, Finish, Return

    if isinstance(branch, BracedQuery):
        return _gives_rows(branch.query)
    last = branch.clauses[-1] if isinstance(branch, ClauseSequence) else None
    return isinstance(last, Return | Finish | CallProcedure)


def _asks_graph(statement: Statement) -> bool:
    from ..cypher.clause_tree import CallProcedure, Match, Unwind
    from ..cypher.pattern_tree import PathPattern
    from ..tree import walk

    return any(isinstance(node, Match | PathPattern | CallProcedure | Unwind) for node in walk(statement))


def _probe_sparql(text: str) -> Probe:
    from ..sparql.escapes import decode_escapes
    from ..sparql.parser import SparqlParser
    from ..sparql.updates import SECOND_UPDATE, UPDATE, UPDATE_WORDS

    prefixes = _AnyPrefix()
    try:
        source, _ = decode_escapes(text)
        parser = SparqlParser(source, prefixes)
        if parser.token.key in UPDATE_WORDS:
            return Probe("unsafe", 0)
        parser.query()
    except QueryRefusedError as error:
        return Probe("unsafe", error.offset)
    except QueryError as error:
        if error.code in (UPDATE, SECOND_UPDATE):
            return Probe("unsafe", error.offset)
        return _unread(text, error)
    return Probe("whole", len(text), tuple(prefixes.asked))


class _AnyPrefix(Mapping[str, str]):
    """Knows every prefix: one that is not declared is no reason to take a query for none. Notes those asked for."""

    def __init__(self) -> None:
        self.asked: dict[str, None] = {}

    def __getitem__(self, prefix: str) -> str:
        self.asked[prefix] = None
        return f"urn:prefix:{prefix}:"

    def __iter__(self) -> Iterator[str]:
        return iter(self.asked)

    def __len__(self) -> int:
        return len(self.asked)


def _unread(text: str, error: QueryError) -> Probe:
    """A text that does not read: it lacks something at its end, or something in it does not fit."""
    stop = min(error.offset, len(text))
    return Probe("unfinished" if stop >= len(text.rstrip()) else "faulty", stop)
