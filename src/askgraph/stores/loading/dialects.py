"""The headers that people's files have, and what they mean.

Known without a map are those of

- neo4j-admin: ``:ID(Space)``, ``:LABEL``, ``:START_ID``, ``:END_ID``, ``:TYPE``, ``born:int``;
- Neptune's loader: ``~id``, ``~label``, ``~from``, ``~to``, ``born:Int``;
- PrimeKG: ``x_index``, ``x_id``, ``x_name``, …, nodes and edges in one table;
- APOC's export: ``_id``, ``_labels``, ``_start``, ``_end``, ``_type``, nodes and edges in one table;

and the names that tables usually have (:mod:`.usual_names`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from ...core.errors import MalformedFileError
from ..property.layout import NAME_PROPERTIES
from .declared import parse_type
from .header_faults import HeaderContext, ambiguous, doubtful_ends, map_option, no_roles, one_end
from .mapping import Column, EdgeMapping, FileMap, NodeMapping, Role, TableMapping
from .usual_names import (
    DOUBTFUL_ENDS,
    EDGE_IDS,
    EDGE_TYPES,
    EDGE_WORDS,
    ENDS,
    ENDS_WITHOUT_ID,
    NODE_IDS,
    NODE_TYPES,
    plain,
)

DEFAULT_EDGE_TYPE: Final = "related to"

_NAMES: Final = frozenset(name for name in NAME_PROPERTIES if name != "label")

_TYPED = re.compile(r"(?P<key>.*?):(?P<type>[A-Za-z_~]+(?:\([^)]*\))?(?:\[\])?(?:\{[^}]*\})?)\s*")
_SPACE = re.compile(r"(?P<role>ID|START_ID|END_ID)(?:\((?P<space>[^)]*)\))?(?:\{[^}]*\})?")
_NEO4J_ROLES: Final = {"LABEL": Role.TYPE, "TYPE": Role.TYPE, "IGNORE": Role.IGNORE}
_NEPTUNE_ROLES: Final = {"~id": Role.ID, "~label": Role.TYPE, "~from": Role.SOURCE, "~to": Role.TARGET}


def interpret_header(headers: Sequence[str], context: HeaderContext) -> TableMapping:
    """What a table with this header gives.

    Raises:
        MalformedFileError: the same column twice.
        MissingColumnError: no id and no pair of ends, or only one end, or two pairs that could be the ends.
    """
    names = [header.strip() for header in headers]
    neptune = any(name in _NEPTUNE_ROLES for name in names)
    neo4j = not neptune and any(_neo4j_role(name) for name in names)
    columns = [_declared_column(position, name, neptune, context) for position, name in enumerate(names)]
    columns = [_mapped(column, context.file_map) for column in columns]
    _refuse_duplicates(columns, context)
    if neptune or neo4j:
        mapping = _assemble(columns, context)
    else:
        mapping = (
            _pairs_of_nodes(columns, context) or _mixed_rows(columns, context) or _generic(columns, context)
        )
    unnamed = tuple(
        f"{context.file}: column {column.position + 1} has no name and is left out"
        for column in columns
        if not column.header
    )
    return replace(mapping, typed=neptune or neo4j, neptune=neptune, notes=mapping.notes + unnamed)


def find_ends(headers: Sequence[str], context: HeaderContext) -> tuple[str, ...]:
    """The two columns that are the ends of an edge, by their names; empty if there are none.

    Raises:
        MissingColumnError: several pairs could be.
    """
    if {"~from", "~to"} <= set(headers):
        return ("~from", "~to")
    free = {plain(header): Column(0, header, Role.PROPERTY) for header in reversed(headers)}
    pair = _ends(
        {name: one for name, one in free.items() if one.header not in context.file_map.columns},
        context,
        has_id=False,
    )
    return () if pair is None else (pair[0].header, pair[1].header)


def bare_triples(context: HeaderContext) -> TableMapping:
    """The mapping of a table without a header: subject, edge type, object."""
    source, predicate, target = (
        Column(position, name, role)
        for position, (name, role) in enumerate(
            (("subject", Role.SOURCE), ("predicate", Role.TYPE), ("object", Role.TARGET))
        )
    )
    return TableMapping(
        edges=EdgeMapping(source, target, predicate),
        has_header=False,
        notes=(f"{context.file} has no header with known names: read as bare triples, line 1 included",),
    )


# What stands in headers and hardly ever in a triple: taking a header for data would lose it in silence.
_COLUMN_LIKE = re.compile(r"(?:[a-z0-9]_id|[a-z0-9]Id|_name|_type|_date|_at)$")
_COLUMN_WORDS = frozenset(
    {
        "name",
        "title",
        "label",
        "age",
        "date",
        "value",
        "count",
        "price",
        "description",
        "email",
        "city",
        "country",
    }
)


def looks_like_triples(rows: Sequence[Sequence[str | None]]) -> bool:
    """Whether the first of some rows is a triple like the others, rather than a header that is not known.

    Words of headers settle it; then whether anything in the row comes again, as things in a graph do; then words that
    are more likely a header's; then whether the row stands apart from others that have things in common.
    """
    first, *others = rows
    if len(first) != 3 or not all(first):
        return False
    words = [value or "" for value in first]
    if any(word in _NEPTUNE_ROLES or _neo4j_role(word) for word in words):
        return False
    subject, predicate, target = map(plain, words)
    ends = {name for pair in ENDS for name in pair} | set(NODE_IDS)
    outer = ends | {name for pair in DOUBTFUL_ENDS for name in pair} | {"name"}
    if predicate in EDGE_WORDS | ends or {subject, target} & outer:
        return False
    others = [row for row in others if len(row) == 3]
    things = {thing for row in others for thing in (row[0], row[2])}
    if first[1] in {row[1] for row in others} or {first[0], first[2]} & things:
        return True
    if any(_COLUMN_LIKE.search(word) for word in words) or predicate in _COLUMN_WORDS:
        return False
    return all(len(set(column)) == len(column) for column in zip(*others, strict=True))


# --- one column


def _neo4j_role(name: str) -> Column | None:
    key, colon, rest = name.partition(":")
    if not colon:
        return None
    while (
        ":" in rest
        and not _SPACE.fullmatch(rest)
        and rest not in _NEO4J_ROLES
        and "{" not in rest.partition(":")[0]
    ):
        more, _, rest = rest.partition(":")
        key += f":{more}"
    match = _SPACE.fullmatch(rest)
    if match:
        role = {"ID": Role.ID, "START_ID": Role.SOURCE, "END_ID": Role.TARGET}[match["role"]]
        return Column(-1, name, role, key, space=(match["space"] or "").strip())
    if rest in _NEO4J_ROLES:
        return Column(-1, name, _NEO4J_ROLES[rest], key)
    return None


def _declared_column(position: int, name: str, neptune: bool, context: HeaderContext) -> Column:
    """What the header of a column says by itself. A generic name stays a property here."""
    if not name:
        return Column(position, name, Role.IGNORE)
    if neptune and name in _NEPTUNE_ROLES:
        return Column(position, name, _NEPTUNE_ROLES[name])
    special = None if neptune else _neo4j_role(name)
    if special is not None:
        return replace(special, position=position)
    match = _TYPED.fullmatch(name) if context.declares_types else None
    declared = parse_type(match["type"], neptune=neptune) if match and match["key"] else None
    if match is None or declared is None:
        return Column(position, name, Role.PROPERTY, name)
    return Column(position, name, Role.PROPERTY, match["key"].strip(), declared)


def _mapped(column: Column, file_map: FileMap) -> Column:
    wanted = file_map.columns.get(column.header)
    if wanted is None:
        return column
    return replace(wanted, position=column.position, key=wanted.key if wanted.role is Role.PROPERTY else "")


def _refuse_duplicates(columns: Sequence[Column], context: HeaderContext) -> None:
    seen: set[object] = set()
    for column in columns:
        if column.role is Role.IGNORE or (column.role is Role.TYPE and column.header.endswith(":LABEL")):
            continue
        # A key may have two columns of different types: its values are then of either.
        what = (column.key, column.declared) if column.role is Role.PROPERTY else column.header
        if what in seen:
            raise MalformedFileError(
                f"two columns are named {column.header!r}",
                location=context.at(column.header),
                advice="Rename one of them, or leave one out.",
            )
        seen.add(what)


# --- a whole header


def _assemble(
    columns: Sequence[Column], context: HeaderContext, *, notes: tuple[str, ...] = ()
) -> TableMapping:
    """A mapping from columns whose roles are known."""
    by_role = {role: [column for column in columns if column.role is role] for role in Role}
    sources, targets, ids = by_role[Role.SOURCE], by_role[Role.TARGET], by_role[Role.ID]
    for role, found in ((Role.SOURCE, sources), (Role.TARGET, targets), (Role.ID, ids)):
        if len(found) > 1:
            raise ambiguous([column.header for column in found], f"the {role}", context)
    if bool(sources) != bool(targets):
        raise one_end(columns, (sources or targets)[0], context)
    if sources:
        return TableMapping(
            edges=_edge_mapping(by_role, context), notes=notes + _edge_notes(by_role, context)
        )
    if not ids:
        raise no_roles(columns, context)
    node_types = (context.node_type,) if context.node_type and not by_role[Role.TYPE] else ()
    kept = [] if ids[0].key in ("", "id") else [replace(ids[0], role=Role.PROPERTY)]
    nodes = NodeMapping(
        id=ids[0],
        types=tuple(by_role[Role.TYPE]),
        constant_types=context.file_map.constant_types or node_types,
        properties=(*kept, *by_role[Role.PROPERTY]),
    )
    return TableMapping(nodes=(nodes,), notes=notes)


def _edge_mapping(by_role: Mapping[Role, Sequence[Column]], context: HeaderContext) -> EdgeMapping:
    types = by_role[Role.TYPE]
    if len(types) > 1:
        raise ambiguous([column.header for column in types], "the type of the edge", context)
    constant = context.file_map.constant_types[0] if context.file_map.constant_types else context.edge_type
    ids = by_role[Role.ID]
    return EdgeMapping(
        source=by_role[Role.SOURCE][0],
        target=by_role[Role.TARGET][0],
        type=types[0] if types else constant or DEFAULT_EDGE_TYPE,
        id=ids[0] if ids else None,
        properties=tuple(by_role[Role.PROPERTY]),
    )


def _edge_notes(by_role: Mapping[Role, Sequence[Column]], context: HeaderContext) -> tuple[str, ...]:
    if by_role[Role.TYPE] or context.edge_type or context.file_map.constant_types:
        return ()
    other = map_option(context.file, "=TYPE", "type")
    note = f"{context.file} has no column with the type of its edges: all are {DEFAULT_EDGE_TYPE!r} (another: {other})"
    return (note,)


def _generic(columns: Sequence[Column], context: HeaderContext) -> TableMapping:
    """A header with the usual names. What the user mapped is settled; the other names are looked up."""
    settled = {column.role for column in columns if column.header in context.file_map.columns}
    free = {
        plain(column.header): column
        for column in reversed(columns)
        if column.role is Role.PROPERTY
        and column.declared is None
        and column.header not in context.file_map.columns
    }
    chosen: dict[int, Role] = {}
    edges = Role.SOURCE in settled or Role.TARGET in settled
    if not edges and (pair := _ends(free, context, has_id=Role.ID in settled)):
        chosen |= {pair[0].position: Role.SOURCE, pair[1].position: Role.TARGET}
        edges = True
    elif edges:
        chosen |= _other_end(free, settled)
    ids, types = (EDGE_IDS, EDGE_TYPES) if edges else (NODE_IDS, NODE_TYPES)
    for role, names in ((Role.ID, ids), (Role.TYPE, types)):
        if role not in settled and not (role is Role.TYPE and context.file_map.constant_types):
            found = next(
                (free[name] for name in names if name in free and free[name].position not in chosen), None
            )
            if found is not None:
                chosen[found.position] = role
    roles = [
        replace(column, role=chosen[column.position], key="") if column.position in chosen else column
        for column in columns
    ]
    mapping = _assemble(roles, context)
    label = free.get("label")
    if (
        mapping.nodes
        and label is not None
        and chosen.get(label.position) is Role.TYPE
        and not _NAMES & set(free)
    ):
        return replace(mapping, nodes=(replace(mapping.nodes[0], label_may_be_name=True),))
    return mapping


def _ends(
    free: Mapping[str, Column], context: HeaderContext, *, has_id: bool
) -> tuple[Column, Column] | None:
    pairs = [(free[source], free[target]) for source, target in ENDS if source in free and target in free]
    doubtful = [
        (free[source], free[target]) for source, target in DOUBTFUL_ENDS if source in free and target in free
    ]
    if len(pairs) > 1:
        raise ambiguous([column.header for pair in pairs for column in pair], "the ends of the edge", context)
    if pairs:
        return pairs[0]
    has_id = has_id or any(name in free for name in NODE_IDS)
    if not doubtful:
        bare = () if has_id else ENDS_WITHOUT_ID
        return next(
            ((free[source], free[target]) for source, target in bare if {source, target} <= set(free)), None
        )
    if (has_id or _NAMES & set(free)) and not any(name in free for name in EDGE_WORDS):
        source, target = (column.header for column in doubtful[0])
        raise doubtful_ends(source, target, context)
    return doubtful[0]


def _other_end(free: Mapping[str, Column], settled: Iterable[Role]) -> dict[int, Role]:
    """The user named one end: the other may have a usual name."""
    pairs = (*ENDS, *DOUBTFUL_ENDS, *ENDS_WITHOUT_ID)
    for side, role in ((0, Role.SOURCE), (1, Role.TARGET)):
        if role not in settled:
            return next(({free[pair[side]].position: role} for pair in pairs if pair[side] in free), {})
    return {}


def _pairs_of_nodes(columns: Sequence[Column], context: HeaderContext) -> TableMapping | None:
    """PrimeKG's kg.csv and tables like it: each row has an edge and both of its ends with their names and types."""
    named = {
        plain(column.header): column for column in columns if column.header not in context.file_map.columns
    }
    if not any(f"x_{what}" in named and f"y_{what}" in named for what in ("name", "type")):
        return None
    by = next((what for what in ("index", "id") if f"x_{what}" in named and f"y_{what}" in named), None)
    if by is None:
        return None
    taken: set[int] = set()
    nodes = []
    for side in "xy":
        own = {name[2:]: column for name, column in named.items() if name.startswith(f"{side}_")}
        taken |= {column.position for column in own.values()}
        # The keys are those of PrimeKG's nodes.csv, so that both layouts give the same graph.
        properties = tuple(
            replace(column, role=Role.PROPERTY, key=f"node_{name}")
            for name, column in own.items()
            if name not in (by, "type")
        )
        types = (own["type"],) if "type" in own else ()
        nodes.append(NodeMapping(own[by], types, (), properties, implied=True))
    rest = [
        column if column.position not in taken else replace(column, role=Role.IGNORE) for column in columns
    ] + [replace(nodes[0].id, role=Role.SOURCE), replace(nodes[1].id, role=Role.TARGET)]
    free = {plain(column.header): column for column in rest if column.role is Role.PROPERTY}
    type_column = next((free[name] for name in EDGE_TYPES if name in free), None)
    rest = [replace(column, role=Role.TYPE, key="") if column is type_column else column for column in rest]
    return replace(_assemble(rest, context), nodes=tuple(nodes))


def _mixed_rows(columns: Sequence[Column], context: HeaderContext) -> TableMapping | None:
    """APOC's CSV export: a row is a node if it has an ``_id``, an edge if it has a ``_start``."""
    named = {column.header: column for column in columns}
    if not {"_id", "_start", "_end"} <= set(named):
        return None
    special = {"_id", "_labels", "_start", "_end", "_type"}
    properties = tuple(
        column for column in columns if column.header not in special and column.role is Role.PROPERTY
    )
    start, end = replace(named["_start"], role=Role.SOURCE), replace(named["_end"], role=Role.TARGET)
    types = (named["_labels"],) if "_labels" in named else ()
    nodes = NodeMapping(
        named["_id"], types, context.file_map.constant_types, properties, only_where=(named["_id"], True)
    )
    edge_type: Column | str = named.get("_type") or context.edge_type or DEFAULT_EDGE_TYPE
    return TableMapping(
        nodes=(nodes,),
        edges=EdgeMapping(start, end, edge_type, properties=properties, only_where=(start, True)),
    )
