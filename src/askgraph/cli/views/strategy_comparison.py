"""Two strategies on the same questions, on a page: figures, the judge's verdicts, and the answers beside each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from ...core.words import quantity
from ..page import Page
from .runs import seconds

if TYPE_CHECKING:
    from ...evaluation.strategy_answer import Cost, StrategyAnswer
    from ...evaluation.strategy_comparison import ComparedQuestion, StrategyComparison, StrategyTotals

_LONGEST_ANSWER = 400
_NOTHING = "-"


def show_strategy_comparison(
    comparison: StrategyComparison, page: Page, *, most_questions: int
) -> list[Text]:
    """What both strategies cost and answer, then the first questions with both answers."""
    lines = _heading(comparison, page)
    lines += [Text(), *_figures(comparison, page), *_break_even(comparison, page)]
    lines += _tallies(comparison, page)
    for item in comparison.compared[:most_questions]:
        lines += _question(item, comparison.strategies, page)
    left = len(comparison.compared) - most_questions
    if left > 0:
        lines += [
            Text(),
            *page.paragraph(f"{page.glyphs.ellipsis} {left:,} more: --json shows all", style="dim"),
        ]
    lines += [Text()] if comparison.notes else []
    for note in comparison.notes:
        lines += page.paragraph(f"{page.glyphs.bullet} {note}", hanging=2, style="yellow")
    return lines


def _heading(comparison: StrategyComparison, page: Page) -> list[Text]:
    asked, source = quantity(len(comparison.compared), "question"), comparison.questions
    head = page.text(f"{asked} from {source['name']}", "bold")
    lines = page.paragraph(head.append(" ").append_text(page.text(f"({source['format']})")))
    lines += page.labeled("Graph", comparison.graph, width=8)
    lines += page.labeled("Model", comparison.model or "none", width=8)
    return lines + (page.labeled("Judge", comparison.judge, width=8) if comparison.judge else [])


# --- figures


def _figures(comparison: StrategyComparison, page: Page) -> list[Text]:
    both = comparison.totals
    rows: list[tuple[str, Sequence[str]]] = [("answered", [_answered(totals) for totals in both])]
    if any(totals.named is not None for totals in both):
        rows.append(("right answers named", [_share(totals.named) for totals in both]))
    rows.append(
        ("ahead: time", [_ahead(totals.ahead, lambda cost: seconds(cost.seconds)) for totals in both])
    )
    if comparison.model is not None:
        rows += [
            ("ahead: model calls", [_ahead(totals.ahead, lambda cost: f"{cost.calls:,}") for totals in both]),
            ("ahead: tokens in / out", [_ahead(totals.ahead, _tokens) for totals in both]),
            ("a question: model calls", [_mean(totals.cost.calls, totals) for totals in both]),
            ("a question: tokens in", [_mean(totals.cost.usage.input_tokens, totals) for totals in both]),
            ("a question: tokens out", [_mean(totals.cost.usage.output_tokens, totals) for totals in both]),
        ]
    if all(totals.cost.usage.cost for totals in both):
        rows.append(("a question: dollars", [_dollars(totals) for totals in both]))
    rows.append(("a question: reports read", [_mean(totals.reports_read, totals) for totals in both]))
    rows.append(("a question: time, p50", [seconds(totals.p50) for totals in both]))
    if any(totals.failed for totals in both):
        rows.append(("ended in an error", [f"{totals.failed:,}" for totals in both]))
    cells = [[page.text(heading, "bold") for heading in ("", *comparison.strategies)]]
    cells += [[page.text(label), *(page.text(value) for value in values)] for label, values in rows]
    return page.columns(cells, right=(1, 2))


def _answered(totals: StrategyTotals) -> str:
    return f"{totals.answered:,} of {totals.questions:,}"


def _share(value: float | None) -> str:
    return _NOTHING if value is None else f"{value:.0%}"


def _ahead(cost: Cost | None, shown: Callable[[Cost], str]) -> str:
    return _NOTHING if cost is None else shown(cost)


def _tokens(cost: Cost) -> str:
    return f"{cost.usage.input_tokens:,} / {cost.usage.output_tokens:,}"


def _mean(total: int, totals: StrategyTotals) -> str:
    mean = total / totals.questions if totals.questions else 0.0
    return f"{mean:,.0f}" if mean >= 10 or mean == int(mean) else f"{mean:.1f}"


def _dollars(totals: StrategyTotals) -> str:
    return f"${(totals.cost.usage.cost or 0.0) / max(totals.questions, 1):.4f}"


def _break_even(comparison: StrategyComparison, page: Page) -> list[Text]:
    lines: list[Text] = []
    even = comparison.break_even
    if even is not None:
        said = (
            f"By tokens {even[0]} is the cheaper one up to {quantity(even[1] - 1, 'question')} of this graph."
        )
        lines += page.paragraph(said)
    if any(totals.cost.usage.estimated for totals in comparison.totals):
        lines += page.paragraph("Tokens are our estimate where the provider does not say.", style="dim")
    return lines


# --- the judge


def _tallies(comparison: StrategyComparison, page: Page) -> list[Text]:
    if comparison.judge is None:
        return []
    tallies = comparison.tallies
    if not tallies:
        failed = sum(item.verdict is not None for item in comparison.compared)
        why = "no question has two answers"
        if failed:
            why = f"it failed at {quantity(failed, 'question')}, which is said there"
        return [Text(), *page.paragraph(f"The judge compared nothing: {why}.")]
    headings = ("better by", *comparison.strategies, "tie", "of these by order")
    cells = [[page.text(heading, "bold") for heading in headings]]
    for name, tally in tallies.items():
        counts = (tally.first, tally.second, tally.ties, tally.order_dependent)
        cells.append([page.text(name), *(page.text(f"{count:,}") for count in counts)])
    cost = comparison.judging
    said = (
        "Each pair was judged in both orders; where the verdict changed with the order it is a tie. "
        f"Judging took {quantity(cost.calls, 'call')} and {cost.usage.tokens:,} tokens."
    )
    return [Text(), *page.columns(cells, right=range(1, 5)), *page.paragraph(said, style="dim")]


# --- questions


def _question(item: ComparedQuestion, strategies: tuple[str, str], page: Page) -> list[Text]:
    lines = [Text(), *page.paragraph(item.question, style="bold")]
    width = max(map(len, strategies)) + 2
    for name, answer in zip(strategies, (item.first, item.second), strict=True):
        lines += page.labeled(name, _said(answer, page), indent=2, width=width)
        lines += page.paragraph(_took(answer), indent=2 + width, style="dim")
    if item.verdict is not None:
        lines += page.labeled("judge", _verdict(item, strategies), indent=2, width=width)
    return lines


def _said(answer: StrategyAnswer, page: Page) -> Text:
    if answer.error:
        return page.text(answer.error, "red")
    text = " ".join(answer.text.split())
    if len(text) > _LONGEST_ANSWER:
        text = f"{text[:_LONGEST_ANSWER].rsplit(' ', 1)[0]} {page.glyphs.ellipsis}"
    return page.text(f"(no answer) {text}" if answer.abstained else text, "dim" if answer.abstained else "")


def _took(answer: StrategyAnswer) -> str:
    parts = [f"{answer.named:.0%} of the right answers"] if answer.named is not None else []
    if answer.reports_read:
        parts.append(quantity(answer.reports_read, "report"))
    if answer.cost.calls:
        usage = answer.cost.usage
        parts.append(quantity(answer.cost.calls, "call"))
        parts.append(f"{usage.input_tokens:,} + {usage.output_tokens:,} tokens")
    return ", ".join([*parts, seconds(answer.cost.seconds)])


def _verdict(item: ComparedQuestion, strategies: tuple[str, str]) -> str:
    assert item.verdict is not None
    if item.verdict.error:
        return f"no verdict: {item.verdict.error}"
    names = {"first": strategies[0], "second": strategies[1], "neither": "tie"}
    return ", ".join(f"{name} {names[verdict.better]}" for name, verdict in item.verdict.criteria.items())
