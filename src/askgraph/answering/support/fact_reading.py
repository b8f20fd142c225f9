"""Facts read as statements: paths, rows and counts, with how the question was read; texts stay texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...core.evidence import Fact
from ...core.graph import Path
from ...core.values import Value, display
from ...core.words import human_label, local_name, normalize
from .contents import Content, Contents, End, Statement
from .quantities import held_of
from .query_reading import QueryReading, confines, name_variables, read_query
from .rules import Rules

ANSWER = "answer"
"""The column of a row that names what the row is about."""

_TYPE = "type"
# What a row that a query gave has of it, beside what the graph says of its origin.
_QUERY = "query"
_LONGEST_NAME = 16
_TRUE, _FALSE = frozenset({"yes", "true"}), frozenset({"no", "false", "none", "never"})
# How a question was read, as rows and counts carry it: "Gene where asthma -[associates]-> Gene".
_HOP = re.compile(r"\s*(<?-)\[([^\]]*)\](->?)\s*")
# A condition of it on a value: "policy number = 31003000336".
_VALUE_CONDITION = re.compile(r"(?:where| and) ([^=<>\[\]]+?) = ([^\[\]<>]+?)(?= <?-\[| and |$)")
_EXTREME = re.compile(r"\bwith the (most|least) (.+?)(?: where |$)")


def contents_of(facts: Sequence[Fact], types: Mapping[str, Sequence[str]], rules: Rules) -> Contents:
    """What facts say, numbered from 1.

    Args:
        facts: the facts, in the order of their numbers.
        types: labels of the types of their nodes, by node id (or by name, for rows that know no ids).
        rules: of the language that labels are written in.
    """
    maker = _Maker(facts, types, rules)
    contents = tuple(maker.content(number, fact) for number, fact in enumerate(facts, start=1))
    return Contents(contents, rules)


@dataclass
class _Maker:
    facts: Sequence[Fact]
    types: Mapping[str, Sequence[str]]
    rules: Rules
    ids: dict[str, set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for fact in self.facts:
            if fact.path is not None:
                for id, name in _named_nodes(fact.path):
                    self.ids.setdefault(normalize(name), set()).add(id)

    def content(self, number: int, fact: Fact) -> Content:
        statements = tuple(dict.fromkeys(self._statements(number, fact)))
        read = fact.step if fact.kind in ("row", "count") else ""
        extremes = tuple((match[1], match[2]) for match in _EXTREME.finditer(read))
        query = fact.provenance.get(_QUERY)
        among = confines(query) if extremes and isinstance(query, str) else frozenset()
        if among is None:
            extremes, among = (), frozenset()
        return Content(number, statements, "" if statements else fact.text, extremes, among)

    def _statements(self, number: int, fact: Fact) -> Iterator[Statement]:
        if fact.path is not None:
            yield from self._of_path(number, fact.path)
            conditions = _VALUE_CONDITION.findall(fact.step)
            if len(conditions) == 1:
                # The question names by a value what the path begins with.
                start = self._node(fact.path.start, fact.path.start_name)
                yield self._valued(number, start, *conditions[0])
        elif fact.row is not None and isinstance(fact.provenance.get(_QUERY), str):
            yield from self._of_query(number, fact, str(fact.provenance[_QUERY]))
        elif fact.row is not None:
            yield from self._of_row(number, fact)

    def _of_path(self, number: int, path: Path) -> Iterator[Statement]:
        here = self._node(path.start, path.start_name)
        for hop in path.hops:
            if hop.target is not None:
                there = self._node(hop.target, hop.target_name or local_name(hop.target))
            else:
                there = self._value(hop.value, hop.label)
            subject, object = (here, there) if hop.forward else (there, here)
            statement = Statement(number, subject, hop.label, object)
            yield statement
            here = there

    def _of_row(self, number: int, fact: Fact) -> Iterator[Statement]:
        columns = [
            (_label_of(column), value) for column, value in (fact.row or {}).items() if value is not None
        ]
        subject, rest = self._subject(fact, columns)
        if subject is None:
            yield from self._of_count(number, fact, rest)
            return
        yield Statement(number, subject, "", subject)
        for label, value in rest:
            for item in value if isinstance(value, list) else [value]:
                yield Statement(number, subject, label, self._value(item, label))
        yield from self._read_as(number, fact.step, subject)

    def _subject(
        self, fact: Fact, columns: Sequence[tuple[str, Value]]
    ) -> tuple[End | None, list[tuple[str, Value]]]:
        """What a row is about, and the rest of it: the answer's column, or the first that holds a name."""
        names = [label for label, _ in columns]
        place = names.index(ANSWER) if ANSWER in names else None
        if place is None:
            place = next((at for at, (_, value) in enumerate(columns) if _is_name(value, self.rules)), None)
        if place is None or fact.kind == "count":
            return None, list(columns)
        label, value = columns[place]
        rest = [item for at, item in enumerate(columns) if at != place]
        kinds = [display(value) for name, value in rest if name == _TYPE]
        rest = [item for item in rest if item[0] != _TYPE]
        own = [] if label == ANSWER else [label]
        id = fact.elements[0] if fact.elements and label == ANSWER else None
        end = self._node(id, display(value))
        named = frozenset(normalize(kind) for text in (*kinds, *own) for kind in text.split(", "))
        return replace(end, types=end.types | named), rest

    def _of_query(self, number: int, fact: Fact, query: str) -> Iterator[Statement]:
        """What a row says by the query that gave it, besides what it says by itself."""
        reading = read_query(query)
        ends = self._ends_of_row(fact, reading)
        for column, (variable, key) in reading.columns.items():
            value = (fact.row or {}).get(column)
            if value is None or not key or variable not in ends:
                continue
            if key == "#":
                # So many of what the variable stands for.
                ends[variable] = replace(
                    self._value(value, column), types=ends[variable].types, is_value=False
                )
            else:
                yield Statement(number, ends[variable], human_label(key), self._value(value, key))
        said = False
        is_denied = [*(fact.row or {}).values()] == [False]
        for triple in reading.triples:
            subject, object = (self._end_of_term(term, ends) for term in (triple.subject, triple.object))
            if subject is not None and object is not None and (subject.name or object.name):
                said = True
                yield Statement(number, subject, human_label(triple.label), object, is_denied=is_denied)
        for end in ends.values():
            if end.name:
                yield Statement(number, end, "", end)
        if not said:
            yield from self._of_row(number, replace(fact, provenance={}))

    def _ends_of_row(self, fact: Fact, reading: QueryReading) -> dict[str, End]:
        """What each variable of a query stands for in a row: by its column, by a name in the query, or anything of its
        type."""
        shown = _shown_cells(fact)
        holders = name_variables(reading)
        terms = [term for triple in reading.triples for term in (triple.subject, triple.object)]
        variables = dict.fromkeys(
            [*reading.types, *reading.names, *(variable for variable, _ in reading.columns.values()), *terms]
        )
        ends: dict[str, End] = {}
        for variable in variables:
            if not variable.startswith("?") or variable in holders:
                continue
            kinds = frozenset(normalize(human_label(kind)) for kind in reading.types.get(variable, ()))
            called = [variable, *(name for name, held in holders.items() if held == variable)]
            texts = [
                text for name in called for text in reading.names.get(name, ()) if not text.startswith("?")
            ]
            columns = [
                column
                for column, (held, key) in reading.columns.items()
                if not key and holders.get(held, held) == variable and column in shown
            ]
            # A name tells more than an id.
            columns.sort(key=lambda column: reading.columns[column][0] not in holders)
            if columns:
                value = (fact.row or {}).get(columns[0])
                id = str(value) if value in fact.elements else None
                is_thing = id is not None or variable in reading.nodes
                end = self._node(id, shown[columns[0]]) if is_thing else self._value(value, columns[0])
                ends[variable] = replace(end, types=end.types | kinds)
            elif texts:
                end = self._node(None, texts[0])
                ends[variable] = replace(end, types=end.types | kinds)
            else:
                ends[variable] = End(f"any {variable} {sorted(kinds)}", "", kinds, is_open=True)
        return ends

    def _end_of_term(self, term: str, ends: Mapping[str, End]) -> End | None:
        if term.startswith("?"):
            return ends.get(term)
        return self._value(int(term) if term.isdigit() else term, "")

    def _of_count(self, number: int, fact: Fact, columns: Sequence[tuple[str, Value]]) -> Iterator[Statement]:
        """ "how many Gene where asthma -[associates]-> Gene: 97" says that asthma associates 97 genes."""
        read = fact.step or fact.text.rpartition(":")[0]
        conditions = self._conditions(read)
        for label, value in columns:
            counted = self._value(value, label)
            for chain in conditions:
                kinds = chain[-1].there.types
                many = replace(counted, types=kinds, is_value=False)
                yield from _with_last(number, chain, many)
                if len(chain) > 1:
                    start = next(end for end in chain[0].statement.ends if end is not chain[0].there)
                    labels = " ".join(link.statement.label for link in chain)
                    yield Statement(number, start, labels, many)
            what = self._open(_counted(read))
            if not conditions and what.types:
                counted = replace(counted, types=what.types)
            yield Statement(number, counted, "" if what.types else label, counted)

    def _read_as(self, number: int, read: str, subject: End) -> Iterator[Statement]:
        """What the conditions of the question say of a row that meets them: the last node of a chain is the row's."""
        for chain in self._conditions(read):
            yield from _with_last(number, chain, subject)
        conditions = _VALUE_CONDITION.findall(read)
        if len(conditions) == 1:
            label, text = conditions[0]
            chains = self._conditions(read)
            named = self._named_by(label, text) if chains else subject
            yield self._valued(number, named, label, text)

    def _valued(self, number: int, end: End, label: str, text: str) -> Statement:
        value: Value = int(text) if text.isdigit() else text
        return Statement(number, end, label, self._value(value, label))

    def _named_by(self, label: str, text: str) -> End:
        """What has a value, where no more is known of it: "claim number = 12312701"."""
        return End(f"the {normalize(label)} {normalize(text)}", "")

    def _conditions(self, read: str) -> list[list[_Link]]:
        """The chains of relations that a reading asks for."""
        texts = re.split(r" and (?=[^\]]*-\[)", read.partition(" where ")[2])
        chains = [self._chain(text) for text in texts if not text.startswith("not ")]
        return [chain for chain in chains if chain]

    def _chain(self, condition: str) -> list[_Link]:
        parts = _HOP.split(condition)
        if len(parts) < 5:
            return []
        links: list[_Link] = []
        here = self._named_or_open(parts[0])
        for back, label, end in zip(parts[1::4], parts[2::4], parts[4::4], strict=True):
            there = self._open(end)
            subject, object = (there, here) if back == "<-" else (here, there)
            links.append(_Link(Statement(0, subject, label, object), there))
            here = there
        return links

    def _named_or_open(self, text: str) -> End:
        label, _, value = text.partition(" = ")
        if value:
            return self._named_by(label.strip(), value.strip())
        return self._node(None, re.sub(r" \([\d,]+ nodes?\)$", "", text.strip()))

    def _open(self, kind: str) -> End:
        label = normalize(human_label(kind.strip()))
        return End(f"any {label}", "", frozenset([label]) if label else frozenset(), is_open=True)

    def _node(self, id: str | None, name: str) -> End:
        normal = normalize(name)
        if id is None:
            known = sorted(self.ids.get(normal, ()))
            id = known[0] if len(known) == 1 else None
        labels = [*self.types.get(id or "", ()), *self.types.get(name, ())]
        kinds = frozenset(normalize(human_label(label)) for label in labels)
        return End(id or normal, name, kinds, node=id)

    def _value(self, value: Value, label: str) -> End:
        text = display(value)
        held = held_of(value, label, self.rules)
        normal = normalize(text)
        flag = value if isinstance(value, bool) else None
        if flag is None and isinstance(value, str) and normal in _TRUE | _FALSE:
            flag = normal in _TRUE
        if held is None and flag is None and normal in self.ids:
            return self._node(None, text)
        name = "" if len(normal.split()) > _LONGEST_NAME else text
        kinds = frozenset(normalize(human_label(kind)) for kind in self.types.get(text, ()))
        return End(f"value {normal or text}", name, kinds, held, is_value=not kinds, flag=flag, value=value)


