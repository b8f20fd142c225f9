"""Quads out of RDF files, with every fault told by file, line and column."""

from __future__ import annotations

import io
import itertools
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, cast
from xml.parsers import expat

from ...core.errors import BadValueError, LoadError, Location, MalformedFileError
from ...core.progress import SILENT, Progress
from ..loading.report import ProblemLog
from .syntaxes import RdfFile, Syntax

if TYPE_CHECKING:
    import pyoxigraph

_LINES_AT_ONCE: Final = 2_000
# A reserved name: no IRI of real data begins with it.
_NO_BASE: Final = "http://no-base-iri.invalid/"
_PLACE: Final = re.compile(r"^Parser error (?:at|between) [^:]*: ")
_IRI_MESSAGE: Final = re.compile(r"Invalid IRI|parsing IRI")
_LANGUAGE_MESSAGE: Final = re.compile(r"language", re.IGNORECASE)
_PREFIX_MESSAGE: Final = re.compile(r"prefix (\S*?):? ?(?:has not been declared|$)", re.IGNORECASE)
_QUOTED: Final = re.compile(r"'([^']*)'")
# The parser makes such labels for blank nodes that the file gives none.
_MADE_LABEL: Final = re.compile(r"[0-9a-f]{20,32}")


class QuadReader:
    """Reads one file.

    Attributes:
        prefixes: the prefixes that the file declares, once it is read.
    """

    def __init__(
        self, file: RdfFile, log: ProblemLog, *, base_iri: str | None = None, progress: Progress = SILENT
    ) -> None:
        self.prefixes: dict[str, str] = {}
        self._file = file
        self._log = log
        self._base_iri = base_iri
        self._progress = progress

    def quads(self) -> Iterator[pyoxigraph.Quad]:
        """The quads of the file.

        A fault goes to the log, which may raise it. In N-Triples and N-Quads reading goes on with the next line; the
        other syntaxes cannot be read on, because what follows may mean something else than it seems: there a fault is
        always raised, but if all faults are only to be reported.
        """
        if self._file.syntax.has_lines and self._log.on_error != "stop":
            yield from self._quads_by_lines()
            return
        try:
            yield from self._quads_at_once()
        except LoadError as error:
            if self._log.on_error == "report":
                self._log.add(error)
                return
            if self._log.on_error == "skip":
                error.advice = _joined(
                    error.advice,
                    f"{self._file.syntax} cannot be read on after a fault: nothing of the file can be skipped.",
                )
            raise

    def blank_names(self) -> Callable[[str], str]:
        """Gives the blank nodes of this file ids that are the same whenever the file is loaded, and that no other file
        has: part of the hash of its content, and the label or, where the file gives none, a number."""
        start = f"_:{self._file.content_hash[:12]}"
        made: dict[str, str] = {}
        numbers = itertools.count()

        def name(label: str) -> str:
            if _MADE_LABEL.fullmatch(label) is None:
                return f"{start}_{label}"
            if label not in made:
                made[label] = f"{start}-{next(numbers)}"
            return made[label]

        return name

    # --- all at once

    def _quads_at_once(self) -> Iterator[pyoxigraph.Quad]:
        import pyoxigraph

        syntax = self._file.syntax
        base_iri = self._base_iri
        if syntax is Syntax.JSON_LD and base_iri is None:
            # Without a base, JSON-LD drops what has a relative IRI and says nothing.
            base_iri = _NO_BASE
        with self._file.open() as stream:
            counted = _CountedStream(stream, self._progress)
            try:
                parser = pyoxigraph.parse(cast("IO[bytes]", counted), syntax.to_parser(), base_iri=base_iri)
                yield from _refuse_relative(parser, self._file) if base_iri is _NO_BASE else parser
                self.prefixes = dict(parser.prefixes)
            except SyntaxError as error:
                raise self._fault_in_line(error) if syntax.has_lines else self._fault(error) from None
            except ValueError as error:
                raise BadValueError(str(error), location=self._file.input.at()) from None

    def _fault(self, error: SyntaxError, line_shift: int = 0) -> LoadError:
        message = _PLACE.sub("", str(error.args[0]))
        line, column = error.lineno, error.offset
        location = self._file.input.at(None if line is None else line + line_shift, column)
        if line is None and self._file.syntax is Syntax.RDF_XML:
            location = _place_in_xml(self._file, message) or location
        kind, advice = _kind_and_advice(message)
        return kind(message[:1].lower() + message[1:] if _starts_like_a_sentence(message) else message,
                    location=location, advice=advice)  # fmt: skip

    # --- line by line

    def _fault_in_line(self, error: SyntaxError) -> LoadError:
        """The fault of a line by itself: the parser may see only on the next line that one has no end."""
        last = error.lineno or 1
        with self._file.open() as stream:
            first = max(last - 2, 0)
            for number, line in enumerate(itertools.islice(stream, first, last), start=first):
                try:
                    self._parse([line])
                except SyntaxError as found:
                    return self._fault(found, number)
        return self._fault(error)

    def _parse(self, lines: list[bytes]) -> list[pyoxigraph.Quad]:
        import pyoxigraph

        # Without the last line feed, so that what lacks its dot is not looked for on a line that is not there.
        return list(pyoxigraph.parse(b"".join(lines).rstrip(b"\r\n"), self._file.syntax.to_parser()))

    def _quads_by_lines(self) -> Iterator[pyoxigraph.Quad]:
        with self._file.open() as stream:
            lines_before = 0
            while lines := list(itertools.islice(stream, _LINES_AT_ONCE)):
                yield from self._quads_of(lines, lines_before)
                lines_before += len(lines)
                self._progress.advance(sum(map(len, lines)))

    def _quads_of(self, lines: list[bytes], lines_before: int) -> list[pyoxigraph.Quad]:
        try:
            return self._parse(lines)
        except SyntaxError as error:
            if len(lines) == 1:
                self._log.add(self._fault(error, lines_before))
                return []
        middle = len(lines) // 2
        return self._quads_of(lines[:middle], lines_before) + self._quads_of(
            lines[middle:], lines_before + middle
        )


