"""The results of an evaluation, and of a comparison of two, on a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from ...core.printable import shortened
from ...core.words import quantity
from ...evaluation.confidence_curve import calibration, calibration_error, coverage_at, risk_coverage
from ...evaluation.diagnosis import STEPS
from ...evaluation.evaluated import ASKED_PRECISION
from ...evaluation.matching import RULE
from ..page import Page
from .runs import seconds

if TYPE_CHECKING:
    from ...evaluation.comparison import Change, Comparison, Difference
    from ...evaluation.confidence_curve import CurvePoint
    from ...evaluation.evaluated import Evaluation
    from ...evaluation.outcome import Outcome
    from ...evaluation.summary import Summary

_LABEL_WIDTH = 12
_MOST_POINTS, _MOST_SHOWN_ANSWERS, _LONGEST_ANSWER = 10, 3, 60
_NOTHING = "-"
_STEPS_SAID = (
    "Seeds: what is named and was linked. Entities, relations: of the gold query, in the query made or the facts. "
    "Execution: that query gives the right results, trusted or not."
)
_MEASURES = {
    "credit": "worth",
    "hit_1": "Hit@1",
    "f1": "F1",
    "answered": "answered",
    "seconds": "time",
}


def show_evaluation(evaluation: Evaluation, page: Page, *, most_failures: int) -> list[Text]:
    """The figures of an evaluation by kind of question, what the confidence is worth, and the first failures."""
    lines = _heading(evaluation, page)
    lines += [Text(), *_figures(evaluation, page), Text(), *_totals(evaluation.summary(), page)]
    lines += _steps(evaluation, page) + _curve(evaluation, page) + _calibration(evaluation, page)
    lines += _failures(evaluation.failures(), page, most_failures)
    lines += _left_out(evaluation.left_out, page)
    return [*lines, Text(), *page.paragraph(RULE, style="dim")]


def show_results(evaluations: Iterable[Evaluation], page: Page) -> list[Text]:
    """A list of stored results: when, of which questions and graph, and their main figures."""
    lines: list[Text] = []
    for evaluation in evaluations:
        graph = shortened(evaluation.graph, max(20, page.width - 40), page.glyphs.ellipsis)
        lines += page.paragraph(
            page.text(evaluation.id, "cyan").append("  ").append_text(page.text(graph, "dim"))
        )
        figures = evaluation.summary()
        said = f"{evaluation.questions['name']}: {quantity(figures.questions, 'question')}, F1 {_share(figures.f1)}"
        lines += page.paragraph(f"{said}, answered {figures.answered}", indent=2, hanging=2)
    return lines


def _heading(evaluation: Evaluation, page: Page) -> list[Text]:
    questions = evaluation.questions
    total = quantity(len(evaluation.outcomes), "question")
    head = page.text(f"{total} from {questions['name']}", "bold")
    lines = page.paragraph(head.append(" ").append_text(page.text(f"({questions['format']})")))
    return (
        lines
        + page.labeled("Graph", evaluation.graph, width=_LABEL_WIDTH)
        + page.labeled("Run with", _settings_in_words(evaluation.options), width=_LABEL_WIDTH)
    )


def _settings_in_words(options: Mapping[str, Any]) -> str:
    """What shaped the results, in one line."""
    shown = {
        "first": f"Hit@{options.get('first')}",
        "timeout": f"at most {options.get('timeout'):g} s a question" if options.get("timeout") else "",
        "embedder": f"embedder {options.get('embedder')}",
        "strategy": f"strategy {options['strategy']}" if options.get("strategy", "auto") != "auto" else "",
        "model": f"model {options['model']}" if options.get("model") else "",
        "limit": quantity(options["limit"], "question") if options.get("limit") else "",
        "seed": f"by lot with seed {options.get('seed')}" if options.get("seed") is not None else "",
    }
    return ", ".join(text for text in shown.values() if text)


# --- figures


def _figures(evaluation: Evaluation, page: Page) -> list[Text]:
    first = evaluation.options.get("first", "k")
    headings = ["", "n", "answd", "Hit@1", f"Hit@{first}", "prec", "recall", "F1", "p50", "p95"]
    rows = [[page.text(heading, "bold") for heading in headings]]
    kinds = evaluation.by_kind()
    for kind, summary in {"all": evaluation.summary(), **(kinds if len(kinds) > 1 else {})}.items():
        cells = [kind, f"{summary.questions:,}", f"{summary.answered:,}"]
        cells += map(_share, (summary.hit_1, summary.hit_k, summary.precision, summary.recall, summary.f1))
        cells += map(_seconds, (summary.p50, summary.p95))
        rows.append([page.text(cell, "bold" if kind == "all" else "") for cell in cells])
    return page.columns(rows, right=range(1, len(headings)))


def _totals(summary: Summary, page: Page) -> list[Text]:
    hopeless = summary.questions - summary.answerable
    parts = [
        (
            "Right",
            f"{summary.right} of {summary.answerable} with an F1 of at least 0.5, {summary.exact} of them exactly",
        ),
        ("Precision", f"{_share(summary.precision_of_answered)} of what was answered"),
        (
            "Abstained",
            f"wrongly at {summary.abstained_wrongly} of {summary.answerable} that have an answer"
            + (f", rightly at {summary.abstained_rightly} of {hopeless} that have none" if hopeless else ""),
        ),
    ]
    if summary.rows_f1 is not None:
        parts.append(("Whole rows", f"F1 {_share(summary.rows_f1)}, where several columns are asked"))
    if summary.failing_steps:
        counted = (f"{step} {count}" for step, count in summary.failing_steps.items())
        parts.append(("Failed first", f" {page.glyphs.dot} ".join(counted)))
    return [line for label, said in parts for line in page.labeled(label, said, width=_LABEL_WIDTH + 2)]


# --- what each step did


def _steps(evaluation: Evaluation, page: Page) -> list[Text]:
    """Seeds, coverage and execution by kind of question, where there are gold queries to tell."""
    kinds = evaluation.by_kind()
    summaries = {"all": evaluation.summary(), **(kinds if len(kinds) > 1 else {})}
    if not any(value is not None for value in _step_figures(summaries["all"])):
        return []
    headings = ("", "seed recall", "seed prec", "entities", "relations", "execution")
    rows = [[page.text(heading, "bold") for heading in headings]]
    for kind, summary in summaries.items():
        cells = (kind, *map(_share, _step_figures(summary)))
        rows.append([page.text(cell, "bold" if kind == "all" else "") for cell in cells])
    return [
        Text(),
        Text("Steps, against the gold queries", "bold"),
        *page.columns(rows, indent=2, right=range(1, len(headings))),
        *page.paragraph(_STEPS_SAID, indent=2, style="dim"),
    ]


def _step_figures(summary: Summary) -> tuple[float | None, ...]:
    return (
        summary.seed_recall,
        summary.seed_precision,
        summary.entity_coverage,
        summary.relation_coverage,
        summary.execution_accuracy,
    )


def _share(value: float | None) -> str:
    return _NOTHING if value is None else f"{value:.2f}"


def _seconds(value: float | None) -> str:
    return _NOTHING if value is None else seconds(value)


# --- what the confidence is worth


def _curve(evaluation: Evaluation, page: Page) -> list[Text]:
    points = risk_coverage(evaluation.outcomes)
    if not points:
        return []
    rows = [[page.text(heading, "bold") for heading in ("confidence", "answered", "precision", "right")]]
    for point in _some_points(points):
        cells = (
            f"from {point.confidence:.2f}",
            f"{point.coverage:.0%}",
            f"{point.precision:.2f}",
            f"{point.right:.2f}",
        )
        rows.append([page.text(cell) for cell in cells])
    reach = coverage_at(points, ASKED_PRECISION)
    said = (
        f"With a precision of at least {ASKED_PRECISION:.2f}, {reach:.0%} of the questions can be answered."
    )
    return [
        Text(),
        Text("Risk against coverage", "bold"),
        *page.columns(rows, indent=2, right=range(4)),
        *page.paragraph(said, indent=2, hanging=2),
    ]


def _some_points(points: Sequence[CurvePoint]) -> Sequence[CurvePoint]:
    """Points spread over the curve, the last among them."""
    if len(points) <= _MOST_POINTS:
        return points
    return [points[round(step * (len(points) - 1) / (_MOST_POINTS - 1))] for step in range(_MOST_POINTS)]


def _calibration(evaluation: Evaluation, page: Page) -> list[Text]:
    bands = calibration(evaluation.outcomes)
    error = calibration_error(bands)
    if error is None:
        return []
    rows = [[page.text(heading, "bold") for heading in ("confidence", "answers", "mean", "right")]]
    for band in bands:
        cells = (
            f"{band.low:.1f} to {band.high:.1f}",
            f"{band.answers:,}",
            f"{band.confidence:.2f}",
            f"{band.right:.2f}",
        )
        rows.append([page.text(cell) for cell in cells])
    said = f"Confidence and share of right answers lie {error:.2f} apart on average."
    return [
        Text(),
        Text("Calibration", "bold"),
        *page.columns(rows, indent=2, right=range(1, 4)),
        *page.paragraph(said, indent=2, hanging=2),
    ]


# --- failures


def _failures(failures: Sequence[Outcome], page: Page, most: int) -> list[Text]:
    if not failures:
        return []
    places: dict[str, int] = {step: place for place, step in enumerate(STEPS)}
    ordered = sorted(failures, key=lambda outcome: places.get(outcome.failing_step, 0))
    lines = [Text(), page.text(f"Failures ({len(failures):,}), by the step that failed first", "bold")]
    for outcome in ordered[:most]:
        lines += _failure(outcome, page)
    left = len(failures) - most
    if left > 0:
        hint = f"{page.glyphs.ellipsis} {left:,} more: --failures {len(failures)} or --json shows all"
        lines += page.paragraph(hint, indent=2, style="dim")
    return lines


def _failure(outcome: Outcome, page: Page) -> list[Text]:
    head = page.text(outcome.failing_step, "yellow").append("  ").append_text(page.text(outcome.question))
    lines = page.paragraph(head, indent=2, hanging=4)
    worth = "" if outcome.f1 is None else f", F1 {outcome.f1:.2f}"
    lines += page.paragraph(f"{outcome.reason}{worth}", indent=6, hanging=2, style="dim")
    lines += page.labeled("right", _listed(outcome.gold, outcome.gold_count, "no answer"), indent=6, width=8)
    if outcome.is_answered:
        lines += page.labeled("given", _listed(outcome.answers, outcome.answer_count, ""), indent=6, width=8)
    return lines


def _listed(texts: Sequence[str], count: int, nothing: str) -> str:
    if not count:
        return nothing
    shown = [shortened(text, _LONGEST_ANSWER) for text in texts[:_MOST_SHOWN_ANSWERS]]
    more = f" and {count - len(shown):,} more" if count > len(shown) else ""
    return ", ".join(shown) + more


def _left_out(left_out: Mapping[str, str], page: Page) -> list[Text]:
    if not left_out:
        return []
    said = f"Not asked ({len(left_out):,}), for want of right answers"
    lines = [Text(), page.text(said, "bold")]
    for id, reason in list(left_out.items())[:_MOST_POINTS]:
        lines += page.paragraph(f"{id}: {reason}", indent=2, hanging=2)
    return lines


# --- comparison


def show_comparison(comparison: Comparison, page: Page, *, most_changes: int) -> list[Text]:
    """What changed between two evaluations: each measure with its interval, then the questions."""
    lines = page.labeled("Before", _named(comparison.before), width=8)
    lines += page.labeled("After", _named(comparison.after), width=8)
    for note in comparison.notes:
        lines += page.paragraph(f"{page.glyphs.bullet} {note}", hanging=2, style="yellow")
    rows = [
        [page.text(heading, "bold") for heading in ("", "before", "after", "change", "95 % interval", "")]
    ]
    rows += [_difference_cells(difference, page) for difference in comparison.differences]
    lines += [Text(), *page.columns(rows, right=range(1, 5)), Text()]
    lines += page.paragraph(_verdict(comparison))
    for heading, changes in (
        ("Better", comparison.better),
        ("Worse", comparison.worse),
        ("Other answers, worth the same", comparison.other),
    ):
        lines += _changes(heading, changes, page, most_changes)
    return lines


def _named(evaluation: Evaluation) -> str:
    return f"{evaluation.id}, {evaluation.questions['name']} on {evaluation.graph}"


def _difference_cells(difference: Difference, page: Page) -> list[Text]:
    if difference.measure == "seconds":
        before, after = seconds(difference.before), seconds(difference.after)
        change = f"{1000 * difference.change:+.0f} ms"
        interval = f"{1000 * difference.low:+.0f} to {1000 * difference.high:+.0f} ms"
    else:
        before, after = f"{difference.before:.3f}", f"{difference.after:.3f}"
        change = f"{difference.change:+.3f}"
        interval = f"{difference.low:+.3f} to {difference.high:+.3f}"
    mark = "" if difference.is_clear else "may be chance"
    cells = (_MEASURES[difference.measure], before, after, change, interval, mark)
    return [page.text(cell) for cell in cells]


def _verdict(comparison: Comparison) -> str:
    better, worse = len(comparison.better), len(comparison.worse)
    said = f"Of {quantity(comparison.paired, 'question')} {better:,} went better and {worse:,} worse"
    alone = comparison.only_before + comparison.only_after
    left = f" {quantity(alone, 'question')} in one of the two only." if alone else ""
    return f"{said}; a split at least as uneven comes by chance with a probability of {comparison.sign_test:.2g}.{left}"


def _changes(heading: str, changes: Sequence[Change], page: Page, most: int) -> list[Text]:
    if not changes:
        return []
    lines = [Text(), page.text(f"{heading} ({len(changes):,})", "bold")]
    for change in changes[:most]:
        lines += page.paragraph(f"{change.gain:+.2f}  {change.after.question}", indent=2, hanging=7)
        for label, outcome in (("before", change.before), ("after", change.after)):
            given = (
                _listed(outcome.answers, outcome.answer_count, "no answer")
                if outcome.is_answered
                else "no answer"
            )
            lines += page.labeled(label, given, indent=9, width=8)
    if len(changes) > most:
        lines += page.paragraph(
            f"{page.glyphs.ellipsis} {len(changes) - most:,} more: --json shows all", indent=2, style="dim"
        )
    return lines