@dataclass(frozen=True, slots=True)
class _Link:
    """A relation in a chain, and which of its ends is the farther one."""

    statement: Statement
    there: End


def _with_last(number: int, chain: Sequence[_Link], last: End) -> Iterator[Statement]:
    """The statements of a chain with what stands at its end."""
    for place, link in enumerate(chain):
        is_last = place == len(chain) - 1
        subject, object = (last if is_last and end is link.there else end for end in link.statement.ends)
        yield Statement(number, subject, link.statement.label, object)


def _named_nodes(path: Path) -> Iterator[tuple[str, str]]:
    yield path.start, path.start_name
    for hop in path.hops:
        if hop.target is not None:
            yield hop.target, hop.target_name or local_name(hop.target)


def _shown_cells(fact: Fact) -> dict[str, str]:
    """The cells of a row as its text shows them: nodes by their names."""
    columns = list(fact.row or {})
    text = fact.text.removesuffix(f" ({fact.step})") if fact.step else fact.text
    shown: dict[str, str] = {}
    for place, column in enumerate(columns):
        value = (fact.row or {})[column]
        following = columns[place + 1] if place + 1 < len(columns) else None
        end = rf"(?=; {re.escape(following)}: )" if following is not None else "$"
        match = re.search(rf"(?:^|; ){re.escape(column)}: (.*?){end}", text, re.DOTALL)
        if value is not None:
            shown[column] = match[1] if match else display(value)
    return shown


def _label_of(column: str) -> str:
    """A column of a query's result without its variable: ``"p.birthDate"`` is ``"birth date"``."""
    last = column.rpartition(".")[2] if re.fullmatch(r"\w+\.\w+", column) else column
    return human_label(last)


def _is_name(value: Value, rules: Rules) -> bool:
    return isinstance(value, str) and held_of(value, "", rules) is None


def _counted(read: str) -> str:
    """What a count counts: "claim" of "how many claim where …"."""
    return re.sub(r"^how many ", "", read.partition(" where ")[0])
