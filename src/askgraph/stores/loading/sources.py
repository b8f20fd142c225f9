"""Which files a load reads, and what each of them is, by its name and its first bytes."""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import IO, Final, cast

from ...core.errors import EncodingError, LoadError, Location, MalformedFileError, MissingFileError


class FileFormat(StrEnum):
    """The formats that a graph is loaded from."""

    CSV = "csv"
    TSV = "tsv"
    PARQUET = "parquet"
    JSON_LINES = "jsonl"
    RDF = "rdf"


_FORMATS: Final[dict[str, FileFormat]] = {
    ".csv": FileFormat.CSV,
    ".tsv": FileFormat.TSV,
    ".tab": FileFormat.TSV,
    ".parquet": FileFormat.PARQUET,
    ".pq": FileFormat.PARQUET,
    ".jsonl": FileFormat.JSON_LINES,
    ".ndjson": FileFormat.JSON_LINES,
    ".json": FileFormat.JSON_LINES,
} | dict.fromkeys((".ttl", ".nt", ".nq", ".trig", ".rdf", ".owl", ".xml", ".jsonld", ".n3"), FileFormat.RDF)

_COMPRESSIONS: Final = (".bz2", ".xz", ".zip", ".zst", ".7z", ".tar", ".tgz")

_CHUNK: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class InputFile:
    """One file of a load. ``name`` is how the user called it."""

    path: Path
    name: str
    format: FileFormat
    compressed: bool = False

    def open(self) -> IO[bytes]:
        """The bytes of the file, decompressed. Raises :class:`MissingFileError`."""
        try:
            if self.compressed:
                return cast("IO[bytes]", gzip.open(self.path, "rb"))
            return self.path.open("rb")
        except OSError as error:
            raise _unreadable(self.name, error) from error

    def at(self, line: int | None = None, column: int | str | None = None) -> Location:
        """A place in this file."""
        return Location(self.name, line, column)


def find_files(paths: Sequence[str | Path]) -> list[InputFile]:
    """The files of a load, each once, checked to be there, readable, not empty and of a known format.

    Raises:
        MissingFileError: a file that is not there or cannot be read, or a folder.
        MalformedFileError: an empty file, a suffix that is not known, a Parquet or gzip file that is none.
        LoadError: no file at all, or RDF and other files in one load.
    """
    if not paths:
        raise LoadError(
            "no file to load was named",
            advice="For example: askgraph load people.csv edges.csv --into my.graph",
        )
    files: dict[Path, InputFile] = {}
    for path in paths:
        file = _identify(Path(path))
        files.setdefault(file.path.resolve(), file)
    _refuse_mixture(list(files.values()))
    return list(files.values())


def _identify(path: Path) -> InputFile:
    name = str(path)
    if path.is_dir():
        found = sorted(child.name for child in path.iterdir() if _suffix(child) in _FORMATS)
        hint = f"It holds {', '.join(found[:5])}{' …' if len(found) > 5 else ''}: name" if found else "Name"
        raise MissingFileError(
            "this is a folder, not a file", location=Location(name), advice=f"{hint} the files themselves."
        )
    if not path.exists():
        raise MissingFileError("there is no such file", location=Location(name), advice=_nearby(path))
    suffix = _suffix(path)
    if suffix not in _FORMATS:
        raise MalformedFileError(
            f"the suffix {suffix!r} is not one that is known"
            if suffix
            else "the file has no suffix to tell its format",
            location=Location(name),
            advice=_suffix_advice(suffix),
        )
    file = InputFile(path, name, _FORMATS[suffix], path.suffix.lower() == ".gz")
    _check_beginning(file, suffix)
    return file


def _suffix(path: Path) -> str:
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] == ".gz":
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def _suffix_advice(suffix: str) -> str:
    if suffix in _COMPRESSIONS:
        return "Decompress the file first; of compressed files only .gz is read."
    return f"Known are {', '.join(_FORMATS)}, all but Parquet also with .gz: rename or convert the file."


def _nearby(path: Path) -> str | None:
    from difflib import get_close_matches

    folder = path.parent
    if not folder.is_dir():
        return f"The folder {folder} does not exist either."
    near = get_close_matches(path.name, [child.name for child in folder.iterdir()], n=1)
    return f"Did you mean {folder / near[0]}?" if near else None


def _unreadable(name: str, error: OSError) -> MissingFileError:
    return MissingFileError(f"the file cannot be read: {error.strerror or error}", location=Location(name))


def _check_beginning(file: InputFile, suffix: str) -> None:
    try:
        with file.path.open("rb") as stream:
            first = stream.read(4)
    except OSError as error:
        raise _unreadable(file.name, error) from error
    if not first and file.format is not FileFormat.JSON_LINES:
        raise MalformedFileError("the file is empty", location=file.at(), advice=_EMPTY_ADVICE)
    if file.compressed and not first.startswith(b"\x1f\x8b"):
        raise MalformedFileError(
            "the name ends in .gz and the content is not gzip", location=file.at(), advice="Rename the file."
        )
    if file.format is FileFormat.PARQUET:
        _check_parquet(file, first)
    elif not file.compressed and first.startswith(b"\x1f\x8b"):
        raise MalformedFileError(
            "the content is compressed with gzip",
            location=file.at(),
            advice=f"Rename it to {file.path.name}.gz.",
        )
    elif first.startswith(b"PK\x03\x04"):
        raise MalformedFileError(
            "the content is a ZIP archive or a spreadsheet, not text",
            location=file.at(),
            advice="Unpack it, or save the sheet as CSV (UTF-8).",
        )
    elif first == b"PAR1":
        raise MalformedFileError(
            "the content is Parquet, not text",
            location=file.at(),
            advice=f"Rename it to {file.path.stem}.parquet.",
        )
    elif suffix == ".json":
        _check_json_lines(file)


