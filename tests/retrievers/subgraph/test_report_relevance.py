"""Which reports bear on a question."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from askgraph.core.words import normalize
from askgraph.retrievers.subgraph.communities import CommunityReport, Finding
from askgraph.retrievers.subgraph.report_relevance import ReportRelevance, words_of


def report(community: int, text: str = "", nodes: tuple[str, ...] = (), **values: Any) -> CommunityReport:
    usual: dict[str, Any] = {
        "level": 0, "parent": -1, "children": (), "edges": (), "title": f"Community {community}",
        "summary": "", "rating": 1.0, "rating_explanation": "", "findings": (Finding("", text),),
    }  # fmt: skip
    return CommunityReport(community=community, nodes=nodes, **usual | values)


def order(ranked: Any) -> list[int]:
    return [item.report.community for item in ranked]


def test_a_report_with_what_is_named_comes_before_one_with_the_words():
    reports = [report(0, "genes of the disease"), report(1, "other things", nodes=("d",))]
    ranked = ReportRelevance(reports).ranked([["d"]], ["genes", "disease"])
    assert order(ranked) == [1, 0]
    assert [round(item.relevance, 3) for item in ranked] == [0.7, 0.3]


def test_two_named_things_weigh_by_how_many_are_there_however_many_nodes_they_may_be():
    reports = [report(0, nodes=("a",)), report(1, nodes=("a", "x")), report(2, nodes=("y", "z", "a"))]
    ranked = ReportRelevance(reports).ranked([["a"], ["x", "y", "z"]], [])
    assert order(ranked) == [1, 2, 0]
    assert [round(item.relevance, 3) for item in ranked] == [0.7, 0.7, 0.35]


def test_rare_words_weigh_more_and_words_that_no_report_has_keep_their_weight():
    reports = [report(place, "common") for place in range(9)] + [report(9, "rare")]
    relevance = ReportRelevance(reports)
    assert order(relevance.ranked([], ["common", "rare"]))[0] == 9
    whole = relevance.ranked([], ["rare"])[0].relevance
    assert whole == 1.0
    assert relevance.ranked([], ["rare", "unheard"])[0].relevance < 0.5


def test_case_accents_and_plurals_make_no_difference():
    ranked = ReportRelevance([report(0, "The Möbius receptor"), report(1)]).ranked(
        [], ["RECEPTORS", "mobius"]
    )
    assert ranked[0].relevance == 1.0
    assert words_of("Genes, classes; gas-bus") == ["gene", "classe", "gas", "bus"]


def test_equals_are_in_the_order_of_rating_then_fineness_then_number():
    reports = [report(0), report(1, rating=5.0), report(2, level=1), report(3)]
    assert order(ReportRelevance(reports).ranked([], [])) == [1, 2, 0, 3]


def test_no_reports_and_no_words_give_nothing():
    assert ReportRelevance([]).ranked([["a"]], ["x"]) == []
    assert ReportRelevance([report(0)]).ranked([], [])[0].relevance == 0.0


@settings(max_examples=100)
@given(st.text(st.characters(max_codepoint=0x17F)))
def test_words_are_those_of_the_normal_form(text: str):
    assert len(words_of(text)) == len(normalize(text).split())
    assert words_of(text) == words_of(normalize(text))


@settings(max_examples=50)
@given(
    st.lists(st.text("ab cs", max_size=12), max_size=6),
    st.lists(st.lists(st.sampled_from("mno"), min_size=1), max_size=3),
    st.lists(st.text("ab cs", max_size=5), max_size=4),
)
def test_relevance_is_a_share(texts: list[str], named: list[list[str]], words: list[str]):
    reports = [report(place, text, nodes=tuple(text[:2])) for place, text in enumerate(texts)]
    ranked = ReportRelevance(reports).ranked(named, words)
    assert sorted(order(ranked)) == list(range(len(texts)))
    values = [item.relevance for item in ranked]
    assert values == sorted(values, reverse=True)
    assert all(-1e-9 <= value <= 1 + 1e-9 for value in values)
