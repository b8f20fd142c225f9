"""Names that are looked up where the graph is, and names that are copied from there page by page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from askgraph.core.budget import Budget
from askgraph.core.graph import Name, Node
from askgraph.core.progress import SILENT
from askgraph.linking.name_pages import nodes_of_pages, read_pages
from askgraph.linking.names import ServerNames
from askgraph.linking.own_names import OwnNames
from askgraph.stores.base import NodePage

PEOPLE = [
    Node(f"n{number}", (Name(text), Name(text.upper())), ("Person",), {"city": "Turin", "bio": "x" * 200})
    for number, text in enumerate(
        ["Ada Lovelace", "Charles Babbage", "Mary Somerville", "Grace Hopper", "Ada Byron"]
    )
]


class PeopleOnAServer:
    """Proposes everybody who shares a word's first three letters with a text, and gives everybody in pages of two."""

    def __init__(self, fails_after: int | None = None) -> None:
        self.asked: list[list[str]] = []
        self.fails_after = fails_after

    def find_names(
        self, texts: Sequence[str], *, limit: int = 20, budget: Budget | None = None
    ) -> list[list[Node]]:
        self.asked.append(list(texts))
        return [[node for node in PEOPLE if starts_alike(node.name, text)][:limit] for text in texts]

    def node_pages(self, after: str | None = None) -> Iterator[NodePage]:
        begin = int(after or 0)
        for start in range(begin, len(PEOPLE), 2):
            if self.fails_after is not None and start >= self.fails_after:
                raise ConnectionError("the line was cut")
            yield NodePage(PEOPLE[start : start + 2], str(start + 2))


def starts_alike(name: str, text: str) -> bool:
    return any(word.lower()[:3] == other.lower()[:3] for word in name.split() for other in text.split())


def test_what_the_server_proposes_is_scored_as_in_an_index_of_ours():
    names = ServerNames(PeopleOnAServer())
    found = names.exact(["ada lovelace", "Grace", "nobody"])
    assert [match.id for match in found[0]] == ["n0"]
    assert found[0][0].score >= 0.99
    assert not found[1]
    assert not found[2]


def test_a_typo_is_found_among_the_candidates():
    found = ServerNames(PeopleOnAServer()).search(["Mary Somervile"])
    assert found[0][0].id == "n2"
    assert found[0][0].kind == "fuzzy"


def test_the_server_is_asked_once_for_all_texts_and_not_again_for_the_same():
    server = PeopleOnAServer()
    names = ServerNames(server)
    names.exact(["Ada Lovelace", "Ada", "Ada Lovelace"])
    names.search(["Ada"])
    names.search(["Ada", "Grace Hopper"])
    assert server.asked == [["Ada Lovelace", "Ada"], ["Grace Hopper"]]


class PeopleByWordsToo(PeopleOnAServer):
    """Finds names that are written so for less."""

    def __init__(self) -> None:
        super().__init__()
        self.asked_as_written: list[list[str]] = []

    def find_written_names(
        self, texts: Sequence[str], *, limit: int = 20, budget: Budget | None = None
    ) -> list[list[Node]]:
        self.asked_as_written.append(list(texts))
        return [
            [node for node in PEOPLE if set(text.lower().split()) <= set(node.name.lower().split())]
            for text in texts
        ]


def test_names_that_are_alike_are_asked_for_only_where_nobody_bears_the_name():
    server = PeopleByWordsToo()
    names = ServerNames(server)
    assert [len(found) for found in names.exact(["grace hopper", "who is", "ada"])] == [1, 0, 0]
    assert server.asked == []
    assert names.search(["grace hopper"])[0][0].id == "n3"
    assert server.asked == []
    assert names.search(["grace hopper", "Mary Somervile"])[1][0].id == "n2"
    assert server.asked == [["Mary Somervile"]]
    assert server.asked_as_written == [["grace hopper", "who is", "ada"], ["Mary Somervile"]]


def test_a_copying_that_was_cut_goes_on_where_it_was(tmp_path):
    file = tmp_path / "pages.jsonl"
    with pytest.raises(ConnectionError):
        read_pages(PeopleOnAServer(fails_after=4), file, SILENT)
    with file.open("ab") as stream:
        stream.write(b'[[["n4", ["Ada By')  # the process was killed while it wrote
    server = PeopleOnAServer()
    read_pages(server, file, SILENT)
    copied = list(nodes_of_pages(file))
    assert [node.id for node in copied] == [node.id for node in PEOPLE]
    assert [node.names for node in copied] == [
        tuple(Name(name.text) for name in node.names) for node in PEOPLE
    ]


def test_prose_is_not_copied(tmp_path):
    file = tmp_path / "pages.jsonl"
    read_pages(PeopleOnAServer(), file, SILENT)
    assert next(nodes_of_pages(file)).properties == {"city": ["Turin"]}


def test_what_only_the_owner_calls_somebody_is_looked_up_as_what_the_graph_does():
    server = PeopleOnAServer()
    own = OwnNames({"Ada Lovelace": ["the enchantress of numbers"], "n3": ["Amazing Grace"]})
    names = ServerNames(server, own)
    exact, other = names.exact(["The Enchantress of Numbers", "Grace Hopper"])
    assert [match.id for match in exact] == ["n0"]
    assert [match.id for match in other] == ["n3"]
    assert names.search(["enchantres of numbers"])[0].total <= 1
