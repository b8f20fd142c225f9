"""How files of names are laid out: UMLS, MeSH, HGNC, DisGeNET, OBO, and plain tables."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ...core.errors import Location, MalformedFileError

Found = tuple[str, str, str, str, int]
"""Identifier, its register, a name, the vocabulary that says so, and the line."""

Lines = Iterator[tuple[int, str]]

_UMLS_LANGUAGES: Final[Mapping[str, str]] = {"en": "ENG", "de": "GER", "es": "SPA", "fr": "FRE", "it": "ITA"}
_UMLS_FIELDS: Final = 18
_OBO_SYNONYM: Final = re.compile(r'synonym:\s*"((?:[^"\\]|\\.)*)"\s*(EXACT|)')
_OBO_ESCAPE: Final = re.compile(r"\\(.)")


@dataclass(frozen=True, slots=True)
class FileOfNames:
    """What a layout is told of a file: its name for messages, and the languages whose names are wanted."""

    name: str
    languages: tuple[str, ...] = ("en",)

    def fault(self, line: int, message: str) -> MalformedFileError:
        """An error at a line."""
        return MalformedFileError(
            message, location=Location(self.name, line), advice="The documentation lists the layouts."
        )


def umls(lines: Lines, file: FileOfNames) -> Iterator[Found]:
    """``MRCONSO.RRF``: the names of every concept in the wanted languages, suppressed ones left out."""
    wanted = {_UMLS_LANGUAGES.get(code, code.upper()) for code in file.languages}
    for line, text in lines:
        cells = text.split("|")
        if len(cells) < _UMLS_FIELDS:
            raise file.fault(line, f"a line of MRCONSO has {_UMLS_FIELDS} fields, not {len(cells)}")
        if cells[1] in wanted and cells[16] in ("N", ""):
            yield cells[0], "UMLS", cells[14], cells[11], line


def mesh(lines: Lines, file: FileOfNames) -> Iterator[Found]:
    """The ASCII files of MeSH (``d2026.bin``, ``c2026.bin``): headings, names and entry terms of each record."""
    names: list[tuple[str, int]] = []
    id = ""
    for line, text in lines:
        if text.startswith("*NEWRECORD"):
            yield from ((id, "MESH", name, "MeSH", at) for name, at in names if id)
            names, id = [], ""
            continue
        key, separator, value = text.partition(" = ")
        if separator and key in ("MH", "NM", "ENTRY", "PRINT ENTRY", "SY", "SH"):
            names.append((value.split("|", 1)[0].strip(), line))
        elif separator and key == "UI":
            id = value.strip()
    yield from ((id, "MESH", name, "MeSH", at) for name, at in names if id)


def obo(lines: Lines, file: FileOfNames) -> Iterator[Found]:
    """OBO: the name and the exact synonyms of every term that is not obsolete, for its id, other ids and xrefs."""
    term: list[tuple[int, str]] = []
    inside = False
    for line, text in lines:
        if text.startswith("["):
            yield from _obo_term(term, file)
            term, inside = [], text.startswith("[Term]")
        elif inside:
            term.append((line, text))
    yield from _obo_term(term, file)


def _obo_term(term: Sequence[tuple[int, str]], file: FileOfNames) -> Iterator[Found]:
    ids: list[str] = []
    names: list[tuple[str, int]] = []
    for line, text in term:
        key, _, value = text.partition(":")
        value = value.split(" ! ")[0].strip()
        if key in ("id", "alt_id", "xref"):
            ids.append(value.split(" ")[0])
        elif key == "name":
            names.append((value, line))
        elif key == "synonym":
            synonym = _OBO_SYNONYM.match(text)
            if synonym and synonym[2]:
                names.append((_OBO_ESCAPE.sub(r"\1", synonym[1]), line))
        elif key == "is_obsolete" and value == "true":
            return
    source = ids[0].partition(":")[0] if ids else ""
    for name, line in names:
        for id in dict.fromkeys(ids):
            yield id, "", name, source, line


def hgnc(lines: Lines, file: FileOfNames) -> Iterator[Found]:
    """``hgnc_complete_set.txt``: symbols, names, aliases and earlier ones, for the ids of HGNC, NCBI and Ensembl."""
    for line, row in _rows(lines, "\t"):
        ids = [(row.get("hgnc_id", ""), "HGNC"), (row.get("entrez_id", ""), "NCBIGENE")]
        ids.append((row.get("ensembl_gene_id", ""), "ENSEMBL"))
        for column in ("symbol", "name", "alias_symbol", "alias_name", "prev_symbol", "prev_name"):
            for name in _split(row.get(column, "")):
                for id, register in ids:
                    yield id, register, name, "HGNC", line


def disgenet(lines: Lines, file: FileOfNames) -> Iterator[Found]:
    """DisGeNET's tables: diseases with their names, and those in other vocabularies; genes with their symbols."""
    for line, row in _rows(lines, "\t"):
        disease = row.get("diseaseid", row.get("disease_id", row.get("diseaseumlscui", "")))
        name = row.get("diseasename", row.get("disease_name", row.get("name", "")))
        yield disease, "UMLS", name, "DisGeNET", line
        other = row.get("vocabularyname", "")
        yield disease, "UMLS", other, row.get("vocabulary", "DisGeNET"), line
        gene = row.get("geneid", row.get("gene_id", row.get("genencbiid", "")))
        yield gene, "NCBIGENE", row.get("genesymbol", row.get("gene_symbol", "")), "DisGeNET", line


