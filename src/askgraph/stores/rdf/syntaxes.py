"""The syntaxes of RDF, and a first look at a file that finds what its parser would not tell, or not with its place."""

from __future__ import annotations

import codecs
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final
from xml.parsers import expat

from ...core.errors import EncodingError, MalformedFileError
from ..loading.sources import InputFile, decode_to_utf8, gzip_errors

if TYPE_CHECKING:
    import pyoxigraph

_CHUNK: Final = 1 << 20
_BOM: Final = codecs.BOM_UTF8
_IRI: Final = re.compile(rb"<[A-Za-z][A-Za-z0-9+.-]*://")
_XML_ENCODING: Final = re.compile(rb"""^\s*<\?xml[^>]*?\bencoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")


class Syntax(StrEnum):
    """A syntax of RDF; the value is its name for people."""

    N_TRIPLES = "N-Triples"
    N_QUADS = "N-Quads"
    TURTLE = "Turtle"
    TRIG = "TriG"
    N3 = "N3"
    RDF_XML = "RDF/XML"
    JSON_LD = "JSON-LD"

    @property
    def has_lines(self) -> bool:
        """Whether every line stands for itself, so that a bad one can be left out."""
        return self in (Syntax.N_TRIPLES, Syntax.N_QUADS)

    def to_parser(self) -> pyoxigraph.RdfFormat:
        """What pyoxigraph calls it."""
        from pyoxigraph import RdfFormat

        return {
            Syntax.N_TRIPLES: RdfFormat.N_TRIPLES,
            Syntax.N_QUADS: RdfFormat.N_QUADS,
            Syntax.TURTLE: RdfFormat.TURTLE,
            Syntax.TRIG: RdfFormat.TRIG,
            Syntax.N3: RdfFormat.N3,
            Syntax.RDF_XML: RdfFormat.RDF_XML,
            Syntax.JSON_LD: RdfFormat.JSON_LD,
        }[self]


_SUFFIXES: Final = {
    ".nt": Syntax.N_TRIPLES,
    ".nq": Syntax.N_QUADS,
    ".ttl": Syntax.TURTLE,
    ".trig": Syntax.TRIG,
    ".n3": Syntax.N3,
    ".rdf": Syntax.RDF_XML,
    ".owl": Syntax.RDF_XML,
    ".xml": Syntax.RDF_XML,
    ".jsonld": Syntax.JSON_LD,
}


@dataclass(frozen=True, slots=True)
class RdfFile:
    """A file that passed its first look.

    Attributes:
        input: where to read it, decompressed, in UTF-8.
        syntax: by its name and its first characters (OWL files come in Turtle too).
        content_hash: SHA-256 of its characters in UTF-8.
        size: in bytes, decompressed.
    """

    input: InputFile
    syntax: Syntax
    content_hash: str
    size: int

    def open(self) -> IO[bytes]:
        """Its content from the first character on, behind a byte order mark if there is one."""
        stream = self.input.open()
        if stream.read(len(_BOM)) != _BOM:
            stream.seek(0)
        return stream


def examine(file: InputFile, scratch: Path) -> RdfFile:
    """Read a file once: is it UTF-8, whole, and for XML and JSON in the right form at all?

    Args:
        file: what to look at.
        scratch: where a copy in UTF-8 may be made, if the file is in another encoding.

    Raises:
        EncodingError: not UTF-8, nor another encoding that the file names.
        MalformedFileError: damaged gzip, no XML, no JSON.
    """
    file = decode_to_utf8(file, scratch)
    syntax = _syntax_of(file)
    if syntax is Syntax.RDF_XML:
        file = _decode_xml(file, scratch)
    digest = hashlib.sha256()
    size = 0
    checker = _TextChecker(file)
    xml = expat.ParserCreate(namespace_separator=" ") if syntax is Syntax.RDF_XML else None
    with gzip_errors(file):
        for chunk in _chunks(file):
            digest.update(chunk)
            size += len(chunk)
            checker.check(chunk)
            if xml is not None:
                _check_xml(xml, chunk, file, is_last=False)
    checker.finish()
    if xml is not None:
        _check_xml(xml, b"", file, is_last=True)
    if syntax is Syntax.JSON_LD:
        _check_json_start(file)
    return RdfFile(file, syntax, digest.hexdigest(), size)


def _chunks(file: InputFile) -> Iterator[bytes]:
    """The content in parts, behind a byte order mark."""
    with file.open() as stream:
        first = stream.read(_CHUNK).removeprefix(_BOM)
        if first:
            yield first
        while chunk := stream.read(_CHUNK):
            yield chunk


def _syntax_of(file: InputFile) -> Syntax:
    suffixes = [suffix.lower() for suffix in Path(file.name).suffixes if suffix.lower() != ".gz"]
    syntax = _SUFFIXES[suffixes[-1]]
    if suffixes[-1] == ".owl":
        with file.open() as stream, gzip_errors(file):
            start = stream.read(4096).removeprefix(_BOM).lstrip()
        if start.startswith((b"@", b"PREFIX", b"prefix", b"#", b"BASE", b"base")) or _IRI.match(start):
            return Syntax.TURTLE
        if start.startswith((b"Prefix(", b"Ontology(", b"Prefix:", b"Ontology:")):
            raise MalformedFileError(
                "this is OWL in functional or Manchester syntax, not RDF/XML",
                location=file.at(1, 1),
                advice="Convert it to RDF/XML or Turtle with Protégé or ROBOT.",
            )
    return syntax


class _TextChecker:
    """Is it UTF-8? Tells the line and the column of the first character that is not."""

    def __init__(self, file: InputFile) -> None:
        self._file = file
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._line = 1
        self._column = 1

    def check(self, chunk: bytes, *, is_last: bool = False) -> None:
        """Take the next part of the file. Raises :class:`EncodingError`."""
        pending, _ = self._decoder.getstate()
        try:
            text = self._decoder.decode(chunk, is_last)
        except UnicodeDecodeError as error:
            self._advance((pending + chunk)[: error.start].decode("utf-8", "replace"))
            raise EncodingError(
                f"not UTF-8: the byte 0x{(pending + chunk)[error.start]:02X} cannot stand here",
                location=self._file.at(self._line, self._column),
                advice="Convert the file to UTF-8, for example: iconv -f LATIN1 -t UTF-8 FILE > NEW",
            ) from None
        self._advance(text)

    def finish(self) -> None:
        """The file is at its end: in the middle of a character?"""
        self.check(b"", is_last=True)

    def _advance(self, text: str) -> None:
        lines = text.count("\n")
        self._line += lines
        self._column = len(text) - text.rfind("\n") if lines else self._column + len(text)


# --- XML and JSON


def _check_xml(parser: expat.XMLParserType, chunk: bytes, file: InputFile, *, is_last: bool) -> None:
    try:
        parser.Parse(chunk, is_last)
    except expat.ExpatError as error:
        raise MalformedFileError(
            f"not well-formed XML: {expat.errors.messages[error.code]}",
            location=file.at(error.lineno, error.offset + 1),
            advice="Files that end in .rdf, .owl or .xml are read as RDF/XML.",
        ) from None


def _decode_xml(file: InputFile, scratch: Path) -> InputFile:
    """The file itself, or a copy in UTF-8 if its XML declaration names another encoding."""
    with file.open() as stream, gzip_errors(file):
        match = _XML_ENCODING.match(stream.read(1024).removeprefix(_BOM))
    encoding = match[1].decode("ascii") if match else "utf-8"
    try:
        name = codecs.lookup(encoding).name
    except LookupError:
        raise EncodingError(
            f"the XML declaration names an encoding that is not known: {encoding}", location=file.at(1)
        ) from None
    if match is None or (name in ("utf-8", "ascii") and file.path != scratch):
        return file
    # What decode_to_utf8 made is in UTF-8 already, whatever its declaration says.
    source_encoding = "utf-8" if file.path == scratch else name
    target = scratch.with_name(f"{scratch.name}.xml")
    with file.open() as stream, gzip_errors(file), target.open("wb") as copy:
        content = stream.read().removeprefix(_BOM)
        declaration = content[: match.start(1)] + b"utf-8" + content[match.end(1) :]
        try:
            copy.write(declaration.decode(source_encoding).encode("utf-8"))
        except UnicodeDecodeError as error:
            line = content[: error.start].count(b"\n") + 1
            raise EncodingError(f"broken {encoding}: {error.reason}", location=file.at(line)) from None
    return InputFile(target, file.name, file.format)


def _check_json_start(file: InputFile) -> None:
    with file.open() as stream, gzip_errors(file):
        start = stream.read(_CHUNK).removeprefix(_BOM)
    stripped = start.lstrip()
    if not stripped.startswith((b"{", b"[")):
        before = start[: len(start) - len(stripped)]
        line = before.count(b"\n") + 1
        column = len(before) - before.rfind(b"\n")
        raise MalformedFileError(
            "JSON-LD is a JSON object or an array of objects", location=file.at(line, column)
        )
