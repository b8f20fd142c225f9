"""Edges of all relations of a load, their ends looked up, joined with those that the graph has, sorted and numbered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...core.errors import BadValueError, DanglingEdgeError, DuplicateIdError, LoadError
from .codec import sql_type
from .database import PREVIOUS, STAGING, literal, quote
from .merging import Merger
from .staging import EdgeRelation, FaultyRow

_EDGES = f"{STAGING}.edges"
_FAULTS = f"{STAGING}.faulty_edges"


@dataclass(frozen=True, slots=True)
class MergedEdges:
    """How many edges a load added, and how many of its edges the graph had."""

    added: int
    present: int


class EdgeMerger(Merger[EdgeRelation]):
    """Makes the tables ``edge_types`` and ``edges``, when ``nodes`` is there."""

    _has_ids = False

    def merge(self, relations: Sequence[EdgeRelation]) -> MergedEdges:
        """Stage all relations, refuse what has no ends, and write the tables."""
        self._has_ids = any(relation.id_column is not None for relation in relations)
        self._stage(relations)
        self._refuse_incomplete()
        if self._has_ids:
            self._refuse_repeated_ids()
        present = self._leave_present_alone() if self._previous_types is not None else 0
        staged = self._scalar(f"SELECT count(*) FROM {_EDGES}")
        replaced = self._count_replaced()
        self._write_types()
        self._write_edges()
        self._connection.execute(f"DROP TABLE {_EDGES}")
        return MergedEdges(added=staged - replaced, present=present + replaced)

    # --- staging

    def _stage(self, relations: Sequence[EdgeRelation]) -> None:
        selections = [self._columns.selection(relation.properties) for relation in relations]
        self._connection.execute(
            f"CREATE TABLE {_EDGES} (arrival BIGINT, source INTEGER, target INTEGER, type VARCHAR, id VARCHAR"
            f"{self._columns.definitions})"
        )
        offset = 0
        for relation, selection in zip(relations, selections, strict=True):
            self._relations.append((offset, relation))
            names = "".join(f", {name}" for name in selection)
            values = "".join(f", given.{column}" for column in selection.values())
            source, target = quote(relation.source_column), quote(relation.target_column)
            self._connection.execute(
                f"INSERT INTO {_EDGES} (arrival, source, target, type, id{names})"
                f" SELECT {offset} + given.ordinal_of_row, sources.row, targets.row, {_type_of(relation, 'given.')},"
                f" {_given_id(relation)}{values}"
                f" FROM (SELECT *, row_number() OVER () - 1 AS ordinal_of_row FROM {relation.relation}) given"
                f" LEFT JOIN nodes sources ON sources.id = given.{source}"
                f" LEFT JOIN nodes targets ON targets.id = given.{target}"
            )
            offset = self._scalar(f"SELECT count(*) FROM {_EDGES}")

    def _refuse_incomplete(self) -> None:
        incomplete = "source IS NULL OR target IS NULL OR type IS NULL"
        rows = self._connection.execute(
            f"SELECT arrival, source IS NULL, target IS NULL FROM {_EDGES} WHERE {incomplete} ORDER BY arrival"
        ).fetchall()
        if not rows:
            return
        for row, (_, no_source, no_target) in zip(self._faulty([row[0] for row in rows]), rows, strict=True):
            self._problems.report(_incomplete_edge(row, no_source, no_target))
        self._connection.execute(f"DELETE FROM {_EDGES} WHERE {incomplete}")

    def _refuse_repeated_ids(self) -> None:
        """Of several edges with one given id the first stays; the others are left out, without a word if equal."""
        differs = " OR ".join(
            f"later.{name} IS DISTINCT FROM first.{name}"
            for name in ("source", "target", "type", *self._columns.names)
        )
        rows = self._connection.execute(
            f"WITH firsts AS (SELECT id, min(arrival) AS arrival FROM {_EDGES} WHERE id IS NOT NULL"
            f" GROUP BY id HAVING count(*) > 1)"
            f" SELECT later.arrival, {differs} FROM {_EDGES} later JOIN firsts ON firsts.id = later.id"
            f" JOIN {_EDGES} first ON first.arrival = firsts.arrival"
            f" WHERE later.arrival > firsts.arrival ORDER BY later.arrival"
        ).fetchall()
        if not rows:
            return
        for row in self._faulty([arrival for arrival, clashes in rows if clashes]):
            self._problems.report(
                DuplicateIdError(
                    f"the edge id {row.texts[3]!r} was given to another edge",
                    location=row.location,
                    advice="Two edges cannot share an id; an edge may also have none.",
                )
            )
        self._connection.execute(
            f"DELETE FROM {_EDGES} WHERE arrival IN (SELECT unnest($arrivals::BIGINT[]))",
            {"arrivals": [arrival for arrival, _ in rows]},
        )

    # --- what the graph has already

    def _leave_present_alone(self) -> int:
        """Drop edges without an id that the graph has in every respect; how many there were.

        The n-th edge with some content is there already if the graph has n of them.
        """
        content = ("source", "target", "type", *self._columns.names)
        partition = ", ".join(content)
        old = ", ".join(f"{sql} AS {name}" for name, sql in self._previous_values().items())
        same = " AND ".join(f"new.{name} IS NOT DISTINCT FROM old.{name}" for name in content)
        present = f"{STAGING}.present_edges"
        self._connection.execute(
            f"CREATE TABLE {present} AS WITH old AS (SELECT {partition}, count(*) AS copies FROM (SELECT {old}"
            f" FROM {PREVIOUS}.edges edge JOIN {PREVIOUS}.edge_types kind ON kind.code = edge.type"
            f" WHERE edge.id IS NULL AND edge.source IN (SELECT source FROM {_EDGES})) GROUP BY ALL),"
            f" new AS (SELECT arrival, {partition},"
            f" row_number() OVER (PARTITION BY {partition} ORDER BY arrival) AS copy FROM {_EDGES} WHERE id IS NULL)"
            f" SELECT new.arrival FROM new JOIN old ON {same} WHERE new.copy <= old.copies"
        )
        count = self._scalar(f"SELECT count(*) FROM {present}")
        if count:
            self._connection.execute(f"DELETE FROM {_EDGES} WHERE arrival IN (SELECT arrival FROM {present})")
        self._connection.execute(f"DROP TABLE {present}")
        return count

    def _count_replaced(self) -> int:
        if self._previous_types is None or not self._has_ids:
            return 0
        return self._scalar(
            f"SELECT count(*) FROM {PREVIOUS}.edges WHERE id IN (SELECT id FROM {_EDGES} WHERE id IS NOT NULL)"
        )

    def _previous_values(self) -> dict[str, str]:
        """Each column of the staged edges as SQL over the version before."""
        values = {"source": "edge.source", "target": "edge.target", "type": "kind.name"}
        for column in self._columns:
            name = column.column_name
            known = name in self._previous_columns
            values[name] = f"edge.{name}" if known else f"NULL::{sql_type(column.column_type)}"
        return values

    # --- the tables

    def _write_types(self) -> None:
        found = self._connection.execute(f"SELECT DISTINCT type FROM {_EDGES}").fetchall()
        names = sorted({name for (name,) in found}.union(self._previous_types or ()))
        self._connection.execute(
            "INSERT INTO edge_types SELECT unnest($codes::INTEGER[]), unnest($names::VARCHAR[])",
            {"codes": list(range(len(names))), "names": names},
        )

    def _write_edges(self) -> None:
        properties = "".join(f", {name}" for name in self._columns.names)
        everything = f"SELECT arrival, source, target, type, id{properties} FROM {_EDGES}"
        if self._previous_types is not None:
            everything = self._joined_with_previous(properties)
        self._connection.execute(
            f"CREATE TABLE edges AS SELECT row_number() OVER () - 1 AS row, * EXCLUDE (arrival) FROM"
            f" (SELECT everything.* REPLACE (kind.code AS type) FROM ({everything}) everything"
            f" JOIN edge_types kind ON kind.name = everything.type ORDER BY source, kind.code, target, arrival)"
        )

    def _joined_with_previous(self, properties: str) -> str:
        """SQL for all edges. Those of the version before come first; one that is replaced leaves its place to the new
        one, so that parallel edges keep their order."""
        first = f"(SELECT count(*) FROM {PREVIOUS}.edges)"
        old = ", ".join(f"{sql} AS {name}" for name, sql in self._previous_values().items())
        return (
            f"SELECT coalesce(replaced.row - {first}, arrival) AS arrival, source, target, type, staged.id{properties}"
            f" FROM {_EDGES} staged"
            f" LEFT JOIN (SELECT row, id FROM {PREVIOUS}.edges WHERE id IS NOT NULL) replaced"
            " ON replaced.id = staged.id"
            f" UNION ALL BY NAME SELECT edge.row - {first} AS arrival, edge.id, {old}"
            f" FROM {PREVIOUS}.edges edge JOIN {PREVIOUS}.edge_types kind ON kind.code = edge.type"
            f" WHERE edge.id IS NULL OR edge.id NOT IN (SELECT id FROM {_EDGES} WHERE id IS NOT NULL)"
        )

    # --- small things

    def _shown_of(self, relation: EdgeRelation) -> list[str]:
        """Source, target, type and id."""
        given = "NULL" if relation.id_column is None else quote(relation.id_column)
        return [quote(relation.source_column), quote(relation.target_column), _type_of(relation), given]


def _incomplete_edge(row: FaultyRow, no_source: bool, no_target: bool) -> LoadError:
    source, target, _, _ = row.texts
    if (no_source and source is None) or (no_target and target is None):
        missing = "source" if no_source and source is None else "target"
        return BadValueError(f"an edge without a {missing}", location=row.location)
    if no_source or no_target:
        place = row.location
        if place is not None and place.column is None:
            place = replace(place, column="source" if no_source else "target")
        ends = [repr(end) for end, absent in ((source, no_source), (target, no_target)) if absent]
        what = " and ".join(dict.fromkeys(ends))
        return DanglingEdgeError(
            f"an edge from {source!r} to {target!r}, but there is no node {what}",
            location=place,
            advice="Load the file with that node too, or leave such edges out with --on-error skip.",
        )
    return BadValueError(f"an edge from {source!r} to {target!r} without a type", location=row.location)


def _type_of(relation: EdgeRelation, table: str = "") -> str:
    if relation.type_column is not None:
        return table + quote(relation.type_column)
    return "NULL" if relation.type is None else literal(relation.type)


def _given_id(relation: EdgeRelation) -> str:
    """SQL for the id of an edge, null where it is the one that we would make (``core.graph.edge_id``): an exported
    graph comes back as it was."""
    if relation.id_column is None:
        return "NULL"
    id = f"given.{quote(relation.id_column)}"
    parts = (
        f"given.{quote(relation.source_column)}",
        _type_of(relation, "given."),
        f"given.{quote(relation.target_column)}",
    )
    made = " || '|' || ".join(f"replace(replace({part}, '%', '%25'), '|', '%7C')" for part in parts)
    rest = f"substr({id}, length({made}) + 1)"
    return (
        f"CASE WHEN {id} = '' OR (starts_with({id}, {made}) AND regexp_full_match({rest}, '([|][1-9][0-9]*)?'))"
        f" THEN NULL ELSE {id} END"
    )
