"""`askgraph query`: rows on standard output, everything that is said about them on standard error."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from rich.cells import cell_len

from .conftest import Askgraph

VECTOR = ";".join(f"0.{i % 10}" for i in range(1, 1_537))


@pytest.fixture
def graph(askgraph: Askgraph, tmp_path: Path) -> Path:
    nodes = tmp_path / "nodes.csv"
    nodes.write_text(
        "id:ID,name,:LABEL,born:int,vector:double[]\n"
        f"a,Ann,Person,1980,{VECTOR}\nb,Bob,Person,,\nc,=1+1,Company,,\n",
        encoding="utf-8",
    )
    edges = tmp_path / "edges.csv"
    edges.write_text(
        ":START_ID,:END_ID,:TYPE,since:int\na,c,WORKS_AT,2001\nb,c,WORKS_AT,2002\n", encoding="utf-8"
    )
    assert askgraph("load", nodes, edges, "--into", tmp_path / "people.graph").code == 0
    return tmp_path / "people.graph"


@pytest.fixture
def turtle(tmp_path: Path) -> Path:
    file = tmp_path / "people.ttl"
    file.write_text('@prefix : <http://e/> . :ann a :Person ; :age 36 ; :name "Ann" .', encoding="utf-8")
    return file


# --- the table


def test_rows_come_as_a_table_of_names_and_values(askgraph: Askgraph, graph: Path) -> None:
    done = askgraph(
        "query", graph, "MATCH (p:Person)-[r:WORKS_AT]->(c) RETURN p, r.since AS since ORDER BY since"
    )
    assert done.code == 0
    assert [line.split() for line in done.out.splitlines()[:1]] == [["p", "since"]]
    assert [line.split() for line in done.out.splitlines()[2:4]] == [["Ann", "2001"], ["Bob", "2002"]]
    assert "2 rows." in done.out
    assert done.err == ""


def test_a_vector_is_told_by_its_beginning_and_its_length(askgraph: Askgraph, graph: Path) -> None:
    done = askgraph("query", graph, "MATCH (p {name: 'Ann'}) RETURN p.name, p.vector")
    assert "(1,536 in all)" in done.out
    assert len(done.out) < 400


def test_no_line_is_wider_than_the_page(
    askgraph: Askgraph, graph: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    wide = f"MATCH (p:Person) RETURN p.name, 'x' + p.vector[0] AS a, '{'y' * 50}' AS b"
    many = "MATCH (p:Person) RETURN " + ", ".join(f"{i} AS column{i}" for i in range(12))
    for text in (wide, many):
        done = askgraph("query", graph, text)
        assert done.code == 0
        assert max(cell_len(line) for line in done.out.splitlines()) <= 60
    assert "row 2" in done.out
    assert "column11" in done.out


def test_no_rows_are_said(askgraph: Askgraph, graph: Path) -> None:
    done = askgraph("query", graph, "MATCH (p:Person {name: 'Zoe'}) RETURN p")
    assert (done.code, done.out) == (0, "No rows.\n")


# --- what is said about the rows


def test_a_query_is_put_right_where_that_is_asked_for_and_every_change_is_said(
    askgraph: Askgraph, graph: Path
) -> None:
    done = askgraph("query", graph, "--correct", "MATCH (p:person {name: 'ann'}) RETURN p.name, p.Born")
    assert done.code == 0
    assert "1980" in done.out
    said = " ".join(done.err.split())
    assert "person became Person" in said
    assert "'ann' became 'Ann'" in said
    assert "p.Born became p.born" in said
    unclear = askgraph("query", graph, "--correct", "MATCH (p:Person)-[:OWNS]->(c:Castle) RETURN c")
    assert "no nodes of type Castle" in " ".join(unclear.err.split())


def test_a_name_that_the_graph_does_not_have_is_pointed_out_with_the_nearest(
    askgraph: Askgraph, graph: Path
) -> None:
    done = askgraph("query", graph, "MATCH (p:Persn)-[:WORKS_AT]->(c) RETURN p")
    assert done.code == 0
    assert "Did you mean Person?" in done.err
    quiet = askgraph("query", graph, "MATCH (p:Person) RETURN p.nme", "--no-schema-check")
    assert "Did you mean name?" not in quiet.err


def test_a_cut_is_said_beside_the_rows(askgraph: Askgraph, graph: Path) -> None:
    done = askgraph("query", graph, "MATCH (p) RETURN p", "--rows", "2")
    assert "2 rows of more." in done.out
    assert "there are more" in done.err


def test_a_refused_query_shows_the_place(askgraph: Askgraph, graph: Path) -> None:
    done = askgraph("query", graph, "MATCH (n) DETACH DELETE n")
    assert (done.code, done.out) == (1, "")
    lines = done.err.splitlines()
    caret = next(number for number, line in enumerate(lines) if "^" in line)
    assert lines[caret].index("^") == lines[caret - 1].index("DETACH")
    assert askgraph("query", graph, "MATCH (n) RETURN count(n) AS n", "--format", "json").json["rows"] == [
        [3]
    ]


def test_the_wrong_language_is_recognised(askgraph: Askgraph, graph: Path, turtle: Path) -> None:
    assert "looks like SPARQL" in askgraph("query", graph, "SELECT ?x { ?x a ?y }").err
    assert "looks like Cypher" in askgraph("query", turtle, "MATCH (n) RETURN n").err
    done = askgraph("query", graph, "ASK { ?s ?p ?o }", "--language", "sparql")
    assert done.code == 1
    assert "takes Cypher, not SPARQL" in done.err


def test_an_error_of_the_engine_is_one_sentence(askgraph: Askgraph, graph: Path) -> None:
    done = askgraph("query", graph, "RETURN 1/0 AS x")
    assert done.code == 1
    assert "zero" in done.err
    assert "line 1, column 1)" not in done.err


# --- other formats


def test_json_has_everything(askgraph: Askgraph, graph: Path) -> None:
    data = askgraph("query", graph, "MATCH (p {name: 'Bob'})-[r]->(c) RETURN p, r", "--format", "json").json
    node, edge = data["rows"][0]
    assert (node["$type"], node["id"], node["types"]) == ("node", "b", ["Person"])
    assert (edge["$type"], edge["source"], edge["target"]) == ("edge", "b", "c")
    assert data["columns"] == ["p", "r"]


def test_json_lines_are_one_object_a_row(askgraph: Askgraph, graph: Path) -> None:
    done = askgraph("query", graph, "MATCH (p) RETURN p.name AS name ORDER BY name", "--format", "jsonl")
    assert [json.loads(line) for line in done.out.splitlines()] == [
        {"name": "=1+1"},
        {"name": "Ann"},
        {"name": "Bob"},
    ]


def test_csv_is_read_back_as_it_was_written(askgraph: Askgraph, graph: Path) -> None:
    text = (
        "MATCH (p) RETURN p, p.born AS born, p.name = 'Ann' AS is_ann, "
        "'a \"b\", c' AS text, '' AS empty, [1, 'x'] AS list, date('2020-01-02') AS day ORDER BY p.id"
    )
    done = askgraph("query", graph, text, "--format", "csv")
    rows = list(csv.reader(io.StringIO(done.out), strict=True))
    assert rows[0] == ["p", "born", "is_ann", "text", "empty", "list", "day"]
    assert rows[1] == ["a", "1980", "true", 'a "b", c', "", '[1, "x"]', "2020-01-02"]
    assert rows[2][1] == ""
    # What is null is not what is empty.
    assert done.out.splitlines()[2].split(",")[:2] == ["b", ""]
    assert ',"",' in done.out.splitlines()[2]


def test_csv_gives_a_spreadsheet_nothing_to_run(askgraph: Askgraph, graph: Path) -> None:
    done = askgraph(
        "query",
        graph,
        "MATCH (c:Company) RETURN c.name AS name, '-5' AS a, '-x' AS b, -5 AS c",
        "--format",
        "csv",
    )
    assert done.out.splitlines()[1] == "'=1+1,-5,'-x,-5"


# --- where the text and its values come from


def test_parameters_are_json_or_plain_text(askgraph: Askgraph, graph: Path) -> None:
    text = "MATCH (p) WHERE p.name = $name AND p.born IN $years RETURN p.id AS id"
    done = askgraph(
        "query",
        graph,
        text,
        "--parameter",
        "name=Ann",
        "--parameter",
        "years=[1980, 1981]",
        "--format",
        "csv",
    )
    assert done.out == "id\na\n"
    missing = askgraph("query", graph, text, "--parameter", "name=Ann")
    assert missing.code == 1
    assert "$years" in missing.err
    assert askgraph("query", graph, text, "--parameter", "name").code == 1


def test_a_query_comes_from_a_file_or_from_standard_input(
    askgraph: Askgraph, graph: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "query.cypher"
    file.write_text("// how many\nMATCH (p:Person)\nRETURN count(p) AS n\n", encoding="utf-8")
    assert askgraph("query", graph, "--file", file, "--format", "csv").out == "n\n2\n"
    monkeypatch.setattr("sys.stdin", io.StringIO("MATCH (p) RETURN count(p) AS n"))
    assert askgraph("query", graph, "--file", "-", "--format", "csv").out == "n\n3\n"
    missing = askgraph("query", graph, "--file", tmp_path / "none.cypher")
    assert (missing.code, "cannot be read" in missing.err) == (1, True)


def test_no_query_and_two_queries_are_usage_errors(askgraph: Askgraph, graph: Path, tmp_path: Path) -> None:
    assert askgraph("query", graph).code == 2
    assert askgraph("query", graph, "RETURN 1", "--file", tmp_path / "x").code == 2
    assert askgraph("query", graph, "RETURN 1", "--rows", "0").code == 2
    assert askgraph("query", graph, "RETURN 1", "--timeout", "-1").code == 2


# --- plans, deadlines, settings


def test_explain_shows_how_it_would_run_and_runs_nothing(askgraph: Askgraph, graph: Path) -> None:
    done = askgraph("query", graph, "MATCH (p:Person) WHERE p.born > 1 RETURN p.name", "--explain")
    assert done.code == 0
    assert "Match :P" in done.out
    assert "Ann" not in done.out


def test_a_query_that_takes_too_long_ends_with_advice(askgraph: Askgraph, graph: Path) -> None:
    text = "UNWIND range(1, 5000000) AS x UNWIND range(1, 2) AS y RETURN sum(x * y) AS s"
    done = askgraph("query", graph, text, "--timeout", "0.2")
    assert done.code == 1
    assert "--timeout" in done.err


def test_the_operator_decides_what_queries_may_do(
    askgraph: Askgraph, graph: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "askgraph.toml"
    settings.write_text('[gate]\nrows = 2\nallow_procedures = ["db.labels"]\n', encoding="utf-8")
    labels = "CALL db.labels() YIELD label RETURN label ORDER BY label"
    assert askgraph("query", graph, labels).code == 1
    monkeypatch.setenv("ASKGRAPH_CONFIG", str(settings))
    assert askgraph("query", graph, labels, "--format", "csv").out == "label\nCompany\nPerson\n"
    many = askgraph("query", graph, "MATCH (n) RETURN n.id AS id", "--rows", "100", "--format", "jsonl")
    assert len(many.out.splitlines()) == 2
    settings.write_text("[gate]\nrowz = 2\n", encoding="utf-8")
    wrong = askgraph("query", graph, "RETURN 1 AS x")
    assert (wrong.code, "rowz" in wrong.err) == (1, True)


# --- RDF


def test_sparql_runs_on_a_bare_file(askgraph: Askgraph, turtle: Path) -> None:
    done = askgraph("query", turtle, "SELECT ?x ?age WHERE { ?x <http://e/age> ?age }", "--format", "csv")
    assert done.out == "x,age\nhttp://e/ann,36\n"
    assert askgraph("query", turtle, "ASK { ?x <http://e/age> 36 }").out == "yes\n"
    triples = askgraph("query", turtle, "CONSTRUCT { ?x <http://e/is> 1 } WHERE { ?x a ?c }")
    assert triples.out.split()[:3] == ["subject", "predicate", "object"]
