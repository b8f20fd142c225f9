from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

from hypothesis import given
from tests.made_answers import ABSTENTION, HOCH, MANAGER, MANAGER_PATH, QUAST, any_answer

from askgraph.core.answer_html import answer_to_html
from askgraph.core.evidence import Answer, Fact, Sentence
from askgraph.core.evidence_picture import MOST_NODES, evidence_picture
from askgraph.core.graph import Hop, Path
from askgraph.core.plan import Table
from askgraph.core.printable import printable

# All that may ever be in it: nothing here runs, loads or links.
TAGS = frozenset(
    {"b", "br", "div", "li", "ol", "p", "span", "sup", "ul"}
    | {"table", "tbody", "td", "th", "thead", "tr"}
    | {"g", "path", "rect", "svg", "text", "title"}
)
ATTRIBUTES = frozenset(
    {"aria-label", "class", "d", "fill", "fill-opacity", "font-family", "font-size", "height", "role", "rx"}
    | {
        "stroke",
        "stroke-dasharray",
        "stroke-opacity",
        "style",
        "text-anchor",
        "viewbox",
        "width",
        "x",
        "xmlns",
        "y",
    }
)


class Reader(HTMLParser):
    """Collects what a browser would see, and insists that every element is closed in its turn."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: dict[str, str] = {}
        self.texts: list[str] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.update({name: value or "" for name, value in attrs})
        if tag != "br":
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.update({name: value or "" for name, value in attrs})

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.texts).split())


def test_a_notebook_shows_the_answer_its_facts_and_a_picture():
    seen = Reader(MANAGER._repr_html_())
    assert "Nina Quast." in seen.text
    assert "[1]" in seen.text
    assert "confidence 0.93" in seen.text
    assert "Heinrich Hoch ─has manager→ Nina Quast" in seen.text
    assert "source: staff list · license: CC BY 4.0" in seen.text
    assert "Subclasses of Employee were counted" in seen.text
    assert seen.tags.count("rect") == 2
    assert "svg" in seen.tags


def test_a_notebook_shows_why_there_is_no_answer():
    seen = Reader(answer_to_html(ABSTENTION))
    assert "No answer. Nothing in this graph is called Zork." in seen.text
    assert "Zora (a name like 'Zork')" in seen.text
    assert "confidence" not in seen.text
    assert "svg" not in seen.tags


def test_a_path_against_an_edge_is_drawn_against_it():
    hop = Hop("manages", "manages", False, "e", "k", "Karen Brant")
    fact = Fact("…", "path", 1.0, "paths", path=Path("n", "Nina Quast", (hop,)))
    assert "Nina Quast ←manages─ Karen Brant" in Reader(answer_to_html(replace(MANAGER, facts=(fact,)))).text


@given(any_answer)
def test_no_text_of_a_graph_becomes_markup(answer: Answer):
    seen = Reader(answer_to_html(answer))
    assert set(seen.tags) <= TAGS
    assert set(seen.attributes) <= ATTRIBUTES
    assert not [value for value in seen.attributes.values() if "http" in value and "www.w3.org" not in value]
    for sentence in answer.sentences:
        assert " ".join(printable(sentence.text).split()) in seen.text


@given(any_answer)
def test_the_same_answer_gives_the_same_picture(answer: Answer):
    assert answer_to_html(answer) == answer_to_html(answer)


def test_what_is_left_out_of_a_crowded_picture_is_counted():
    paths = [
        Path("hub", "Hub", (Hop("has", "has", True, f"e{number}", f"n{number}", f"Node {number}"),))
        for number in range(100)
    ]
    picture = evidence_picture(paths)
    assert picture.count("<rect") == MOST_NODES
    assert f"{101 - MOST_NODES} more nodes not drawn" in picture


def test_two_nodes_of_one_name_are_two_boxes_and_one_node_is_one():
    to_first = Path("a", "A", (Hop("r", "r", True, "1", "x", "Same"),))
    to_second = Path("a", "A", (Hop("r", "r", True, "2", "y", "Same"),))
    again = Path("a", "A", (Hop("s", "s", False, "3", "x", "Same"),))
    assert evidence_picture([to_first, to_second, again]).count("<rect") == 3


def test_a_walk_that_comes_back_is_drawn():
    loop = Path(
        "a", "A", (Hop("knows", "knows", True, "1", "a", "A"), Hop("knows", "knows", False, "2", "b", "B"))
    )
    picture = evidence_picture([loop, MANAGER_PATH])
    assert picture.count("<rect") == 4
    assert picture.count("knows") == 4  # a label and its tooltip for each of the two arrows


def test_no_path_is_no_picture():
    assert evidence_picture([]) == ""
    assert evidence_picture([Path("a", "A", ())]) == ""


def test_a_table_names_its_nodes():
    rows = [(QUAST, 1), (HOCH, 2), ("http://example.org/other", None)]
    table = Table(("who", "how many"), ("node", "value"), rows)
    seen = Reader(answer_to_html(replace(MANAGER, table=table))).text
    assert "whohow manyNina Quast1Heinrich Hoch2other" in seen


def test_a_long_list_is_cut_and_the_rest_counted():
    answer = replace(ABSTENTION, sentences=(Sentence("x"),), nearest=tuple(f"thing {i}" for i in range(70)))
    assert "20 more items" in Reader(answer_to_html(answer)).text


def test_a_sentence_without_support_is_marked_with_the_reason():
    unkind = Sentence("She is <kind>.", unsupported_because="no fact says 'kind'")
    html = answer_to_html(replace(MANAGER, sentences=(*MANAGER.sentences, unkind)))
    assert "She is &lt;kind&gt;." in html
    assert "(⚠ not supported: no fact says &#x27;kind&#x27;)" in html
    assert html.count("<sup>") == 1
