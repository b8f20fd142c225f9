"""An index that is brought up to date answers like one that is made anew, and costs as much as what has changed."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from askgraph import Graph, Settings, load_graph, open_graph
from askgraph.indexes.names import NameIndex
from askgraph.linking.name_updates import NamedThing, copy_names, write_names

SETTINGS = {"save_runs": False, "embedder": "none"}
FIRST = ["Ada", "Theo", "Mary", "Uma", "Per", "Rosa", "Ines", "Leo"]
LAST = ["Moss", "Lind", "Alm", "Rao", "Berg", "Okoro", "Duarte", "Quast"]


def people(count: int, seed: int) -> list[NamedThing]:
    choose = random.Random(seed)
    return [
        NamedThing(f"p{number}", (f"{choose.choice(FIRST)} {choose.choice(LAST)} {number}",), ("Person",))
        for number in range(count)
    ]


def answers(path: Path, names: list[str]) -> list[list[tuple[str, str, float]]]:
    with NameIndex.open(path) as index:
        return [[(match.id, match.name, match.score) for match in found] for found in index.search(names)]


def segments(path: Path) -> dict[str, int]:
    """The files with names, and where they lie on disk."""
    return {file.name: file.stat().st_ino for file in path.glob("*.names")}


@pytest.mark.parametrize("seed", range(5))
def test_an_updated_index_answers_like_a_new_one(tmp_path: Path, seed: int) -> None:
    choose = random.Random(seed)
    before = people(200, seed)
    write_names(before, tmp_path / "before", fingerprint="1")
    after = [thing for thing in before if choose.random() > 0.05]
    renamed = choose.sample(range(len(after)), 10)
    for row in renamed:
        after[row] = NamedThing(
            after[row].id, (f"Nova {after[row].id}", "Nova the Great"), ("Person", "Chief")
        )
    after += [NamedThing(f"new{number}", (f"Zelda Moss {number}",), ("Person",)) for number in range(5)]
    choose.shuffle(after)
    changed = write_names(after, tmp_path / "after", fingerprint="2", before=tmp_path / "before")
    assert changed == 10 + 5 + len(before) - (len(after) - 5)
    write_names(after, tmp_path / "anew", fingerprint="2")
    asked = [name for thing in (*before, *after) for name in thing.names]
    asked += ["Zelda Mos 3", "nova great", "Ada", "Nova"]
    assert answers(tmp_path / "after", asked) == answers(tmp_path / "anew", asked)
    with NameIndex.open(tmp_path / "after") as index:
        assert index.fingerprint == "2"
        assert len(index) == sum(len(thing.names) for thing in after)


def test_what_has_not_changed_is_shared_and_not_written_again(tmp_path: Path) -> None:
    before = people(2_000, 1)
    write_names(before, tmp_path / "before", fingerprint="1")
    after = [*before[1:], NamedThing("new", ("Zelda Fitz",), ())]
    assert write_names(after, tmp_path / "after", fingerprint="2", before=tmp_path / "before") == 2
    old, new = segments(tmp_path / "before"), segments(tmp_path / "after")
    assert old.items() <= new.items()
    written = [file for file in (tmp_path / "after").glob("*.names") if file.name not in old]
    assert sum(file.stat().st_size for file in written) < 20_000


def test_an_index_of_what_is_the_same_is_the_same(tmp_path: Path) -> None:
    things = people(50, 1)
    write_names(things, tmp_path / "before", fingerprint="1")
    assert write_names(reversed(things), tmp_path / "after", fingerprint="2", before=tmp_path / "before") == 0
    assert segments(tmp_path / "before") == segments(tmp_path / "after")


def test_updates_of_updates_stay_right(tmp_path: Path) -> None:
    things = people(60, 3)
    write_names(things, tmp_path / "0", fingerprint="0")
    for step in range(1, 12):
        things = [
            *things[3:],
            *(NamedThing(f"s{step}-{row}", (f"Step {step} {row}",), ()) for row in range(3)),
        ]
        before = tmp_path / str(step - 1)
        assert write_names(things, tmp_path / str(step), fingerprint=str(step), before=before) == 6
    asked = [thing.names[0] for thing in things] + ["Ada Moss 0", "Step 3 1"]
    write_names(things, tmp_path / "anew", fingerprint="")
    assert answers(tmp_path / "11", asked) == answers(tmp_path / "anew", asked)


@pytest.mark.parametrize("damage", ["no hashes", "other hashes", "no index", "broken header"])
def test_an_index_that_cannot_be_updated_is_made_anew(tmp_path: Path, damage: str) -> None:
    things = people(20, 1)
    before = tmp_path / "before"
    write_names(things, before, fingerprint="1")
    if damage == "no hashes":
        (tmp_path / "before.hashes.npy").unlink()
    elif damage == "other hashes":
        np.save(tmp_path / "before.hashes.npy", np.zeros(3))
    elif damage == "no index":
        (before / "index.json").unlink()
    else:
        (before / "index.json").write_text("{", encoding="utf-8")
    assert write_names(things, tmp_path / "after", fingerprint="2", before=before) is None
    assert answers(tmp_path / "after", [things[4].names[0]])[0][0][0] == "p4"


def test_nothing_becomes_something_and_something_nothing(tmp_path: Path) -> None:
    write_names([], tmp_path / "0", fingerprint="")
    assert write_names(people(3, 1), tmp_path / "1", fingerprint="", before=tmp_path / "0") == 3
    assert write_names([], tmp_path / "2", fingerprint="", before=tmp_path / "1") == 3
    assert answers(tmp_path / "2", ["Ada Moss 0"]) == [[]]


def test_a_copy_can_be_updated_too(tmp_path: Path) -> None:
    write_names(people(3, 1), tmp_path / "0", fingerprint="")
    copy_names(tmp_path / "0", tmp_path / "1")
    assert write_names(people(4, 1), tmp_path / "2", fingerprint="", before=tmp_path / "1") == 1


# --- of a graph


def write_tables(folder: Path, names: dict[str, str], city: str = "Lund") -> list[Path]:
    folder.mkdir(exist_ok=True)
    nodes, edges = folder / "nodes.csv", folder / "edges.csv"
    rows = "".join(f"{id},{name},Person,{city}\n" for id, name in names.items())
    nodes.write_text(f"id,name,type,city\n{rows}", encoding="utf-8")
    first, *others = names
    edges.write_text(
        "source,target,type\n" + "".join(f"{first},{other},knows\n" for other in others), encoding="utf-8"
    )
    return [nodes, edges]


def linked(graph: Graph, text: str) -> set[tuple[str, str]]:
    return {(link.kind, link.id) for link in graph.link(text)}


def test_a_graph_that_was_loaded_again_keeps_what_its_index_had_of_what_is_the_same(tmp_path: Path) -> None:
    names = {f"n{row}": f"{FIRST[row % 8]} {LAST[row // 8]}" for row in range(64)}
    folder = tmp_path / "people.graph"
    settings = Settings.load(**SETTINGS)
    load_graph(write_tables(tmp_path / "files", names), folder)
    with open_graph(folder, settings=settings) as graph:
        assert graph.build_index().changed is None
        assert graph.index_status().state == "current"
    names["n6"] = "Selma Novak"
    names["n99"] = "Zelda Fitz"
    load_graph(write_tables(tmp_path / "files", names, city="Malmo"), folder)
    with open_graph(folder, settings=settings) as graph:
        assert graph.index_status().state == "stale"
        report = graph.build_index()
        assert (report.nodes, report.names, report.changed) == (65, 65, 2)
        assert linked(graph, "Who is Selma Novak?") == {("node", "n6")}
        assert linked(graph, "Who is Zelda Fitz?") == {("node", "n99")}
        assert ("node", "n6") not in linked(graph, "Who is Ines Moss?")
        assert {link.kind for link in graph.link("Who is in Malmo?")} == {"value"}
        assert not graph.link("Who is in Lund?").links
        again = graph.build_index(rebuild=True)
        assert again.changed is None
        assert linked(graph, "Who is Selma Novak?") == {("node", "n6")}


def test_a_question_brings_the_index_up_to_date_by_itself(tmp_path: Path) -> None:
    folder = tmp_path / "people.graph"
    settings = Settings.load(**SETTINGS)
    load_graph(write_tables(tmp_path / "files", {"n1": "Ada Moss", "n2": "Theo Lind"}), folder)
    with open_graph(folder, settings=settings) as graph:
        assert [item.text for item in graph.ask("Who knows Theo Lind?").answers] == ["Ada Moss"]
    load_graph(write_tables(tmp_path / "files", {"n1": "Ada Moss", "n2": "Uma Rao"}), folder)
    with open_graph(folder, settings=settings) as graph:
        assert graph.ask("Who knows Theo Lind?").abstained
        assert [item.text for item in graph.ask("Who knows Uma Rao?").answers] == ["Ada Moss"]
