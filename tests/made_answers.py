"""Answers made by hand, for tests of how answers are shown, and a strategy that makes any answer at all."""

from __future__ import annotations

import datetime
from decimal import Decimal

from hypothesis import strategies as st

from askgraph.core.evidence import Answer, Fact, Link, Mention, Sentence, ShortAnswer
from askgraph.core.graph import Hop, Path
from askgraph.core.plan import Table
from askgraph.core.values import LanguageText, TypedLiteral

HOCH, QUAST = "http://example.org/empl-Heinrich.Hoch", "http://example.org/empl-Nina.Quast"

MANAGER_PATH = Path(
    HOCH,
    "Heinrich Hoch",
    (Hop("http://example.org/hasManager", "has manager", True, "edge-1", QUAST, "Nina Quast"),),
)

MANAGER = Answer(
    question="Who is the manager of Heinrich Hoch?",
    sentences=(Sentence("Nina Quast.", (1,)),),
    answers=(ShortAnswer("Nina Quast", QUAST),),
    facts=(
        Fact(
            "Heinrich Hoch has manager Nina Quast",
            "path",
            0.93,
            "paths",
            path=MANAGER_PATH,
            elements=("edge-1",),
            provenance={
                "http://purl.org/dc/terms/source": "staff list",
                "license": "CC BY 4.0",
                "publications": ["PMID:1", "PMID:2", "PMID:3", "PMID:4", "PMID:5", "PMID:6", "PMID:7"],
            },
        ),
    ),
    confidence=0.93,
    links=(
        Link(
            Mention("Heinrich Hoch", 22, 35),
            "node",
            HOCH,
            "Heinrich Hoch",
            1.0,
            "exact",
            ("http://example.org/Employee",),
        ),
    ),
    interpretation="what Heinrich Hoch has as manager",
    notes=("Subclasses of Employee were counted: Manager.",),
    run="20260131-101500-123-a1b2c3",
)

ABSTENTION = Answer(
    question="Who is the manager of Zork?",
    sentences=(Sentence("Nothing in this graph is called Zork."),),
    abstained=True,
    confidence=0.1,
    nearest=("Zora (a name like 'Zork')",),
)

# Every kind of character: controls, halves of surrogate pairs, wide and combining ones, marks that turn directions.
any_text = st.text(st.characters(exclude_categories=()), max_size=60) | st.sampled_from(
    [
        "\x1b[31mred\x1b[0m",
        "[bold]markup[/bold]",
        "<b onclick='x'>&amp;</b>",
        "a\u202eb\u2066c",
        "\x9b2J\x07bell\r\nnew line",
        "漢字" * 60,
        "x" * 300,
        "http://example.org/" + "a-long-part/" * 20,
        "👩‍👩‍👧‍👦" * 30,
        "e\u0301" * 100,
        "</svg><script>alert(1)</script>",
        "",
        " ",
    ]
)

any_value = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | any_text
    | st.binary(max_size=8)
    | st.dates()
    | st.datetimes()
    | st.builds(LanguageText, any_text, st.just("en"))
    | st.builds(TypedLiteral, any_text, st.just("http://example.org/type"))
    | st.lists(st.integers() | any_text, max_size=8)
    | st.sampled_from([Decimal("1.50"), datetime.time(1, 2)])
)

_ids = st.sampled_from(["a", "b", "c", "http://example.org/d"]) | any_text
_edge_hops = st.builds(
    Hop,
    type=any_text,
    label=any_text,
    forward=st.booleans(),
    edge=any_text,
    target=_ids,
    target_name=any_text,
)
_value_hops = st.builds(Hop, type=any_text, label=any_text, value=any_value)
any_path = st.builds(
    lambda start, name, hops, last: Path(start, name, (*hops, *last)),
    _ids,
    any_text,
    st.lists(_edge_hops, max_size=4),
    st.lists(_value_hops, max_size=1),
)
any_fact = st.builds(
    Fact,
    text=any_text,
    kind=st.sampled_from(["path", "row", "count"]),
    score=st.floats(0, 1),
    retriever=any_text,
    path=st.none() | any_path,
    provenance=st.dictionaries(any_text, any_value, max_size=3),
)
any_table = st.integers(1, 4).flatmap(
    lambda width: st.builds(
        Table,
        columns=st.tuples(*[any_text] * width),
        kinds=st.tuples(*[st.sampled_from(["node", "value"])] * width),
        rows=st.lists(st.tuples(*[any_value] * width), max_size=4),
    )
)
any_answer = st.builds(
    Answer,
    question=any_text,
    sentences=st.lists(
        st.builds(
            Sentence,
            any_text,
            st.lists(st.integers(1, 9), max_size=5).map(tuple),
            unsupported_because=st.just("") | any_text,
            own_knowledge=st.booleans(),
            begins_line=st.booleans(),
        ),
        max_size=3,
    ).map(tuple),
    answers=st.lists(st.builds(ShortAnswer, any_text, st.none() | _ids, any_value), max_size=4).map(tuple),
    facts=st.lists(any_fact, max_size=4).map(tuple),
    confidence=st.floats(0, 1),
    abstained=st.booleans(),
    nearest=st.lists(any_text, max_size=2).map(tuple),
    links=st.lists(
        st.builds(
            Link,
            mention=st.builds(Mention, any_text, st.just(0), st.just(1)),
            kind=st.just("node"),
            id=_ids,
            name=any_text,
            score=st.floats(0, 1),
            method=st.just("fuzzy"),
            types=st.lists(any_text, max_size=2).map(tuple),
            alternatives=st.integers(0, 3),
        ),
        max_size=2,
    ).map(tuple),
    interpretation=any_text,
    table=st.none() | any_table,
    notes=st.lists(any_text, max_size=2).map(tuple),
)
