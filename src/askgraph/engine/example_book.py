"""The solved examples of an open graph: looked at before they are kept."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from ..core.errors import ExamplesError, Location, QueryError
from ..graph_queries import QueryCheck
from ..linking.linked_question import LinkedQuestion
from ..linking.solved_examples import AddedExamples, SolvedExample, SolvedExamples

FOLDER = "examples"


@dataclass(frozen=True, slots=True)
class NewExample:
    """A question and a query that answers it, before it was looked at.

    Attributes:
        question: in plain words.
        query: the query's text.
        language: ``"cypher"`` or ``"sparql"``; ``None``: the graph's own.
        location: where it was read, for errors.
    """

    question: str
    query: str
    language: str | None = None
    location: Location | None = None


class ExampleBook:
    """The solved examples of one graph.

    Args:
        solved: where they are kept.
        check: lets a query of a language through the gate, and compares it with the schema.
        link: what the words of a question name.
    """

    def __init__(
        self,
        solved: SolvedExamples,
        check: Callable[[str, str | None], QueryCheck],
        link: Callable[[str], LinkedQuestion],
    ) -> None:
        self.solved = solved
        self._check = check
        self._link = link

    @property
    def file(self) -> Path:
        """Where they lie."""
        return self.solved.file

    def all(self) -> tuple[SolvedExample, ...]:
        """Every example, in the order in which they were added. Raises :class:`ExamplesError` for a damaged file."""
        return self.solved.all()

    def add(self, examples: Iterable[NewExample]) -> AddedExamples:
        """Add examples, all or none.

        Raises:
            ExamplesError: one has no question, or its query may not run on this graph or asks for what it does not
                have; which and why, with its place. Nothing is added then.
        """
        return self.solved.add([self._looked_at(example) for example in examples])

    def remove(self, ids: Iterable[str]) -> tuple[SolvedExample, ...]:
        """Remove examples by their ids, or the first characters of these; gives what was removed.

        Raises:
            ExamplesError: an id that none or several have. Nothing is removed then.
        """
        return self.solved.remove(tuple(ids))

    def leaving_out_the_same(self) -> AbstractContextManager[None]:
        """Within, no example is shown of the very question that is asked."""
        return self.solved.leaving_out_the_same()

    def _looked_at(self, example: NewExample) -> SolvedExample:
        for part in (example.question, example.query):
            if not isinstance(part, str):
                raise ExamplesError(f"{part!r} is no text", location=example.location)
            if any("\ud800" <= character <= "\udfff" for character in part):
                raise ExamplesError(
                    f"{part!r} has half of a surrogate pair in it, which is no character",
                    location=example.location,
                )
        question, query = example.question.strip(), example.query.strip()
        if not question or not query:
            missing = "question" if not question else "query"
            raise ExamplesError(f"an example without a {missing}", location=example.location)
        try:
            check = self._check(query, example.language)
        except QueryError as error:
            raise ExamplesError(
                f"the query of {question!r} may not run here: {error.message}",
                location=example.location,
                advice=error.advice,
            ) from error
        faults = [problem for problem in check.problems if problem.severity == "error"]
        if faults:
            raise ExamplesError(
                f"the query of {question!r} does not fit this graph: {faults[0].message}",
                location=example.location,
                advice=faults[0].advice,
            )
        masked = self._link(question).masked
        return SolvedExample.of(question, query, check.query.language, masked)


def examples_file(data_folder: Path, location: str) -> Path:
    """The file of the examples of the graph at a path or address: a user's own, beside no cache."""
    place = location if "://" in location else str(Path(location).resolve())
    stem = "".join(character if character.isalnum() else "-" for character in Path(place).stem[:40]).strip(
        "-"
    )
    digest = hashlib.sha256(place.encode()).hexdigest()[:16]
    return data_folder / FOLDER / f"{stem or 'graph'}-{digest}.jsonl"
