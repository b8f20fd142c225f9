"""Which engine answers, and where the Cypher of one engine differs from that of another."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ...core.errors import QueryFailedError, UnsupportedGraphError

_AGENT = re.compile(r"(?P<name>[A-Za-z]\w*)[/ ]v?(?P<version>\d[\w.]*)")
_EDGE_MARK: Final = ">"
# The first of Neo4j 5 in which a subquery may name what it takes: CALL (n) { … }.
_SCOPED_SUBQUERIES: Final = (5, 23)
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Words that mean something where a name may stand, in one engine or another.
_RESERVED: Final = frozenset({
    "all", "and", "any", "as", "asc", "ascending", "by", "call", "case", "collect", "contains", "count", "create",
    "csv", "cypher", "delete", "desc", "descending", "detach", "distinct", "drop", "else", "end", "ends", "exists",
    "explain", "extract", "false", "filter", "finish", "for", "foreach", "from", "group", "having", "in", "insert",
    "is", "let", "limit", "load", "match", "merge", "nodetach", "none", "normalized", "not", "null", "offset", "on",
    "optional", "or", "order", "profile", "reduce", "remove", "return", "search", "set", "shortestpath", "show",
    "single", "skip", "starts", "then", "true", "typed", "union", "unique", "unwind", "use", "when", "where",
    "with", "xor", "yield",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine, and the words by which its Cypher differs.

    Attributes:
        product: ``"Neo4j"``, ``"ArcadeDB"``, ``"Memgraph"``, or whatever else it calls itself.
        version: of the product, as it says itself.
        dialect: the gate's name for its Cypher. ArcadeDB's is close enough to Neo4j's for the same name.
        has_element_ids: whether elements have ids that are texts (``elementId``), else numbers (``id``).
        scoped_subqueries: whether a subquery may name what it takes: ``CALL (n) { … }``.
        forgets_conditions: whether conditions go wrong unless a WITH stands between: on the label of a node that is
            found by its id, on the label of an optional node that is then counted, on an id that is not equal.
        reads_escapes: whether unicode escapes are replaced before names are read, in back-ticks too; ``None`` where
            nobody knows.
        tests_types: whether there is ``IS ::``; else types are told by ``valueType`` alone.
        seeks_id_lists: whether it goes straight to nodes whose id is in a list; else to one id at a time alone.
        seeks_edge_ids: whether it goes straight to a relationship by its id; else the public id of one begins with that
            of its source, through which it is found.
        orders_elements: whether nodes and relationships have an order of their own, which is quicker than that of their
            ids.
        tests_lists_of_numbers: whether it tells lists of numbers from other lists, so that vectors need not be sent.
        counts_quickly: whether counts of a label or a type are kept, and not made by a scan.
        keeps_plans: whether it plans a text once, and takes long for that.
        ends_what_is_cut: whether a query ends when its client closes the connection.
        tells_plans: whether EXPLAIN gives a tree of operators.
    """

    product: str
    version: str
    dialect: str = "neo4j"
    has_element_ids: bool = True
    scoped_subqueries: bool = True
    forgets_conditions: bool = False
    reads_escapes: bool | None = False
    tests_types: bool = True
    seeks_id_lists: bool = True
    seeks_edge_ids: bool = True
    orders_elements: bool = False
    tests_lists_of_numbers: bool = False
    counts_quickly: bool = False
    keeps_plans: bool = False
    ends_what_is_cut: bool = False
    tells_plans: bool = False

    @property
    def title(self) -> str:
        """For people."""
        return f"{self.product} {self.version}".strip()

    # --- names

    def name(self, name: str) -> str:
        """A label, a type, a key or a variable as it stands in a query: bare if it is plain, else in back-ticks.

        Raises:
            QueryFailedError: half of a character, or an escape of which nobody knows how this engine would read it.
        """
        if _PLAIN.fullmatch(name) and name.lower() not in _RESERVED:
            return name
        try:
            name.encode("utf-8")
        except UnicodeEncodeError:
            raise QueryFailedError(f"{name!a} has half of a character in it", code="name") from None
        if "\\u" in name:
            if self.reads_escapes is None:
                raise QueryFailedError(f"the name {name!r} has an escape in it", code="name")
            if self.reads_escapes:
                name = name.replace("\\", "\\u005c")
        return "`" + name.replace("`", "``") + "`"

    def names(self, names: tuple[str, ...]) -> str:
        """Alternatives: ``A|B``."""
        return "|".join(self.name(name) for name in names)

    # --- ids

    def id_of(self, variable: str) -> str:
        """The expression for the public id of a node or relationship: a text."""
        return f"elementId({variable})" if self.has_element_ids else f"toString(id({variable}))"

    def has_id(self, variable: str, text: str) -> str:
        """The condition that a node or relationship has this id; ``text`` is an expression."""
        if self.has_element_ids:
            return f"elementId({variable}) = {text}"
        return f"id({variable}) = toInteger({text})"

    def has_one_of_ids(self, variable: str, texts: str) -> str:
        """The condition that its id is one of a list; ``texts`` is an expression."""
        if self.has_element_ids:
            return f"elementId({variable}) IN {texts}"
        return f"id({variable}) IN [text IN {texts} | toInteger(text)]"

    def edge_id(self, source: str, id: str) -> str:
        """The public id of a relationship, of the ids that the engine gives to its source and to itself."""
        return id if self.seeks_edge_ids else f"{source}{_EDGE_MARK}{id}"

    def parts_of_edge_id(self, id: str) -> tuple[str, str]:
        """The ids of its source, if the public id tells it, and of the relationship itself."""
        source, mark, own = id.rpartition(_EDGE_MARK)
        return (source, own) if mark and not self.seeks_edge_ids else ("", id)

    # --- subqueries

    def subquery(self, variables: str, body: str) -> str:
        """A subquery that takes these variables (``"n, m"``, or none)."""
        if self.scoped_subqueries:
            return f"CALL ({variables}) {{ {body} }}"
        return f"CALL {{ {f'WITH {variables} ' if variables else ''}{body} }}"

    # --- types of values

    def is_of(self, expression: str, *types: str) -> str:
        """The condition that a value is there and of one of these types (``"INTEGER"``, ``"LOCAL DATETIME"``, …)."""
        if self.tests_types:
            tests = [f"{expression} IS :: {name} NOT NULL" for name in types]
            return tests[0] if len(tests) == 1 else f"({' OR '.join(tests)})"
        names = ", ".join(f"'{name.replace(' ', '_')}'" for name in types)
        return f"valueType({expression}) IN [{names}]"

    def is_list(self, expression: str) -> str:
        """The condition that a value is a list."""
        return self.is_of(expression, "LIST<ANY>" if self.tests_types else "LIST")


