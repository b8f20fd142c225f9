"""Nodes of all relations of a load, made one for each id, joined with those that the graph has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...core.errors import BadValueError, DuplicateIdError
from .codec import sql_type
from .database import PREVIOUS, STAGING, literal, quote
from .merging import AFTER_ALL, Merger
from .staging import NodeRelation

_NODES = f"{STAGING}.nodes"


@dataclass(frozen=True, slots=True)
class MergedNodes:
    """How many nodes a load added and gave again."""

    added: int
    updated: int


class NodeMerger(Merger[NodeRelation]):
    """Makes the tables ``node_types``, ``nodes`` and ``node_type_members``."""

    def merge(self, relations: Sequence[NodeRelation]) -> MergedNodes:
        """Stage all relations, make one node of each id, and write the tables."""
        self._stage(relations)
        self._refuse_rows_without_id()
        self._merge_repeated()
        type_codes = self._write_types()
        added, updated = self._count()
        self._write_nodes(type_codes)
        self._connection.execute(
            "CREATE TABLE node_type_members AS"
            " SELECT type, row FROM (SELECT unnest(types) AS type, row FROM nodes) ORDER BY type, row"
        )
        self._connection.execute(f"DROP TABLE {_NODES}; DROP TABLE {STAGING}.type_lists")
        return MergedNodes(added, updated)

    # --- staging

    def _stage(self, relations: Sequence[NodeRelation]) -> None:
        selections = [self._columns.selection(relation.properties) for relation in relations]
        self._connection.execute(
            f"CREATE TABLE {_NODES} (arrival BIGINT, implied BOOLEAN, id VARCHAR, types VARCHAR[]"
            f"{self._columns.definitions})"
        )
        offset = 0
        for relation, selection in zip(relations, selections, strict=True):
            self._relations.append((offset, relation))
            names = "".join(f", {name}" for name in selection)
            values = "".join(f", {column}" for column in selection.values())
            self._connection.execute(
                f"INSERT INTO {_NODES} (arrival, implied, id, types{names})"
                f" SELECT {offset} + row_number() OVER () - 1, {relation.implied}, {quote(relation.id_column)},"
                f" {_types_of(relation, self._is_list(relation))}{values} FROM {relation.relation}"
            )
            offset = self._scalar(f"SELECT count(*) FROM {_NODES}")

    def _is_list(self, relation: NodeRelation) -> bool:
        columns = self._connection.execute(f"DESCRIBE SELECT * FROM {relation.relation}").fetchall()
        return any(name == relation.types_column and kind.endswith("[]") for name, kind, *_ in columns)

    def _refuse_rows_without_id(self) -> None:
        arrivals = self._numbers(f"SELECT arrival FROM {_NODES} WHERE id IS NULL ORDER BY arrival")
        for row in self._faulty(arrivals):
            self._problems.report(BadValueError("a node without an id", location=row.location))
        if arrivals:
            self._connection.execute(f"DELETE FROM {_NODES} WHERE id IS NULL")

    # --- one node for each id

    def _merge_repeated(self) -> None:
        count, distinct = self._connection.execute(
            f"SELECT count(*), count(DISTINCT id) FROM {_NODES}"
        ).fetchone() or (0, 0)
        if count == distinct:
            return
        repeated = f"{STAGING}.repeated"
        self._connection.execute(
            f"CREATE TABLE {repeated} AS SELECT * FROM {_NODES}"
            f" WHERE id IN (SELECT id FROM {_NODES} GROUP BY id HAVING count(*) > 1)"
        )
        self._refuse_clashes(repeated)
        # Rows that edges imply yield to all others, whenever they come.
        rank = f"arrival + CASE WHEN implied THEN {AFTER_ALL} ELSE 0 END"
        self._connection.execute(f"DELETE FROM {_NODES} WHERE id IN (SELECT id FROM {repeated})")
        chosen = "".join(f", {sql} AS {name}" for name, sql in self._first_values().items())
        types = without_repeats("flatten(list(types ORDER BY rank))")
        self._connection.execute(
            f"INSERT INTO {_NODES} BY NAME SELECT min(arrival) AS arrival, bool_and(implied) AS implied, id,"
            f" {types} AS types{chosen} FROM (SELECT *, {rank} AS rank FROM {repeated}) GROUP BY id"
        )
        self._connection.execute(f"DROP TABLE {repeated}")

    def _first_values(self) -> dict[str, str]:
        """For each column an aggregate: its value in the first row that has any value of the key."""
        values: dict[str, str] = {}
        for columns in self._columns.by_key():
            names = [column.column_name for column in columns]
            if len(names) == 1:
                values[names[0]] = f"arg_min({names[0]}, rank)"
                continue
            has_value = " OR ".join(f"{name} IS NOT NULL" for name in names)
            for name in names:
                values[name] = f"arg_min_null({name}, rank) FILTER (WHERE {has_value})"
        return values

    def _refuse_clashes(self, repeated: str) -> None:
        """Rows that are not implied and differ from the first one of their id are left out, if the loader allows."""
        differs = " OR ".join(
            f"later.{name} IS DISTINCT FROM first.{name}" for name in ("types", *self._columns.names)
        )
        clashes = self._connection.execute(
            f"SELECT later.arrival, first.arrival FROM {repeated} later"
            f" JOIN (SELECT id, min(arrival) AS arrival FROM {repeated} WHERE NOT implied GROUP BY id) one USING (id)"
            f" JOIN {repeated} first ON first.arrival = one.arrival"
            f" WHERE NOT later.implied AND later.arrival > one.arrival AND ({differs}) ORDER BY later.arrival"
        ).fetchall()
        if not clashes:
            return
        later = self._faulty([clash[0] for clash in clashes])
        firsts = sorted({clash[1] for clash in clashes})
        first_places = dict(zip(firsts, (row.location for row in self._faulty(firsts)), strict=True))
        for row, (_, first) in zip(later, clashes, strict=True):
            place = first_places[first]
            self._problems.report(
                DuplicateIdError(
                    f"the id {row.texts[0]!r} was given to another node" + (f" in {place}" if place else ""),
                    location=row.location,
                    advice="Two nodes cannot share an id. If they are one node, give its row once.",
                )
            )
        self._connection.execute(
            f"DELETE FROM {repeated} WHERE arrival IN (SELECT unnest($clashing::BIGINT[]))",
            {"clashing": [clash[0] for clash in clashes]},
        )

    # --- types

    def _write_types(self) -> dict[str, int]:
        lists = self._connection.execute(f"SELECT DISTINCT types FROM {_NODES}").fetchall()
        names = {name for (types,) in lists for name in types}.union(self._previous_types or ())
        codes = {name: code for code, name in enumerate(sorted(names))}
        self._connection.execute(f"CREATE TABLE {STAGING}.type_lists (types VARCHAR[], codes INTEGER[])")
        self._connection.execute(
            f"INSERT INTO {STAGING}.type_lists SELECT unnest($types::VARCHAR[][]), unnest($codes::INTEGER[][])",
            {
                "types": [types for (types,) in lists],
                "codes": [[codes[name] for name in types] for (types,) in lists],
            },
        )
        self._connection.execute(
            "INSERT INTO node_types SELECT unnest($codes::INTEGER[]), unnest($names::VARCHAR[])",
            {"codes": list(codes.values()), "names": list(codes)},
        )
        return codes

    # --- the table of nodes

    def _count(self) -> tuple[int, int]:
        given = self._scalar(f"SELECT count(*) FROM {_NODES}")
        if self._previous_types is None:
            return given, 0
        updated = self._scalar(f"SELECT count(*) FROM {_NODES} SEMI JOIN {PREVIOUS}.nodes USING (id)")
        return given - updated, updated

    def _write_nodes(self, type_codes: dict[str, int]) -> None:
        properties = "".join(f", {name}" for name in self._columns.names)
        coded = (
            f"(SELECT staged.* REPLACE (lists.codes AS types) FROM {_NODES} staged"
            f" JOIN {STAGING}.type_lists lists ON lists.types = staged.types)"
        )
        if self._previous_types is None:
            self._connection.execute(
                "CREATE TABLE nodes AS SELECT (row_number() OVER (ORDER BY arrival) - 1)::INTEGER AS row, id, types"
                f"{properties} FROM {coded} ORDER BY row"
            )
            return
        old_count = self._scalar(f"SELECT count(*) FROM {PREVIOUS}.nodes")
        kept, merged_types = self._merged_values(), self._merged_types(self._previous_types, type_codes)
        self._connection.execute(
            f"CREATE TABLE nodes AS WITH staged AS MATERIALIZED {coded}"
            f" SELECT old.row, old.id, {merged_types} AS types{kept}"
            f" FROM {PREVIOUS}.nodes old LEFT JOIN staged ON staged.id = old.id"
            " UNION ALL"
            f" SELECT ({old_count} + row_number() OVER (ORDER BY arrival) - 1)::INTEGER, id, types{properties}"
            f" FROM staged ANTI JOIN {PREVIOUS}.nodes USING (id) ORDER BY row"
        )

    def _merged_types(self, previous_types: Sequence[str], type_codes: dict[str, int]) -> str:
        mapping = ", ".join(str(type_codes[name]) for name in previous_types)
        old = f"list_transform(old.types, lambda code: list_extract([{mapping}]::INTEGER[], code + 1))"
        new = f"list_filter(staged.types, lambda code: NOT list_contains({old}, code))"
        return f"CASE WHEN staged.id IS NULL THEN {old} ELSE {old} || {new} END"

    def _merged_values(self) -> str:
        """For each column its value after the merge: the staged node's, if that has any value of the key."""
        values: dict[str, str] = {}
        for columns in self._columns.by_key():
            has_value = " OR ".join(f"staged.{column.column_name} IS NOT NULL" for column in columns)
            for column in columns:
                name = column.column_name
                known = name in self._previous_columns
                old = f"old.{name}" if known else f"NULL::{sql_type(column.column_type)}"
                values[name] = f"CASE WHEN {has_value} THEN staged.{name} ELSE {old} END"
        return "".join(f", {values[name]} AS {name}" for name in self._columns.names)

    # --- small things

    def _numbers(self, sql: str) -> list[int]:
        return [number for (number,) in self._connection.execute(sql).fetchall()]

    def _shown_of(self, relation: NodeRelation) -> list[str]:
        """The id."""
        return [quote(relation.id_column)]


def _types_of(relation: NodeRelation, is_list: bool) -> str:
    """SQL for the labels of a row, in order, each once, none empty."""
    fixed = list(dict.fromkeys(name for name in relation.types if name))
    constant = f"[{', '.join(map(literal, fixed))}]::VARCHAR[]"
    if relation.types_column is None:
        return constant
    given = quote(relation.types_column)
    if relation.types_separator is not None:
        given = f"string_split({given}, {literal(relation.types_separator)})"
    elif not is_list:
        given = f"[{given}]"
    trimmed = f"list_transform(coalesce({given}, []), lambda name: trim(name))"
    return without_repeats(f"({constant} || list_filter({trimmed}, lambda name: name <> ''))")


def without_repeats(values: str) -> str:
    """SQL for a list with only the first of equal elements."""
    return f"list_filter({values}, lambda value, position: list_position({values}, value) = position)"
