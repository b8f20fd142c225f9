"""Fifty questions whose answer is not in the graph, and a model that always invents: nothing gets through unmarked."""

from __future__ import annotations

import random
from itertools import islice

import pytest
from tests.answering.inventing import STYLES, Unanswerable, questions_of, unanswerable

from askgraph.answering.support.judge import Judge
from askgraph.answering.written import write_answer

QUESTIONS_OF_EACH = 25


@pytest.fixture(scope="module")
def questions(hetionet, ck25, request) -> list[Unanswerable]:
    """Fifty of them, with what lies near."""
    folder = request.config.rootpath / "benchmarks" / "questions"
    if not folder.is_dir():
        pytest.skip("the benchmarks are not in a source package")
    found = []
    for graph, name in ((hetionet, "hetionet"), (ck25, "ck25")):
        asked = questions_of(folder / f"{name}_unanswerable.jsonl")
        found += list(islice(unanswerable(graph, asked), QUESTIONS_OF_EACH))
    assert len(found) == 2 * QUESTIONS_OF_EACH
    return found


@pytest.mark.parametrize("style", STYLES)
def test_no_invented_claim_gets_through_unmarked(style, questions, linked, calls, settings):
    for item in questions:
        written = list(STYLES[style](item, random.Random(item.question)))
        if not written:
            continue
        shown: list[str] = []
        answer = write_answer(
            linked(item.question),
            item.evidence,
            calls(["\n".join(f"- {sentence}" for sentence in written)]),
            settings=settings,
            on_text=shown.append,
        )
        through = [sentence.text for sentence in answer.sentences if sentence.facts]
        assert not through, (item.question, through)
        assert answer.abstained
        assert not answer.answers
        assert "".join(shown).count("⚠ not supported: ") == len(written)


def test_the_facts_themselves_do_get_through(questions):
    through = every = 0
    for item in questions:
        judge = Judge(item.evidence.facts, item.question, types=item.evidence.types)
        for number, fact in enumerate(item.evidence.facts, start=1):
            every += 1
            through += judge.judge(f"{fact.text}.", (number,)).verdict.kind == "supported"
    assert through / every > 0.95
