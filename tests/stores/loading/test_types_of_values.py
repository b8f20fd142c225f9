"""What a text file's cells become: typed by the whole column, or as declared."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stores.loading.support import load, nodes, properties

from askgraph.core.values import Duration, Point, Value
from askgraph.stores.loading import LoadOptions
from askgraph.stores.loading.conversion import (
    alternatives,
    known_to_fit,
    quote,
    register_functions,
)
from askgraph.stores.loading.declared import DeclaredType, Kind, parse_type
from askgraph.stores.loading.inference import infer_types
from askgraph.stores.loading.points import read_point
from askgraph.stores.property.codec import decode, selected

UTC = datetime.UTC


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        register_functions(connection)
        yield connection


def inferred(database: duckdb.DuckDBPyConnection, texts: Sequence[str | None]) -> DeclaredType | None:
    database.execute("CREATE OR REPLACE TEMP TABLE cells (c0 VARCHAR)")
    database.execute("INSERT INTO cells SELECT unnest($texts::VARCHAR[])", {"texts": list(texts)})
    return infer_types(database, "cells", ["c0"])[0]


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (["1", "-2", "0", None], Kind.INTEGER),
        (["9223372036854775807", "-9223372036854775808"], Kind.INTEGER),
        (["9223372036854775808", "1"], Kind.BIG_INTEGER),
        (["123456789012345678901234567890"], Kind.BIG_INTEGER),
        (["007", "1"], Kind.TEXT),
        (["00"], Kind.TEXT),
        (["+49 30 123"], Kind.TEXT),
        (["+5"], Kind.TEXT),
        (["1_000"], Kind.TEXT),
        (["1,5"], Kind.TEXT),
        (["0x10"], Kind.TEXT),
        (["1", "two"], Kind.TEXT),
        (["1.5", "2", "-.5"], Kind.FLOAT),
        (["1e5", "1E-3"], Kind.FLOAT),
        (["1e400"], Kind.TEXT),
        (["0.30000000000000004"], Kind.FLOAT),
        (["0.1234567890123456789"], Kind.DECIMAL),
        (["12345678901234567.5", "1"], Kind.DECIMAL),
        (["1.5", "NaN", "-Infinity"], Kind.FLOAT),
        (["NaN"], Kind.TEXT),
        (["1.2.3"], Kind.TEXT),
        (["1.", "2."], Kind.TEXT),
        (["true", "False", "TRUE"], Kind.BOOLEAN),
        (["true", "1"], Kind.TEXT),
        (["yes", "no"], Kind.TEXT),
        (["2020-02-29", "0001-01-01"], Kind.DATE),
        (["2021-02-29"], Kind.TEXT),
        (["2020-1-1"], Kind.TEXT),
        (["0000-01-01"], Kind.TEXT),
        (["2020-01-01T10:00", "2020-01-01 10:00:00.123456"], Kind.DATETIME),
        (["2020-01-01T10:00:00Z", "2020-01-01T10:00:00+05:30"], Kind.DATETIME),
        (["2020-01-01T10:00:00.123456789"], Kind.TEXT),
        (["2020-01-01T24:00:00"], Kind.TEXT),
        (["2020-01-01", "2020-01-01T10:00"], Kind.TEXT),
        (["2020-01-01T10:00", "2020-01-01T10:00Z"], Kind.TEXT),
        (["", "1", ""], Kind.INTEGER),
        (["", ""], Kind.TEXT),
        ([" 1", "2 "], Kind.INTEGER),
        (['{"a": 1}'], Kind.TEXT),
        (["['a', 'b']"], Kind.TEXT),
        (["[draft]"], Kind.TEXT),
        (['[1, "a"]', "[]"], Kind.JSON),
        (["[123456789012345678901234567890]"], Kind.JSON),
    ],
)
def test_a_column_is_of_the_narrowest_type_that_changes_none_of_its_texts(
    texts: list[str | None], kind: Kind, database: duckdb.DuckDBPyConnection
) -> None:
    assert inferred(database, texts) == DeclaredType(kind)


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (["[1, 2]", "[]", "[null]"], Kind.INTEGER),
        (["[1, 2.5]"], Kind.FLOAT),
        (['["a", "b;c"]'], Kind.TEXT),
        (["[true]"], Kind.BOOLEAN),
    ],
)
def test_a_column_of_json_arrays_of_one_kind_is_a_list(
    texts: list[str | None], kind: Kind, database: duckdb.DuckDBPyConnection
) -> None:
    assert inferred(database, texts) == DeclaredType(kind, is_list=True)


def test_a_column_without_values_has_no_type(database: duckdb.DuckDBPyConnection) -> None:
    assert inferred(database, [None, None]) is None


@pytest.mark.parametrize("odd", ["x", "007", "1.5", ""])
def test_one_value_after_thousands_decides(odd: str, database: duckdb.DuckDBPyConnection) -> None:
    kind = {"1.5": Kind.FLOAT, "": Kind.INTEGER}.get(odd, Kind.TEXT)
    assert inferred(database, ["1"] * 5000 + [odd]) == DeclaredType(kind)


def test_a_column_that_is_empty_for_thousands_of_rows_is_judged_by_what_follows(
    database: duckdb.DuckDBPyConnection,
) -> None:
    assert inferred(database, [None] * 5000 + ["2020-01-01"]) == DeclaredType(Kind.DATE)


@given(
    texts=st.lists(
        st.one_of(
            st.integers().map(str),
            st.floats().map(repr),
            st.decimals(allow_nan=False, allow_infinity=False, places=3).map(str),
            st.dates().map(str),
            st.datetimes().map(lambda moment: moment.isoformat()),
            st.datetimes(timezones=st.just(UTC)).map(lambda moment: moment.isoformat()),
            st.booleans().map(str),
            st.text("0123456789.-+eE:TZ ", max_size=12),
            st.lists(st.one_of(st.integers(), st.text(max_size=3), st.floats()), max_size=3).map(str),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_what_is_inferred_fits_every_value(texts: list[str], database: duckdb.DuckDBPyConnection) -> None:
    kind = inferred(database, [text.replace("\0", "") for text in texts])
    assert kind is not None
    fits = [known_to_fit("c0", kind, separator=";"), alternatives("c0", kind, separator=";")]
    for found in fits:
        missing = " AND ".join(f"({one.expression}) IS NULL" for one in found)
        row = database.execute(f"SELECT count(*) FROM cells WHERE trim(c0) <> '' AND {missing}").fetchone()
        assert row == (0,)


def converted(database: duckdb.DuckDBPyConnection, declared: str, text: str, **options: Any) -> list[Value]:
    kind = parse_type(declared)
    assert kind is not None
    found = alternatives(quote(text), kind, separator=";", **options)
    columns = ", ".join(selected(one.column_type, one.expression) for one in found)
    row = database.execute(f"SELECT {columns}").fetchone()
    assert row is not None
    return [
        decode(one.column_type, stored) for one, stored in zip(found, row, strict=True) if stored is not None
    ]


ZONE = datetime.timezone(datetime.timedelta(hours=2))


@pytest.mark.parametrize(
    ("declared", "text", "value"),
    [
        ("int", "007", 7),
        ("int", "+3", 3),
        ("long", " -12 ", -12),
        ("big_integer", "-00099999999999999999999", -99999999999999999999),
        ("big_integer", "12", 12),
        ("double", "1e5", 100000.0),
        ("float", ".5", 0.5),
        ("float", "-Infinity", -math.inf),
        ("decimal", "1.50", Decimal("1.50")),
        ("boolean", "TRUE", True),
        ("string", "007", "007"),
        ("string", "", ""),
        ("char", " x ", " x "),
        ("date", "1999-12-31", datetime.date(1999, 12, 31)),
        ("time", "12:30", datetime.time(12, 30)),
        ("localtime", "12:30:01.5", datetime.time(12, 30, 1, 500000)),
        ("time", "12:30:00+02:00", datetime.time(12, 30, tzinfo=ZONE)),
        ("datetime", "2020-01-01", datetime.datetime(2020, 1, 1)),
        ("localdatetime", "2020-01-01T10:00:00.5", datetime.datetime(2020, 1, 1, 10, 0, 0, 500000)),
        ("datetime", "2020-01-01T10:00Z", datetime.datetime(2020, 1, 1, 10, tzinfo=UTC)),
        ("datetime", "2020-01-01T10:00+0200[Europe/Berlin]", datetime.datetime(2020, 1, 1, 10, tzinfo=ZONE)),
        ("duration", "P1Y2M3DT4H", Duration(14, 3, 4 * 3600 * 1_000_000)),
        ("point", "{latitude: 52.5, longitude: 13.4}", Point(13.4, 52.5)),
        ("point", "{x: 1, y: 2, z: 3}", Point(1.0, 2.0, 3.0, 9157)),
        ("point{crs:WGS-84}", "{x: 1, y: 2}", Point(1.0, 2.0)),
        ("point", "{x: 1, y: 2, crs: 'WGS-84'}", Point(1.0, 2.0)),
        ("point", "{x: 1, y: 2, srid: 4326}", Point(1.0, 2.0)),
        ("point", "POINT(13.4 52.5)", Point(13.4, 52.5)),
        ("point", '{"$type": "point", "value": [1, 2], "srid": 7203}', Point(1.0, 2.0, None, 7203)),
        ("bytes", "aGk=", b"hi"),
        ("json", '{"a": [1, null]}', {"a": [1, None]}),
        ("int[]", "1;2;3", [1, 2, 3]),
        ("int[]", "[1, null]", [1, None]),
        ("int[]", "", []),
        ("string[]", "a;;b", ["a", "", "b"]),
        ("string[]", '["a;b"]', ["a;b"]),
        ("string[]", "[draft];x", ["[draft]", "x"]),
        ("date[]", "2020-01-01;2020-01-02", [datetime.date(2020, 1, 1), datetime.date(2020, 1, 2)]),
        ("duration[]", "P1D;P2D", [Duration(days=1), Duration(days=2)]),
        ("big_integer[]", "1;99999999999999999999", [1, 99999999999999999999]),
        (
            "datetime[]",
            "2020-01-01T10:00Z;2020-01-01T10:00",
            [datetime.datetime(2020, 1, 1, 10, tzinfo=UTC), datetime.datetime(2020, 1, 1, 10)],
        ),
    ],
)
def test_declared_types_read_what_people_write(
    declared: str, text: str, value: Value, database: duckdb.DuckDBPyConnection
) -> None:
    (found,) = converted(database, declared, text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("declared", "text"),
    [
        ("int", "1.0"),
        ("int", "1e3"),
        ("int", "1_000"),
        ("float", "1e400"),
        ("float", "one"),
        ("decimal", "NaN"),
        ("date", "2020-1-1"),
        ("date", "0000-01-01"),
        ("datetime", "2020-01-01T24:00"),
        ("time", "7:30"),
        ("duration", "P"),
        ("point", "{x: 1}"),
        ("point", "{x: 1, y: 2, crs: moon}"),
        ("int[]", "1;2;x"),
        ("json", "[1,]"),
        ("json", '{"a": 1, "a": 2}'),
    ],
)
def test_declared_types_refuse_what_is_none_of_theirs(
    declared: str, text: str, database: duckdb.DuckDBPyConnection
) -> None:
    assert converted(database, declared, text) == []


def test_neptune_escapes_the_separator_of_a_list(database: duckdb.DuckDBPyConnection) -> None:
    assert converted(database, "string[]", "a\\;b;c", escaped=True) == [["a;b", "c"]]


def test_a_point_without_its_axes_is_none() -> None:
    with pytest.raises(ValueError, match="latitude"):
        read_point("{latitude: 1}")


# --- through a whole load


def test_values_of_every_type_come_out_of_a_file_as_they_went_in(tmp_path: Path) -> None:
    load(
        tmp_path,
        {
            "n.csv": "id,count,code,price,on,day,moment,seen,list,note,empty\n"
            'a,1,007,1.5,true,2020-02-29,2020-01-01T10:00:00,2020-01-01T10:00:00Z,"[1,2]",x,\n'
            'b,-2,7,1e3,FALSE,1999-01-01,2020-01-01 11:30,2020-01-01T10:00:00+02:00,[],"",\n'
        },
    )
    found = nodes(tmp_path)
    assert found["a"].properties == {
        "count": 1,
        "code": "007",
        "price": 1.5,
        "on": True,
        "day": datetime.date(2020, 2, 29),
        "moment": datetime.datetime(2020, 1, 1, 10),
        "seen": datetime.datetime(2020, 1, 1, 10, tzinfo=UTC),
        "list": [1, 2],
        "note": "x",
    }
    second = found["b"].properties
    assert (second["code"], second["price"], second["on"], second["list"]) == ("7", 1000.0, False, [])
    assert second["seen"] == datetime.datetime(2020, 1, 1, 10, tzinfo=ZONE)
    assert isinstance(second["seen"], datetime.datetime)
    assert second["seen"].utcoffset() == datetime.timedelta(hours=2)


def test_an_empty_cell_is_no_value_and_a_quoted_one_is_an_empty_text(tmp_path: Path) -> None:
    load(tmp_path, {"n.csv": 'id,x,y\na,,\nb,"",1\nc,text,""\n'})
    found = nodes(tmp_path)
    assert found["a"].properties == {}
    assert found["b"].properties == {"x": "", "y": 1}
    assert found["c"].properties == {"x": "text"}


def test_ids_stay_the_texts_that_they_are(tmp_path: Path) -> None:
    load(tmp_path, {"n.csv": "id\n007\n7\n7.0\n+7\n 7\n1e3\n", "e.csv": "source,target\n007,7\n"})
    assert set(nodes(tmp_path)) == {"007", "7", "7.0", "+7", " 7", "1e3"}


def test_one_key_may_hold_values_of_two_declared_types(tmp_path: Path) -> None:
    load(tmp_path, {"n.csv": ":ID,score:int,score:string\na,5,\nb,,high\n"})
    assert properties(tmp_path, "a") == {"score": 5}
    assert properties(tmp_path, "b") == {"score": "high"}


def test_inference_can_be_turned_off(tmp_path: Path) -> None:
    load(tmp_path, {"n.csv": "id,x\na,1\n"}, options=LoadOptions(infer_types=False))
    assert properties(tmp_path, "a") == {"x": "1"}
