"""Entries of dictionaries, and which nodes they are about.

An entry is about a node whose identifier it has: the node's id, the last part of it (``Disease::DOID:9970``,
``http://purl.obolibrary.org/obo/DOID_9970``), or the value of a property that holds identifiers (``identifier``,
``umls_cui``, ``xrefs`` …). Bare numbers mean nothing by themselves: they count with the register that the node or the
property names (``NCBIGENE:9``).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ...core.graph import Node
from ...core.words import local_name, normalize

_IDENTIFYING: Final = frozenset(
    {
        "id", "identifier", "ids", "identifiers", "curie", "xref", "xrefs", "hasdbxref", "cui", "umls", "mesh", "hgnc",
        "entrez", "omim", "mondo", "doid", "efo", "hpo", "ensembl", "uniprot", "drugbank", "chebi", "ncbigene", "code",
        "index",
    }
)  # fmt: skip
_REGISTERS: Final = (
    ("ncbi", "NCBIGENE"), ("entrez", "NCBIGENE"), ("hgnc", "HGNC"), ("mondo", "MONDO"), ("omim", "OMIM"),
    ("umls", "UMLS"), ("mesh", "MESH"), ("disease ontology", "DOID"),
)  # fmt: skip
_OBO_IRI: Final = re.compile(r"[A-Za-z]+_[A-Za-z0-9]+")
# Registers whose identifiers are told by their form: written with the register or without.
_TOLD_BY_FORM: Final = (
    (re.compile(r"C\d{7}"), "UMLS"),
    (re.compile(r"[DCQ]\d{6,9}"), "MESH"),
    (re.compile(r"ENSG\d{11}"), "ENSEMBL"),
)


@dataclass(frozen=True, slots=True)
class DictionaryEntry:
    """One name of one thing.

    Attributes:
        id: the thing's identifier, with its register (``UMLS:C0022336``).
        name: what it is called.
        source: which vocabulary says so, where the file tells.
        file: the file's name.
        line: where in it, from 1.
    """

    id: str
    name: str
    source: str
    file: str
    line: int

    def __str__(self) -> str:
        said = f"{self.id} {self.name!r}" + (f" of {self.source}" if self.source else "")
        return f"{said} ({self.file}, line {self.line})"


class NodeDictionary:
    """The entries of some files, by the nodes that they are about. Read when they are first needed.

    Args:
        read: gives the entries.
    """

    def __init__(self, read: Callable[[], Iterable[DictionaryEntry]]) -> None:
        self._read = read
        self._by_id: dict[str, list[DictionaryEntry]] | None = None
        self._ids_by_name: dict[str, dict[str, None]] | None = None
        self._recorded: dict[str, tuple[DictionaryEntry, ...]] | None = None

    @contextmanager
    def recording(self) -> Iterator[dict[str, tuple[DictionaryEntry, ...]]]:
        """Note the entries of every node whose names are asked for, by the node's id."""
        recorded: dict[str, tuple[DictionaryEntry, ...]] = {}
        self._recorded = recorded
        try:
            yield recorded
        finally:
            self._recorded = None

    def entries_of(self, node: Node) -> Iterator[DictionaryEntry]:
        """What the files say of a node, in their order."""
        known = self._entries()
        for key in identifiers_of(node):
            yield from known.get(key, ())

    def names_of(self, node: Node) -> tuple[str, ...]:
        """The names that the files give a node."""
        entries = tuple(self.entries_of(node))
        if entries and self._recorded is not None:
            self._recorded[node.id] = entries
        return tuple(dict.fromkeys(entry.name for entry in entries))

    def other_names(self, text: str) -> tuple[str, ...]:
        """What else the things of this name are called."""
        known = self._entries()
        if self._ids_by_name is None:
            self._ids_by_name = {}
            for id, entries in known.items():
                for entry in entries:
                    self._ids_by_name.setdefault(_in_any_order(entry.name), {})[id] = None
        ids = self._ids_by_name.get(_in_any_order(text), {})
        return tuple(dict.fromkeys(entry.name for id in ids for entry in known[id]))

    def _entries(self) -> dict[str, list[DictionaryEntry]]:
        if self._by_id is None:
            found: dict[str, list[DictionaryEntry]] = {}
            for entry in self._read():
                found.setdefault(entry.id, []).append(entry)
            self._by_id = found
        return self._by_id


def entries_with_name(entries: Iterable[DictionaryEntry], name: str) -> tuple[DictionaryEntry, ...]:
    """The entries that have this name, its words in whatever order: one for each source and spelling."""
    wanted = _in_any_order(name)
    return tuple(dict.fromkeys(entry for entry in entries if _in_any_order(entry.name) == wanted))


def _in_any_order(name: str) -> str:
    """The form in which two spellings of one name are equal, the order of their words aside: vocabularies write
    ``"Encephalopathy, Spongiform"``."""
    words = normalize(name).split()
    return " ".join(sorted(words)) if len(words) > 1 else "".join(words)


def full_identifier(text: str, register: str = "") -> str:
    """An identifier with its register, in capitals: ``C0022336`` is ``UMLS:C0022336``, ``9`` of HGNC is ``HGNC:9``."""
    cleaned = text.strip().upper()
    if ":" in cleaned:
        head, _, tail = cleaned.partition(":")
        known = _register_of(head)
        return f"{known or head}:{tail}"
    for form, told in _TOLD_BY_FORM:
        if form.fullmatch(cleaned):
            return f"{told}:{cleaned}"
    return f"{register.upper()}:{cleaned}" if register else cleaned


def identifiers_of(node: Node) -> Iterator[str]:
    """The identifiers of a node, as :func:`full_identifier` writes them."""
    seen: set[str] = set()
    for text, register in _texts_of(node):
        for identifier in (text, full_identifier(text, register)):
            if identifier and identifier not in seen:
                seen.add(identifier)
                yield identifier


def _texts_of(node: Node) -> Iterator[tuple[str, str]]:
    register = _register_of(_source_of(node))
    yield node.id, ""
    tail = node.id.rsplit("::", 1)[-1] if "::" in node.id else local_name(node.id)
    yield (tail.replace("_", ":", 1) if _OBO_IRI.fullmatch(tail) else tail), register
    for key, value in node.properties.items():
        name = normalize(local_name(key))
        if any(word in _IDENTIFYING for word in (name.replace(" ", ""), *name.split())):
            own = _register_of(name) or register
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, str) or (isinstance(item, int) and not isinstance(item, bool)):
                    yield str(item), own


def _source_of(node: Node) -> str:
    values: list[Any] = [
        value
        for key, value in node.properties.items()
        if normalize(local_name(key)) in ("source", "node source", "vocabulary")
    ]
    return str(values[0]) if values else ""


def _register_of(text: str) -> str:
    lower = text.lower()
    return next((register for word, register in _REGISTERS if word in lower), "")


def dictionary_fingerprint(files: Sequence[Path]) -> str:
    """A digest of the content of these files; empty for none. A file that is not there counts as empty."""
    if not files:
        return ""
    digest = hashlib.blake2b(digest_size=8)
    for file in files:
        digest.update(file.name.encode())
        if file.is_file():
            with file.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()
