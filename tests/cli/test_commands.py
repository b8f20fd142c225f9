"""The commands on real graphs, as a user types them."""

from __future__ import annotations

import re
import shlex
import shutil
import unicodedata
from pathlib import Path

import pytest
from rich.cells import cell_len

from askgraph.cli.dispatch import GUIDE, HELP
from askgraph.cli.main import main
from askgraph.core.run_store import RunStore
from askgraph.core.schema import Schema

from .conftest import Askgraph, in_process

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def hetionet(tmp_path_factory: pytest.TempPathFactory, hetionet_nodes: Path, hetionet_edges: Path) -> Path:
    """The biomedical graph, loaded and indexed by the commands."""
    graph = tmp_path_factory.mktemp("graphs") / "hetionet.graph"
    assert main(["load", str(hetionet_nodes), str(hetionet_edges), "--into", str(graph)]) == 0
    assert main(["index", str(graph)]) == 0
    return graph


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    """Tables whose every text tries to steer the terminal or to pass for markup."""
    evil = "\x1b[31m[bold]Evil[/bold]\x07\u202e"
    nodes, edges = tmp_path / "nodes.csv", tmp_path / "edges.csv"
    nodes.write_text(
        f'id,name,type,source,"{evil}"\n1,"{evil} one",{evil},"{evil}",x\n2,"{evil} two",{evil},"{evil}",y\n',
        encoding="utf-8",
    )
    edges.write_text(f'source,target,type,license\n1,2,"{evil}","{evil}"\n', encoding="utf-8")
    return tmp_path


