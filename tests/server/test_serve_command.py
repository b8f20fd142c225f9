"""`askgraph serve-text2sparql`: how it starts, what it says, and how it ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.server.conftest import CK25_GRAPH, PATIENCE, ROOT, OwnServer

from askgraph import load_graph

QUESTION = "Who is the manager of Heinrich Hoch?"


def in_one_line(text: str) -> str:
    """What was printed, however wide the terminal is and however long the paths in it are."""
    return " ".join(text.split())


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command that is expected to end by itself."""
    return subprocess.run(
        [sys.executable, "-m", "askgraph", "serve-text2sparql", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "200", **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


def test_it_answers_tells_of_each_question_and_ends_in_order_by_ctrl_c(
    serve: Callable[..., OwnServer],
) -> None:
    server = serve(str(CK25_GRAPH))
    reply = server.ask(QUESTION, "urn:whatever")
    assert reply.status == 200
    assert reply.body["dataset"] == "urn:whatever"
    assert server.end() == 130
    said = "".join(server.said)
    assert "for any data set. Ctrl-C ends it." in said
    assert QUESTION in said
    assert "Traceback" not in said
    assert said.rstrip().endswith("Interrupted.")


def test_it_ends_in_order_when_it_is_told_to(serve: Callable[..., OwnServer]) -> None:
    server = serve(str(CK25_GRAPH), "--quiet")
    assert server.ask(QUESTION, "urn:x").status == 200
    assert server.end(signal.SIGTERM) == 128 + signal.SIGTERM
    said = "".join(server.said)
    assert "Traceback" not in said
    assert QUESTION not in said


def test_several_data_sets_have_several_graphs(serve: Callable[..., OwnServer], tmp_path: Path) -> None:
    other = tmp_path / "other.ttl"
    other.write_text(
        "@prefix : <urn:o:> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        ':ada a :Person ; rdfs:label "Ada Lovelace" ; :teacher :mary .\n'
        ':mary a :Person ; rdfs:label "Mary Somerville" .\n'
        ':teacher rdfs:label "teacher" . :Person rdfs:label "person" .\n',
        encoding="utf-8",
    )
    server = serve(
        str(CK25_GRAPH), "--dataset", "urn:one", "--dataset", "urn:first", "--also", "urn:two", str(other)
    )
    assert server.get("/health").body["datasets"] == ["urn:one", "urn:first", "urn:two"]
    for name in ("urn:one", "urn:first"):
        assert "hasManager" in server.ask(QUESTION, name).body["query"]
    assert "PREFIX : <urn:o:>" in server.ask("Who is the teacher of Ada Lovelace?", "urn:two").body["query"]
    assert server.ask(QUESTION, "urn:two").status == 422
    assert server.ask(QUESTION, "urn:three").status == 404


def test_a_port_that_is_taken_is_said_before_the_graph_is_opened() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = run("no-such-graph", "--port", str(port))
    assert done.returncode == 1
    assert f"the port {port} of 127.0.0.1 is taken" in in_one_line(done.stderr)
    assert "--port" in in_one_line(done.stderr)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 2, "required"),
        (("x.ttl", "--port", "many"), 2, "not a whole number"),
        (("x.ttl", "--at-once", "0"), 2, "from 1 on"),
        (("x.ttl", "--strategy", "paths"), 2, "invalid choice"),
        (("x.ttl", "--dataset", "urn:a", "--dataset", "urn:a"), 2, "named twice"),
        (("x.ttl", "--dataset", " "), 2, "is empty"),
        (("x.ttl", "--also", "urn:b", "y.ttl"), 2, "--dataset IRI"),
        (("x.ttl", "--port", "70000"), 1, "no port 70000"),
        (("no-such.ttl", "--port", "0"), 1, "no-such.ttl"),
        ((str(CK25_GRAPH), "--port", "0", "--strategy", "query"), 1, "none is set"),
    ],
)
def test_what_cannot_be_served_is_told(words: tuple[str, ...], code: int, said: str) -> None:
    done = run(*words)
    assert done.returncode == code
    assert said in in_one_line(done.stderr)
    assert "Traceback" not in in_one_line(done.stderr)


def test_without_the_extra_the_command_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "starlette.py").write_text("raise ImportError('none', name='starlette')\n", encoding="utf-8")
    done = run(str(CK25_GRAPH), PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT / 'src'}")
    assert done.returncode == 1
    assert "starlette" in in_one_line(done.stderr)
    assert 'pip install "askgraph[server]"' in in_one_line(done.stderr)


def test_nothing_of_a_server_is_loaded_by_other_commands() -> None:
    code = "import sys, askgraph, askgraph.cli.main, askgraph.server; print({'starlette','uvicorn'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize("name", ["not an iri", "corporate", "https://example.org/<x>"])
def test_the_name_of_a_data_set_is_an_iri(name: str) -> None:
    done = run(str(CK25_GRAPH), "--dataset", name)
    assert done.returncode == 2
    assert "the name of a data set is an IRI" in in_one_line(done.stderr)


def test_a_graph_that_is_no_rdf_is_refused_with_what_to_serve_instead(tmp_path: Path) -> None:
    (tmp_path / "things.csv").write_text("id,name,type\nx,Solo,Thing\n", encoding="utf-8")
    load_graph([tmp_path / "things.csv"], tmp_path / "things.graph")
    done = run(str(tmp_path / "things.graph"), "--port", "0")
    assert done.returncode == 1
    assert "is no RDF graph" in in_one_line(done.stderr)
    assert "Serve an RDF file" in in_one_line(done.stderr)
