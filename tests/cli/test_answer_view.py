from __future__ import annotations

import unicodedata
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from tests.made_answers import ABSTENTION, HOCH, MANAGER, MANAGER_PATH, QUAST, any_answer

from askgraph.cli.page import Page
from askgraph.cli.views.answer import show_answer
from askgraph.core.evidence import Answer, Fact, Link, Mention, Sentence, ShortAnswer
from askgraph.core.graph import Hop, Path
from askgraph.core.plan import Table


def shown(answer: Answer, *, width: int = 80, encoding: str = "utf-8", complete: bool = False) -> str:
    return "\n".join(line.plain for line in show_answer(answer, Page(width, encoding), complete=complete))


def test_an_answer_with_its_facts_and_where_they_come_from():
    assert (
        shown(MANAGER)
        == """\
Nina Quast. [1]

Confidence  0.93
Read as     what Heinrich Hoch has as manager

Facts
  [1] Heinrich Hoch ─has manager→ Nina Quast
      source: staff list · license: CC BY 4.0
      publications: PMID:1, PMID:2, PMID:3, PMID:4, PMID:5, … 2 more

Notes
  • Subclasses of Employee were counted: Manager."""
    )


def test_an_answer_in_plain_ascii():
    text = shown(MANAGER, encoding="ascii")
    assert "[1] Heinrich Hoch -has manager-> Nina Quast" in text
    assert "source: staff list | license: CC BY 4.0" in text
    assert text.isascii()


def test_an_abstention_says_why_and_what_came_nearest():
    assert (
        shown(ABSTENTION)
        == """\
No answer. Nothing in this graph is called Zork.

Nearest things found
  • Zora (a name like 'Zork')"""
    )


def test_what_each_word_was_linked_to_is_shown_on_request():
    assert "Linked" not in shown(MANAGER)
    assert """\
Linked
  Heinrich Hoch: the node Heinrich Hoch (Employee), exact 1.00
      http://example.org/empl-Heinrich.Hoch""" in shown(MANAGER, complete=True)


def test_names_of_a_dictionary_are_shown_with_their_entries_once_each():
    entry = "NCBIGENE:5621 'CD230' of HGNC (names.tsv, line 2)"
    mention = Mention("CD230", 0, 5)
    by_entry = Link(mention, "node", "Gene::5621", "CD230", 1.0, "exact", entry=entry)
    plain = Link(Mention("PRNP", 9, 13), "node", "Gene::1", "PRNP", 1.0, "exact")
    text = shown(replace(MANAGER, links=(by_entry, replace(by_entry, id="Gene::2"), plain)))
    assert text.count("By entry") == 1
    assert f"By entry    CD230: {entry}" in text
    assert "By entry" in shown(replace(ABSTENTION, links=(by_entry,)))
    many = [replace(by_entry, mention=Mention(f"name {number}", 0, 5)) for number in range(7)]
    assert "2 more dictionary names: --json shows all" in shown(replace(MANAGER, links=tuple(many)))


def with_path(*hops: Hop) -> Answer:
    fact = Fact("…", "path", 1.0, "paths", path=Path(HOCH, "Heinrich Hoch", hops))
    return replace(MANAGER, facts=(fact,), notes=())


def test_a_hop_against_its_edge_has_its_arrow_reversed():
    text = shown(with_path(Hop("manages", "manages", False, "e", QUAST, "Nina Quast")))
    assert "[1] Heinrich Hoch ←manages─ Nina Quast" in text


def test_a_value_ends_a_path():
    assert "[1] Heinrich Hoch ─phone→ +49 30 123" in shown(
        with_path(Hop("phone", "phone", value="+49 30 123"))
    )


def test_a_long_path_has_one_hop_a_line():
    hops = [Hop("r", "is a member of", True, f"e{n}", f"n{n}", f"Department number {n}") for n in range(3)]
    assert """\
  [1] Heinrich Hoch
          ─is a member of→ Department number 0
          ─is a member of→ Department number 1
          ─is a member of→ Department number 2""" in shown(with_path(*hops))


def test_nodes_of_one_name_are_told_apart_by_their_ids():
    same = Hop("knows", "knows", True, "e", "http://example.org/empl-Other", "Heinrich Hoch")
    assert "Heinrich Hoch (empl-Heinrich.Hoch) ─knows→ Heinrich Hoch (empl-Other)" in shown(with_path(same))


def resting_on(facts):
    """The answer, where it rests on all of some facts."""
    cited = tuple(range(1, len(facts) + 1))
    return replace(MANAGER, facts=facts, sentences=(Sentence("Nina Quast.", cited),))


