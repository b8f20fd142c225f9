"""Reads a dictionary: tells its layout by its first lines, and gives its entries."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import IO, Final, cast

from ...core.errors import EncodingError, Location, MalformedFileError, MissingFileError
from .entries import DictionaryEntry, full_identifier
from .layouts import FileOfNames, Found, Lines, disgenet, hgnc, mesh, obo, plain, umls

_PEEKED: Final = 40
_LONGEST_NAME: Final = 500
_KNOWN_IDENTIFIERS: Final = 4_096

LAYOUTS: Final[Mapping[str, Callable[[Lines, FileOfNames], Iterator[Found]]]] = {
    "umls": umls,
    "mesh": mesh,
    "hgnc": hgnc,
    "disgenet": disgenet,
    "obo": obo,
    "tsv": plain("\t"),
    "csv": plain(","),
}
"""Every layout by its name."""


def read_dictionary(path: Path | str, *, languages: tuple[str, ...] = ("en",)) -> Iterator[DictionaryEntry]:
    """The entries of a file of names, each once for each source, in its order. A file that ends in ``.gz`` is unpacked.

    Args:
        path: a file in one of :data:`LAYOUTS`; which one is told by its first lines.
        languages: of names, for files that tell.

    Raises:
        MissingFileError: it cannot be read.
        EncodingError: it is not UTF-8.
        MalformedFileError: it is in no layout that is known, or breaks its own.
    """
    path = Path(path)
    file = FileOfNames(path.name, languages)
    try:
        with _opened(path) as stream:
            lines = _numbered(stream)
            first = list(islice(lines, _PEEKED))
            layout = LAYOUTS[layout_of(path, [text for _, text in first])]
            yield from _entries(layout(chain(first, lines), file), path.name)
    except UnicodeDecodeError as error:
        raise EncodingError(f"not UTF-8, near byte {error.start}", location=Location(str(path))) from error
    except (gzip.BadGzipFile, EOFError) as error:
        raise MalformedFileError(f"not a whole gzip file: {error}", location=Location(str(path))) from error
    except OSError as error:
        raise MissingFileError(
            f"cannot be read: {error.strerror or error}", location=Location(str(path))
        ) from error


def _entries(found: Iterator[Found], file: str) -> Iterator[DictionaryEntry]:
    """What a layout found, each name of a thing once for each source that has it. Texts that come again and again are
    kept once: files have millions of lines."""
    full = lru_cache(maxsize=_KNOWN_IDENTIFIERS)(full_identifier)
    kept: dict[str, str] = {}
    seen: set[tuple[str, str, str]] = set()
    for id, register, name, source, line in found:
        cleaned = " ".join(name.split())
        if not (id.strip() and cleaned and len(cleaned) <= _LONGEST_NAME):
            continue
        said = source.strip()
        key = (full(id, register), cleaned, kept.setdefault(said, said))
        if key not in seen:
            seen.add(key)
            yield DictionaryEntry(*key, file, line)


def layout_of(path: Path, first: list[str]) -> str:
    """The layout of a file, by its first lines. Raises :class:`MalformedFileError` if it is none that is known."""
    header = [cell.strip().lower() for cell in first[0].split("\t")] if first else []
    name = path.name.lower().removesuffix(".gz")
    told = {
        "obo": name.endswith(".obo") or any(text.startswith("[Term]") for text in first),
        "mesh": any(text.startswith("*NEWRECORD") for text in first),
        "umls": name.endswith(".rrf") or bool(first and first[0].count("|") >= 17),
        "hgnc": {"hgnc_id", "symbol"} <= set(header),
        "disgenet": not {"diseaseid", "diseasename", "geneid", "genesymbol", "vocabularyname"}.isdisjoint(
            header
        ),
        "csv": name.endswith(".csv"),
        "tsv": not first or "\t" in first[0],
    }
    for layout, is_told in told.items():
        if is_told:
            return layout
    raise MalformedFileError(
        "the first lines are in no layout of names that is known",
        location=Location(str(path), 1),
        advice=f"Known are {', '.join(LAYOUTS)}; the plain ones are tables of identifier, name and source.",
    )


def _opened(path: Path) -> IO[str]:
    if path.suffix.lower() == ".gz":
        return io.TextIOWrapper(cast("IO[bytes]", gzip.open(path, "rb")), encoding="utf-8-sig")
    return path.open(encoding="utf-8-sig", newline=None)


def _numbered(stream: IO[str]) -> Lines:
    """The lines that say something: blank lines and comments say nothing."""
    for number, text in enumerate(stream, start=1):
        line = text.rstrip("\r\n")
        if line.strip() and not line.startswith("#"):
            yield number, line
