"""Questions whose right answers are known, and how they are known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ..core.plan import Plan
from ..core.plan_json import plan_to_dict
from ..core.values import Value, to_json_value

QueryLanguage = Literal["plan", "sparql", "cypher"]


@dataclass(frozen=True, slots=True)
class GoldItem:
    """One right answer, in every form in which it may be given.

    Attributes:
        forms: names, ids as text, or values; any of them will do.
        node: the node's id, where it is known to be a node.
    """

    forms: tuple[Value, ...]
    node: str | None = None

    @property
    def text(self) -> str:
        """The item in short, for people."""
        return str(self.forms[0]) if self.forms else self.node or ""

    def to_json(self) -> Any:
        """As it stands in a file of questions: one value, or an object with an id and names."""
        if self.node is None and len(self.forms) == 1:
            return to_json_value(self.forms[0])
        data: dict[str, Any] = {} if self.node is None else {"id": self.node}
        return data | {"names": [to_json_value(form) for form in self.forms]}


@dataclass(frozen=True, slots=True)
class GoldQuery:
    """A query that gives the right answers: a text in ``language``, or a plan.

    ``asks``: it is answered by yes (there is a row) or no. The text of a SPARQL query says so itself.
    """

    language: QueryLanguage
    text: str = ""
    plan: Plan | None = None
    asks: bool = False

    def to_json(self) -> dict[str, Any]:
        """As it stands in a file of questions."""
        if self.plan is None:
            return {self.language: self.text}
        data: dict[str, Any] = {"plan": plan_to_dict(self.plan)}
        return data | {"asks": True} if self.asks else data


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """A question with its right answers, with a query that gives them, or with both.

    Attributes:
        id: what the file calls it, else its number from 1.
        text: as a user would type it.
        answers: the right answers; ``None``: what the query gives, or nobody knows where there is none. Empty: the
            graph cannot answer it.
        query: where there is one. Beside answers it only tells what is named and asked.
        form: what kind of question it is, in the file's words; empty where it does not say.
    """

    id: str
    text: str
    answers: tuple[GoldItem, ...] | None = None
    query: GoldQuery | None = None
    form: str = ""

    @property
    def has_gold(self) -> bool:
        """Whether anything says what is right."""
        return self.answers is not None or self.query is not None

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data: a line of a file of questions."""
        data: dict[str, Any] = {"id": self.id, "question": self.text}
        if self.form:
            data["form"] = self.form
        if self.answers is not None:
            data["answers"] = [item.to_json() for item in self.answers]
        if self.query is not None:
            data["query"] = self.query.to_json()
        return data


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Questions from one source.

    Attributes:
        name: the file's name, or how they were made.
        format: the layout that they were read from.
        questions: in the order of the source.
        digest: of what the source said, so that results of the same questions can be told.
        line_of: the line where a question begins, by its place in ``questions``; ``None`` where there are no lines.
    """

    name: str
    format: str
    questions: tuple[GoldQuestion, ...]
    digest: str
    line_of: Callable[[int], int | None] = field(default=lambda place: None, compare=False, repr=False)

    def __len__(self) -> int:
        """The number of questions."""
        return len(self.questions)

    def to_dict(self) -> Mapping[str, Any]:
        """Strict JSON data, without the questions."""
        return {
            "name": self.name,
            "format": self.format,
            "questions": len(self.questions),
            "digest": self.digest,
        }