def is_readable(text: str) -> bool:
    controls = [c for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cs")]
    marks = [c for c in text if c in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"]
    return not controls and not marks and all(cell_len(line) <= 80 for line in text.splitlines())


# --- load


def test_load_says_what_it_did_and_adds_nothing_twice(
    askgraph: Askgraph, tmp_path: Path, hetionet_nodes: Path, hetionet_edges: Path
):
    graph = tmp_path / "h.graph"
    done = askgraph("load", hetionet_nodes, hetionet_edges, "--into", graph)
    assert done.code == 0
    assert done.out.startswith("2,330 nodes and 12,840 edges added, from 2 files in ")
    assert "now has 2,330 nodes and 12,840 edges." in done.out.replace("\n", " ")
    assert done.err == ""
    again = askgraph("load", hetionet_nodes, "--into", graph, "--json").json
    assert (again["nodes"], again["nodes_updated"], again["total_nodes"]) == (0, 2330, 2330)


def test_load_names_the_rows_it_left_out(askgraph: Askgraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("people.csv").write_text("person_id,name\n1,Ann\n2,Bob\n1,Eve\n", encoding="utf-8")
    Path("friends.csv").write_text("who,whom\n1,2\n1,9\n", encoding="utf-8")
    words = ["load", "people.csv", "friends.csv", "--into", "p.graph"]
    words += ["--map", "person_id=id", "--map", "who=source", "--map", "whom=target"]
    stopped = askgraph(*words)
    assert (stopped.code, stopped.out) == (1, "")
    assert stopped.err.startswith("Error: people.csv, line 4, column person_id: ")
    assert not Path("p.graph").exists()
    reported = askgraph(*words, "--on-error", "report")
    assert reported.code == 1
    assert "2 problems found, nothing was loaded" in reported.err
    assert not Path("p.graph").exists()
    skipped = askgraph(*words, "--on-error", "skip")
    assert skipped.code == 0
    assert "\nLeft out\n  • people.csv, line 4, column person_id: " in skipped.out
    assert "\n  • friends.csv, line 3, column whom: " in skipped.out


def test_load_uses_the_name_property_it_is_told(askgraph: Askgraph, tmp_path: Path):
    nodes = tmp_path / "n.csv"
    nodes.write_text("id,type,code,name\n1,Part,AX-7,thing\n", encoding="utf-8")
    graph = tmp_path / "g"
    assert askgraph("load", nodes, "--into", graph, "--name-property", "code").code == 0
    assert "AX-7" in askgraph("ask", graph, "List all parts").out


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("bad.ttl", '<http://a> <http://b> "open .\n', "bad.ttl, line"),
        ("latin.csv", "id,name\n1,M\xfcller\n".encode("latin-1"), "latin.csv"),
        ("empty.csv", "", "empty.csv"),
        ("notes.docx", "x", "notes.docx"),
    ],
)
def test_a_file_that_cannot_be_loaded_is_named_with_advice(
    askgraph: Askgraph, tmp_path: Path, name, content, said
):
    file = tmp_path / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    done = askgraph("load", file, "--into", tmp_path / "g.graph")
    assert (done.code, done.out) == (1, "")
    assert said in " ".join(done.err.split())
    assert not (tmp_path / "g.graph").exists()


# --- schema


def test_the_schema_of_the_company_counts_subclasses(askgraph: Askgraph, ck25_turtle: Path):
    done = askgraph("schema", ck25_turtle)
    assert done.code == 0
    assert re.search(r"\n  Product +0 +1,009\n    Hardware +1,000\n    Service +9\n", done.out)
    assert re.search(r"\n +Employee +47 +53\n +Manager +6\n", done.out)
    assert re.search(r"\n  has manager +47  Employee → Manager\n", done.out)
    assert is_readable(done.out)


def test_the_schema_as_json_is_a_schema(askgraph: Askgraph, hetionet: Path):
    data = askgraph("schema", hetionet, "--json").json
    schema = Schema.from_dict(data)
    assert schema.to_dict() == data
    assert (schema.node_count, schema.edge_count) == (2330, 12840)


def test_one_type_alone(askgraph: Askgraph, hetionet: Path):
    done = askgraph("schema", hetionet, "--type", "gene")
    assert done.out.startswith("Gene: 2,226 nodes\n")
    assert "Properties of Gene" in done.out
    data = askgraph("schema", hetionet, "--type", "Disease", "--json").json
    assert [item["id"] for item in data["node_types"]] == ["Disease"]
    assert [item["id"] for item in data["edge_types"]] == ["associates"]
    assert {item["owner"] for item in data["properties"]} == {"Disease"}
    done = askgraph("schema", hetionet, "--type", "Genes")
    assert done.code == 1
    assert "Did you mean Gene?" in done.err


# --- ask


def test_a_question_to_a_bare_file(askgraph: Askgraph, ck25_turtle: Path):
    done = askgraph("ask", ck25_turtle, "Who is the manager of Heinrich Hoch?")
    assert done.code == 0
    assert done.out.startswith("Waldtraud Kuttner. [1]\n\nConfidence  ")
    assert "  [1] Heinrich Hoch ─has manager→ Waldtraud Kuttner\n" in done.out
    assert done.err == ""


def test_a_question_without_quotes(askgraph: Askgraph, ck25_turtle: Path):
    assert askgraph("ask", ck25_turtle, *["Who", "manages", "Karen", "Brant"]).out.startswith(
        "Thomas Mueller. [1]"
    )


def test_counting_says_that_subclasses_were_counted(askgraph: Askgraph, ck25_turtle: Path):
    done = askgraph("ask", ck25_turtle, "How many products are there?")
    assert done.out.startswith("1,009. [1")
    assert "Hardware (1,000)" in done.out


def test_facts_show_where_they_come_from(askgraph: Askgraph, hetionet: Path):
    done = askgraph("ask", hetionet, "In which pathways is GALK1?")
    assert "GALK1 ─participates→ Metabolism" in done.out
    assert "source: Entrez Gene, Reactome via Pathway Commons" in done.out
    assert is_readable(done.out)


def test_no_answer_is_an_answer(askgraph: Askgraph, ck25_turtle: Path):
    done = askgraph("ask", ck25_turtle, "Who is the manager of Zorkmid Quux?")
    assert done.code == 0
    assert done.out.startswith("No answer. ")
    data = askgraph("ask", ck25_turtle, "Who is the manager of Zorkmid Quux?", "--json").json
    assert (data["abstained"], data["answers"]) == (True, [])


def test_json_has_everything_and_stands_alone(askgraph: Askgraph, hetionet: Path, data_directory: Path):
    done = askgraph("ask", hetionet, "In which pathways is GALK1?", "--json", "--verbose")
    data = done.json
    assert data["facts"][0]["provenance"]["source"]
    assert data["facts"][0]["number"] == 1
    assert data["run"] == RunStore(data_directory / "runs").ids()[0]
    assert "link" in done.err


def test_verbose_tells_each_step_on_standard_error(askgraph: Askgraph, hetionet: Path):
    quiet = askgraph("ask", hetionet, "In which pathways is GALK1?")
    done = askgraph("ask", hetionet, "In which pathways is GALK1?", "--verbose")
    assert re.search(r"^ +\d+ ms  link$", done.err, re.MULTILINE)
    assert "Linked\n" in done.out
    assert "Linked\n" not in quiet.out
    assert quiet.err == ""


def test_no_save_keeps_no_record(askgraph: Askgraph, hetionet: Path, data_directory: Path):
    assert askgraph("ask", hetionet, "--no-save", "How many genes are there?").code == 0
    assert RunStore(data_directory / "runs").ids() == []


@pytest.mark.parametrize(
    ("options", "said"),
    [(["--max-hops", "9"], "max_hops"), (["--timeout", "0.000001"], "time"), (["--no-save", "  "], "empty")],
)
def test_a_question_that_cannot_be_asked_so(askgraph: Askgraph, hetionet: Path, options, said):
    done = askgraph("ask", hetionet, *(["Which genes?"] if options[-1].strip() else []), *options)
    assert (done.code, done.out) == (1, "")
    assert said in done.err


def test_an_asked_question_is_in_the_runs(askgraph: Askgraph, hetionet: Path):
    askgraph("ask", hetionet, "In which pathways is GALK1?")
    assert "In which pathways is GALK1?" in askgraph("runs", "list").out
    shown = askgraph("runs", "show", "last").out
    assert "GALK1 ─participates→ Metabolism" in shown
    assert is_readable(shown)


# --- index, export


def test_an_index_that_is_current_is_left_alone(askgraph: Askgraph, hetionet: Path):
    assert "is current" in askgraph("index", hetionet).out.replace("\n", " ")
    assert "Indexed" in askgraph("index", hetionet, "--rebuild").out


@pytest.mark.parametrize("format", ["csv", "parquet", "jsonl"])
def test_an_exported_graph_loads_again(askgraph: Askgraph, hetionet: Path, tmp_path: Path, format):
    done = askgraph("export", hetionet, "--to", tmp_path / "out", "--format", format)
    assert done.code == 0, done.err
    files = sorted((tmp_path / "out").iterdir())
    assert askgraph("load", *files, "--into", tmp_path / "again.graph").code == 0
    data = askgraph("schema", tmp_path / "again.graph", "--json").json
    assert (data["node_count"], data["edge_count"]) == (2330, 12840)


def test_an_rdf_graph_is_exported_as_triples(askgraph: Askgraph, ck25_turtle: Path, tmp_path: Path):
    done = askgraph("export", ck25_turtle, "--to", tmp_path / "out", "--format", "nt")
    assert done.code == 0, done.err
    again = askgraph("schema", next((tmp_path / "out").iterdir()), "--json").json
    assert again["node_count"] == askgraph("schema", ck25_turtle, "--json").json["node_count"]


def test_an_export_touches_nothing_that_is_there(askgraph: Askgraph, hetionet: Path, tmp_path: Path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine", encoding="utf-8")
    assert askgraph("export", hetionet, "--to", tmp_path / "out", "--format", "csv").code == 1
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["mine.txt"]


# --- odd data, odd outputs


def test_nothing_in_a_graph_steers_the_terminal(askgraph: Askgraph, odd: Path):
    graph = odd / "odd.graph"
    outputs = [askgraph("load", odd / "nodes.csv", odd / "edges.csv", "--into", graph)]
    outputs += [
        askgraph("schema", graph),
        askgraph("ask", graph, "--verbose", "What is Evil bold Evil two?"),
        askgraph("ask", graph, "--verbose", "\x1b[31mList all evil\x07"),
        askgraph("runs", "list"),
        askgraph("runs", "show", "last"),
        askgraph("doctor", graph),
        askgraph("load", odd / "edges.csv", "--into", graph, "--map", "\x1b[31m=source"),
    ]
    for done in outputs:
        assert is_readable(done.out), done.out
        assert is_readable(done.err), done.err
    assert "\\x1b[31m[bold]Evil[/bold]" in outputs[1].out


def test_a_pipe_gets_no_bars_and_no_sequences(ck25_turtle: Path, cache_directory: Path, data_directory: Path):
    done = in_process("ask", ck25_turtle, "Who manages Karen Brant?", "--no-save")
    assert done.returncode == 0
    assert done.stdout.decode().startswith("Thomas Mueller. [1]\n")
    assert b"\x1b" not in done.stdout
    assert done.stderr == b""


# --- the examples that the help gives


def _examples() -> list[str]:
    texts = [GUIDE, HELP]
    for name in ("load", "schema", "index", "ask", "export", "doctor"):
        module = __import__(f"askgraph.cli.commands.{name}", fromlist=["COMMAND"])
        texts.append("\n".join(f"  {line}" for line in module.COMMAND.examples))
    text = "\n".join(texts).replace("\\\n", " ")
    found = re.findall(r"^  (askgraph \S.*?)(?:[|>].*)?$", text, re.MULTILINE)
    return [line for line in dict.fromkeys(found) if "COMMAND" not in line]


def test_every_example_of_the_help_works(
    askgraph: Askgraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hetionet: Path, ck25_turtle: Path
):
    monkeypatch.chdir(tmp_path)
    Path("examples").symlink_to(ROOT / "examples")
    shutil.copytree(hetionet, "hetionet.graph")
    assert askgraph("load", ck25_turtle, "--into", "company.graph").code == 0
    tables = {
        "people.csv": "person_id,name\n1,Ann\n2,Bob\n",
        "friends.csv": "who,whom\n1,2\n",
        "more.csv": "id,name\n3,Cid\n",
        "nodes.csv": "id,name\n1,Ann\n2,Bob\n",
        "edges.csv": "source,target,type\n1,2,knows\n",
    }
    for name, content in tables.items():
        Path(name).write_text(content, encoding="utf-8")
    examples = _examples()
    assert len(examples) > 20
    for line in examples:
        if "nodes.csv edges.csv" in line:
            line = line.replace("company.graph", "small.graph")  # the guide's first graph is anybody's
        words = [sorted(Path().glob(word)) if "*" in word else [word] for word in shlex.split(line)[1:]]
        done = askgraph(*(part for parts in words for part in parts))
        assert done.code == 0, (line, done.err)
        assert "No answer." not in done.out, line


def test_the_cost_of_name_vectors_is_said_before_they_are_made(askgraph: Askgraph, tmp_path: Path):
    nodes = tmp_path / "nodes.csv"
    nodes.write_text(
        "id,type,name\n1,Disease,hypertension\n2,Disease,myocardial infarction\n", encoding="utf-8"
    )
    graph = tmp_path / "small.graph"
    askgraph("load", nodes, "--into", graph)
    said = " ".join(askgraph("index", graph, "--name-vectors").out.split())
    assert said.index("different names can be found by meaning") > said.index("Indexed")
    more = tmp_path / "more.csv"
    more.write_text("id,type,name\n3,Disease,alopecia\n", encoding="utf-8")
    askgraph("load", more, "--into", graph)
    assert "3 different names can be found by meaning: 1 embedded" in " ".join(
        askgraph("index", graph).out.split()
    )
    assert "Forgot vectors of names" in " ".join(askgraph("index", graph, "--no-name-vectors").out.split())
    assert "There were no" in askgraph("index", graph, "--no-name-vectors").out
