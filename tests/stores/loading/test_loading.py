"""A load as a whole: what it says, what it does with bad rows, how a graph grows, and that nothing half-made stays."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from tests.stores.loading.support import Files, edges, load, nodes, properties, triples, write_files

from askgraph.core.budget import Budget
from askgraph.core.errors import (
    DeadlineExceededError,
    DuplicateIdError,
    MalformedFileError,
    MissingColumnError,
    SettingsError,
    UnsupportedGraphError,
)
from askgraph.stores.loading import LoadOptions, ProblemsError, load_files
from askgraph.stores.loading.report import LISTED_PROBLEMS
from askgraph.stores.loading.staged import within

GOOD = {
    "n.csv": "id,type,name\na,P,Ann\nb,P,Bob\nc,Q,\n",
    "e.csv": "source,type,target,since\na,KNOWS,b,1999\nb,LIKES,c,2001\n",
}
BAD: Files = {
    "n.csv": b"id,name,n\na,Ann,1\n,nobody,2\nb,Bob,3\nb,Bert,4\nc,caf\xe9,5\nd,Dan\n",
    "e.csv": "source,type,target\na,T,b\na,T,zz\nyy,T,a\n,T,a\na,,b\nb,T,a\n",
    "j.jsonl": '{"id": "e"}\n{"id": "f",}\n{"source": "a", "target": "e", "type": "T"}\n',
}


def test_a_load_says_what_it_did(tmp_path: Path) -> None:
    report = load(tmp_path, GOOD)
    assert (report.nodes, report.edges, report.total_nodes, report.total_edges) == (3, 2, 3, 2)
    assert [Path(name).name for name in report.files] == ["n.csv", "e.csv"]
    assert (report.skipped_count, report.notes) == (0, ())
    assert report.seconds > 0
    assert str(report).startswith("3 nodes and 2 edges added, from 2 files in")
    json.dumps(report.to_dict(), allow_nan=False)


# --- what happens to rows that cannot be taken


def test_skip_leaves_bad_rows_out_and_says_which_and_why(tmp_path: Path) -> None:
    report = load(tmp_path, BAD, on_error="skip")
    assert set(nodes(tmp_path)) == {"a", "b", "e"}
    assert properties(tmp_path, "b")["name"] == "Bob"
    assert triples(tmp_path) == [("a", "T", "b"), ("a", "T", "e"), ("b", "T", "a")]
    found = {
        (Path(problem.location.file).name, problem.location.line, problem.location.column, problem.kind)
        for problem in report.skipped
        if problem.location
    }
    assert found == {
        ("n.csv", 3, "id", "BadValueError"),
        ("n.csv", 5, "id", "DuplicateIdError"),
        ("n.csv", 6, "name", "EncodingError"),
        ("n.csv", 7, "n", "MalformedFileError"),
        ("e.csv", 3, "target", "DanglingEdgeError"),
        ("e.csv", 4, "source", "DanglingEdgeError"),
        ("e.csv", 5, "source", "BadValueError"),
        ("e.csv", 6, "type", "BadValueError"),
        ("j.jsonl", 2, 11, "MalformedFileError"),
    }
    assert report.skipped_count == len(found)
    assert "9 rows left out" in str(report)


def test_report_lists_every_problem_and_loads_nothing(tmp_path: Path) -> None:
    with pytest.raises(ProblemsError) as raised:
        load(tmp_path, BAD, on_error="report")
    assert raised.value.count == 9
    assert len(raised.value.problems) == 9
    assert "9 problems found, nothing was loaded" in str(raised.value)
    assert not (tmp_path / "g.graph").exists()


def test_report_covers_headers_and_damaged_files_too(tmp_path: Path) -> None:
    with pytest.raises(ProblemsError) as raised:
        load(
            tmp_path,
            {
                "a.csv": "name\nx\n",
                "b.csv.gz": gzip.compress(b"id\n" + b"a\n" * 9999)[:-9],
                "c.csv": ":ID,n:int,m:int\nx,one,two\n",
            },
            on_error="report",
        )
    assert [problem.kind for problem in raised.value.problems] == [
        "MissingColumnError",
        "MalformedFileError",
        "BadValueError",
        "BadValueError",
    ]


def test_report_loads_what_is_without_fault(tmp_path: Path) -> None:
    assert load(tmp_path, GOOD, on_error="report").nodes == 3
    assert set(nodes(tmp_path)) == {"a", "b", "c"}


def test_skip_does_not_skip_a_whole_file(tmp_path: Path) -> None:
    with pytest.raises(MissingColumnError):
        load(tmp_path, {**GOOD, "x.csv": "name\nx\n"}, on_error="skip")
    assert not (tmp_path / "g.graph").exists()


def test_stop_names_the_first_bad_row_of_a_file(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="line 3") as raised:
        load(tmp_path, {"n.csv": ":ID,n:int,m:int\na,1,2\nb,1,x\n,1,1\nc,y,1\n"})
    assert raised.value.location.column == "m:int"  # type: ignore[attr-defined]


@pytest.mark.parametrize("bad", [";x", ""])
def test_problems_beyond_a_bound_are_counted_and_not_listed(bad: str, tmp_path: Path) -> None:
    rows = "".join(f"n{i},word{bad}\n" for i in range(2500))
    report = load(tmp_path, {"n.csv": f":ID,n:int\n{rows}z,1\n"}, on_error="skip")
    assert report.skipped_count == 2500
    assert len(report.skipped) == LISTED_PROBLEMS
    assert set(nodes(tmp_path)) == {"z"}


def test_thousands_of_dangling_edges_are_counted(tmp_path: Path) -> None:
    rows = "".join(f"a,q{i},T\n" for i in range(1500))
    report = load(
        tmp_path, {"n.csv": "id,name\na,x\n", "e.csv": f"source,target,type\n{rows}"}, on_error="skip"
    )
    assert (report.skipped_count, len(report.skipped)) == (1500, LISTED_PROBLEMS)
    assert report.skipped[-1].location is not None
    assert report.skipped[-1].location.line == LISTED_PROBLEMS + 1


# --- files that are odd and not wrong


@pytest.mark.parametrize(
    "content",
    [
        "\ufeffid,name\r\na,Zoë\r\n",
        "id,name\ra,Zoë\r",
        "\n\nid,name\n\n\na,Zoë\n\n",
        "id,name\na,Zoë\r\n\n",
        'id,name\n"a", "Zoë" \n',
        "id,name\na,Zoë,\n",
        "id,name\na,Zoë\n,\n,\n",
        "id , name \na,Zoë",
    ],
    ids=[
        "mark and windows line ends",
        "mac line ends",
        "blank lines",
        "mixed line ends",
        "blanks round quotes",
        "delimiter at the end",
        "rows of delimiters",
        "blanks in the header",
    ],
)
def test_harmless_oddities_of_csv(content: str, tmp_path: Path) -> None:
    load(tmp_path, {"n.csv": content})
    assert properties(tmp_path, "a") == {"name": "Zoë"}
    assert len(nodes(tmp_path)) == 1


def test_one_column_with_blank_lines_and_mixed_line_ends(tmp_path: Path) -> None:
    load(tmp_path, {"n.csv": "id\n\n,\r\na\r\n\n"})
    assert set(nodes(tmp_path)) == {"a"}
    with pytest.raises(MalformedFileError) as raised:
        load(tmp_path, {"n.csv": "id\n\n,\r\na\r\n\nb,c\n"})
    assert raised.value.location is not None
    assert raised.value.location.line == 6


@pytest.mark.parametrize("codec", ["utf-16", "utf-32", "utf-8-sig"])
def test_other_encodings_with_a_byte_order_mark(codec: str, tmp_path: Path) -> None:
    load(tmp_path, {"n.csv": "id,name\na,Zoë 😀\n".encode(codec)})
    assert properties(tmp_path, "a") == {"name": "Zoë 😀"}


def test_gzip_of_every_text_format(tmp_path: Path) -> None:
    load(
        tmp_path,
        {
            "n.csv.gz": gzip.compress(b"id,name\na,Ann\n") + gzip.compress(b"b,Bob\n"),
            "m.tsv.gz": gzip.compress(b"id\tname\nc\tCid\n"),
            "e.jsonl.gz": gzip.compress(b'{"source": "a", "target": "c", "type": "T"}\n'),
        },
    )
    assert set(nodes(tmp_path)) == {"a", "b", "c"}
    assert triples(tmp_path) == [("a", "T", "c")]


def test_quotes_delimiters_and_line_ends_within_values(tmp_path: Path) -> None:
    value = 'He said ""hi"", then\r\nleft;\t"" ""'
    load(tmp_path, {"n.csv": f'id,name\na,"{value}"\nb,5" pipe\n'})
    assert properties(tmp_path, "a") == {"name": value.replace('""', '"')}
    assert properties(tmp_path, "b") == {"name": '5" pipe'}


def test_a_header_without_rows_loads_nothing(tmp_path: Path) -> None:
    report = load(tmp_path, {"n.csv": "id,name\n", "e.csv": "source,type,target"})
    assert (report.nodes, report.edges) == (0, 0)
    assert [note.rpartition("/")[2] for note in report.notes] == [
        "n.csv: it has no rows",
        "e.csv: it has no rows",
    ]


def test_a_value_of_megabytes(tmp_path: Path) -> None:
    text = "x" * 5_000_000
    load(tmp_path, {"n.csv": f"id,name\na,{text}\n", "m.jsonl": json.dumps({"id": "b", "name": text}) + "\n"})
    assert properties(tmp_path, "a")["name"] == text
    assert properties(tmp_path, "b")["name"] == text


def test_a_row_that_is_too_long_is_refused_at_its_line(tmp_path: Path) -> None:
    with pytest.raises(MalformedFileError) as raised:
        load(tmp_path, {"n.csv": f"id,name\na,b\nc,{'x' * 17_000_000}\n"})
    assert raised.value.location is not None
    assert raised.value.location.line == 3


def test_the_same_file_twice_is_read_once(tmp_path: Path) -> None:
    (path,) = write_files(tmp_path, {"e.csv": "source,type,target\na,T,b\n"})
    report = load_files([path, path], tmp_path / "g.graph")
    assert (report.edges, len(report.files)) == (1, 1)


# --- a graph that grows


def test_more_rows_are_added_by_the_same_call(tmp_path: Path) -> None:
    load(tmp_path, GOOD)
    report = load(
        tmp_path,
        {"n.csv": "id,type,name\nd,P,Dan\nc,R,Cid\n", "e.csv": "source,type,target\nd,KNOWS,a\n"},
    )
    assert (report.nodes, report.nodes_updated, report.edges) == (1, 1, 1)
    assert (report.total_nodes, report.total_edges) == (4, 3)
    assert nodes(tmp_path)["c"].types == ("Q", "R")
    assert nodes(tmp_path)["c"].name == "Cid"
    assert ("d", "KNOWS", "a") in triples(tmp_path)


def test_loading_the_same_files_again_changes_nothing(tmp_path: Path) -> None:
    load(tmp_path, GOOD)
    before = (nodes(tmp_path), edges(tmp_path))
    report = load(tmp_path, GOOD)
    assert (report.nodes, report.edges, report.nodes_updated, report.edges_present) == (0, 0, 3, 2)
    assert (nodes(tmp_path), edges(tmp_path)) == before


def test_parallel_edges_stay_and_equal_rows_of_nodes_are_one(tmp_path: Path) -> None:
    load(tmp_path, {"n.csv": "id,name\na,x\na,x\n", "e.csv": "source,type,target\na,T,a\na,T,a\n"})
    assert len(nodes(tmp_path)) == 1
    assert triples(tmp_path) == [("a", "T", "a"), ("a", "T", "a")]
    assert len({edge.id for edge in edges(tmp_path)}) == 2


def test_a_failed_addition_leaves_the_graph_and_its_readers_alone(tmp_path: Path) -> None:
    load(tmp_path, GOOD)
    with pytest.raises(DuplicateIdError):
        load(tmp_path, {"n.csv": "id,name\nx,1\nx,2\n"})
    assert set(nodes(tmp_path)) == {"a", "b", "c"}
    assert not list((tmp_path / "g.graph" / "versions").glob(".unfinished*"))


def test_a_table_does_not_go_into_an_rdf_graph(tmp_path: Path) -> None:
    load(tmp_path, {"g.nt": "<urn:a> <urn:b> <urn:c> .\n"})
    with pytest.raises(UnsupportedGraphError):
        load(tmp_path, GOOD)


def test_rdf_files_make_an_rdf_graph(tmp_path: Path) -> None:
    report = load(tmp_path, {"g.nt": "<urn:a> <urn:b> <urn:c> .\n", "h.ttl": "<urn:c> <urn:b> <urn:a> .\n"})
    assert report.edges == 2
    with pytest.raises(SettingsError, match="RDF"):
        load(tmp_path, {"g.nt": "<urn:a> <urn:b> <urn:c> .\n"}, column_map={"x": "id"})


# --- options, time, progress


@pytest.mark.parametrize(
    "options", [{"delimiter": "||"}, {"array_separator": '"'}, {"missing_nodes": "perhaps"}]
)
def test_options_that_cannot_be_used_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(SettingsError):
        LoadOptions(**options)


def test_a_policy_that_there_is_not_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="stop, skip or report"):
        load(tmp_path, GOOD, on_error="ignore")


def test_names_come_from_the_property_that_the_user_says(tmp_path: Path) -> None:
    load(tmp_path, {"n.csv": "id,name,nick\na,Anna,Ann\n"}, name_properties=["nick"])
    assert nodes(tmp_path)["a"].name == "Ann"


def test_a_budget_ends_a_load_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(DeadlineExceededError):
        load(tmp_path, GOOD, budget=Budget(seconds=0))
    assert not (tmp_path / "g.graph").exists()


def test_a_budget_also_ends_the_slow_search_for_faults() -> None:
    with pytest.raises(DeadlineExceededError, match=r"looking through f\.csv"):
        list(within(range(10), Budget(seconds=0), "looking through f.csv"))
    assert list(within(range(3), None, "")) == [0, 1, 2]


def test_progress_names_each_file(tmp_path: Path) -> None:
    class Told:
        def __init__(self) -> None:
            self.stages: list[str] = []
            self.open = 0

        def start(self, label: str, total: int | None = None) -> None:
            self.stages.append(label)
            self.open += 1

        def advance(self, amount: int = 1) -> None:
            assert self.open > 0

        def finish(self) -> None:
            self.open -= 1

    told = Told()
    load(tmp_path, GOOD, progress=told)
    assert [Path(label.split()[-1]).name for label in told.stages[:2]] == ["n.csv", "e.csv"]
    assert len(told.stages) > 2
    assert told.open == 0


def test_the_same_files_give_the_same_graph_whatever_the_number_of_threads(tmp_path: Path) -> None:
    files = {
        "n.csv": "id,type,x\n" + "".join(f"n{i},T{i % 3},{i / 7}\n" for i in range(3000)),
        "e.csv": "source,type,target,w\n"
        + "".join(f"n{i * 7 % 3000},R{i % 5},n{i % 3000},{i}\n" for i in range(9000)),
    }
    hashes = set()
    for threads in (1, 2, 4):
        folder = tmp_path / str(threads)
        folder.mkdir()
        load(folder, files, options=LoadOptions(threads=threads))
        description = (folder / "g.graph" / "versions" / "1" / "version.toml").read_text(encoding="utf-8")
        hashes.add(next(line for line in description.splitlines() if line.startswith("content_hash")))
    assert len(hashes) == 1