_ID_COLUMNS: Final = ("id", "identifier", "curie", "node_id", "code", "cui", "doid", "subject", "diseaseid")
_NAME_COLUMNS: Final = ("name", "label", "term", "title", "synonym", "synonyms", "alias", "aliases", "symbol")
_SOURCE_COLUMNS: Final = ("source", "vocabulary", "sab", "database")


def plain(separator: str) -> Callable[[Lines, FileOfNames], Iterator[Found]]:
    """A table of identifier, name and, if there is a third column, the source; with a header or without.

    With a header every column of names counts; a cell of ``synonyms`` or ``aliases`` may hold several, joined by ``|``.
    """

    def read(lines: Lines, file: FileOfNames) -> Iterator[Found]:
        first = next(lines, None)
        if first is None:
            return
        header = [cell.strip().lower() for cell in _cells(first[1], separator)]
        if any(cell in _ID_COLUMNS for cell in header):
            yield from _with_header(lines, header, separator, file, first[0])
            return
        for line, text in _again(first, lines):
            cells = _cells(text, separator)
            if len(cells) < 2:
                raise file.fault(line, "an identifier and a name were expected, and there is one column")
            yield cells[0], "", cells[1], cells[2] if len(cells) > 2 else "", line

    return read


def _with_header(
    lines: Lines, header: Sequence[str], separator: str, file: FileOfNames, at: int
) -> Iterator[Found]:
    ids = [place for place, cell in enumerate(header) if cell in _ID_COLUMNS]
    names = [place for place, cell in enumerate(header) if cell in _NAME_COLUMNS]
    sources = [place for place, cell in enumerate(header) if cell in _SOURCE_COLUMNS]
    if not names:
        known = ", ".join(_NAME_COLUMNS)
        raise file.fault(at, f"no column of the header is one of names ({known}): {', '.join(header)}")
    for line, text in lines:
        cells = _cells(text, separator)
        source = cells[sources[0]] if sources and sources[0] < len(cells) else ""
        for place in names:
            if place < len(cells) and ids[0] < len(cells):
                for name in _split(cells[place]):
                    yield cells[ids[0]], "", name, source, line


def _rows(lines: Lines, separator: str) -> Iterator[tuple[int, dict[str, str]]]:
    header: list[str] | None = None
    for line, text in lines:
        cells = _cells(text, separator)
        if header is None:
            header = [cell.strip().lower() for cell in cells]
        else:
            yield line, dict(zip(header, cells, strict=False))


def _cells(text: str, separator: str) -> list[str]:
    if separator == "\t" and '"' not in text:
        return text.split("\t")
    return next(csv.reader([text], delimiter=separator), [])


def _split(cell: str) -> list[str]:
    return [name.strip() for name in cell.split("|") if name.strip()]


def _again(first: tuple[int, str], lines: Lines) -> Lines:
    yield first
    yield from lines
