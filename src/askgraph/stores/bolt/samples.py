"""What properties look like, and what relationships join, seen in the first so many of each type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ...core.budget import Budget
from ...core.errors import BadReplyError, DeadlineExceededError
from ...core.schema import UNTYPED
from ...core.values import Value, ValueType, value_type
from .engines import Engine
from .server import BoltServer, Statement
from .values import LONGEST_LIST, from_bolt

SAMPLE: Final = 1_000
"""Nodes or relationships of each type that are looked at."""

EXAMPLES: Final = 5
LONGEST_TEXT: Final = 80
_DOING: Final = "looking at samples of the graph"
# Types that one request looks at, and requests for each kind of look: a server plans every type on its own.
_AT_ONCE: Final = 25
_MOST_REQUESTS: Final = 4
MOST_TYPES: Final = _AT_ONCE * _MOST_REQUESTS
_FIRST_UNLABELLED: Final = f"MATCH (n) WITH n LIMIT {SAMPLE} WITH n WHERE size(labels(n)) = 0"

_LONG: Final = " (long)"
_KINDS: Final = {
    "BOOLEAN": ValueType.BOOLEAN,
    "INTEGER": ValueType.INTEGER,
    "FLOAT": ValueType.FLOAT,
    "STRING": ValueType.TEXT,
    "DATE": ValueType.DATE,
    "LOCAL TIME": ValueType.TIME,
    "ZONED TIME": ValueType.TIME,
    "LOCAL DATETIME": ValueType.DATETIME,
    "ZONED DATETIME": ValueType.DATETIME,
    "DURATION": ValueType.DURATION,
    "POINT": ValueType.POINT,
    "MAP": ValueType.MAP,
}


@dataclass(slots=True)
class SeenProperty:
    """What was seen of one property of one type.

    Attributes:
        count: owners that had it.
        types: names of the types of its values, or of their elements where they are lists, with how often each came.
        has_lists: whether any was a list.
        has_vectors: whether any was a long list of numbers.
        examples: a few different values, as they came.
        distinct: different values among those seen.
    """

    count: int = 0
    types: Counter[str] = field(default_factory=Counter)
    has_lists: bool = False
    has_vectors: bool = False
    examples: list[Value] = field(default_factory=list)
    distinct: int = 0

    @property
    def value_types(self) -> tuple[ValueType, ...]:
        """Kinds of value, the most frequent first."""
        kinds: Counter[ValueType] = Counter()
        for name, count in self.types.items():
            kinds[_KINDS.get(name, ValueType.OTHER)] += count
        if self.has_vectors:
            kinds = Counter({ValueType.LIST: self.count})
        order = {kind: place for place, kind in enumerate(ValueType)}
        return tuple(sorted(kinds, key=lambda kind: (-kinds[kind], order[kind])))


_First = Callable[[int, str], str]
"""A query for the first of one type, whose rows begin with the number given."""

SeenProperties = Mapping[str, Mapping[str, SeenProperty]]
"""By type and key."""


def sample_properties(
    server: BoltServer,
    engine: Engine,
    types: Sequence[str],
    *,
    of_edges: bool,
    without: Sequence[str] = (),
    budget: Budget | None = None,
) -> SeenProperties:
    """Look at the properties of the first nodes (or relationships) of each type, in at most four requests.

    Args:
        server: to ask.
        engine: that answers.
        types: labels or relationship types, those that matter most first; at most :data:`MOST_TYPES` are looked at.
            :data:`UNTYPED` is looked for among the first nodes of all.
        of_edges: whether they are relationship types.
        without: labels of nodes that are not looked at.
        budget: of each request.
    """
    seen: dict[str, dict[str, SeenProperty]] = {type: {} for type in types[:MOST_TYPES]}

    def first(number: int, type: str) -> str:
        if type == UNTYPED:
            return f"{_FIRST_UNLABELLED} RETURN {number} AS number, n"
        pattern = f"()-[n:{engine.name(type)}]->()" if of_edges else f"(n:{engine.name(type)})"
        where = _where_not("n", without, engine)
        return f"MATCH {pattern}{where} WITH n LIMIT {SAMPLE} RETURN {number} AS number, n"

    rest = (
        "UNWIND keys(n) AS key WITH number, key, n[key] AS value"
        f" WITH number, key, {_type_of_value(engine)} AS type, {_short_value(engine)} AS short"
        " RETURN number, key, type, count(*) AS count, count(DISTINCT short) AS different,"
        f" collect(DISTINCT short)[..{EXAMPLES}] AS examples"
    )
    for type, key, name, count, different, examples in _looked_at(server, engine, types, first, rest, budget):
        item = seen[type].setdefault(key, SeenProperty())
        _note(item, name, count, different, examples)
    return seen


def count_unlabelled(server: BoltServer, budget: Budget | None = None) -> int:
    """How many of the first nodes have no label; of a graph that is no bigger than the sample, all of them."""
    statement = Statement(f"{_FIRST_UNLABELLED} RETURN count(*) AS count", doing=_DOING)
    return int(server.rows(statement, budget)[0][0])


def sample_ends(
    server: BoltServer, engine: Engine, types: Sequence[str], budget: Budget | None = None
) -> Mapping[str, Mapping[tuple[tuple[str, ...], tuple[str, ...]], int]]:
    """For each relationship type the labels of its two ends and how often these came among the first relationships, in
    at most four requests."""

    def first(number: int, type: str) -> str:
        return (
            f"MATCH (a)-[r:{engine.name(type)}]->(b) WITH a, b LIMIT {SAMPLE} RETURN {number} AS number, a, b"
        )

    rest = "RETURN number, labels(a) AS sources, labels(b) AS targets, count(*) AS count"
    found: dict[str, dict[tuple[tuple[str, ...], tuple[str, ...]], int]] = {}
    for type, sources, targets, count in _looked_at(server, engine, types, first, rest, budget):
        of_type = found.setdefault(type, {})
        ends = (tuple(sorted(sources)), tuple(sorted(targets)))
        of_type[ends] = of_type.get(ends, 0) + count
    return found


def _looked_at(
    server: BoltServer, engine: Engine, types: Sequence[str], first: _First, rest: str, budget: Budget | None
) -> Iterator[list[Any]]:
    """The rows of ``rest`` for the first of each type, with the type in place of its number.

    What is done with them is written once, below a union of what is looked at: a server plans that many times quicker
    than a union of the whole.
    """
    budget = server.budget(budget)
    waiting = [types[start : start + _AT_ONCE] for start in range(0, min(len(types), MOST_TYPES), _AT_ONCE)]
    while waiting:
        part = waiting.pop(0)
        union = " UNION ALL ".join(first(number, type) for number, type in enumerate(part))
        text = f"{engine.subquery('', union)} {rest}"
        try:
            rows = server.rows(Statement(text, doing=_DOING), budget)
        except DeadlineExceededError:
            if len(part) == 1 or not budget.remaining:
                raise
            # The server allows less time than we do, and planning takes long when it has just started.
            middle = len(part) // 2
            waiting[:0] = [part[:middle], part[middle:]]
            continue
        for number, *cells in rows:
            yield [part[number], *cells]


def _where_not(variable: str, labels: Sequence[str], engine: Engine) -> str:
    if not labels:
        return ""
    return " WHERE " + " AND ".join(f"NOT {variable}:{engine.name(label)}" for label in labels)


def _type_of_value(engine: Engine) -> str:
    long = f"CASE WHEN size(value) > {LONGEST_LIST} THEN '{_LONG}' ELSE '' END"
    return f"valueType(value) + CASE WHEN {engine.is_list('value')} THEN {long} ELSE '' END"


def _short_value(engine: Engine) -> str:
    return (
        f"CASE WHEN {engine.is_list('value')} THEN value[..{EXAMPLES}]"
        f" WHEN {engine.is_of('value', 'STRING')} THEN substring(value, 0, {LONGEST_TEXT + 1}) ELSE value END"
    )


def _note(item: SeenProperty, name: str, count: int, different: int, examples: Sequence[Any]) -> None:
    is_long = name.endswith(_LONG)
    name = name.removesuffix(_LONG).replace(" NOT NULL", "").replace("_", " ")
    values = [value for example in examples if (value := _readable(example)) is not None]
    item.count += count
    item.distinct += different
    if not name.startswith(("LIST", "VECTOR")):
        item.types[name] += count
        item.examples += [_cut(value) for value in values]
        return
    elements = [element for value in values if isinstance(value, list) for element in value]
    is_numeric = all(isinstance(element, int | float) for element in elements)
    item.has_lists = item.has_lists or name.startswith("LIST")
    if name.startswith("VECTOR") or (is_long and is_numeric):
        item.has_vectors = True
        return
    for inner in _element_types(name, elements):
        item.types[inner] += count
    item.examples += list(
        dict.fromkeys(_cut(element) for element in elements if not isinstance(element, list | dict))
    )


def _readable(example: Any) -> Value:
    """An example as a value; ``None`` for one that cannot be read, such as a year before the first."""
    try:
        return from_bolt(example)
    except BadReplyError:
        return None


def _element_types(name: str, elements: Sequence[Value]) -> list[str]:
    """The types of the elements of a list, by the name of its type, else by what was seen of it."""
    inner = name.removeprefix("LIST<").removesuffix(">")
    if inner in _KINDS:
        return [inner]
    names = {kind: name for name, kind in reversed(_KINDS.items())}
    return list(dict.fromkeys(names.get(value_type(element), "MAP") for element in elements))


def _cut(value: Value) -> Value:
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return value[:LONGEST_TEXT].rstrip() + "…"
    return value
