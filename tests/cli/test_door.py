"""What holds for every command: help, mistakes, exit codes, pipes, terminals."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.made_answers import MANAGER

from askgraph.cli.dispatch import COMMANDS
from askgraph.cli.main import main
from askgraph.cli.suggestions import nearest_paths

from .conftest import Askgraph, in_process

GROUPS = {"runs": ("list", "show", "delete"), "examples": ("add", "list", "remove")}
ALL = [[name] for name, *_ in COMMANDS if name not in GROUPS] + [
    [group, name] for group, names in GROUPS.items() for name in names
]


def test_the_name_alone_gives_commands_to_type(askgraph: Askgraph):
    done = askgraph()
    assert done.code == 0
    commands = [line.strip() for line in done.out.splitlines() if line.startswith("  askgraph ")]
    assert [command.split()[1] for command in commands] == ["ask", "load", "ask"]


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["help"]])
def test_help_lists_every_command(askgraph: Askgraph, words):
    done = askgraph(*words)
    assert done.code == 0
    for name, _, summary in COMMANDS:
        assert f"\n  {name:<10}  {summary}\n" in done.out


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_each_help_teaches_by_example_at_80_columns(askgraph: Askgraph, words):
    done = askgraph(*words, "--help")
    assert done.code == 0
    assert f"\nexamples:\n  askgraph {' '.join(words)}" in done.out
    assert max(map(len, done.out.splitlines())) <= 80
    assert askgraph("help", *words).out == done.out


def test_the_overviews_fit_80_columns_too(askgraph: Askgraph):
    for words in ([], ["--help"], *([group, "--help"] for group in GROUPS)):
        assert max(map(len, askgraph(*words).out.splitlines())) <= 80


def test_the_version(askgraph: Askgraph):
    assert askgraph("--version").out.startswith("askgraph ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["schem"], "there is no command schem. Did you mean schema?"),
        (["qqqqqq"], "there is no command qqqqqq.\n"),
        (["--versoin"], "there is no option --versoin. Did you mean --version?"),
        (["runs"], "runs what?\nThere are: list, show, delete."),
        (["runs", "lst"], "there is no command runs lst. Did you mean runs list?"),
        (["ask"], "required: GRAPH, QUESTION"),
        (["ask", "graph"], "required: QUESTION"),
        (["ask", "graph", "Why?", "--verbos"], "there is no option --verbos. Did you mean --verbose?"),
        (["ask", "graph", "Why?", "--timeout", "soon"], "'soon' is not a number above zero"),
        (["ask", "graph", "Why?", "--timeout", "-1"], "'-1' is not a number above zero"),
        (["load", "a.csv"], "required: --into"),
        (["load", "a.csv", "--into", "g", "--map", "id"], "'id' is not FROM=TO, such as --map person_id=id"),
        (["load", "a.csv", "--into", "g", "--on-error", "cry"], "invalid choice: 'cry'"),
        (["schema", "a", "b"], "not expected here: b"),
        (["export", "g", "--to", "d", "--format", "xls"], "invalid choice: 'xls'"),
        (["\x1b[31m"], "there is no command \\x1b[31m."),
    ],
)
def test_a_mistyped_command_is_a_usage_error_with_the_nearest_right_one(askgraph: Askgraph, words, said):
    done = askgraph(*words)
    assert done.code == 2
    assert done.out == ""
    assert said in done.err
    assert "--help" in done.err or "There are" in done.err


def test_options_may_stand_anywhere(askgraph: Askgraph, tmp_path: Path):
    (tmp_path / "a.csv").write_text("id,name\n1,One\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("source,target,type\n1,1,knows\n", encoding="utf-8")
    done = askgraph("load", tmp_path / "a.csv", "--into", tmp_path / "g", "--json", tmp_path / "b.csv")
    assert done.code == 0, done.err
    assert len(done.json["files"]) == 2


def test_a_path_that_does_not_exist_gets_the_nearest_that_do(tmp_path: Path):
    (tmp_path / "company.graph" / "sub").mkdir(parents=True)
    (tmp_path / "zebra").mkdir()
    (tmp_path / "edges.csv").touch()
    assert nearest_paths(str(tmp_path / "compny.graph")) == [str(tmp_path / "company.graph")]
    assert nearest_paths(str(tmp_path / "compny.graph" / "sub")) == [str(tmp_path / "company.graph" / "sub")]
    assert nearest_paths(str(tmp_path / "edge.csv")) == [str(tmp_path / "edges.csv")]
    assert nearest_paths(str(tmp_path / "zebra")) == []
    assert nearest_paths("\0") == []


@pytest.mark.parametrize("words", [["schema"], ["ask"], ["index"], ["doctor"]])
def test_a_wrong_graph_is_an_error_that_names_what_is_there(askgraph: Askgraph, tmp_path: Path, words):
    (tmp_path / "company.graph").mkdir()
    done = askgraph(*words, tmp_path / "compny.graph", *(["Why?"] if words == ["ask"] else []))
    assert done.code == 1
    assert "company.graph?" in done.err.replace("\n", "")
    assert "Traceback" not in done.err


def test_a_setting_that_cannot_be_used_is_an_error_with_its_place(
    askgraph: Askgraph, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("ASKGRAPH_TIMEOUT", "soon")
    done = askgraph("runs", "list")
    assert done.code == 1
    assert "ASKGRAPH_TIMEOUT" in done.err


def test_a_fault_of_ours_is_one_sentence_and_a_traceback_only_on_request(
    askgraph: Askgraph, monkeypatch: pytest.MonkeyPatch
):
    def fail(*_: object) -> None:
        raise RuntimeError("\x1b]0;odd\x07")

    monkeypatch.setattr("askgraph.core.run_store.RunStore.all", fail)
    done = askgraph("runs", "list")
    assert done.code == 1
    assert "askgraph itself failed (RuntimeError: \\x1b]0;odd\\x07)" in done.err
    assert "Traceback" not in done.err
    assert "Traceback" in askgraph("runs", "list", "--debug").err


def test_a_full_disk_is_said_in_a_sentence(askgraph: Askgraph, monkeypatch: pytest.MonkeyPatch):
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device", "/graph/file")

    monkeypatch.setattr("askgraph.core.run_store.RunStore.all", fail)
    done = askgraph("runs", "list")
    assert (done.code, done.err) == (1, "Error: /graph/file: No space left on device\n")


def test_ctrl_c_ends_with_130(monkeypatch: pytest.MonkeyPatch, askgraph: Askgraph):
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("askgraph.core.run_store.RunStore.all", interrupt)
    done = askgraph("runs", "list")
    assert (done.code, done.out, done.err) == (130, "", "Interrupted.\n")


# --- in a process of its own


def test_starting_takes_little_time():
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for _ in range(3):
        assert in_process("ask", "--help").returncode == 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert used / 3 < 0.4


def test_an_interruption_that_a_library_makes_an_error_of_its_own_is_still_one():
    code = """
