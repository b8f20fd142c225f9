"""Nodes of a graph whose predicates are codes are called by the property whose values are names."""

from __future__ import annotations

import re
from pathlib import Path

from askgraph import Settings, load_graph, open_graph
from askgraph.stores.rdf.names import LabelSettings
from askgraph.stores.rdf.store import RdfStore

FIRST = ["Ada", "Théo", "Mary", "Uma", "Per", "Rosa", "Ines", "Leo"]
LAST = ["Moss", "Lind", "O'Neil", "Rao", "Berg-Alm"]
EX = "http://example.org/"


def people(count: int = 40, *, extra: str = "") -> str:
    """Triples of people: P1 is their name, P2 a code, P3 an address, P4 where they work, P5 whom they know."""
    lines = [extra]
    for number in range(count):
        name = f"{FIRST[number % 8]} {LAST[number // 8]}"
        node = f"<{EX}n{number}>"
        mail = f"{name.replace(' ', '.')}@x.org".lower()
        city = ["Lund", "Malmo"][number % 2]
        lines += [
            f'{node} <{EX}P1> "{name}" ; <{EX}P2> "A{number}-{number * 77}" ; <{EX}P3> "{mail}" ; <{EX}P4> "{city}" .',
            f"{node} a <{EX}Person> ; <{EX}P5> <{EX}n{(number + 1) % count}> .",
        ]
    return "\n".join(lines)


def written(folder: Path, text: str) -> Path:
    file = folder / "people.ttl"
    file.write_text(text, encoding="utf-8")
    return file


def names(file: Path, labels: LabelSettings | None = None) -> list[tuple[str, ...]]:
    with RdfStore.from_files(file, labels=labels or LabelSettings()) as store:
        return [tuple(name.text for name in node.names) for node in store.nodes([f"{EX}n1", f"{EX}n9"])]


def test_the_texts_that_are_names_are_the_names(tmp_path: Path) -> None:
    assert names(written(tmp_path, people())) == [("Théo Moss",), ("Théo Lind",)]


def test_where_labels_name_most_nodes_nothing_is_guessed(tmp_path: Path) -> None:
    labels = "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
    labels += "\n".join(f'<{EX}n{number}> rdfs:label "number {number}" .' for number in range(25))
    assert names(written(tmp_path, people(extra=labels))) == [("number 1",), ("number 9",)]


def test_a_few_labels_do_not_keep_the_rest_from_having_names(tmp_path: Path) -> None:
    label = f'<{EX}n1> <http://www.w3.org/2000/01/rdf-schema#label> "the first" .\n'
    assert names(written(tmp_path, people(extra=label))) == [("the first", "Théo Moss"), ("Théo Lind",)]


def test_codes_addresses_and_what_many_share_are_no_names(tmp_path: Path) -> None:
    without = re.sub(rf'<{EX}P1> "[^"]*" ;', "", people())
    assert names(written(tmp_path, without)) == [(), ()]


def test_what_the_user_says_comes_first(tmp_path: Path) -> None:
    chosen = LabelSettings(properties=(f"{EX}P2",))
    assert names(written(tmp_path, people()), chosen) == [("A1-77",), ("A9-693",)]


def test_a_graph_of_codes_answers_what_it_can(tmp_path: Path) -> None:
    load_graph(written(tmp_path, people()), tmp_path / "people.graph")
    settings = Settings.load(save_runs=False, embedder="none")
    with open_graph(tmp_path / "people.graph", settings=settings) as graph:
        assert graph.schema().notes[-1].endswith("P3 (email).")
        assert [item.text for item in graph.ask("What is the email of Mary Lind?").answers] == [
            "mary.lind@x.org"
        ]
        assert [item.text for item in graph.ask("How many persons are there?").answers] == ["40"]
        assert len(graph.ask("Which persons are in Lund?").answers) == 20
        assert graph.ask("What is the salary of Mary Lind?").abstained
