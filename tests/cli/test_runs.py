from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.made_answers import ABSTENTION, MANAGER

from askgraph.core.run import Run
from askgraph.core.run_store import RunStore

from .conftest import Askgraph


@pytest.fixture
def store(data_directory: Path) -> RunStore:
    """Three runs: one answered, one abstained, one that failed."""
    store = RunStore(data_directory / "runs")
    ends = ((MANAGER, None), (ABSTENTION, None), (None, ValueError("no\x1b[31m way")))
    for number, (answer, failure) in enumerate(ends):
        question = answer.question if answer else "Why?"
        run = Run(
            question,
            graph="sparql+https://user:secret@example.org/ck25",
            graph_version="1",
            options={"max_hops": 3},
        )
        run.id = f"20260131-101500-00{number}-a1b2c3"
        with run.step("link") as step:
            step.note(
                links=["Heinrich Hoch -> node", "manager -> edge type"],
                unlinked=[],
                read_as="who is the X of Y",
            )
        run.finish(answer, failure)
        store.save(run)
    return store


def test_the_list_has_the_latest_first_with_what_came_of_each(askgraph: Askgraph, store: RunStore):
    done = askgraph("runs", "list")
    latest, middle, first = store.ids()
    assert done.code == 0
    assert (
        done.out
        == f"""\
{latest}  sparql+https://example.org/ck25
  Why?
  → error: ValueError: no\\x1b[31m way
{middle}  sparql+https://example.org/ck25
  Who is the manager of Zork?
  → no answer
{first}  sparql+https://example.org/ck25
  Who is the manager of Heinrich Hoch?
  → Nina Quast. [1] (0.93)
"""
    )
    assert done.err == ""


def test_the_list_as_json(askgraph: Askgraph, store: RunStore):
    runs = askgraph("runs", "list", "--json").json
    assert [run["id"] for run in runs] == store.ids()
    assert runs[2]["answer"] == "Nina Quast. [1]"
    assert runs[2]["confidence"] == 0.93
    assert [run["abstained"] for run in runs] == [None, True, False]


def test_the_list_shows_twenty_and_says_how_many_more_there_are(askgraph: Askgraph, store: RunStore):
    for number in range(22):
        run = Run(f"Question {number}?", graph="g", graph_version="1")
        run.finish(ABSTENTION)
        store.save(run)
    done = askgraph("runs", "list")
    assert done.out.count("no answer") == 20
    assert done.err == "5 older runs not shown: --all\n"
    assert len(askgraph("runs", "list", "--all", "--json").json) == 25


def test_nothing_asked_yet_is_said_beside_an_empty_list(askgraph: Askgraph):
    done = askgraph("runs", "list")
    assert (done.code, done.out) == (0, "")
    assert "No question has been recorded yet" in done.err
    assert askgraph("runs", "list", "--json").json == []


def test_a_run_is_shown_with_its_steps_and_its_facts(askgraph: Askgraph, store: RunStore):
    done = askgraph("runs", "show", store.ids()[2])
    assert done.code == 0
    assert done.out.startswith("Who is the manager of Heinrich Hoch?\nRun      ")
    assert (
        "\n            links:\n              • Heinrich Hoch -> node\n              • manager -> edge type\n"
        in done.out
    )
    assert "\n            read as: who is the X of Y\n" in done.out
    assert "unlinked" not in done.out
    assert "  [1] Heinrich Hoch ─has manager→ Nina Quast" in done.out
    assert "secret" not in done.out


def test_a_failed_run_shows_its_error_and_the_latest_has_a_name(askgraph: Askgraph, store: RunStore):
    assert "Ended by an error: ValueError: no\\x1b[31m way" in askgraph("runs", "show", "last").out


def test_a_run_as_json_is_the_whole_record(askgraph: Askgraph, store: RunStore):
    assert askgraph("runs", "show", "last", "--json").json == store.read(store.ids()[0])


def test_a_run_of_another_version_is_shown_as_far_as_it_goes(askgraph: Askgraph, store: RunStore):
    id = store.ids()[2]
    file = store.folder / f"{id}.json"
    data = json.loads(file.read_text(encoding="utf-8"))
    del data["answer"]["facts"]
    file.write_text(json.dumps(data), encoding="utf-8")
    done = askgraph("runs", "show", id)
    assert done.code == 0
    assert "was not written by this version" in done.out


def test_deleted_runs_are_gone(askgraph: Askgraph, store: RunStore):
    first, second, third = store.ids()
    assert askgraph("runs", "delete", first, second).out == "2 runs deleted.\n"
    assert store.ids() == [third]
    assert askgraph("runs", "delete", "--all").out == "1 run deleted.\n"
    assert store.ids() == []
    assert askgraph("runs", "delete", "--all").out == "0 runs deleted.\n"


def test_one_wrong_id_deletes_nothing(askgraph: Askgraph, store: RunStore):
    before = store.ids()
    done = askgraph("runs", "delete", before[0], "1999")
    assert done.code == 1
    assert done.out == ""
    assert done.err == "Error: there is no run '1999'\n`askgraph runs list` shows the stored runs.\n"
    assert store.ids() == before


@pytest.mark.parametrize("words", [["runs", "delete"], ["runs", "delete", "2", "--all"]])
def test_what_to_delete_must_be_said_once(askgraph: Askgraph, store: RunStore, words):
    assert askgraph(*words).code == 1
    assert len(store.ids()) == 3


def test_no_run_to_show(askgraph: Askgraph):
    assert askgraph("runs", "show", "last").code == 1
    assert askgraph("runs", "show", "../../etc").code == 1
