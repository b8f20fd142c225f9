"""The exact reader of delimited text and DuckDB agree on every file that both take."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from askgraph.core.errors import LoadError
from askgraph.stores.loading.records import Record, RecordReader


def read(text: str | bytes, columns: list[str], delimiter: str = ",") -> list[Record | LoadError]:
    stream = io.BytesIO(text.encode() if isinstance(text, str) else text)
    return list(RecordReader(stream, name="f", delimiter=delimiter, columns=columns))


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(config={"threads": 1}) as connection:
        yield connection


PIECES = st.sampled_from(
    ["a", "é", ",", ",", "\n", "\n", "\r\n", "\r", '"', '""', '"b"', ' "c" ', " ", '"x,\ny"', "\t"]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@example(text='a,"b\n\n\nc",d\n', width=3)
@example(text='"a" ,b\n', width=2)
@example(text='  "a",b\n', width=2)
@given(text=st.lists(PIECES, max_size=24).map("".join), width=st.integers(2, 3))
def test_both_readers_see_the_same_rows(
    text: str, width: int, database: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    columns = [f"c{i}" for i in range(width)]
    found = read(text, columns)
    if any(isinstance(record, LoadError) for record in found):
        return
    file = tmp_path / "f.csv"
    file.write_bytes(text.encode())
    spec = ", ".join(f"'{column}': 'VARCHAR'" for column in columns)
    try:
        rows = database.execute(
            f"SELECT * FROM read_csv($1, columns = {{{spec}}}, auto_detect = false, header = false, delim = ',',"
            " quote = '\"', escape = '\"', nullstr = '', allow_quoted_nulls = false, strict_mode = true,"
            " null_padding = false)",
            [str(file)],
        ).fetchall()
    except duckdb.Error:
        return  # then the exact reader's rows are written to a clean copy
    assert [list(row) for row in rows] == [record.values for record in found if isinstance(record, Record)]


@settings(max_examples=200)
@given(
    rows=st.lists(
        st.lists(
            st.one_of(st.none(), st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))),
            min_size=2,
            max_size=2,
        ),
        max_size=6,
    ),
    ending=st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_what_is_quoted_by_the_book_comes_back_with_its_lines(
    rows: list[list[str | None]], ending: str
) -> None:
    line, text, expected = 1, "", []
    for row in rows:
        cells = ["" if cell is None else '"' + cell.replace('"', '""') + '"' for cell in row]
        text += ",".join(cells) + ending
        begins = []
        for cell in cells:
            begins.append(line)
            line += len(cell.replace("\r\n", "\n").replace("\r", "\n").split("\n")) - 1
        expected.append((row, begins))
        line += 1
    found = read(text, ["x", "y"])
    assert all(isinstance(record, Record) for record in found)
    records = [record for record in found if isinstance(record, Record)]
    assert [(record.values, [record.line_of(0), record.line_of(1)]) for record in records] == expected


def test_reading_goes_on_after_the_line_at_fault() -> None:
    found = read('a,b\nc,"d" x\ne,"f\ng\nh,i\n', ["x", "y"])
    assert [(type(one).__name__, getattr(one, "line", None)) for one in found] == [
        ("Record", 1),
        ("MalformedFileError", None),
        ("MalformedFileError", None),
        ("MalformedFileError", None),
        ("Record", 5),
    ]
    lines = [one.location.line for one in found if isinstance(one, LoadError) and one.location]
    assert lines == [2, 3, 4]


def test_a_quote_that_is_never_closed_costs_little_time_over_many_lines() -> None:
    text = 'a,"b\n' + 'c,""\n' * 200_000
    found = read(text, ["x", "y"])
    assert isinstance(found[0], LoadError)
    assert len(found) == 200_001
