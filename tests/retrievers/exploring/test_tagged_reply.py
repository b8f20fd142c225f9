"""What a model proposes is read as it is meant, however it is wrapped."""

from __future__ import annotations

import re

import pytest

from askgraph.models.prompts.prompts import Prompts
from askgraph.retrievers.exploring.tagged_reply import (
    SECTIONS,
    Proposal,
    lines,
    queries,
    read_proposal,
    sections,
)


def test_every_kind_of_proposal_is_read():
    proposal = read_proposal(
        "Let me see.\n<entities>\nAda Lovelace\nEngines\n</entities>\n<paths>HAS_MANAGER -> MEMBER_OF</paths>"
        "<query>MATCH (n) RETURN n</query><answers>Charles</answers><task-completion>FINISH</task-completion>"
    )
    assert proposal == Proposal(
        ("Ada Lovelace", "Engines"),
        ("HAS_MANAGER -> MEMBER_OF",),
        ("MATCH (n) RETURN n",),
        (),
        ("Charles",),
        is_finished=True,
    )


@pytest.mark.parametrize(
    "line",
    [
        "- Ada Lovelace", "* Ada Lovelace", "1. Ada Lovelace", "1) Ada Lovelace", "(2) Ada Lovelace", '"Ada Lovelace"',
        "**Ada Lovelace**", "`Ada Lovelace`", "  - **Ada Lovelace**  ", "- 3. Ada Lovelace", "• Ada Lovelace",
    ],
)  # fmt: skip
def test_bullets_numbers_and_emphasis_are_no_part_of_a_name(line):
    assert lines([line]) == ("Ada Lovelace",)


@pytest.mark.parametrize("name", ["3M", "1984", "K-9", "U.S. 1", "O'Neil", "-0.5"])
def test_names_with_digits_and_marks_stay_as_they_are(name):
    assert lines([name]) == (name,)


def test_a_fence_is_no_part_of_a_query_and_a_second_block_is_a_second_query():
    body = "```cypher\nMATCH (a) // who\nRETURN a\n```\nor\n```\nMATCH (b) RETURN b\n```"
    assert queries([body]) == ("MATCH (a) // who\nRETURN a", "MATCH (b) RETURN b")


def test_a_comment_does_not_swallow_the_rest_of_a_query():
    proposal = read_proposal(
        "<opencypher>\nMATCH (a:Person) // everyone\nWHERE a.age > 3\nRETURN a\n</opencypher>"
    )
    assert proposal.queries == ("MATCH (a:Person) // everyone\nWHERE a.age > 3\nRETURN a",)


@pytest.mark.parametrize("body", ["", "  \n ", "```\n\n```", "None", "N/A"])
def test_an_empty_section_is_no_query(body):
    assert read_proposal(f"<query>{body}</query>").queries == ()
    assert read_proposal("no sections at all") == Proposal()


def test_all_sections_of_one_name_are_read_also_one_that_is_never_closed():
    reply = "<entities>Ada</entities> and <entities>Charles</entities><paths>WORKS_IN -> CITY"
    proposal = read_proposal(reply)
    assert proposal.entities == ("Ada", "Charles")
    assert proposal.paths == ("WORKS_IN -> CITY",)
    assert read_proposal("<entities>Ada<paths>WORKS_IN</paths>").entities == ("Ada",)


def test_names_of_sections_are_read_in_any_case_and_with_any_joint():
    found = sections("<Task_Completion>finish</Task_Completion><NEXT ENTITIES>x</NEXT ENTITIES>")
    assert found == {"task-completion": ("finish",), "next-entities": ("x",)}
    assert read_proposal("<TASK-COMPLETION>finish</TASK-COMPLETION>").is_finished


def test_reasoning_proposes_nothing():
    assert read_proposal("<think><entities>Bob</entities></think><entities>Ada</entities>").entities == (
        "Ada",
    )


def test_queries_of_both_kinds_are_told_apart():
    proposal = read_proposal(
        "<opencypher-linking>MATCH (n) RETURN n LIMIT 5</opencypher-linking><opencypher>MATCH (m) RETURN m</opencypher>"
    )
    assert proposal.linking_queries == ("MATCH (n) RETURN n LIMIT 5",)
    assert proposal.queries == ("MATCH (m) RETURN m",)


def test_a_name_that_comes_twice_counts_once():
    assert lines(["Ada\nAda\n- Ada"]) == ("Ada",)


@pytest.mark.parametrize(
    "prompt",
    ["propose", "propose_again", "propose_query", "propose_query_again", "choose_relations", "choose_nodes"],
)
def test_every_section_that_a_prompt_asks_for_is_read(prompt):
    text = Prompts().get(prompt).user
    asked = set(re.findall(r"</?([a-z]+(?:-[a-z]+)*)>", text))
    assert asked
    assert asked <= set(SECTIONS)