def engine_of(agent: str) -> Engine:
    """The engine that introduces itself so.

    Raises:
        UnsupportedGraphError: a Neo4j before 5, which has no element ids.
    """
    product, version = product_of(agent)
    if product == "ArcadeDB":
        return Engine(
            "ArcadeDB", version, seeks_id_lists=False, seeks_edge_ids=False, forgets_conditions=True
        )
    if product == "Memgraph":
        return Engine(
            "Memgraph",
            version,
            dialect="memgraph",
            has_element_ids=False,
            scoped_subqueries=False,
            tests_types=False,
            seeks_edge_ids=False,
            reads_escapes=None,
        )
    if product != "Neo4j":
        return Engine(product, version, scoped_subqueries=False, reads_escapes=None)
    numbers = _numbers(version)
    if numbers and numbers < (5,):
        raise UnsupportedGraphError(
            f"this is Neo4j {version}, and askgraph reads Neo4j 5 and later", advice="Upgrade the server."
        )
    return Engine(
        "Neo4j",
        version,
        scoped_subqueries=numbers >= _SCOPED_SUBQUERIES,
        reads_escapes=True,
        tests_lists_of_numbers=True,
        orders_elements=True,
        counts_quickly=True,
        keeps_plans=True,
        ends_what_is_cut=True,
        tells_plans=True,
    )


def product_of(agent: str) -> tuple[str, str]:
    """Product and version of what a server calls itself: others than Neo4j call themselves compatible with it."""
    for other in ("ArcadeDB", "Memgraph"):
        _, found, rest = agent.partition(other)
        if found:
            version = re.search(r"\d[\w.]*", rest)
            return other, version[0] if version else ""
    match = _AGENT.match(agent)
    return (match["name"], match["version"]) if match else (agent, "")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])
