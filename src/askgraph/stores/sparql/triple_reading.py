"""Triples of a reply to CONSTRUCT or DESCRIBE, read as they come."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, Any, Final, cast

from ...core.errors import AskgraphError
from ..rdf.vocabulary import XSD_STRING
from .json_results import BrokenReply
from .terms import Literal, Term, blank_node, resource, triple_term

if TYPE_CHECKING:
    import pyoxigraph

Triple = tuple[Term, Term, Term]

LINES: Final = ("application/n-triples", "text/plain")
ACCEPTED: Final = "application/n-triples, text/turtle;q=0.5"
_TAIL: Final = 1_000


def read_triples(pieces: Iterator[bytes], media_type: str) -> Iterator[Triple]:
    """The triples of a body.

    Args:
        pieces: the body.
        media_type: its media type; N-Triples is read line by line, anything else as Turtle.

    Raises:
        BrokenReply: it is not what it says, or does not end where it may.
    """
    if media_type in LINES:
        yield from _read_lines(pieces)
    else:
        yield from _read_turtle(pieces)


def _read_lines(pieces: Iterator[bytes]) -> Iterator[Triple]:
    import pyoxigraph

    rest = b""
    for piece in pieces:
        whole, newline, new = piece.rpartition(b"\n")
        if not newline:
            rest += piece
            continue
        yield from _parse(rest + whole + newline, pyoxigraph.RdfFormat.N_TRIPLES)
        rest = new
    if rest.strip():
        yield from _parse(rest, pyoxigraph.RdfFormat.N_TRIPLES)


def _parse(content: bytes, format: pyoxigraph.RdfFormat) -> Iterator[Triple]:
    import pyoxigraph

    try:
        for quad in pyoxigraph.parse(content, format, without_named_graphs=True):
            yield _term(quad.subject), _term(quad.predicate), _term(quad.object)
    except SyntaxError as error:
        raise BrokenReply(_line_of(content, error.lineno)) from None
    except ValueError as error:
        raise BrokenReply(str(error)[:_TAIL]) from None


def _line_of(content: bytes, line: int | None) -> str:
    lines = content.split(b"\n")
    place = len(lines) - 1 if line is None else min(line, len(lines)) - 1
    return b"\n".join(lines[max(place, 0) :])[:_TAIL].decode("utf-8", "replace")


def _read_turtle(pieces: Iterator[bytes]) -> Iterator[Triple]:
    import pyoxigraph

    stream = _Stream(pieces)
    try:
        for quad in pyoxigraph.parse(
            cast("IO[bytes]", stream), pyoxigraph.RdfFormat.TURTLE, without_named_graphs=True
        ):
            yield _term(quad.subject), _term(quad.predicate), _term(quad.object)
    except (SyntaxError, ValueError):
        if stream.fault is not None:
            raise stream.fault from None
        raise BrokenReply(stream.tail.decode("utf-8", "replace")) from None
    except OSError:
        raise stream.fault or BrokenReply(stream.tail.decode("utf-8", "replace")) from None


class _Stream(io.RawIOBase):
    """Pieces as a file; remembers what went wrong, which a parser may tell in other words."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        super().__init__()
        self.fault: AskgraphError | None = None
        self.tail = b""
        self._pieces = pieces
        self._rest = b""

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        while not self._rest:
            try:
                piece = next(self._pieces, None)
            except AskgraphError as error:
                self.fault = error
                raise OSError("the reply cannot be read on") from error
            if piece is None:
                return b""
            self._rest = piece
            self.tail = (self.tail + piece)[-_TAIL:]
        if size < 0:
            size = len(self._rest)
        taken, self._rest = self._rest[:size], self._rest[size:]
        return taken


def _term(term: Any) -> Term:
    import pyoxigraph

    match term:
        case pyoxigraph.NamedNode():
            return resource(term.value)
        case pyoxigraph.BlankNode():
            return blank_node(term.value)
        case pyoxigraph.Literal():
            return Literal(term.value, term.datatype.value or XSD_STRING, term.language)
    return triple_term(_term(term.subject), _term(term.predicate), _term(term.object))
