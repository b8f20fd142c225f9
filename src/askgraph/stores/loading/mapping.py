"""What the columns of a table mean: which is the id, which are the ends of an edge, which are properties.

A mapping comes from the header (:mod:`.dialects`) and from the user's own column map, which wins:

    {"x_id": "id"}                              a column of every file that has it
    {"people.csv:nr": "id"}                     a column of one file, told by the file's suffix; or
    {"people.csv": {"nr": "id"}}                a column of one file (a name, a path or a pattern such as *.tsv)
    {"people.csv": {"=Person": "type"}}         a constant: every node of the file is a Person
    {"born": ":int", "tags": "keywords:string[]"}   a property with a declared type, or under another key

Roles are ``id``, ``type``, ``name``, ``source``, ``target``, ``property`` and ``ignore``; in a table of edges ``id`` is
the edge's id and ``type`` the edge's type.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatch
from pathlib import PurePath
from typing import Any, Final

from ...core.errors import Location, MissingColumnError, SettingsError
from .declared import DeclaredType, parse_type, type_names


class Role(StrEnum):
    """What a column is."""

    ID = "id"
    TYPE = "type"
    SOURCE = "source"
    TARGET = "target"
    PROPERTY = "property"
    IGNORE = "ignore"


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a file.

    Attributes:
        position: counted from 0.
        header: its name in the file.
        role: what it is.
        key: for a property its key.
        declared: its declared type; ``None``: judged by its values.
        space: for ids the name of their id space; two nodes of different spaces may have the same id.
    """

    position: int
    header: str
    role: Role
    key: str = ""
    declared: DeclaredType | None = None
    space: str = ""


@dataclass(frozen=True, slots=True)
class NodeMapping:
    """How a table gives nodes. ``implied``: the rows are edges, and the nodes their ends.

    Attributes:
        id: the column of the id.
        types: columns with types, split at the array separator.
        constant_types: types of every node.
        properties: columns of properties.
        implied: whether a node may be repeated, row for row.
        only_where: a column, and whether it has a value in the rows that are nodes; ``None``: all rows are.
        label_may_be_name: the only type is a column called "label", which may as well hold names: its values tell.
    """

    id: Column
    types: tuple[Column, ...] = ()
    constant_types: tuple[str, ...] = ()
    properties: tuple[Column, ...] = ()
    implied: bool = False
    only_where: tuple[Column, bool] | None = None
    label_may_be_name: bool = False


@dataclass(frozen=True, slots=True)
class EdgeMapping:
    """How a table gives edges; ``type`` is a column or, as a text, the type of every edge."""

    source: Column
    target: Column
    type: Column | str
    id: Column | None = None
    properties: tuple[Column, ...] = ()
    only_where: tuple[Column, bool] | None = None


@dataclass(frozen=True, slots=True)
class TableMapping:
    """What a table gives.

    Attributes:
        nodes: none, one, or two (both ends of an edge with their names and types).
        edges: how it gives edges, if it does.
        typed: whether a column without a declared type is text (its header is one that declares types), or is judged
            by its values.
        neptune: whether a backslash before the array separator keeps it.
        has_header: whether the first line is a header.
        notes: guesses that the user should know.
    """

    nodes: tuple[NodeMapping, ...] = ()
    edges: EdgeMapping | None = None
    typed: bool = False
    neptune: bool = False
    has_header: bool = True
    notes: tuple[str, ...] = ()


_FILE_AND_COLUMN = re.compile(
    r"(?P<file>.+?\.(?:csv|tsv|tab|parquet|pq|jsonl|ndjson|json)(?:\.gz)?):(?P<column>.+)", re.IGNORECASE
)

_ROLE_WORDS: Final[dict[str, Role]] = {
    **{role.value: role for role in Role},
    "edge_id": Role.ID,
    "edge type": Role.TYPE,
    "edge_type": Role.TYPE,
    "node_type": Role.TYPE,
    "label": Role.TYPE,
    "labels": Role.TYPE,
}


@dataclass(frozen=True, slots=True)
class FileMap:
    """The part of the user's column map that concerns one file: header to its meaning, and constants."""

    columns: Mapping[str, Column] = field(default_factory=dict)
    constant_types: tuple[str, ...] = ()
    required: frozenset[str] = frozenset()