def _check_parquet(file: InputFile, first: bytes) -> None:
    if file.compressed:
        raise MalformedFileError(
            "Parquet is compressed within", location=file.at(), advice="Decompress the .gz around it first."
        )
    with file.path.open("rb") as stream:
        stream.seek(max(0, file.path.stat().st_size - 4))
        last = stream.read(4)
    if first != b"PAR1":
        raise MalformedFileError(
            "this is not a Parquet file: it does not begin with PAR1", location=file.at()
        )
    if last != b"PAR1" or file.path.stat().st_size < 12:
        raise MalformedFileError(
            "the Parquet file is cut short: its end is missing",
            location=file.at(),
            advice="Copy or write it again.",
        )


def _check_json_lines(file: InputFile) -> None:
    """A .json file may be JSON Lines (as Neo4j's APOC writes it), or one document, which is not read."""
    with file.open() as stream:
        start = stream.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"["):
        raise MalformedFileError(
            "this is one JSON array, not a JSON object a line",
            location=file.at(1, 1),
            advice=f"Convert it: jq -c '.[]' {file.path.name} > {file.path.stem}.jsonl",
        )
    if b'"@context"' in start or b'"@graph"' in start:
        raise MalformedFileError(
            "this looks like JSON-LD", location=file.at(1, 1), advice=f"Rename it to {file.path.stem}.jsonld."
        )


def _refuse_mixture(files: Sequence[InputFile]) -> None:
    rdf = [file for file in files if file.format is FileFormat.RDF]
    tables = [file for file in files if file.format is not FileFormat.RDF]
    if rdf and tables:
        raise LoadError(
            f"{rdf[0].name} is RDF and {tables[0].name} is a table of nodes or edges: one graph holds one of the two",
            advice="Load them into two graphs, with a different --into for each.",
        )


@contextmanager
def gzip_errors(file: InputFile) -> Iterator[None]:
    """Turns what the gzip reader says into our error."""
    try:
        yield
    except EOFError as error:
        raise MalformedFileError(
            "the gzip file is cut short", location=file.at(), advice="Copy or compress it again."
        ) from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise MalformedFileError(
            f"the gzip file is damaged: {error}", location=file.at(), advice="Copy or compress it again."
        ) from error


@dataclass(frozen=True, slots=True)
class TextCheck:
    """What a fast look at all bytes of a text file found.

    Attributes:
        has_nul: a NUL byte, which DuckDB reads as a character.
        has_odd_quotes: a closing quote with blanks and more after it, which DuckDB reads as one value.
    """

    has_nul: bool = False
    has_odd_quotes: bool = False


_ODD_QUOTES: Final = (b'" "', b'"  ')


def check_text(file: InputFile) -> TextCheck:
    """Read a text file once, fast, for what no later reader would notice.

    Raises:
        MalformedFileError: a gzip file that is damaged or cut short (its check sum is verified), or has nothing in it.
    """
    has_nul = has_odd_quotes = False
    tail = b""
    with file.open() as stream, gzip_errors(file):
        while chunk := stream.read(_CHUNK):
            has_nul = has_nul or b"\0" in chunk
            if not has_odd_quotes and (b'"' in chunk or tail.endswith(b'"')):
                joined = tail + chunk
                has_odd_quotes = any(quotes in joined for quotes in _ODD_QUOTES)
            tail = chunk[-2:]
    if not tail and file.format is not FileFormat.JSON_LINES:
        raise MalformedFileError("the file is empty", location=file.at(), advice=_EMPTY_ADVICE)
    return TextCheck(has_nul, has_odd_quotes)


def decode_to_utf8(file: InputFile, scratch: Path) -> InputFile:
    """The file itself, or for UTF-16 and UTF-32 (told by their byte order mark) a copy in UTF-8 at ``scratch``.

    Raises:
        EncodingError: UTF-16 without a byte order mark, or with a broken character.
    """
    with file.open() as stream, gzip_errors(file):
        start = stream.read(4096)
    codec = next((name for mark, name in _BYTE_ORDER_MARKS if start.startswith(mark)), None)
    if codec is None:
        if start.count(b"\0") * 4 > len(start):
            raise EncodingError(
                "this is UTF-16 or UTF-32, not UTF-8: many of its bytes are zero",
                location=file.at(1),
                advice=f"Convert it: iconv -f UTF-16 -t UTF-8 {file.path.name} > utf8.csv",
            )
        return file
    decoder = codecs.getincrementaldecoder(codec)()
    line = 1
    with file.open() as stream, gzip_errors(file), scratch.open("w", encoding="utf-8", newline="") as copy:
        try:
            while chunk := stream.read(_CHUNK):
                text = decoder.decode(chunk)
                line += text.count("\n")
                copy.write(text)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError as error:
            raise EncodingError(f"broken {codec}: {error.reason}", location=file.at(line)) from error
    return InputFile(scratch, file.name, file.format)


_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_EMPTY_ADVICE: Final = "A file without rows still has a header."