class _CountedStream(io.RawIOBase):
    """A stream that tells how much of it was read."""

    def __init__(self, stream: IO[bytes], progress: Progress) -> None:
        super().__init__()
        self._stream = stream
        self._progress = progress

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        content = self._stream.read(size)
        self._progress.advance(len(content))
        return content


def _joined(advice: str | None, sentence: str) -> str:
    return f"{advice} {sentence}" if advice else sentence


def _starts_like_a_sentence(message: str) -> bool:
    return message[:1].isupper() and not message[:2].isupper()


def _kind_and_advice(message: str) -> tuple[type[LoadError], str | None]:
    if "scheme" in message:
        return BadValueError, (
            "The IRI is relative and the file names no base: give one with base_iri, or begin the file with @base <…> ."
        )
    if "LoadDocumentCallback" in message:
        return (
            MalformedFileError,
            "A context by address is not fetched: put the context itself into the file.",
        )
    if _LANGUAGE_MESSAGE.search(message):
        return BadValueError, "A language tag looks like en or pt-BR (BCP 47)."
    if _IRI_MESSAGE.search(message):
        return BadValueError, "Escape what an IRI may not contain: a blank is %20."
    match = _PREFIX_MESSAGE.search(message)
    if match:
        return MalformedFileError, f"Declare it at the beginning: @prefix {match[1]}: <…> ."
    if "variables are not allowed" in message or "formula" in message:
        return MalformedFileError, "Rules and variables of N3 are not data: remove them."
    return MalformedFileError, None


# --- places that the parser does not tell


def _place_in_xml(file: RdfFile, message: str) -> Location | None:
    """Where the first element stands that has the quoted text of a message as an attribute, or the named prefix."""
    match = _QUOTED.search(message)
    if match is None:
        return None
    parser = expat.ParserCreate()
    places: list[tuple[int, int]] = []

    def look(name: str, attributes: dict[str, str]) -> None:
        if not places and match[1] in attributes.values():
            places.append((parser.CurrentLineNumber, parser.CurrentColumnNumber + 1))

    parser.StartElementHandler = look
    with file.open() as stream:
        parser.ParseFile(stream)
    return file.input.at(*places[0]) if places else None


def _refuse_relative(quads: Any, file: RdfFile) -> Iterator[pyoxigraph.Quad]:
    from pyoxigraph import NamedNode

    for quad in quads:
        for term in (quad.subject, quad.object, quad.graph_name):
            if type(term) is NamedNode and term.value.startswith(_NO_BASE):
                relative = term.value.removeprefix(_NO_BASE)
                raise BadValueError(
                    f"the IRI {relative!r} is relative, and the file names no base",
                    location=_place_of_text(file, relative),
                    advice='Give one with base_iri, or put "@base" into the context.',
                )
        yield quad


def _place_of_text(file: RdfFile, text: str) -> Location:
    """Where a text stands in quotes for the first time."""
    with file.open() as stream, io.TextIOWrapper(stream, encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            column = line.find(f'"{text}"')
            if column >= 0:
                return file.input.at(number, column + 1)
    return file.input.at()


def scratch_file(folder: Path, number: int) -> Path:
    """Where the copy of the file with this number may lie."""
    return folder / f"input-{number}.utf8"
