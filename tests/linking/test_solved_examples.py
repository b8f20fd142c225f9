"""Solved questions: kept whole, and found again for questions like them."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from askgraph.core.errors import ExamplesError
from askgraph.core.hidden import Hidden
from askgraph.core.schema import Schema
from askgraph.linking.language import language
from askgraph.linking.linked_question import LinkedQuestion
from askgraph.linking.linker import Linker
from askgraph.linking.names import NoNames
from askgraph.linking.solved_examples import SolvedExample, SolvedExamples
from askgraph.models.base import Embedder
from askgraph.models.minilm import MiniLM


def _linked(text: str, masked: str | None = None) -> LinkedQuestion:
    from dataclasses import replace

    schema = Schema("property", 0, 0, (), (), ())
    linked = Linker(NoNames(), NoNames(), schema, language("en")).link(text)
    return linked if masked is None else replace(linked, masked=masked)


def _example(question: str, query: str = "", masked: str = "", spoken: str = "cypher") -> SolvedExample:
    return SolvedExample.of(
        question, query or f"MATCH (n) RETURN '{question}' AS x", spoken, masked or question
    )


@pytest.fixture
def solved(tmp_path: Path) -> SolvedExamples:
    return SolvedExamples(tmp_path / "deep" / "examples.jsonl", lambda: None)


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return MiniLM()


DIRECTS = _example(
    "Who directed Alien?", "MATCH (p)-[:DIRECTED]->(m {name: 'Alien'}) RETURN p", "Who directed Movie?"
)
DIRECTS_TOO = _example(
    "Who directed Heat?", "MATCH (p)-[:DIRECTED]->(m {name: 'Heat'}) RETURN p", "Who directed Movie?"
)
COUNTS = _example("How many films are there?", "MATCH (m:Movie) RETURN count(m)")
RATES = _example("Which film has the best rating?", "MATCH (m:Movie) RETURN m ORDER BY m.rating DESC LIMIT 1")


def test_they_are_kept_in_the_order_in_which_they_were_added(solved: SolvedExamples):
    assert solved.all() == ()
    done = solved.add([DIRECTS, COUNTS])
    assert (done.added, done.replaced, done.known) == (2, 0, 0)
    assert SolvedExamples(solved.file, lambda: None).all() == (DIRECTS, COUNTS)


def test_a_question_has_one_query_the_latest(solved: SolvedExamples):
    solved.add([DIRECTS, COUNTS])
    better = _example("who directed ALIEN", "MATCH (p)-[:DIRECTED]->(:Movie {name: 'Alien'}) RETURN p.name")
    done = solved.add([better, COUNTS])
    assert (done.added, done.replaced, done.known) == (0, 1, 1)
    assert solved.all() == (better, COUNTS)


def test_the_same_question_in_another_language_is_another_example(solved: SolvedExamples):
    solved.add([COUNTS, _example(COUNTS.question, "SELECT * { ?s ?p ?o }", spoken="sparql")])
    assert len(solved.all()) == 2
    assert [item.language for item in solved.similar(_linked("How many films?"), 5, language="sparql")] == [
        "sparql"
    ]


def test_they_are_removed_by_the_beginning_of_their_id(solved: SolvedExamples):
    solved.add([DIRECTS, COUNTS, RATES])
    assert solved.remove([COUNTS.id[:6], RATES.id]) == (COUNTS, RATES)
    assert solved.all() == (DIRECTS,)


@pytest.mark.parametrize("id", ["zzz", ""])
def test_removing_what_is_not_there_removes_nothing(solved: SolvedExamples, id: str):
    solved.add([DIRECTS, COUNTS])
    with pytest.raises(ExamplesError, match="there is no example"):
        solved.remove([DIRECTS.id, id])
    assert len(solved.all()) == 2


@pytest.mark.parametrize("text", ["no json\n", '{"id": "x"}\n', "[1]\n", "\x00\n"])
def test_a_damaged_file_is_said_to_be_one_and_left_alone(solved: SolvedExamples, text: str):
    solved.add([DIRECTS])
    solved.file.write_text(text, encoding="utf-8")
    with pytest.raises(ExamplesError, match="is damaged"):
        solved.all()
    with pytest.raises(ExamplesError, match="is damaged"):
        solved.add([COUNTS])
    assert solved.file.read_text(encoding="utf-8") == text


def test_a_writer_that_fails_leaves_the_old_examples(solved: SolvedExamples, monkeypatch: pytest.MonkeyPatch):
    solved.add([DIRECTS])

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("askgraph.linking.solved_examples.replace_text", fail)
    with pytest.raises(ExamplesError, match="No space left"):
        solved.add([COUNTS])
    assert solved.all() == (DIRECTS,)


def test_writers_at_the_same_time_lose_nothing(solved: SolvedExamples):
    def add(number: int) -> None:
        SolvedExamples(solved.file, lambda: None).add([_example(f"Question {number}?")])

    threads = [threading.Thread(target=add, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(solved.all()) == 12


def test_any_text_survives(solved: SolvedExamples):
    odd = _example('"Wer"\u2028führt\n„Café“ 🎬?', "MATCH (n)\r\nRETURN '\u0085\\n'")
    solved.add([odd])
    assert solved.all() == (odd,)
    assert (
        len([json.loads(line) for line in solved.file.read_text(encoding="utf-8").split("\n") if line]) == 1
    )


# --- likeness


@pytest.mark.parametrize("with_embedder", [False, True])
def test_the_most_like_comes_first_and_names_do_not_count(
    tmp_path: Path, embedder: Embedder, with_embedder: bool
):
    solved = SolvedExamples(tmp_path / "e.jsonl", lambda: embedder if with_embedder else None)
    solved.add([COUNTS, RATES, DIRECTS])
    found = solved.similar(_linked("Who directed Jaws?", "Who directed Movie?"), 2, language="cypher")
    assert found[0] == DIRECTS


def test_of_near_copies_one_is_shown(tmp_path: Path, embedder: Embedder):
    solved = SolvedExamples(tmp_path / "e.jsonl", lambda: embedder)
    solved.add([DIRECTS, DIRECTS_TOO, _example("Who acted in Alien?", masked="Who acted in Movie?"), COUNTS])
    found = solved.similar(_linked("Who directed Jaws?", "Who directed Movie?"), 3, language="cypher")
    assert [item for item in found if item in (DIRECTS, DIRECTS_TOO)] == [DIRECTS]
    assert len(found) >= 2


def test_meaning_counts_where_words_differ(tmp_path: Path, embedder: Embedder):
    solved = SolvedExamples(tmp_path / "e.jsonl", lambda: embedder)
    solved.add([COUNTS, RATES, _example("Which movie is the longest?")])
    assert solved.similar(_linked("What number of movies exists?"), 1, language="cypher") == (COUNTS,)


def test_what_has_nothing_in_common_is_not_shown(solved: SolvedExamples):
    solved.add([COUNTS])
    assert solved.similar(_linked("Wozu das Ganze?"), 3, language="cypher") == ()
    assert solved.similar(_linked("How many films?"), 0, language="cypher") == ()


def test_the_very_question_can_be_left_out(solved: SolvedExamples):
    solved.add([COUNTS, _example("How many films are long?")])
    question = _linked("how many films are there")
    assert COUNTS in solved.similar(question, 3, language="cypher")
    with solved.leaving_out_the_same():
        assert COUNTS not in solved.similar(question, 3, language="cypher")
    assert COUNTS in solved.similar(question, 3, language="cypher")


@pytest.mark.parametrize(
    "hidden", [Hidden(types=("Movie",)), Hidden(properties=("rating",)), Hidden(properties=("Movie.rating",))]
)
def test_what_names_something_hidden_is_not_shown(solved: SolvedExamples, hidden: Hidden):
    solved.add([RATES])
    question = _linked("Which film has the best rating?")
    assert solved.similar(question, 3, language="cypher", hidden=hidden) == ()
    assert solved.similar(question, 3, language="cypher", hidden=Hidden(types=("Person",))) == (RATES,)


def test_thousands_are_searched_in_a_moment(solved: SolvedExamples):
    solved.add(
        [
            _example(f"How many {word} of kind {number} are there?")
            for number in range(300)
            for word in "abcdef"
        ]
    )
    found = solved.similar(_linked("How many a of kind 7 are there?"), 4, language="cypher")
    assert len(found) == 4
    assert found[0].question == "How many a of kind 7 are there?"
