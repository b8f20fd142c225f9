"""What speaks for and against the best reading of a question: the figures that its confidence is made of.

Each is 0 where nothing speaks against the reading, and most are counts or shares of what is wrong with it. What they
weigh is not decided here: that is measured (:mod:`askgraph.answering.confidence`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from ..core.evidence import Link, Mention
from ..core.plan import Table
from ..core.schema import Schema
from ..core.words import normalize
from ..linking.language import language
from ..linking.linked_question import LinkedQuestion
from ..retrievers.reading.reading import Reading
from ..retrievers.reading.routes import Route
from ..retrievers.relevance import Relevance

WEAK_WORD: Final = 0.35
"""A content word that is explained less than this is open: nothing in the graph speaks of it."""

NEVER_RIGHT: Final = ("names of too many", "open names", "split names", "unused mentions", "unread universal")
"""Where one of these speaks against a reading, it does not answer the question that was asked, but another one."""

_HALF: Final = 0.6
_FEW_WORDS: Final = 3
_CLEAR_MARGIN: Final = 0.10
# A relation that explains a word at least so well is called as the question says.
_CALLED_SO: Final = 0.85


def features_of(
    question: LinkedQuestion,
    readings: Sequence[Reading],
    relevance: Relevance,
    schema: Schema,
    table: Table | None = None,
) -> dict[str, float]:
    """The figures of the best of the readings, by name. What its rows speak against is only told once there are any in
    ``table``."""
    best = readings[0]
    return {
        **_of_words(question, best),
        **_of_links(question, best),
        **_of_routes(best, relevance, schema),
        **_of_form(question, best),
        **_of_types(question, best, schema),
        **_of_rivals(readings),
        **_of_rows(best, table),
    }


def _of_words(question: LinkedQuestion, best: Reading) -> dict[str, float]:
    explained = np.asarray(best.explained, dtype=np.float64)
    weakest = np.sort(explained)[:2] if len(explained) > 1 else np.append(explained, [1.0, 1.0])[:2]
    is_open = explained < WEAK_WORD
    # One word of many says less than one of few.
    telling = min(1.0, _FEW_WORDS / max(1, len(explained)))
    return {
        "unexplained": 1.0 - best.share_explained,
        "weakest word": telling * (1.0 - float(weakest[0])),
        "second weakest word": telling * (1.0 - float(weakest[1])),
        "open words": min(3.0, float(is_open.sum())),
        "half-explained words": float(((explained >= WEAK_WORD) & (explained < _HALF)).sum()),
        "open names": float(len(open_names(question, best))),
        "yes or no of something else": float(best.is_yes_no and (bool(is_open.any()) or bool(best.unused))),
        "unexplained of a bare type": is_bare(best) * (1.0 - best.share_explained),
    }


def _of_links(question: LinkedQuestion, best: Reading) -> dict[str, float]:
    seeds = [route.seed for route in (*best.routes, *best.excluded)]
    return {
        "names of too many": float(len(names_of_too_many(question))),
        "unused mentions": float(len(best.unused)),
        "split names": float(len(split_names(question))),
        "weakest link": 1.0 - min((seed.score for seed in seeds), default=1.0),
    }


def _of_routes(best: Reading, relevance: Relevance, schema: Schema) -> dict[str, float]:
    walked = [route for route in best.routes if route.hops]
    return {
        "silent hops": float(best.silent_hops),
        "silent ends": float(sum(route.score.silent > 0 for route in walked)),
        "mute hops": float(sum(route.score.mute for route in walked)),
        "stray labels": max((route.score.stray for route in walked), default=0.0),
        "turns": float(sum(route.score.turns for route in walked)),
        "further hops": float(sum(len(route.hops) - 1 for route in walked)),
        "passed over": float(
            sum(bool(passed_over(route, relevance, schema, best)) for route in walked)
            + bool(_asked_of_another(walked, best, relevance, schema))
        ),
        "either way": float(sum(_leads_either_way(route, relevance) for route in walked)),
    }


def asks_for_all_of(question: LinkedQuestion, best: Reading) -> str | None:
    """The words for what things must have all of to be an answer ("who composed every symphony"): no reading knows
    how to ask for that. ``None`` where there are no such words."""
    words = question.question.words
    asked: dict[int, set[str]] = {}
    for link in question.asked:
        asked.setdefault(link.mention.start, set()).add(link.id)
    if (best.figure is not None and best.figure.is_each) or len(asked) < 2:
        return None
    rules = language(question.language)
    # "The heads of every department" are those of any; "which captain does every ship have" asks of each.
    others = rules.prepositions | rules.noun_followers | rules.do_words | rules.be_words | rules.have_words
    for place, word in enumerate(words[1:-1], start=1):
        of_all = asked.get(words[place + 1].start, set()) - asked[min(asked)]
        if word.said in rules.universal_words and words[place - 1].said not in others and of_all:
            return f"{word.text} {words[place + 1].text}"
    return None


def _of_form(question: LinkedQuestion, best: Reading) -> dict[str, float]:
    form = question.form
    return {
        "unread universal": float(asks_for_all_of(question, best) is not None),
        "columns": float(len(best.columns)),
        "further attribute hops": float(sum(map(best.further_hops, best.attributes))),
        "stray attribute": best.attribute_stray,
        "unlike what is asked": best.unlike_asked,
        "yes or no": float(best.is_yes_no),
        "lost superlative": float(form.superlative is not None and not (best.scale or best.figure)),
        "lost figure": float(form.aggregate is not None and best.figure is None),
        "lost count": float(form.counts and not (best.counts or best.figure)),
        "lost bounds": float(
            max(0, len(form.comparisons) - sum(not bound.is_named for bound in best.bounds))
        ),
        "lost groups": float(form.groups is not None and not (best.is_group or best.grouped_by)),
        "superlative": float(best.scale is not None),
        "figure": float(best.figure is not None),
        "groups": float(best.is_group),
        "absence": float(bool(best.absent or best.excluded)),
        "bare type": float(is_bare(best)),
    }


def _of_types(question: LinkedQuestion, best: Reading, schema: Schema) -> dict[str, float]:
    used = _types_used(best, schema)
    asked = {link.mention: link for link in question.asked}
    lost = [
        mention
        for mention in asked
        if not any(link.id in used for link in question.asked if link.mention == mention)
    ]
    named = {link.mention for link in question.terms if link.kind == "node type"}
    nodes = 1 + sum(len(route.hops) for route in best.routes) + len(best.columns)
    return {
        "type named and not asked": float(bool(question.asked) and best.target is None),
        "answer of another type": float(_is_of_another_type(question, best, schema)),
        "lost types": float(len(lost)),
        "later type": float(_is_later_type(question, best)),
        "nodes missing": float(max(0, len(named) + len(question.mentions) - nodes - 1)),
        "repeated words": float(
            max(0, _repeats(question) - sum(len(route.hops) for route in best.routes) + 1)
        ),
    }


def _of_rivals(readings: Sequence[Reading]) -> dict[str, float]:
    best = readings[0]
    others = [
        item
        for item in readings[1:]
        if (item.ends != best.ends or item.columns != best.columns)
        and not _claims_the_same(item, best)
        and not _asks_the_same_edge(item, best)
    ]
    margin = 1.0 if not others else (best.total - others[0].total) / _CLEAR_MARGIN
    as_good = [item for item in others if item.share_explained >= best.share_explained - 1e-9]
    return {
        "rival": 1.0 - max(0.0, min(1.0, margin)),
        "rivals that explain as much": math.log1p(len(as_good)),
        "weak total": 1.0 - best.total,
    }


def _claims_the_same(one: Reading, other: Reading) -> bool:
    """Whether two readings of a yes-or-no question speak of the same relations, from one end or the other."""
    if not (one.is_yes_no and other.is_yes_no):
        return False
    followed = [sorted(hop.type for route in item.routes for hop in route.hops) for item in (one, other)]
    return followed[0] == followed[1]


def _asks_the_same_edge(one: Reading, other: Reading) -> bool:
    """Whether two readings ask the same of the edge between two things, from one end or the other."""
    if not one.columns or not all(map(one.is_of_own_edge, one.columns)):
        return False
    if not other.columns or not all(map(other.is_of_own_edge, other.columns)):
        return False
    asked = [sorted(column.hops[-1].type for column in item.columns) for item in (one, other)]
    edges = [sorted(hop.type for route in item.routes for hop in route.hops) for item in (one, other)]
    named = [{mention for route in item.routes for mention in [route.seed.mention]} for item in (one, other)]
    return asked[0] == asked[1] and edges[0] == edges[1] and named[0] == named[1]


def _of_rows(best: Reading, table: Table | None) -> dict[str, float]:
    rows = table.rows if table is not None else ()
    is_one_figure = len(rows) == 1 and (best.counts or best.figure is not None)
    return {
        "says no": float(table is not None and best.is_yes_no and not rows),
        "counts nothing": float(is_one_figure and rows[0][-1] in (0, None)),
        "many rows": math.log1p(len(rows)),
    }


# --- what several of them, and the reasons for abstaining, are made of


def open_names(question: LinkedQuestion, best: Reading) -> list[Mention]:
    """What looks like a name, was not found, and is not explained as a word either."""
    open_places = [question.places[row] for row, share in enumerate(best.explained) if share < WEAK_WORD]
    words = [question.question.words[place] for place in open_places]
    return [
        item.mention
        for item in question.unlinked
        if any(word.start >= item.mention.start and word.end <= item.mention.end for word in words)
    ]


def names_of_too_many(question: LinkedQuestion) -> list[Link]:
    """A link of each name that more nodes have than were followed: any count or list of what they have is wrong."""
    found = []
    for mention in question.mentions:
        links = [link for link in question.things if link.mention == mention]
        if links[0].kind == "node" and links[0].alternatives + 1 > len(links):
            found.append(links[0])
    return found


def split_names(question: LinkedQuestion) -> list[Mention]:
    """Names side by side of which each was found only as a part of another: "Ada Babbage" is neither Ada Lovelace nor
    Charles Babbage."""
    found = []
    for one, other in pairwise(sorted(question.mentions, key=lambda mention: mention.start)):
        if question.question.text[one.end : other.start].strip():
            continue
        if _is_part_of_a_name(question, one) and _is_part_of_a_name(question, other):
            text = question.question.text[one.start : other.end]
            found.append(Mention(text, one.start, other.end))
    return found


def _is_part_of_a_name(question: LinkedQuestion, mention: Mention) -> bool:
    best = max((link for link in question.things if link.mention == mention), key=lambda link: link.score)
    return len(normalize(mention.text).split()) < len(normalize(best.name).split())


def is_bare(reading: Reading) -> bool:
    """Whether it gives every node of a type."""
    bounds = (reading.bounds, reading.name_bounds, reading.own_bound, reading.present, reading.absent)
    conditions = (reading.routes, reading.excluded, reading.scale)
    return reading.target is not None and not any(bounds) and not any(conditions)


def passed_over(route: Route, relevance: Relevance, schema: Schema, reading: Reading) -> list[str]:
    """The edge types that join the ends of a route directly and are called as the question says, though the route goes
    another way: from here they lead nowhere, and what it finds by that way is something else. What another route of
    the reading follows is not passed over."""
    if not route.end_types or not route.hops or (len(route.hops) == 1 and not route.score.mute):
        return []
    starts = frozenset(_family(route.seed.types, schema))
    ends = frozenset(_family(route.end_types[:1], schema))
    is_told = not route.score.silent and not route.score.mute
    gone = frozenset(hop.type for hop in route.hops) if is_told else frozenset()
    gone |= {hop.type for other in reading.routes if other is not route for hop in other.hops}
    return [
        item.id
        for item in schema.edge_types
        if item.id not in gone
        and any(_joins(pair.source, pair.target, starts, ends) for pair in item.ends)
        and relevance.matcher.explained(item.label).max(initial=0.0) >= _CALLED_SO
    ]


def _asked_of_another(
    walked: Sequence[Route], best: Reading, relevance: Relevance, schema: Schema
) -> list[str]:
    """The edge types that are called as the question says, that what it names may have itself, and that are asked of
    other things instead, to which a way leads of which it does not speak."""
    untold = [route for route in walked if route.score.mute or route.score.silent]
    starts = frozenset(kind for route in untold for kind in _family(route.seed.types, schema))
    asked = {
        hop.type
        for column in best.columns
        if not column.of_edge
        for hop in column.hops
        if not hop.is_property
    }
    return [
        item.id
        for item in schema.edge_types
        if item.id in asked
        and any(pair.source in starts or pair.target in starts for pair in item.ends)
        and relevance.matcher.explained(item.label).max(initial=0.0) >= _CALLED_SO
    ]


def _joins(source: str, target: str, starts: frozenset[str], ends: frozenset[str]) -> bool:
    return (source in starts and target in ends) or (source in ends and target in starts)


def _family(types: Sequence[str], schema: Schema) -> list[str]:
    return [*schema.with_subtypes(types), *schema.supertypes(types)]


def _leads_either_way(route: Route, relevance: Relevance) -> bool:
    """Whether a hop joins nodes of one type, and nothing says in which direction it is meant."""
    back = [hop for hop in route.hops if hop.start is not None and hop.start == hop.end]
    voice = relevance.voice
    return any(
        voice is None or voice.is_forward(relevance.label_of(hop), route.seed.mention) is None for hop in back
    )


def _types_used(best: Reading, schema: Schema) -> frozenset[str]:
    types = [best.target] if best.target is not None else []
    for route in (*best.routes, *best.excluded):
        types += [kind for hop in route.hops for kind in (hop.start, hop.end) if kind]
        types += [*route.seed.types, *route.end_types]
    for attribute in best.attributes:
        types += [kind for hop in attribute.hops for kind in (hop.start, hop.end) if kind]
    return frozenset(_family(types, schema))


def _is_of_another_type(question: LinkedQuestion, best: Reading, schema: Schema) -> bool:
    """Whether the question begins with a type ("which members …"), and the answer is of none of its kind."""
    is_of_values = best.columns or best.counts or best.figure or best.grouped_by or best.is_yes_no
    if not question.places or question.form.counts or is_of_values:
        return False
    first = question.question.words[question.places[0]]
    if question.ranked is not None and question.ranked.start < first.start:
        # "The cheapest encoder that a supplier has" asks for an encoder.
        return False
    named = [link.id for link in question.asked if link.mention.start <= first.start < link.mention.end]
    return bool(named) and not set(_family(named, schema)).intersection(best.types)


def _is_later_type(question: LinkedQuestion, best: Reading) -> bool:
    """Whether another type is named before the one that is asked for."""
    starts = {link.id: link.mention.start for link in reversed(question.asked)}
    if best.target is None or best.target not in starts:
        return False
    return starts[best.target] > min(starts.values())


def _repeats(question: LinkedQuestion) -> int:
    """How often the most frequent content word comes again, of those that name no type."""
    naming = {row for rows in question.named_rows().values() for row in rows}
    counts: dict[str, int] = {}
    for row, word in enumerate(question.words):
        if row not in naming:
            counts[word] = counts.get(word, 0) + 1
    return max(counts.values(), default=1) - 1


Features = Mapping[str, float]