@dataclass(slots=True)
class ColumnMap:
    """The user's column map, checked. ``used`` remembers what some file had."""

    general: dict[str, Column] = field(default_factory=dict)
    constants: tuple[str, ...] = ()
    files: dict[str, dict[str, Column]] = field(default_factory=dict)
    file_constants: dict[str, tuple[str, ...]] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)

    @classmethod
    def parse(cls, data: Mapping[str, Any] | None) -> ColumnMap:
        """Read a map. Raises :class:`SettingsError` for a role that does not exist."""
        parsed = cls()
        data = _by_file(data or {})
        parsed.general, parsed.constants = _parse_entries(
            {header: meaning for header, meaning in data.items() if not isinstance(meaning, Mapping)}
        )
        for pattern, entries in data.items():
            if isinstance(entries, Mapping):
                parsed.files[pattern], parsed.file_constants[pattern] = _parse_entries(entries)
        return parsed

    def for_file(self, name: str) -> FileMap:
        """What the map says of one file."""
        columns, constants, required = dict(self.general), list(self.constants), set[str]()
        for pattern, entries in self.files.items():
            if _is_meant(pattern, name):
                columns |= entries
                required |= set(entries)
                constants += self.file_constants[pattern]
        return FileMap(columns, tuple(dict.fromkeys(constants)), frozenset(required))

    def mark_used(self, headers: Iterable[str]) -> None:
        """Some file has these columns."""
        self.used.update(headers)

    def check_files(self, names: Sequence[str]) -> None:
        """Raise :class:`SettingsError` if an entry is for a file that is not among these."""
        for pattern in self.files:
            if not any(_is_meant(pattern, name) for name in names):
                raise SettingsError(
                    f"the map has an entry for {pattern!r}, and no file has this name",
                    advice=f"The files are {', '.join(names)}.",
                )

    def check_used(self, seen: Mapping[str, Sequence[str]]) -> None:
        """Raise :class:`MissingColumnError` if an entry met no column. ``seen`` has the columns of each file."""
        for header in self.general:
            if header not in self.used:
                file, columns = next(iter(seen.items()))
                raise MissingColumnError(
                    f"the map names the column {header!r}, which no file has; columns seen: {', '.join(columns)}",
                    location=Location(file, 1),
                    advice=_nearest(header, [name for names in seen.values() for name in names]),
                )


def _is_meant(pattern: str, name: str) -> bool:
    return pattern in (name, PurePath(name).name) or fnmatch(PurePath(name).name, pattern)


def require_mapped_columns(file_map: FileMap, headers: Sequence[str], name: str) -> None:
    """Raise :class:`MissingColumnError` if a column that the map names for this very file is not there."""
    for header in sorted(file_map.required - set(headers)):
        raise MissingColumnError(
            f"the map names the column {header!r}, which this file does not have; columns seen: {', '.join(headers)}",
            location=Location(name, 1),
            advice=_nearest(header, headers),
        )


def _nearest(header: str, headers: Sequence[str]) -> str | None:
    from difflib import get_close_matches

    near = get_close_matches(header, headers, n=1)
    return f"Did you mean {near[0]!r}?" if near else None


def _by_file(data: Mapping[str, Any]) -> dict[str, Any]:
    """The map with ``"people.csv:nr": "id"`` written as ``"people.csv": {"nr": "id"}``."""
    found: dict[str, Any] = {}
    for key, meaning in data.items():
        match = None if isinstance(meaning, Mapping) else _FILE_AND_COLUMN.fullmatch(key)
        if match is None:
            found[key] = {**found.get(key, {}), **meaning} if isinstance(meaning, Mapping) else meaning
        else:
            found.setdefault(match["file"], {})[match["column"]] = meaning
    return found


def _parse_entries(entries: Mapping[str, Any]) -> tuple[dict[str, Column], tuple[str, ...]]:
    columns: dict[str, Column] = {}
    constants: list[str] = []
    for header, meaning in entries.items():
        if not isinstance(meaning, str):
            raise SettingsError(
                f"the map's entry for {header!r} is not a text: {meaning!r}", advice=_map_advice()
            )
        if header.startswith("=") and len(header) > 1:
            if _ROLE_WORDS.get(meaning) is not Role.TYPE:
                raise SettingsError(
                    f"the constant {header!r} can only be a type, not {meaning!r}", advice=_map_advice()
                )
            constants.append(header[1:])
        else:
            columns[header] = _parse_meaning(header, meaning)
    return columns, tuple(constants)


def _parse_meaning(header: str, meaning: str) -> Column:
    role = _ROLE_WORDS.get(meaning)
    if role is not None:
        return Column(-1, header, role, header if role is Role.PROPERTY else "")
    if meaning == "name":
        return Column(-1, header, Role.PROPERTY, "name")
    key, colon, type_text = meaning.rpartition(":")
    declared = parse_type(type_text) if colon else None
    if colon and not type_text and key:
        return Column(-1, header, Role.PROPERTY, key)
    if declared is None:
        raise SettingsError(
            f"the map makes {header!r} a {meaning!r}: there is no such role"
            if not colon
            else f"the map gives {header!r} the type {type_text!r}, which there is not",
            advice=_map_advice()
            if not colon
            else f"Types are {', '.join(type_names())}, and lists of them with [].",
        )
    return Column(-1, header, Role.PROPERTY, key or header, declared)


def _map_advice() -> str:
    return (
        "Roles are id, type, name, source, target, property and ignore; 'key:' renames a property and 'key:int' also"
        ' gives its type; {"=Person": "type"} gives every node of a file a type.'
    )