import os, signal, sys
from askgraph.cli.main import main
from askgraph.core.run_store import RunStore

def interrupted(self):
    try:
        os.kill(os.getpid(), signal.SIGINT)
    except KeyboardInterrupt:
        raise RuntimeError("query interrupted") from None

RunStore.all = interrupted
sys.exit(main(["runs", "list"]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, timeout=60, check=False, preexec_fn=_heed_ctrl_c
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"Interrupted.\n")


def _heed_ctrl_c() -> None:
    """The tests may have been started by something that ignores Ctrl-C, which children inherit."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_an_interrupted_load_leaves_nothing(tmp_path: Path):
    edges, graph = tmp_path / "edges.csv", tmp_path / "people.graph"
    rows = (f"{number % 9973},{number % 9967},knows\n" for number in range(400_000))
    edges.write_text("source,target,type\n" + "".join(rows), encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-m", "askgraph.cli.main", "load", edges, "--into", graph],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=_heed_ctrl_c,
    )
    while not list(graph.glob("versions/.unfinished-*")):
        assert process.poll() is None, process.communicate()
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=60)
    assert (process.returncode, *said) == (130, b"", b"Interrupted.\n")
    assert not graph.exists()


def test_help_loads_nothing_heavy():
    code = (
        "import sys; from askgraph.cli.main import main; main(['load', '--help']); main(['ask', '--help']);"
        "heavy = {'numpy', 'duckdb', 'pydantic', 'onnxruntime', 'pyoxigraph', 'askgraph.engine'} & set(sys.modules);"
        "sys.exit(repr(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_a_reader_that_goes_away_is_no_error():
    command = f"{sys.executable} -m askgraph.cli.main --help | head -c 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=60, check=False)
    # The help fits into the pipe's buffer: it may be written before head has gone.
    assert done.stdout in (b"u141\n", b"u0\n")
    assert done.stderr == b""


@pytest.mark.parametrize("words", [["--help"], ["doctor"], ["runs", "list", "--json"]], ids=" ".join)
def test_an_already_closed_pipe_is_silent(words):
    read_end, write_end = os.pipe()
    os.close(read_end)
    process = subprocess.Popen(
        [sys.executable, "-m", "askgraph.cli.main", *words], stdout=write_end, stderr=subprocess.PIPE
    )
    os.close(write_end)
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (141, b"")


def test_an_output_that_is_not_utf8_is_written_all_the_same(data_directory: Path):
    from askgraph.core.run import Run
    from askgraph.core.run_store import RunStore

    run = Run("Wer führt 漢字?", graph="g", graph_version="1")
    run.finish(MANAGER)
    RunStore(data_directory / "runs").save(run)
    for encoding in ("ascii", "cp1252"):
        shown = in_process("runs", "show", "last", env={"PYTHONIOENCODING": encoding})
        assert shown.returncode == 0, shown.stderr
        assert "Nina Quast" in shown.stdout.decode(encoding)
    strict = in_process("runs", "show", "last", "--json", env={"PYTHONIOENCODING": "ascii"})
    assert json.loads(strict.stdout.decode("ascii"))["question"] == "Wer führt 漢字?"


def test_main_gives_the_exit_code_and_ends_nothing():
    assert main(["--version"]) == 0