def test_provenance_that_all_facts_share_is_said_once():
    fact = Fact("…", "path", 1.0, "paths", path=MANAGER_PATH, provenance={"source": "staff list"})
    text = shown(resting_on((fact,) * 4))
    assert text.count("source: staff list") == 1
    assert "All of them:\n    source: staff list" in text


def test_what_only_some_facts_say_stays_with_them():
    facts = tuple(
        Fact(f"fact {number}", "row", 1.0, "paths", provenance={"source": "staff list", "url": f"u{number}"})
        for number in range(3)
    )
    text = shown(resting_on(facts))
    assert "  [2] fact 1\n      url: u1\n" in text
    assert text.count("staff list") == 1


def test_a_long_answer_shows_its_first_facts_and_counts_the_rest():
    facts = tuple(Fact(f"fact number {number}", "row", 1.0, "paths") for number in range(1, 51))
    answer = resting_on(facts)
    text = shown(answer)
    assert "[20] fact number 20" in text
    assert "fact number 21" not in text
    assert "… 30 more facts: --verbose and --json show all" in text
    assert "[50] fact number 50" in shown(answer, complete=True)


def test_facts_that_the_answer_does_not_rest_on_are_shown_on_request():
    facts = tuple(Fact(f"fact number {number}", "row", 1.0, "paths") for number in range(1, 51))
    answer = replace(
        MANAGER, facts=facts, sentences=(Sentence("Nina Quast.", (1,)), Sentence("Or so.", (40,)))
    )
    text = shown(answer)
    assert "  [1]  fact number 1\n  [40] fact number 40\n" in text
    assert "fact number 2" not in text
    assert "… 48 more facts: --verbose and --json show all" in text
    assert "[2]  fact number 2" in shown(answer, complete=True)
    uncited = replace(answer, sentences=(Sentence("She is kind.", unsupported_because="nothing says so"),))
    assert "[20] fact number 20" in shown(uncited)


def test_facts_without_a_path_are_said_in_words():
    assert "[1] 53 nodes are of type Employee" in shown(
        replace(MANAGER, facts=(Fact("53 nodes are of type Employee", "count", 1.0, "members"),))
    )


def test_a_sentence_that_no_fact_supports_is_marked():
    unkind = Sentence("She is kind.", unsupported_because="no fact says 'kind'")
    answer = replace(MANAGER, sentences=(Sentence("Nina Quast.", (1,)), unkind))
    assert "Nina Quast. [1] She is kind. (not supported: no fact says 'kind')" in shown(answer)


def test_a_sentence_that_claims_nothing_has_no_mark():
    answer = replace(MANAGER, sentences=(Sentence("Here it is:"), Sentence("Nina Quast.", (1,))))
    assert "Here it is: Nina Quast. [1]" in shown(answer)


def test_what_a_model_knows_by_itself_is_shown_as_such_without_citations():
    answer = replace(MANAGER, sentences=(Sentence("She is kind.", (1,), own_knowledge=True),))
    assert "She is kind. (the model's own knowledge, not from the graph)" in shown(answer)


def test_items_of_a_list_stand_on_lines_of_their_own():
    items = [Sentence(f"- Person {number}", (1,), begins_line=True) for number in range(2)]
    answer = replace(MANAGER, sentences=(Sentence("Two:"), *items))
    assert "Two:\n- Person 0 [1]\n- Person 1 [1]\n" in shown(answer)
    assert answer.text == "Two:\n- Person 0 [1]\n- Person 1 [1]"


def test_all_answers_are_listed_where_the_sentence_names_only_some():
    answers = tuple(ShortAnswer(f"Person {number}", f"n{number}") for number in range(30))
    text = shown(
        replace(MANAGER, answers=answers, sentences=(Sentence("30 answers, among them Person 0.", (1,)),))
    )
    assert "All 30\n  Person 0 · Person 1 · Person 2 · " in text
    assert "Person 29" in text


def test_a_table_has_its_numbers_set_to_the_right_and_says_what_it_leaves_out():
    rows = [(f"http://example.org/{name}", count, None) for name, count in [("ants", 5), ("bees", 1000)] * 30]
    table = Table(("animal", "how many", "nothing"), ("node", "value", "value"), rows)
    text = shown(replace(MANAGER, table=table))
    assert "  animal  how many  nothing\n  ants           5\n  bees        1000\n" in text
    assert "… 10 more rows: --json shows all" in text


@given(any_answer, st.sampled_from([40, 80, 100]), st.sampled_from(["utf-8", "ascii"]))
def test_no_answer_breaks_the_page_or_steers_the_terminal(answer, width, encoding):
    text = shown(answer, width=width, encoding=encoding, complete=True)
    for line in text.splitlines():
        assert cell_len(line) <= width
    assert not [c for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")]
    assert not any(mark in text for mark in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    text.encode(encoding)
