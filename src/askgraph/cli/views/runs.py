"""Stored runs on a page."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.text import Text

from ...core.answer_reading import answer_from_dict
from ...core.errors import BadValueError
from ...core.printable import shortened
from ...core.run import Step
from ..page import Page
from .answer import show_answer

_LONGEST_ANSWER, _LONGEST_DETAIL = 160, 600
# For programs; what it says stands beside it in words.
_UNSHOWN = "plan"


def show_runs(runs: Iterable[Mapping[str, Any]], page: Page) -> list[Text]:
    """A list of runs: when, of which graph, what was asked and what came of it."""
    lines: list[Text] = []
    for run in runs:
        graph = shortened(str(run["graph"]), max(20, page.width - 40), page.glyphs.ellipsis)
        head = page.text(str(run["id"]), "cyan").append("  ").append_text(page.text(graph, "dim"))
        lines += [*page.paragraph(head), *page.paragraph(str(run["question"]), indent=2, hanging=2)]
        lines += page.paragraph(
            Text(f"{page.glyphs.right} ", "dim").append_text(_outcome(run, page)), indent=2, hanging=3
        )
    return lines


def show_run(run: Mapping[str, Any], page: Page) -> list[Text]:
    """One run: its question, its steps with times and details, its answer with facts."""
    started = datetime.datetime.fromisoformat(run["started"]).astimezone()
    lines = page.paragraph(str(run["question"]), style="bold")
    for label, value in (
        ("Run", run["id"]),
        ("Graph", run["graph"]),
        ("Asked", f"{started:%Y-%m-%d %H:%M:%S}, answered in {seconds(run['seconds'])}"),
        ("Options", json.dumps(run["options"], ensure_ascii=False)),
    ):
        lines += page.labeled(label, str(value), width=9)
    lines += [Text(), Text("Steps", "bold")]
    for data in run["steps"]:
        step = Step(data["name"], data["seconds"], data["details"], data["error"])
        lines += show_step(step, page, indent=2)
    lines += _calls(run["calls"], page)
    lines += [Text()]
    if run["error"]:
        return lines + page.paragraph(f"Ended by an error: {run['error']}", hanging=2, style="red")
    try:
        return lines + show_answer(answer_from_dict(run["answer"] or {}), page, complete=True)
    except BadValueError:
        return lines + page.paragraph("The answer in this run was not written by this version of askgraph.")


def show_step(step: Step, page: Page, *, indent: int = 0) -> list[Text]:
    """A step that has ended: its time, its name, and what went in and came out."""
    head = Text(f"{seconds(step.seconds):>8}  ", "dim").append_text(page.text(step.name, "bold"))
    lines = page.paragraph(head, indent=indent, hanging=10)
    for key, value in step.details.items():
        if value is None or value in ("", [], {}):
            continue
        label = page.text(f"{key.replace('_', ' ')}:", "dim").append(" ")
        first, *others = items = _items(value)
        if not others:
            lines += page.paragraph(label.append_text(page.text(first)), indent=indent + 10, hanging=2)
            continue
        lines += page.paragraph(label, indent=indent + 10)
        for item in items:
            lines += page.paragraph(f"{page.glyphs.bullet} {item}", indent=indent + 12, hanging=2)
    if step.error:
        lines += page.paragraph(step.error, indent=indent + 10, hanging=2, style="red")
    return lines


def _calls(calls: Sequence[Mapping[str, Any]], page: Page) -> list[Text]:
    """What a language model was asked in a run and what it said, in short; ``--json`` has all of it."""
    if not calls:
        return []
    tokens = [sum(call["usage"][kind] for call in calls) for kind in ("input_tokens", "output_tokens")]
    costs = [call["usage"]["cost"] for call in calls]
    all_calls = {
        "estimated": any(call["usage"]["estimated"] for call in calls),
        "input_tokens": tokens[0],
        "output_tokens": tokens[1],
        "cost": None if None in costs else sum(costs),
    }
    head = Text("Model calls", "bold")
    if len(calls) > 1:
        head.append(f"  {len(calls)}: {_tokens(all_calls)}", "dim")
    lines = [Text(), *page.paragraph(head)]
    for call in calls:
        usage = call["usage"]
        head = Text(f"{seconds(call['seconds']):>8}  ", "dim").append_text(page.text(call["purpose"], "bold"))
        about = f"{call['model']}, {_tokens(usage)}{_times(call['attempts'])}"
        head.append("  ").append_text(page.text(about, "dim"))
        lines += page.paragraph(head, indent=2, hanging=10)
        reply = shortened(" ".join(call["reply"].split()), _LONGEST_DETAIL)
        if reply:
            lines += page.paragraph(page.text(f"said: {reply}"), indent=12, hanging=2)
        if call["error"]:
            lines += page.paragraph(call["error"], indent=12, hanging=2, style="red")
    return lines


def _tokens(usage: Mapping[str, Any]) -> str:
    about = "about " if usage["estimated"] else ""
    cost = f", ${usage['cost']:.4f}" if usage["cost"] else ""
    return f"{about}{usage['input_tokens']:,} tokens in and {usage['output_tokens']:,} out{cost}"


def _times(attempts: int) -> str:
    return f", {attempts} attempts" if attempts > 1 else ""


def _items(value: Any) -> list[str]:
    """A detail in lines: what a list holds each on its own."""
    return [_item(item) for item in value] if isinstance(value, list) else [_item(value)]


def _item(value: Any) -> str:
    """``{"reading": "X", "score": 0.5}`` is ``"X (score 0.5)"``."""
    if isinstance(value, str):
        return shortened(value, _LONGEST_DETAIL)
    if not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    texts = [item for item in value.values() if isinstance(item, str)]
    others = [
        f"{key} {_item(item)}" for key, item in value.items() if not isinstance(item, str) and key != _UNSHOWN
    ]
    return ", ".join(texts) + (f" ({', '.join(others)})" if others else "")


def seconds(duration: float) -> str:
    """``"3 ms"`` or ``"1.24 s"``."""
    return f"{duration * 1000:.0f} ms" if duration < 1 else f"{duration:.2f} s"


def _outcome(run: Mapping[str, Any], page: Page) -> Text:
    if run["error"]:
        return page.text(f"error: {run['error']}", "red")
    answer = run["answer"] or {}
    if answer.get("abstained"):
        return page.text("no answer", "yellow")
    text = page.fitted(page.text(str(answer.get("answer", ""))), _LONGEST_ANSWER)
    return text.append(f" ({answer.get('confidence', 0):.2f})", "dim")
