"""An open graph: its index, its runs, its limits, its end."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

import askgraph
from askgraph import Graph, Settings, open_graph
from askgraph.core.errors import (
    DeadlineExceededError,
    OpenError,
    PlanError,
    SettingsError,
    UnsupportedGraphError,
)
from askgraph.core.run import Step
from askgraph.core.run_store import RunStore

from .conftest import company


def test_a_missing_index_is_made_and_then_kept(company_graph: Graph) -> None:
    company_graph.build_index()
    assert company_graph.index_status().state == "current"
    assert company_graph.build_index().was_current


def test_an_index_of_a_folder_outlives_the_process_and_is_stale_after_a_change(
    tmp_path: Path, settings: Settings
) -> None:
    nodes = tmp_path / "nodes.csv"
    nodes.write_text("id,label,name\n1,City,Rome\n2,City,Oslo\n", encoding="utf-8")
    folder = tmp_path / "cities.graph"
    askgraph.load_graph(nodes, folder)
    with open_graph(folder, settings=settings) as graph:
        assert graph.index_status().state == "missing"
        graph.build_index()
    with open_graph(folder, settings=settings) as graph:
        assert graph.index_status().state == "current"
    nodes.write_text("id,label,name\n3,City,Lima\n", encoding="utf-8")
    askgraph.load_graph(nodes, folder)
    with open_graph(folder, settings=settings) as graph:
        assert graph.index_status().state in ("missing", "stale")
        assert graph.ask("How many cities are there?").answers[0].value == 3


def test_a_damaged_index_is_made_again(tmp_path: Path, settings: Settings) -> None:
    nodes = tmp_path / "nodes.csv"
    nodes.write_text("id,label,name\n1,City,Rome\n", encoding="utf-8")
    folder = tmp_path / "cities.graph"
    askgraph.load_graph(nodes, folder)
    with open_graph(folder, settings=settings) as graph:
        graph.build_index()
    for file in folder.rglob("index/**/*"):
        if file.is_file() and file.suffix in (".npy", ".bin"):
            file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    with open_graph(folder, settings=settings) as graph:
        assert graph.ask("How many cities are there?").answers[0].value == 1


def test_every_question_is_kept_with_its_steps_times_and_facts(tmp_path: Path) -> None:
    settings = Settings.load(data_dir=tmp_path / "data", cache_dir=tmp_path / "cache")
    with open_graph(company(), settings=settings) as graph:
        answer = graph.ask("How many departments are there?")
    run = RunStore(settings.runs_dir).read(answer.run or "")
    assert run["question"] == "How many departments are there?"
    assert run["answer"]["facts"]
    assert {"link", "read", "run", "answer"} <= {step["name"] for step in run["steps"]}
    assert all(step["seconds"] >= 0 for step in run["steps"])
    json.dumps(run, allow_nan=False)


def test_a_question_that_fails_is_kept_with_its_error(tmp_path: Path) -> None:
    settings = Settings.load(data_dir=tmp_path / "data", cache_dir=tmp_path / "cache")
    with open_graph(company(), settings=settings) as graph:
        graph.build_index()
        with pytest.raises(DeadlineExceededError):
            graph.ask("Who is the manager of Ada Lovelace?", timeout=1e-9)
    (run,) = RunStore(settings.runs_dir).all()
    assert "DeadlineExceededError" in run["error"]


def test_steps_are_told_as_they_begin_and_end(company_graph: Graph) -> None:
    told: list[tuple[str, bool]] = []

    def watch(step: Step, finished: bool) -> None:
        told.append((step.name, finished))

    company_graph.ask("How many departments are there?", on_step=watch)
    assert ("link", False) in told
    assert told.index(("link", False)) < told.index(("link", True))


def test_asking_from_a_coroutine_does_not_block_its_loop(company_graph: Graph) -> None:
    company_graph.build_index()

    async def ask_and_tick() -> int:
        ticks = 0
        asking = [
            asyncio.ensure_future(company_graph.ask_async("Who is the manager of Ada Lovelace?"))
            for _ in range(4)
        ]
        while not all(task.done() for task in asking):
            ticks += 1
            await asyncio.sleep(0)
        assert {task.result().answers[0].text for task in asking} == {"Charles Babbage"}
        return ticks

    assert asyncio.run(ask_and_tick()) > 1


@pytest.mark.parametrize("question", ["", "   ", "\n"])
def test_an_empty_question_is_refused(company_graph: Graph, question: str) -> None:
    with pytest.raises(PlanError, match="empty"):
        company_graph.ask(question)


def test_an_unknown_strategy_is_refused_with_those_there_are(company_graph: Graph) -> None:
    with pytest.raises(PlanError, match="auto"):
        company_graph.ask("Who?", strategy="magic")


def test_what_is_no_graph_is_refused() -> None:
    with pytest.raises(UnsupportedGraphError):
        open_graph(42)


def test_an_unknown_embedder_is_a_setting_that_cannot_be_used(settings: Settings) -> None:
    odd = settings.model_copy(update={"embedder": "crystal ball"})
    with open_graph(company(), settings=odd) as graph, pytest.raises(SettingsError, match="crystal ball"):
        graph.ask("How many departments are there?")


def test_without_an_embedder_equal_words_still_answer(settings: Settings) -> None:
    with open_graph(company(), settings=settings.model_copy(update={"embedder": "none"})) as graph:
        answer = graph.ask("Who is the manager of Ada Lovelace?")
        assert [item.text for item in answer.answers] == ["Charles Babbage"]


def test_the_same_question_does_the_same_under_any_hash_seed() -> None:
    script = (
        "import sys; sys.path.insert(0, '.')\n"
        "from tests.engine.conftest import company\n"
        "from askgraph import Settings, open_graph\n"
        "graph = open_graph(company(), settings=Settings.load(save_runs=False))\n"
        "for question in ('Which products is Engines responsible for?', 'Who is Ada?', 'Which employees are there?'):\n"
        "    print(graph.ask(question).to_json())\n"
    )
    root = Path(__file__).resolve().parents[2]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=root,
            env={
                **os.environ,
                "PYTHONHASHSEED": seed,
                "PYTHONPATH": f"src{os.pathsep}{os.environ['PYTHONPATH']}",
            },
            capture_output=True,
            check=True,
            timeout=120,
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert len(outputs) == 1


@given(question=st.text(min_size=1, max_size=200).filter(lambda text: bool(text.strip())))
@hypothesis_settings(max_examples=60)
def test_no_question_breaks_the_engine(company_graph: Graph, question: str) -> None:
    began = time.monotonic()
    answer = company_graph.ask(question, timeout=10)
    assert time.monotonic() - began < 20
    json.loads(answer.to_json())


WORDS = """
who what which how many is the of Ada Lovelace Engines product products price cheapest most under 20 no manager
department for each average or not more than and 5 Compiler responsible
"""


@given(words=st.lists(st.sampled_from(WORDS.split()), min_size=1, max_size=14))
@hypothesis_settings(max_examples=120)
def test_no_order_of_known_words_breaks_the_engine(company_graph: Graph, words: list[str]) -> None:
    answer = company_graph.ask(" ".join(words), timeout=10)
    assert answer.abstained == (not answer.answers)
    json.loads(answer.to_json())


def test_the_owners_own_words_are_understood(tmp_path: Path, settings: Settings) -> None:
    own = tmp_path / "words.toml"
    own.write_text(
        '[edge_types.HAS_MANAGER]\nsynonyms = ["takes orders from"]\n[node_types.Product]\nsynonyms = ["gizmo"]\n',
        encoding="utf-8",
    )
    with open_graph(company(), settings=settings, descriptions=own) as graph:
        assert graph.ask("How many gizmos are there?").answers[0].value == 3


def test_words_for_what_the_graph_does_not_have_are_refused(tmp_path: Path, settings: Settings) -> None:
    own = tmp_path / "words.toml"
    own.write_text('[node_types.Prodct]\nlabel = "thing"\n', encoding="utf-8")
    graph = open_graph(company(), settings=settings, descriptions=own)
    with graph, pytest.raises(SettingsError, match="Product"):
        graph.schema()


def test_a_closed_graph_says_so(settings: Settings) -> None:
    graph = open_graph(company(), settings=settings)
    graph.ask("How many departments are there?")
    graph.close()
    with pytest.raises(OpenError, match="closed"):
        graph.ask("How many departments are there?")


@pytest.mark.parametrize("question", ["x" * 10_000, "Who is \ud800?", None, 42])
def test_what_is_no_question_is_refused(company_graph: Graph, question: object) -> None:
    with pytest.raises(PlanError):
        company_graph.ask(question)  # type: ignore[arg-type]


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), "5"])
def test_a_timeout_is_a_number_above_zero(company_graph: Graph, timeout: object) -> None:
    with pytest.raises(SettingsError, match="timeout"):
        company_graph.ask("Who?", timeout=timeout)  # type: ignore[arg-type]


def test_an_answer_is_not_lost_where_its_run_cannot_be_stored(tmp_path: Path) -> None:
    blocked = tmp_path / "data"
    blocked.write_text("a file where the folder should be", encoding="utf-8")
    settings = Settings.load(data_dir=blocked, cache_dir=tmp_path / "cache")
    with open_graph(company(), settings=settings) as graph:
        answer = graph.ask("How many departments are there?")
    assert answer.answers[0].value == 2
    assert answer.run is None
    assert any("was not stored" in note for note in answer.notes)


def test_an_index_that_is_damaged_inside_is_made_again(tmp_path: Path, settings: Settings) -> None:
    nodes = tmp_path / "nodes.csv"
    nodes.write_text("id,label,name\n1,City,Rome\n", encoding="utf-8")
    folder = tmp_path / "cities.graph"
    askgraph.load_graph(nodes, folder)
    with open_graph(folder, settings=settings) as graph:
        graph.build_index()
    (names,) = folder.rglob("index/names/*.names")
    content = bytearray(names.read_bytes())
    for place in range(len(content) // 2, len(content), 3):
        content[place] ^= 0xFF
    names.write_bytes(bytes(content))
    with open_graph(folder, settings=settings) as graph:
        assert graph.ask("Which city is Rome?") is not None
        assert graph.ask("How many cities are there?").answers[0].value == 1


def test_more_nodes_of_one_name_than_are_followed_give_no_count(settings: Settings) -> None:
    import networkx

    crowd = networkx.DiGraph()
    for number in range(300):
        crowd.add_node(f"p{number}", label="Person", name="John Smith", age=number)
    with open_graph(crowd, settings=settings) as graph:
        answer = graph.ask("What is the age of John Smith?")
    assert answer.abstained
    assert "300" in answer.text
