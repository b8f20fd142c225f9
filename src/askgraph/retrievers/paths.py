"""Paths from the linked nodes: which relations to follow, and where they end.

A *route* is a sequence of kinds of hops from one linked node (type by type, not node by node). Routes are few, so they
are weighed first, and only those that fit the question are walked, each whole frontier in one batch. The nodes or
values at the end of the best routes are what the question asks for. Where the question names several nodes, routes
from different ones that meet in the same nodes explain it together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..core.budget import Budget
from ..core.errors import DeadlineExceededError
from ..core.evidence import Evidence, Fact, Link, Mention
from ..core.graph import Hop, Node, Path
from ..core.run import Run
from ..core.schema import Schema
from ..core.values import Value, display
from ..core.words import quantity
from ..linking.linker import LinkedQuestion
from ..linking.schema_terms import HopKind
from ..stores.base import GraphStore
from .provenance import provenance_of
from .relevance import HopEnds, Relevance, Score

# Routes followed further from each seed at each hop, and property routes read.
_BEAM = 8
_PROPERTY_BEAM = 6
# Frontier nodes whose relations and properties are looked at to find the next hops.
_FRONTIER_SAMPLE = 200
_MEETING = 0.15
_UNUSED_MENTION = 0.12
_MOST_ROUTES_THAT_MEET = 12


@dataclass(frozen=True, slots=True)
class Step:
    """How a node or value was reached: from which node, over which hop."""

    before: str
    hop: Hop


@dataclass(frozen=True)
class Route:
    """A walked route.

    Attributes:
        seed: the link that it starts from.
        kinds: its hops.
        ends: ids of the nodes at its end, without repeats; empty for a route that ends in values.
        values: pairs of node id and value, for a route that ends in a property.
        steps: for each layer how each node was reached.
        score: against the question.
        cut: nodes of which not all neighbours were followed, with the number that they have.
    """

    seed: Link
    kinds: tuple[HopKind, ...]
    score: Score
    ends: tuple[str, ...] = ()
    values: tuple[tuple[str, Value], ...] = ()
    steps: tuple[Mapping[str, Step], ...] = ()
    cut: Mapping[str, int] = field(default_factory=dict)

    @property
    def mention(self) -> Mention:
        """The mention that it explains."""
        return self.seed.mention


@dataclass(frozen=True)
class Finding:
    """One reading of the question: routes that together lead to the same ends.

    ``total`` ranks findings; ``unused`` are mentions that the reading leaves unexplained.
    """

    routes: tuple[Route, ...]
    ends: tuple[str, ...]
    values: tuple[tuple[str, Value], ...]
    total: float
    unused: tuple[Mention, ...]

    @property
    def score(self) -> Score:
        """The score of its best route."""
        return max((route.score for route in self.routes), key=lambda score: score.total)


class PathRetriever:
    """Finds paths from the nodes that a question names."""

    name = "paths"

    def __init__(
        self,
        store: GraphStore,
        schema: Schema,
        relevance: Callable[[LinkedQuestion], Relevance],
        *,
        max_hops: int = 3,
        max_facts: int = 200,
    ) -> None:
        self._store = store
        self._schema = schema
        self._relevance = relevance
        self._ends = HopEnds(schema)
        self._max_hops = max_hops
        self._max_facts = max_facts
        self._name_keys = frozenset(
            item.key
            for item in schema.properties
            if item.label.casefold() in ("name", "label", "pref label", "title")
        )

    def retrieve(self, question: LinkedQuestion, budget: Budget, run: Run) -> Evidence:
        """See :class:`~askgraph.retrievers.base.Retriever`. The facts of the best reading come first."""
        findings, notes = self.find(question, budget, run)
        facts: list[Fact] = []
        for finding in findings:
            if len(facts) >= self._max_facts:
                break
            facts.extend(self.facts(finding, self._max_facts - len(facts)))
        return Evidence(tuple(facts), tuple(notes))

    # --- finding routes

    def find(self, question: LinkedQuestion, budget: Budget, run: Run) -> tuple[list[Finding], list[str]]:
        """The readings of a question, the best first, and what was cut on the way."""
        relevance = self._relevance(question)
        notes: list[str] = []
        routes: list[Route] = []
        with run.step("walk") as step:
            try:
                for mention in question.mentions:
                    seeds = [link for link in question.nodes if link.mention == mention]
                    routes.extend(self._routes_from(seeds, relevance, budget))
            except DeadlineExceededError:
                if not routes:
                    raise
                notes.append(f"The time of {budget.seconds:g} s was up before every path was followed.")
            step.note(routes=len(routes), seeds=len(question.nodes))
        with run.step("rank") as step:
            findings = _rank(question, routes)
            notes.extend(self._cuts(findings))
            step.note(
                findings=len(findings),
                best=[
                    {
                        "route": self.describe(finding),
                        "total": round(finding.total, 4),
                        "ends": len(finding.ends),
                    }
                    for finding in findings[:5]
                ],
            )
        return findings, notes

    def _routes_from(self, seeds: Sequence[Link], relevance: Relevance, budget: Budget) -> list[Route]:
        """All routes worth keeping from the nodes that one mention may name."""
        kept: list[Route] = []
        for seed in seeds:
            frontier = [Route(seed, (), Score(0.0, 0.0, 0.0), (seed.id,))]
            for _ in range(self._max_hops):
                budget.check("following paths")
                walked, ended = self._extend(frontier, relevance, budget)
                kept.extend(walked)
                kept.extend(ended)
                frontier = sorted(walked, key=_route_order)[:_BEAM]
        return kept

    def _extend(
        self, frontier: Sequence[Route], relevance: Relevance, budget: Budget
    ) -> tuple[list[Route], list[Route]]:
        over_edges: list[tuple[Route, HopKind, Score]] = []
        over_properties: list[tuple[Route, HopKind, Score]] = []
        samples = {}
        for route in frontier:
            sample = route.ends[:_FRONTIER_SAMPLE]
            nodes = list(self._store.nodes(sample))
            samples[route.kinds] = nodes
            types = _types_by_frequency(nodes)
            for relation in self._store.relations(sample, budget):
                end = self._ends.end_of(relation.type, relation.forward, self._schema.supertypes(types))
                start = types[0] if types else None
                kind = HopKind(relation.type, relation.forward, start, end)
                over_edges.append((route, kind, relevance.score((*route.kinds, kind))))
            for key in dict.fromkeys(key for node in nodes for key in node.properties):
                if key not in self._name_keys:
                    kind = HopKind(key, True, types[0] if types else None, None, True)
                    over_properties.append((route, kind, relevance.score((*route.kinds, kind))))
        walked = [
            self._walk(route, kind, score, budget)
            for route, kind, score in sorted(over_edges, key=_candidate_order)[: 2 * _BEAM]
        ]
        ended = [
            self._read(route, kind, score)
            for route, kind, score in sorted(over_properties, key=_candidate_order)[:_PROPERTY_BEAM]
        ]
        return [route for route in walked if route.ends], [route for route in ended if route.values]

    def _walk(self, route: Route, kind: HopKind, score: Score, budget: Budget) -> Route:
        """Follow one kind of hop from every end of a route, in one batch."""
        hops = self._store.neighbors(
            route.ends,
            "out" if kind.forward else "in",
            types=[kind.type],
            limit_per_node=budget.fan_out,
            budget=budget,
        )
        label = self._schema.label_of(kind.type)
        visited = {route.seed.id, *(node for layer in route.steps for node in layer)}
        reached: dict[str, Step] = {}
        for position in range(len(hops)):
            node = hops.nodes[position]
            if node not in visited and node not in reached:
                before = route.ends[int(hops.origins[position])]
                hop = Hop(kind.type, label, kind.forward, hops.edges[position], node)
                reached[node] = Step(before, hop)
        return Route(
            route.seed,
            (*route.kinds, kind),
            score,
            tuple(reached)[: 10 * budget.fan_out],
            (),
            (*route.steps, reached),
            {**route.cut, **hops.cut},
        )

    def _read(self, route: Route, kind: HopKind, score: Score) -> Route:
        """Read one property of every end of a route."""
        values: list[tuple[str, Value]] = []
        for node in self._store.nodes(route.ends[:_FRONTIER_SAMPLE]):
            value = node.properties.get(kind.type)
            if value is not None:
                several = value if isinstance(value, list) else [value]
                values.extend((node.id, item) for item in several)
        return Route(route.seed, (*route.kinds, kind), score, (), tuple(values), route.steps, route.cut)

    # --- what is said of them

    def _cuts(self, findings: Sequence[Finding]) -> Iterable[str]:
        cut: dict[str, int] = {}
        for finding in findings[:1]:
            for route in finding.routes:
                cut.update(route.cut)
        for node in self._store.nodes(list(cut)[:3]):
            yield f"{node.name} has {quantity(cut[node.id], 'edge')} of this type; not all of them were followed."

    def describe(self, finding: Finding) -> str:
        """A reading in one line: ``"Heinrich Hoch -[has manager]-> ?"``."""
        return " and ".join(self._describe_route(route) for route in finding.routes)

    def _describe_route(self, route: Route) -> str:
        text = route.seed.name
        for kind in route.kinds:
            label = self._schema.label_of(kind.type)
            text += f" -[{label}]-> ?" if kind.forward else f" <-[{label}]- ?"
        return text

    def facts(self, finding: Finding, most: int) -> list[Fact]:
        """The facts of a reading: for each end the paths that lead to it."""
        described = self.describe(finding)
        paths: list[Path] = []
        if finding.values:
            route = finding.routes[0]
            for node, value in finding.values[:most]:
                kind = route.kinds[-1]
                hop = Hop(kind.type, self._schema.label_of(kind.type), value=value)
                paths.append(_path_to(route, node, (hop,)))
        else:
            for end in finding.ends[:most]:
                paths.extend(_path_to(route, end, ()) for route in finding.routes)
        return self._to_facts(paths, described, finding)

    def _to_facts(self, paths: Sequence[Path], described: str, finding: Finding) -> list[Fact]:
        ids = list(dict.fromkeys(id for path in paths for id in path.node_ids))
        nodes = {node.id: node for node in self._store.nodes(ids)}
        edge_ids = list(dict.fromkeys(id for path in paths for id in path.edge_ids))
        edges = {edge.id: edge for edge in self._store.edges(edge_ids)}
        facts = []
        for path in paths:
            named = _named(path, nodes)
            own_edges = [edges[id] for id in path.edge_ids if id in edges]
            own_nodes = [nodes[id] for id in path.node_ids if id in nodes]
            facts.append(
                Fact(
                    text=path_in_words(named),
                    kind="path",
                    score=finding.total,
                    retriever=self.name,
                    step=described,
                    path=named,
                    elements=(*path.node_ids, *path.edge_ids),
                    provenance=provenance_of(own_edges, own_nodes),
                )
            )
        return facts


def path_in_words(path: Path) -> str:
    """A path as statements in the direction of its edges: ``"Heinrich Hoch has manager Nina Quast"``."""
    statements = []
    here = path.start_name
    for hop in path.hops:
        there = display(hop.value) if hop.is_property else hop.target_name
        if hop.is_property:
            statements.append(f"{here} {hop.label}: {there}")
        elif hop.forward:
            statements.append(f"{here} {hop.label} {there}")
        else:
            statements.append(f"{there} {hop.label} {here}")
        here = there
    return "; ".join(statements)


def _path_to(route: Route, end: str, last: tuple[Hop, ...]) -> Path:
    hops: list[Hop] = list(last)
    node = end
    for layer in reversed(route.steps):
        step = layer[node]
        hops.insert(0, step.hop)
        node = step.before
    return Path(node, "", tuple(hops))


def _named(path: Path, nodes: Mapping[str, Node]) -> Path:
    def name(id: str) -> str:
        return nodes[id].name if id in nodes else Node(id).name

    hops = tuple(
        hop
        if hop.target is None
        else Hop(hop.type, hop.label, hop.forward, hop.edge, hop.target, name(hop.target), hop.value)
        for hop in path.hops
    )
    return Path(path.start, name(path.start), hops)


def _types_by_frequency(nodes: Iterable[Node]) -> tuple[str, ...]:
    counts: dict[str, int] = {}
    for node in nodes:
        for kind in node.types:
            counts[kind] = counts.get(kind, 0) + 1
    return tuple(sorted(counts, key=lambda kind: (-counts[kind], kind)))


def _route_order(route: Route) -> tuple[float, int, str]:
    return (-route.score.total, len(route.kinds), repr(route.kinds))


def _candidate_order(candidate: tuple[Route, HopKind, Score]) -> tuple[float, int, str]:
    route, kind, score = candidate
    return (-score.total, len(route.kinds), repr((*route.kinds, kind)))


# --- ranking


def _rank(question: LinkedQuestion, routes: Sequence[Route]) -> list[Finding]:
    mentions = question.mentions
    findings = [_single(route, mentions) for route in routes]
    findings.extend(_meetings(routes, mentions))
    return sorted(
        findings, key=lambda item: (-item.total, len(item.routes[0].kinds), repr(item.routes[0].kinds))
    )


def _single(route: Route, mentions: Sequence[Mention]) -> Finding:
    unused = tuple(mention for mention in mentions if mention != route.mention)
    total = route.score.total * route.seed.score - _UNUSED_MENTION * len(unused)
    return Finding((route,), route.ends, route.values, total, unused)


def _meetings(routes: Sequence[Route], mentions: Sequence[Mention]) -> Iterable[Finding]:
    """Pairs of routes from different mentions with ends in common."""
    by_mention: dict[Mention, list[Route]] = {}
    for route in sorted(routes, key=_route_order):
        if route.ends and len(by_mention.setdefault(route.mention, [])) < _MOST_ROUTES_THAT_MEET:
            by_mention[route.mention].append(route)
    ordered = [by_mention[mention] for mention in mentions if mention in by_mention]
    for position, ones in enumerate(ordered):
        for others in ordered[position + 1 :]:
            for one in ones:
                for other in others:
                    finding = _meeting(one, other, mentions)
                    if finding is not None:
                        yield finding


def _meeting(one: Route, other: Route, mentions: Sequence[Mention]) -> Finding | None:
    among = set(other.ends)
    common = tuple(end for end in one.ends if end in among)
    if not common:
        return None
    unused = tuple(mention for mention in mentions if mention not in (one.mention, other.mention))
    mean = (one.score.total * one.seed.score + other.score.total * other.seed.score) / 2
    return Finding((one, other), common, (), mean + _MEETING - _UNUSED_MENTION * len(unused), unused)
