"""Graphs whose keys are abbreviated as in databases, and questions in whole words; on a small rack of servers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from askgraph import Answer, Graph, Settings, open_graph
from askgraph.linking.short_forms import written_out


def rack() -> Any:
    import networkx

    graph = networkx.MultiDiGraph()
    servers = {
        "s1": ("web-a", 16, 64, "2021-03-15", "Debian 12"),
        "s2": ("web-b", 16, 128, "2018-01-02", "Windows Server"),
        "s3": ("sql-a", 48, 512, "2023-06-01", "Debian 12"),
    }
    for id, (name, cpus, memory, bought, system) in servers.items():
        graph.add_node(
            id, label="Server", name=name, cpu_cnt=cpus, ram_gb=memory, purch_dt=bought, os_nm=system
        )
    graph.add_node("t1", label="Team", name="Night Watch", lead_nm="Priya Nair")
    graph.add_node("v1", label="Vendor", name="Dell Technologies", cntry="US")
    graph.add_node("v2", label="Vendor", name="Fujitsu", cntry="GB")
    for server, vendor in (("s1", "v1"), ("s2", "v1"), ("s3", "v2")):
        graph.add_edge(server, vendor, type="SUPPLIED_BY")
    for server in servers:
        graph.add_edge(server, "t1", type="OWNED_BY")
    return graph


@pytest.fixture(scope="module")
def servers(settings: Settings) -> Iterator[Graph]:
    with open_graph(rack(), settings=settings) as graph:
        yield graph


def texts(answer: Answer) -> set[str]:
    return {item.text for item in answer.answers}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many CPUs does web-a have?", {"16"}),
        ("When was sql-a purchased?", {"2023-06-01"}),
        ("servers with more than 100 GB of RAM", {"web-b", "sql-a"}),
        ("servers bought before 2020", {"web-b"}),
        ("servers with 48 cpus", {"sql-a"}),
        ("Debian servers", {"web-a", "sql-a"}),
        ("Dell servers", {"web-a", "web-b"}),
        ("Who leads the Night Watch team?", {"Priya Nair"}),
        ("Which servers don't have Debian 12?", {"web-b"}),
        ("In which country is Fujitsu?", {"GB"}),
    ],
)
def test_questions_in_whole_words_find_abbreviated_keys(
    servers: Graph, question: str, expected: set[str]
) -> None:
    answer = servers.ask(question)
    assert texts(answer) == expected, answer


@pytest.mark.parametrize(
    ("label", "others"),
    [
        ("usr_cnt", ("user count",)),
        ("ram gb", ("ram",)),
        ("avg resp ms", ("average resp ms", "average resp")),
        ("name", ()),
        ("gb", ()),
    ],
)
def test_what_labels_are_short_for(label: str, others: tuple[str, ...]) -> None:
    assert written_out(label) == others
