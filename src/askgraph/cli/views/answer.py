"""An answer on a page: its words, how sure it is, how the question was read, the numbered facts, what was cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.text import Text

from ...core.answer_table import node_names, rows_in_words
from ...core.evidence import Answer, Fact, Link, Sentence, cite
from ...core.plan import Table
from ...core.values import Value, display
from ...core.words import local_name, quantity
from ..page import Page
from .paths import ANSWER_STYLE, draw_path, nodes_of_one_name

MOST_FACTS, MOST_SHORT_ANSWERS, MOST_ROWS, MOST_VALUES = 20, 100, 50, 5
"""What is shown at most of a long answer: more would push the answer itself off the screen."""

_LABEL_WIDTH = 12
_MOST_ENTRIES = 5
# What a reader asks first comes first; other keys follow as the graph gives them.
_PROVENANCE_ORDER = ("source", "sources", "license", "licence", "publication", "publications", "graph")


def show_answer(answer: Answer, page: Page, *, complete: bool = False) -> list[Text]:
    """The lines of an answer, or of an abstention.

    ``complete`` shows every fact, not only the first :data:`MOST_FACTS` of those that the answer rests on, and what
    each mention was resolved to.
    """
    lines = _abstention(answer, page) if answer.abstained else _sentences(answer, page)
    standing = _standing(answer, page)
    lines += [Text(), *standing] if standing else []
    if complete and answer.links:
        lines += [Text(), Text("Linked", "bold")]
        for link in answer.links:
            lines += _link(link, page)
    if answer.table is not None and len(answer.table.columns) > 1 and len(answer.table.rows) > 1:
        lines += [Text(), *show_table(answer.table, page, node_names(answer))]
    else:
        lines += _unsaid(answer, page)
    lines += _facts(answer, page, complete=complete)
    lines += _bullets("Nearest things found", answer.nearest, page)
    lines += show_notes(answer.notes, page)
    return lines


def show_notes(notes: Sequence[str], page: Page) -> list[Text]:
    """What is to be said of an answer, one point each below a heading; nothing where there is nothing."""
    return _bullets("Notes", notes, page)


def _sentences(answer: Answer, page: Page) -> list[Text]:
    paragraphs: list[list[Text]] = []
    for sentence in answer.sentences:
        if sentence.begins_line or not paragraphs:
            paragraphs.append([])
        paragraphs[-1].append(_sentence(sentence, page))
    return [line for written in paragraphs for line in page.paragraph(Text(" ").join(written))]


def _sentence(sentence: Sentence, page: Page) -> Text:
    if sentence.mark:
        text, behind = page.text(sentence.text), page.text(f"({sentence.mark})", "yellow")
    else:
        text, behind = page.text(sentence.text, ANSWER_STYLE), Text(cite(sentence.facts), "cyan")
    return Text(" ").join([text, behind]) if behind.plain else text


def _abstention(answer: Answer, page: Page) -> list[Text]:
    reason = " ".join(sentence.text for sentence in answer.sentences)
    return page.paragraph(Text("No answer. ", "bold yellow").append_text(page.text(reason)))


def _standing(answer: Answer, page: Page) -> list[Text]:
    # How sure of the best that was not good enough would say nothing.
    lines = (
        [] if answer.abstained else page.labeled("Confidence", f"{answer.confidence:.2f}", width=_LABEL_WIDTH)
    )
    if answer.interpretation:
        lines += page.labeled("Read as", answer.interpretation, width=_LABEL_WIDTH)
    # A name that the graph does not have comes from somewhere.
    entries = dict.fromkeys(f"{link.mention.text}: {link.entry}" for link in answer.links if link.entry)
    for said in list(entries)[:_MOST_ENTRIES]:
        lines += page.labeled("By entry", said, width=_LABEL_WIDTH)
    return lines + _more(len(entries) - _MOST_ENTRIES, "dictionary name", page)


def _link(link: Link, page: Page) -> list[Text]:
    types = f" ({', '.join(local_name(type) for type in link.types)})" if link.types else ""
    same = f", and {quantity(link.alternatives, 'other')} of that name" if link.alternatives else ""
    said = f"{link.mention.text}: the {link.kind} {link.name}{types}, {link.method} {link.score:.2f}{same}"
    return [*page.paragraph(said, indent=2, hanging=2), *page.paragraph(link.id, indent=6, style="dim")]


def _unsaid(answer: Answer, page: Page) -> list[Text]:
    """All short answers, where the sentences do not name each."""
    if all(item.text in answer.text for item in answer.answers):
        return []
    shown = answer.answers[:MOST_SHORT_ANSWERS]
    left_out = len(answer.answers) - len(shown)
    names = Text(f" {page.glyphs.dot} ", "dim").join([page.text(item.text) for item in shown])
    lines = [Text(), Text(f"All {len(answer.answers):,}", "bold"), *page.paragraph(names, indent=2)]
    return lines + _more(left_out, "answer", page)


def _shown_facts(answer: Answer, *, complete: bool) -> list[tuple[int, Fact]]:
    """The facts to show, by their numbers: those that the answer rests on; all of them where none is cited."""
    numbered = list(enumerate(answer.facts, start=1))
    if complete:
        return numbered
    cited = frozenset(number for sentence in answer.sentences for number in sentence.facts)
    return ([item for item in numbered if item[0] in cited] or numbered)[:MOST_FACTS]


def _facts(answer: Answer, page: Page, *, complete: bool) -> list[Text]:
    if not answer.facts:
        return []
    answers = frozenset(item.node for item in answer.answers if item.node is not None)
    twins = nodes_of_one_name(fact.path for fact in answer.facts if fact.path is not None)
    lines = [Text(), Text("Facts", "bold")]
    facts = _shown_facts(answer, complete=complete)
    shared = _shared_provenance([fact for _, fact in facts])
    margin = len(f"[{facts[-1][0]}] ")
    for number, fact in facts:
        body = _fact(fact, page, 2 + margin, answers, twins)
        body[0] = Text("  ").append(f"[{number}]".ljust(margin), "cyan").append_text(body[0][2 + margin :])
        lines += body
        own = {key: value for key, value in fact.provenance.items() if key not in shared}
        lines += _provenance(own, page, 2 + margin)
    if shared:
        lines += [*page.paragraph("All of them:", indent=2, style="dim"), *_provenance(shared, page, 4)]
    return lines + _more(len(answer.facts) - len(facts), "fact", page, hint="--verbose and --json show all")


def _fact(fact: Fact, page: Page, indent: int, answers: frozenset[str], twins: frozenset[str]) -> list[Text]:
    if fact.path is not None:
        return draw_path(fact.path, page, indent=indent, answers=answers, twins=twins)
    return page.paragraph(fact.text, indent=indent, hanging=2)


def _shared_provenance(facts: Sequence[Fact]) -> Mapping[str, Value]:
    """What three facts or more all say of where they come from: it is said once."""
    if len(facts) < 3:
        return {}
    first, *others = facts
    return {
        key: value
        for key, value in first.provenance.items()
        if all(key in fact.provenance and fact.provenance[key] == value for fact in others)
    }


def _provenance(provenance: Mapping[str, Value], page: Page, indent: int) -> list[Text]:
    def rank(key: str) -> int:
        name = local_name(key).casefold()
        return _PROVENANCE_ORDER.index(name) if name in _PROVENANCE_ORDER else len(_PROVENANCE_ORDER)

    parts = [
        f"{local_name(key)}: {_short_list(provenance[key], page)}"
        for key in sorted(provenance, key=rank)
        if provenance[key] is not None
    ]
    lines: list[Text] = []
    line = ""
    for part in parts:
        # Several on a line where they fit, each beginning a new line where they do not.
        longer = f"{line} {page.glyphs.dot} {part}" if line else part
        if line and indent + len(longer) > page.width:
            lines += page.paragraph(line, indent=indent, hanging=2, style="dim")
            longer = part
        line = longer
    return lines + (page.paragraph(line, indent=indent, hanging=2, style="dim") if line else [])


def _short_list(value: Value, page: Page) -> str:
    if not isinstance(value, list) or len(value) <= MOST_VALUES:
        return display(value)
    shown = ", ".join(display(item) for item in value[:MOST_VALUES])
    return f"{shown}, {page.glyphs.ellipsis} {len(value) - MOST_VALUES:,} more"


def show_table(table: Table, page: Page, names: Mapping[str, str]) -> list[Text]:
    """The first rows of a table under its headings; nodes by their names, or the last part of their ids."""
    shown = table.rows[:MOST_ROWS]
    numbers = [
        position
        for position in range(len(table.columns))
        if shown and all(isinstance(row[position], int | float) or row[position] is None for row in shown)
    ]
    rows = [[page.text(column, "bold") for column in table.columns]]
    rows += [[page.text(cell) for cell in row] for row in rows_in_words(table, shown, names)]
    return page.columns(rows, indent=2, right=numbers) + _more(len(table.rows) - len(shown), "row", page)


def _more(count: int, noun: str, page: Page, *, hint: str = "--json shows all") -> list[Text]:
    if count <= 0:
        return []
    return page.paragraph(
        f"{page.glyphs.ellipsis} {quantity(count, 'more ' + noun)}: {hint}", indent=2, style="dim"
    )


def _bullets(heading: str, sentences: Sequence[str], page: Page) -> list[Text]:
    if not sentences:
        return []
    lines = [Text(), Text(heading, "bold")]
    for sentence in sentences:
        lines += page.paragraph(f"{page.glyphs.bullet} {sentence}", indent=2, hanging=2)
    return lines
