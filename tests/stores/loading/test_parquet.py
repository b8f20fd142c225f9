"""Parquet files: the types that they have are kept."""

from __future__ import annotations

import datetime
import math
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
from tests.stores.loading.support import edges, nodes, properties, triples

from askgraph.core.values import Duration
from askgraph.stores.loading import LoadReport, load_files


def load(folder: Path, **queries: str) -> LoadReport:
    """Loads one Parquet file for each query."""
    paths = []
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        for name, sql in queries.items():
            path = folder / f"{name}.parquet"
            connection.execute(f"COPY ({sql}) TO '{path}' (FORMAT parquet)")
            paths.append(path)
    return load_files(paths, folder / "g.graph")


def test_nodes_and_edges(tmp_path: Path) -> None:
    load(
        tmp_path,
        n="SELECT unnest([1, 2]) AS id, ['Person', 'User'] AS labels, unnest(['Ann', NULL]) AS name",
        e="SELECT 1 AS source, 2 AS target, 'KNOWS' AS type, 0.5::FLOAT AS weight",
    )
    assert nodes(tmp_path)["1"].types == ("Person", "User")
    assert nodes(tmp_path)["1"].name == "Ann"
    assert properties(tmp_path, "2") == {}
    assert triples(tmp_path) == [("1", "KNOWS", "2")]
    assert edges(tmp_path)[0].properties == {"weight": 0.5}


VALUES: list[tuple[str, Any]] = [
    ("true", True),
    ("7::TINYINT", 7),
    ("18446744073709551615::UBIGINT", 18446744073709551615),
    ("7::UBIGINT", 7),
    ("1.5::FLOAT", 1.5),
    ("'nan'::DOUBLE", math.nan),
    ("1.50::DECIMAL(10, 2)", Decimal("1.50")),
    ("''", ""),
    ("'007'", "007"),
    ("'2020-01-01'", "2020-01-01"),
    ("DATE '2020-02-29'", datetime.date(2020, 2, 29)),
    ("TIME '12:30:01.5'", datetime.time(12, 30, 1, 500000)),
    ("TIMESTAMP '2020-01-01 10:00:00.000001'", datetime.datetime(2020, 1, 1, 10, 0, 0, 1)),
    ("TIMESTAMP_NS '2020-01-01 10:00:00'", datetime.datetime(2020, 1, 1, 10)),
    ("TIMESTAMP_NS '2020-01-01 10:00:00.000000001'", "2020-01-01 10:00:00.000000001"),
    ("DATE '0044-03-15 (BC)'", "0044-03-15 (BC)"),
    ("TIMESTAMPTZ '2020-01-01 10:00:00+02'", datetime.datetime(2020, 1, 1, 8, tzinfo=datetime.UTC)),
    ("INTERVAL '14 months 3 days 4 hours'", Duration(14, 3, 4 * 3600 * 1_000_000)),
    ("'a\\x00b'::BLOB", b"a\x00b"),
    ("[1, NULL, 3]", [1, None, 3]),
    ("['a', 'b;c']", ["a", "b;c"]),
    ("[]::VARCHAR[]", []),
    ("[DATE '2020-01-01']", [datetime.date(2020, 1, 1)]),
    ("[[1], [2]]", [[1], [2]]),
    ("{'a': 1, 'b': [DATE '2020-01-01']}", {"a": 1, "b": [datetime.date(2020, 1, 1)]}),
    ("MAP {'k': 1.5::DOUBLE}", {"k": 1.5}),
    ("'x'::ENUM ('x', 'y')", "x"),
    ("'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'::UUID", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"),
]


def test_types_of_columns(tmp_path: Path) -> None:
    columns = ", ".join(f"{sql} AS x{i}" for i, (sql, _) in enumerate(VALUES))
    load(tmp_path, n=f"SELECT 'a' AS id, {columns}")
    found = properties(tmp_path, "a")
    for i, (sql, value) in enumerate(VALUES):
        assert found[f"x{i}"] == value or (value != value and found[f"x{i}"] != found[f"x{i}"]), sql
        assert type(found[f"x{i}"]) is type(value), sql


def test_whole_numbers_that_became_floats_are_ids_all_the_same(tmp_path: Path) -> None:
    load(
        tmp_path,
        n="SELECT unnest([1, 2]) AS id, 'x' AS name",
        e="SELECT 1.0::DOUBLE AS source, 2.0::DOUBLE AS target, 'T' AS type",
    )
    assert triples(tmp_path) == [("1", "T", "2")]


def test_headers_may_declare_roles_and_types(tmp_path: Path) -> None:
    load(
        tmp_path,
        n="SELECT 'a' AS \":ID\", 'P;Q' AS \":LABEL\", '1964' AS \"born:int\", 'x' AS \"Born\", 'y' AS born",
    )
    assert nodes(tmp_path)["a"].types == ("P", "Q")
    assert properties(tmp_path, "a")["Born"] == "x"


def test_a_table_without_rows_is_no_error(tmp_path: Path) -> None:
    report = load(tmp_path, n="SELECT 'a' AS id, 1 AS x WHERE false")
    assert (report.nodes, report.total_nodes) == (0, 0)
