"""What facts say, as statements: an end, a relation, another end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from ...core.values import Value
from ...core.words import human_label, normalize
from .quantities import Held
from .rules import Rules


@dataclass(frozen=True, slots=True)
class End:
    """What a statement is about, or what it says of it.

    Attributes:
        key: the node's id, or the normal form of its name; equal for the same thing.
        name: its name, or the value in words.
        types: labels of its types, in normal form.
        held: the number or moment that it is; then ``is_value`` holds too.
        is_value: whether it is a value and no node.
        flag: yes or no, for a value that is one.
        is_open: whether any node of its types may be meant: the end of a count.
        node: the id of the node, where it is known.
        value: the value as the fact has it.
    """

    key: str
    name: str
    types: frozenset[str] = frozenset()
    held: Held | None = None
    is_value: bool = False
    flag: bool | None = None
    is_open: bool = False
    node: str | None = None
    value: Value = field(default=None, compare=False)

    @property
    def words(self) -> tuple[str, ...]:
        """Its name in normal form, word by word."""
        return tuple(normalize(self.name).split())


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that a fact says: of ``subject`` that ``label`` is, has or leads to ``object``."""

    fact: int
    subject: End
    label: str
    object: End
    other_fact: int | None = None
    is_denied: bool = False

    @property
    def facts(self) -> tuple[int, ...]:
        """The numbers of the facts that say it: one, or two where it follows from both."""
        return (self.fact,) if self.other_fact is None else (self.fact, self.other_fact)

    @property
    def ends(self) -> tuple[End, End]:
        """Both ends."""
        return self.subject, self.object

    @property
    def is_false(self) -> bool:
        """Whether it says that something is not so: a "no", or none of something."""
        held = self.object.held
        return self.is_denied or self.object.flag is False or (held is not None and held.number == 0)


@dataclass(frozen=True, slots=True)
class Content:
    """What one fact says.

    Attributes:
        number: the fact's number.
        statements: what it says of what.
        text: its text, where it has no statements: a sentence of a document.
        extremes: measures of which its row has the most or the least, by how the question was read, or by the order of
            the query that gave it.
        among: names and figures, in normal form, that confine what the extremes are of: the cheapest of these.
    """

    number: int
    statements: tuple[Statement, ...] = ()
    text: str = ""
    extremes: tuple[tuple[str, str], ...] = ()
    among: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Contents:
    """What some facts say together. ``every`` are those of all facts, for what a name may mean."""

    contents: tuple[Content, ...]
    rules: Rules

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """All statements, and those that follow from two of them."""
        said = [item for content in self.contents for item in content.statements]
        return (*said, *dict.fromkeys(self._joined(said)))

    def _joined(self, said: Sequence[Statement]) -> Iterator[Statement]:
        """A value two hops away is its owner's too, where both hops are called alike: a loss payment's amount."""
        leading: dict[str, list[Statement]] = {}
        for statement in said:
            if not statement.object.is_value and statement.subject is not statement.object:
                leading.setdefault(statement.object.key, []).append(statement)
        for last in said:
            if last.object.is_value and last.label:
                for first in leading.get(last.subject.key, ()):
                    if self._stems(first.label) & self._stems(last.label):
                        other = None if first.fact == last.fact else first.fact
                        label = f"{first.label} {last.label}"
                        yield Statement(last.fact, first.subject, label, last.object, other)

    def _stems(self, label: str) -> set[str]:
        own = self.rules.language
        return {own.stem(word) for word in own.content_words(normalize(human_label(label)))}

    @cached_property
    def texts(self) -> tuple[Content, ...]:
        """The facts that are texts."""
        return tuple(content for content in self.contents if content.text)

    @cached_property
    def ends(self) -> Mapping[str, End]:
        """Every end by its key, with all types that any statement knows of it."""
        found: dict[str, End] = {}
        for statement in self.statements:
            for end in statement.ends:
                known = found.get(end.key)
                found[end.key] = end if known is None else replace(known, types=known.types | end.types)
        return found

    @cached_property
    def subjects(self) -> frozenset[str]:
        """Keys of what the facts say something of."""
        return frozenset(
            item.subject.key
            for item in self.statements
            if not item.subject.is_open and item.subject.held is None
        )

    @cached_property
    def objects(self) -> frozenset[str]:
        """Keys of the nodes that statements lead to."""
        return frozenset(
            item.object.key for item in self.statements
            if item.subject is not item.object and not item.object.is_open and not item.object.is_value
        )  # fmt: skip

    @cached_property
    def subjects_of_values(self) -> Mapping[str, frozenset[str]]:
        """For each value the keys of what has it: a policy number stands for its policy."""
        found: dict[str, set[str]] = {}
        for statement in self.statements:
            if statement.object.is_value and not statement.subject.is_value:
                found.setdefault(statement.object.key, set()).add(statement.subject.key)
        return {key: frozenset(subjects) for key, subjects in found.items()}

    def naming_values(self, words: frozenset[str]) -> frozenset[str]:
        """Keys of the values of properties that name what has them: a number, an id, a title."""
        if words not in self._naming_values:
            self._naming_values[words] = frozenset(
                item.object.key
                for item in self.statements
                if item.object.is_value and words.intersection(normalize(human_label(item.label)).split())
            )
        return self._naming_values[words]

    @cached_property
    def _naming_values(self) -> dict[frozenset[str], frozenset[str]]:
        return {}

    def only(self, numbers: Iterable[int]) -> Contents:
        """Those of some facts."""
        wanted = frozenset(numbers)
        return Contents(tuple(content for content in self.contents if content.number in wanted), self.rules)

    def objects_of_type(self, kind: str) -> frozenset[str]:
        """Keys of the ends of a type."""
        return frozenset(key for key, end in self.ends.items() if kind in end.types)
