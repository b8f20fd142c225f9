"""`askgraph examples`: solved questions of a graph."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Askgraph

PV = "PREFIX pv: <http://ld.company.org/prod-vocab/>"
GOOD = {
    "question": "In which department is Karen Brant?",
    "query": f'{PV}\nSELECT ?x WHERE {{ ?who pv:name "Karen Brant" ; pv:memberOf ?x }}',
}
OTHER = {"question": "Who are managers?", "query": f"{PV} SELECT ?x WHERE {{ ?x a pv:Manager }}"}


def _file(folder: Path, *examples: object) -> Path:
    file = folder / "solved.jsonl"
    file.write_text("".join(f"{json.dumps(example)}\n" for example in examples), encoding="utf-8")
    return file


def test_they_are_added_listed_and_removed(askgraph: Askgraph, ck25_turtle: Path, tmp_path: Path):
    done = askgraph("examples", "add", ck25_turtle, _file(tmp_path, GOOD, OTHER))
    assert (done.code, done.out) == (0, "2 examples added; 2 in all.\n")
    listed = askgraph("examples", "list", ck25_turtle)
    assert GOOD["question"] in listed.out
    assert "SELECT ?x WHERE" in listed.out
    examples = askgraph("examples", "list", ck25_turtle, "--json").json["examples"]
    assert [example["language"] for example in examples] == ["sparql", "sparql"]
    assert examples[0]["masked"] == "In which department is Employee?"
    done = askgraph("examples", "remove", ck25_turtle, examples[0]["id"][:5])
    assert (done.code, done.out) == (0, "1 example removed.\n")
    assert askgraph("examples", "remove", ck25_turtle, "--all").out == "1 example removed.\n"
    assert "No example has been added yet" in askgraph("examples", "list", ck25_turtle).err


def test_what_is_there_already_is_told(askgraph: Askgraph, ck25_turtle: Path, tmp_path: Path):
    askgraph("examples", "add", ck25_turtle, _file(tmp_path, GOOD, OTHER))
    changed = {**OTHER, "query": f"{PV} SELECT DISTINCT ?x WHERE {{ ?x a pv:Manager }}"}
    done = askgraph("examples", "add", ck25_turtle, _file(tmp_path, GOOD, changed))
    assert done.out == "0 examples added, 1 replaced, 1 known already; 2 in all.\n"


def test_every_layout_with_queries_is_read(
    askgraph: Askgraph, ck25_turtle: Path, ck25_questions: Path, tmp_path: Path
):
    table = tmp_path / "solved.csv"
    table.write_text(f'question,query\nWho are managers?,"{OTHER["query"]}"\n', encoding="utf-8")
    assert askgraph("examples", "add", ck25_turtle, table).out == "1 example added; 1 in all.\n"
    done = askgraph("examples", "add", ck25_turtle, ck25_questions)
    assert done.code == 1 or "added" in done.out


@pytest.mark.parametrize(
    ("query", "said"),
    [
        (f"{PV} SELECT ?x WHERE {{ ?x pv:expertise ?y }}", "does not fit this graph"),
        ("DELETE WHERE { ?s ?p ?o }", "neither SPARQL nor Cypher"),
        ("SELECT ?x WHERE { SERVICE <http://x.example.org> { ?x ?p ?y } }", "may not run here"),
        ("SELECT ?x WHERE { ?x ?p", "may not run here"),
        ("MATCH (n) RETURN n", "may not run here"),
    ],
)
def test_one_that_does_not_fit_is_told_with_its_line_and_nothing_is_added(
    askgraph: Askgraph, ck25_turtle: Path, tmp_path: Path, query: str, said: str
):
    file = _file(tmp_path, GOOD, OTHER, {"question": "What?", "query": query})
    done = askgraph("examples", "add", ck25_turtle, file)
    assert done.code == 1
    assert "line 3" in " ".join(done.err.split())
    assert said in " ".join(done.err.split())
    assert askgraph("examples", "list", ck25_turtle, "--json").json["examples"] == []


def test_a_question_without_a_query_is_told_with_its_line(
    askgraph: Askgraph, ck25_turtle: Path, tmp_path: Path
):
    done = askgraph(
        "examples", "add", ck25_turtle, _file(tmp_path, GOOD, {"question": "Who?", "answers": ["me"]})
    )
    assert done.code == 1
    assert "line 2" in done.err
    assert "has no query" in done.err


def test_a_file_that_is_not_there(askgraph: Askgraph, ck25_turtle: Path, tmp_path: Path):
    done = askgraph("examples", "add", ck25_turtle, tmp_path / "nothing.jsonl")
    assert done.code == 1
    assert "cannot be read" in done.err


def test_which_are_to_be_removed_must_be_said(askgraph: Askgraph, ck25_turtle: Path):
    assert "which examples" in askgraph("examples", "remove", ck25_turtle).err
    assert askgraph("examples", "remove", ck25_turtle, "abc", "--all").code == 1
    assert "there is no example" in askgraph("examples", "remove", ck25_turtle, "abc").err


def test_each_graph_has_its_own(
    askgraph: Askgraph, ck25_turtle: Path, hetionet_nodes: Path, hetionet_edges: Path, tmp_path: Path
):
    askgraph("examples", "add", ck25_turtle, _file(tmp_path, GOOD))
    askgraph("load", hetionet_nodes, hetionet_edges, "--into", tmp_path / "hetionet.graph")
    gene = {"question": "How many genes are there?", "query": "MATCH (g:Gene) RETURN count(g) AS genes"}
    done = askgraph("examples", "add", tmp_path / "hetionet.graph", _file(tmp_path, gene))
    assert done.out == "1 example added; 1 in all.\n"
