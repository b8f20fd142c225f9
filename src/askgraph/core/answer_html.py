"""What a notebook shows for an answer: its words, its facts, and a small picture of the evidence.

One HTML fragment without scripts, style sheets or anything to fetch; every text is escaped. Colours are taken from the
notebook, light or dark.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

from .answer_table import node_names, rows_in_words
from .evidence import Answer, Fact, Sentence, cite
from .evidence_picture import evidence_picture
from .graph import Path
from .printable import printable
from .values import Value, display
from .words import local_name, quantity

MOST_ITEMS = 50
"""Facts, short answers and table rows shown; the rest is counted. ``Answer.to_dict()`` has everything."""

_MUTED = "opacity:.75;font-size:.9em"


def answer_to_html(answer: Answer) -> str:
    """An answer as an HTML fragment."""
    parts = [
        _sentences(answer),
        _standing(answer),
        evidence_picture(
            (fact.path for fact in answer.facts if fact.path is not None),
            highlighted=[item.node for item in answer.answers if item.node is not None],
        ),
        _table(answer),
        _facts(answer.facts),
        _list("Nearest things found", answer.nearest) if answer.abstained else "",
        _list("Notes", answer.notes),
    ]
    body = "".join(part for part in parts if part)
    return f'<div class="askgraph-answer" style="max-width:60em;line-height:1.5">{body}</div>'


def _sentences(answer: Answer) -> str:
    written = (
        "".join(
            ("<br>" if sentence.begins_line else " ") + _sentence(sentence) for sentence in answer.sentences
        )
        .removeprefix("<br>")
        .strip()
    )
    heading = "<b>No answer.</b> " if answer.abstained else ""
    said = f'<p style="font-size:1.15em;margin:.4em 0">{heading}{written}</p>'
    unsaid = [item.text for item in answer.answers if item.text not in answer.text]
    return said + _list("", unsaid)


def _sentence(sentence: Sentence) -> str:
    if sentence.mark:
        mark = f'<span style="{_MUTED}">(⚠ {_text(sentence.mark)})</span>'
        return f'<span style="text-decoration:underline dotted">{_text(sentence.text)}</span> {mark}'
    cited = f"&nbsp;<sup>{_text(cite(sentence.facts))}</sup>" if sentence.facts else ""
    return _text(sentence.text) + cited


def _standing(answer: Answer) -> str:
    parts = [] if answer.abstained else [f"confidence {answer.confidence:.2f}"]
    if answer.interpretation:
        parts.append(f"read as: {_text(answer.interpretation)}")
    return f'<p style="{_MUTED};margin:.4em 0">{" · ".join(parts)}</p>' if parts else ""


def _facts(facts: tuple[Fact, ...]) -> str:
    if not facts:
        return ""
    items = "".join(f'<li style="margin:.2em 0">{_fact(fact)}</li>' for fact in facts[:MOST_ITEMS])
    return f'<ol style="margin:.4em 0;padding-left:2em">{items}</ol>{_more(len(facts), "fact")}'


def _fact(fact: Fact) -> str:
    text = _text(fact.text) if fact.path is None else _path(fact.path)
    return text + (
        f'<br><span style="{_MUTED}">{_provenance(fact.provenance)}</span>' if fact.provenance else ""
    )


def _path(path: Path) -> str:
    parts = [_text(path.start_name)]
    for hop in path.hops:
        line, tip = ("─", "→") if hop.forward else ("←", "─")
        end = display(hop.value) if hop.is_property else hop.target_name or hop.target or ""
        parts.append(f'<span style="opacity:.75">{line}{_text(hop.label)}{tip}</span> {_text(end)}')
    return " ".join(parts)


def _provenance(provenance: Mapping[str, Value]) -> str:
    return " · ".join(
        f"{_text(local_name(key))}: {_text(display(value))}" for key, value in provenance.items()
    )


def _table(answer: Answer) -> str:
    table = answer.table
    if table is None or len(table.rows) < 2 or len(table.columns) < 2:
        return ""  # its one cell, or its one column, is the answer itself
    head = "".join(f'<th style="text-align:left">{_text(column)}</th>' for column in table.columns)
    rows = "".join(
        "<tr>" + "".join(f'<td style="text-align:left">{_text(cell)}</td>' for cell in row) + "</tr>"
        for row in rows_in_words(table, table.rows[:MOST_ITEMS], node_names(answer))
    )
    return (
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{_more(len(table.rows), 'row')}"
    )


def _list(heading: str, texts: Iterable[str]) -> str:
    all_texts = list(texts)
    if not all_texts:
        return ""
    items = "".join(f"<li>{_text(text)}</li>" for text in all_texts[:MOST_ITEMS])
    title = f'<div style="{_MUTED}">{heading}</div>' if heading else ""
    return f'{title}<ul style="margin:.2em 0">{items}</ul>{_more(len(all_texts), "item")}'


def _more(count: int, noun: str) -> str:
    left_out = count - MOST_ITEMS
    return f'<div style="{_MUTED}">{quantity(left_out, "more " + noun)}</div>' if left_out > 0 else ""


def _text(text: str) -> str:
    return escape(printable(text))
