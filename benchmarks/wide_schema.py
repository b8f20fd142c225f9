"""A schema with 1,500 types: a real one, among types that enterprises have, many of them called much like the real.

The types round it are made by lot from words; none of them is needed by a question about the real graph.
"""

from __future__ import annotations

import random
from dataclasses import replace

from askgraph.core.schema import EdgeEnds, EdgeType, NodeType, Property, Schema
from askgraph.core.values import ValueType

NOUNS = """account address agreement allocation appraisal asset attachment audit batch benefit bid bill booking branch
budget building campaign candidate carrier case category certificate change channel charge claim clause client column
comment commission committee complaint component condition contact container contract cost country course coupon
customer dataset dealer deal defect delivery department deposit device discount dispute document donation driver
employee entitlement equipment event expense facility fee file forecast form fund goal grant group guarantee hazard
holiday incident index inspection instalment invoice issue item journal key label lead lease ledger letter licence line
loan location log machine mandate manager manual market material measure meeting member message milestone module note
notice offer office opportunity option order outlet package parcel part partner patent payment permit person plan
policy position price procedure product profile project promotion proposal quota quote rate rating receipt refund
region register release report request requirement reservation resource return review risk role route rule sale sample
schedule seat sector segment sensor service session shift shipment site skill sponsor staff statement status stock
store study subscription supplier survey task tax team template tender term test ticket tool trainer transfer transport
trip unit user vehicle vendor version visit voucher warehouse warranty worker zone""".split()  # noqa: SIM905
MODIFIERS = """archived bulk claims consumer contract corporate draft emergency export field fleet foreign group
internal interim legacy local master monthly network online partner pending planned public regional retail revised sales
service shared standard temporary trade transport""".split()  # noqa: SIM905
VERBS = """approved by assigned to attached to based on billed to bound by covers created by delivered to depends on
derived from financed by governed by handled by hosted at inspected by issued by linked to listed in located at managed
by measured by moved to notified by owned by paid by part of planned for preceded by produced by related to replaced by
reported by requested by reserved for reviewed by sent to shipped from signed by sold by stored in supervised by
supplied by tested by tracked by used by verified by"""
KEYS = """active amount approved author balance city closed code colour comment confirmed count created currency date
deadline description discount due email end fax height id language last_change length level name notes number owner
percentage phone postcode priority quantity rank reason reference revision score serial_number size start state status
street summary title total type unit url valid_from valid_to volume weight width year""".split()  # noqa: SIM905


def wide_schema(real: Schema, types: int, seed: int) -> Schema:
    """The real schema with made types round it, ``types`` in all."""
    draw = random.Random(seed)
    is_rdf = real.kind == "rdf"
    known = {item.id for item in real.node_types} | {item.label.lower() for item in real.node_types}
    names = [(modifier, noun) for noun in NOUNS for modifier in ("", *MODIFIERS)]
    draw.shuffle(names)
    made: list[NodeType] = []
    for modifier, noun in names:
        if len(made) + len(real.node_types) >= types:
            break
        label = f"{modifier} {noun}".strip()
        id = _id(label, is_rdf, of_type=True)
        if id not in known and label not in known:
            count = draw.randrange(1, 5_000)
            made.append(NodeType(id, label if is_rdf else id, count, count))
    edges, properties = _edges(made, real, draw), _properties(made, draw, is_rdf)
    return replace(
        real,
        node_types=tuple(sorted((*real.node_types, *made), key=lambda item: (-item.count, item.id))),
        edge_types=tuple(sorted((*real.edge_types, *edges), key=lambda item: (-item.count, item.id))),
        properties=tuple(
            sorted((*real.properties, *properties), key=lambda item: (-item.count, item.owner, item.key))
        ),
    )


def _id(label: str, is_rdf: bool, *, of_type: bool) -> str:
    parts = label.split()
    camel = "".join(part.title() for part in parts)
    if not is_rdf:
        return camel if of_type else "_".join(parts).upper()
    return "http://wide.example.org/" + (camel if of_type else camel[0].lower() + camel[1:])


def _edges(made: list[NodeType], real: Schema, draw: random.Random) -> list[EdgeType]:
    is_rdf = real.kind == "rdf"
    verbs, words = [], VERBS.split()
    endings = {"by", "to", "on", "at", "from", "in", "for", "of", "covers"}
    start = 0
    for place, word in enumerate(words):
        if word in endings:
            verbs.append(" ".join(words[start : place + 1]))
            start = place + 1
    taken = {item.id for item in real.edge_types}
    ends: dict[str, dict[tuple[str, str], int]] = {}
    labels: dict[str, str] = {}
    for item in made:
        for verb in draw.sample(verbs, 2):
            id = _id(verb, is_rdf, of_type=False)
            if id not in taken:
                labels[id] = verb
                ends.setdefault(id, {})[item.id, draw.choice(made).id] = draw.randrange(1, 2_000)
    return [
        EdgeType(
            id,
            labels[id] if is_rdf else id,
            sum(pairs.values()),
            tuple(EdgeEnds(source, target, count) for (source, target), count in pairs.items()),
        )
        for id, pairs in ends.items()
    ]


def _properties(made: list[NodeType], draw: random.Random, is_rdf: bool) -> list[Property]:
    kinds = (ValueType.TEXT, ValueType.INTEGER, ValueType.DATE)
    return [
        Property(
            f"http://wide.example.org/{key}" if is_rdf else key,
            key.replace("_", " "),
            item.id,
            (draw.choice(kinds),),
            item.count,
            1.0,
            distinct=item.count,
        )
        for item in made
        for key in draw.sample(KEYS, 5)
    ]
