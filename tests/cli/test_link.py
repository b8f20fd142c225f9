from __future__ import annotations

from pathlib import Path

from .conftest import Askgraph


def test_each_mention_is_shown_with_its_link_its_score_and_the_name(askgraph: Askgraph, ck25_turtle: Path):
    done = askgraph("link", ck25_turtle, "Is Heinrich Hohc in the department Marketing?")
    assert done.code == 0
    assert (
        done.out
        == """\
Heinrich Hohc
  0.92  the node Heinrich Hoch (Employee) fuzzy
        http://ld.company.org/prod-instances/empl-Heinrich.Hoch%40company.org
    also like it:
      0.79  the value 'Heinrich.Hoch@company.org' of email
department
  1.00  the node type Department exact
        http://ld.company.org/prod-vocab/Department
Marketing
  1.00  the node Marketing (Department) exact
        http://ld.company.org/prod-instances/dept-85880
"""
    )


def test_what_was_not_linked_says_why(askgraph: Askgraph, ck25_turtle: Path):
    done = askgraph("link", ck25_turtle, "who", "is", "in", "Zorkland")
    assert done.code == 0
    assert "not linked: the nearest name" in done.out
    assert "nearest:" in done.out


def test_words_that_may_name_nothing(askgraph: Askgraph, ck25_turtle: Path):
    done = askgraph("link", ck25_turtle, "what is it")
    assert (done.code, done.out) == (0, "No word of the text may name anything in the graph.\n")


def test_json(askgraph: Askgraph, ck25_turtle: Path):
    done = askgraph("link", "--json", ck25_turtle, "Heinrich Hoch")
    (mention,) = done.json["mentions"]
    assert mention["links"][0]["name"] == "Heinrich Hoch"
    assert mention["candidates"][0]["chosen"] is True


def test_a_long_line_is_wrapped(askgraph: Askgraph, ck25_turtle: Path):
    done = askgraph("link", ck25_turtle, "Data Warehousing brant and the Marketng departement of Zorkland")
    assert all(len(line) <= 80 for line in done.out.splitlines())


def test_no_text_is_a_usage_error(askgraph: Askgraph, ck25_turtle: Path):
    assert askgraph("link", ck25_turtle).code == 2
    assert askgraph("link", ck25_turtle, " ").code == 1
