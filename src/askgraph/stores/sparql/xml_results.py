"""The SPARQL Query Results XML Format, read row by row as it comes: for servers that do not speak JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from xml.parsers import expat

from ..rdf.vocabulary import RDF_LANG_STRING, XSD_STRING
from .json_results import BrokenReply
from .terms import Literal, Row, Term, blank_node, resource, triple_term

_NAMESPACE: Final = "http://www.w3.org/2005/sparql-results# "
_TAIL: Final = 1_000


class XmlResults:
    """Reads one reply. ``columns`` and ``boolean`` are as in
    :class:`~askgraph.stores.sparql.json_results.JsonResults`."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.columns: tuple[str, ...] | None = None
        self.boolean: bool | None = None
        self._pieces = pieces
        self._names: list[str] = []
        self._ready: list[Row] = []
        self._row: dict[str, Term] = {}
        self._name = ""
        self._text: list[str] = []
        self._attributes: dict[str, str] = {}
        self._terms: list[list[Term]] = []
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text.append
        # Entities of the document's own are no part of the format, and a way to make much out of little.
        self._parser.EntityDeclHandler = self._refuse

    def rows(self) -> Iterator[Row]:
        """The rows. Raises :class:`BrokenReply`."""
        tail = b""
        try:
            for piece in self._pieces:
                tail = (tail + piece)[-_TAIL:]
                self._parser.Parse(piece, False)
                yield from self._ready
                self._ready.clear()
            self._parser.Parse(b"", True)
        except expat.ExpatError:
            raise BrokenReply(tail.decode("utf-8", "replace")) from None
        yield from self._ready
        if self.boolean is None and self.columns is None:
            raise BrokenReply(tail.decode("utf-8", "replace"))

    def _refuse(self, *_: object) -> None:
        raise BrokenReply("an XML reply with entities of its own")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._text.clear()
        match name.removeprefix(_NAMESPACE):
            case "variable":
                self._names.append(attributes.get("name", ""))
            case "results":
                self.columns = tuple(self._names)
            case "result":
                self._row = {}
            case "binding":
                self._name = attributes.get("name", "")
                self._terms = [[]]
            case "triple":
                self._terms.append([])
            case "literal":
                self._attributes = attributes

    def _end(self, name: str) -> None:
        text = "".join(self._text)
        match name.removeprefix(_NAMESPACE):
            case "head":
                if self._names:
                    self.columns = tuple(self._names)
            case "boolean":
                if text.strip() not in ("true", "false"):
                    raise BrokenReply(text)
                self.boolean = text.strip() == "true"
            case "uri":
                self._add(resource(text))
            case "bnode":
                self._add(blank_node(text))
            case "literal":
                self._add(self._literal(text))
            case "triple":
                self._end_triple()
            case "binding":
                self._end_binding()
            case "result":
                self._ready.append(tuple(self._row.get(name) for name in self.columns or ()))
        self._text.clear()

    def _literal(self, text: str) -> Literal:
        language = self._attributes.get("http://www.w3.org/XML/1998/namespace lang")
        if language:
            return Literal(text, RDF_LANG_STRING, language)
        return Literal(text, self._attributes.get("datatype") or XSD_STRING)

    def _add(self, term: Term) -> None:
        if not self._terms:
            raise BrokenReply(str(term[0])[:_TAIL])
        self._terms[-1].append(term)

    def _end_triple(self) -> None:
        parts = self._terms.pop() if len(self._terms) > 1 else []
        if len(parts) != 3:
            raise BrokenReply("a triple that has not three parts")
        self._add(triple_term(*parts))

    def _end_binding(self) -> None:
        if len(self._terms) != 1 or len(self._terms[0]) != 1 or self._name not in (self.columns or ()):
            raise BrokenReply(f"a binding of {self._name!r} that has no value")
        self._row[self._name] = self._terms[0][0]
        self._terms = []
