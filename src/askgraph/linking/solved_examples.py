"""Questions of a graph that were solved, each with a query that is right, and which of them are like a new one.

They lie in one file of JSON Lines for each graph, in the user's data folder. What is like a question is told by its
meaning and its words, both with the names in it replaced by their types: "Who manages Ada?" and "Who manages Bob?" ask
the same thing. Of several that are near copies of each other one is enough.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..core.errors import ExamplesError
from ..core.hidden import NOTHING_HIDDEN, Hidden
from ..core.words import local_name, normalize
from ..models.base import Embedder
from ..stores.durable import replace_text
from ..stores.locks import try_lock
from .language import language as rules_of
from .linked_question import LinkedQuestion

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ID_LENGTH = 10
_PATIENCE = 10.0
# How much of the likeness of two questions is their meaning, and how much their words.
_MEANING = 0.6
# How much likeness to an example that is shown already counts against another.
_SAMENESS = 0.4
# Two questions that are more alike than this need not both be shown.
_COPIES = 0.97
_LEAST_LIKENESS = 0.15
# So many times as many as are shown are compared with each other.
_CONSIDERED = 10
_LITERAL = re.compile(r"'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\"|<[^<>\s]*>|\b\d+(?:\.\d+)?\b")


@dataclass(frozen=True, slots=True)
class SolvedExample:
    """A question and a query that answers it.

    Attributes:
        id: what users call it by: a digest of the question and the query.
        question: as it was asked.
        query: the query's text.
        language: ``"cypher"`` or ``"sparql"``.
        masked: the question with its names replaced by their types.
    """

    id: str
    question: str
    query: str
    language: str
    masked: str

    @classmethod
    def of(cls, question: str, query: str, language: str, masked: str) -> SolvedExample:
        """An example with the id that it must have."""
        digest = hashlib.sha256(json.dumps([question, query]).encode()).hexdigest()
        return cls(digest[:_ID_LENGTH], question, query, language, masked)


@dataclass(frozen=True, slots=True)
class AddedExamples:
    """What adding examples did: how many are new, took the place of another query for the same question, or were there
    already."""

    added: int
    replaced: int
    known: int


class SolvedExamples:
    """The solved examples of one graph. Safe to use from several threads and processes.

    Args:
        file: where they lie; made when the first is added.
        embedder: gives the model that compares meanings, or ``None``: words are compared then.
    """

    def __init__(self, file: Path, embedder: Callable[[], Embedder | None]) -> None:
        self.file = file
        self._embedder = embedder
        self._leaves_out_the_same = False
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def all(self) -> tuple[SolvedExample, ...]:
        """Every example, in the order in which they were added. Raises :class:`ExamplesError` for a damaged file."""
        try:
            text = self.file.read_text(encoding="utf-8")
        except FileNotFoundError:
            return ()
        except (OSError, UnicodeDecodeError) as error:
            raise self._damaged(str(error)) from error
        try:
            return tuple(SolvedExample(**json.loads(line)) for line in text.split("\n") if line)
        except (ValueError, TypeError) as error:
            raise self._damaged(str(error)) from error

    def add(self, examples: Iterable[SolvedExample]) -> AddedExamples:
        """Add examples: all of them or, where writing fails, none. A question has one query: the latest."""
        with self._writing():
            known = {(normalize(item.question), item.language): item for item in self.all()}
            added = replaced = same = 0
            for item in examples:
                before = known.get((normalize(item.question), item.language))
                added += before is None
                same += before is not None and before.query == item.query
                replaced += before is not None and before.query != item.query
                known[normalize(item.question), item.language] = item
            self._write(known.values())
        return AddedExamples(added, replaced, same)

    def remove(self, ids: Sequence[str]) -> tuple[SolvedExample, ...]:
        """Remove examples by their ids, or the first characters of these; gives what was removed.

        Raises:
            ExamplesError: an id that none or several have. Nothing is removed then.
        """
        with self._writing():
            examples = self.all()
            gone = {self._find(id, examples).id for id in ids}
            self._write(item for item in examples if item.id not in gone)
        return tuple(item for item in examples if item.id in gone)

    @contextmanager
    def leaving_out_the_same(self) -> Iterator[None]:
        """Within, no example is shown of the very question that is asked: its answer is not to be given away where
        answers are measured."""
        before, self._leaves_out_the_same = self._leaves_out_the_same, True
        try:
            yield
        finally:
            self._leaves_out_the_same = before

    # Likeness

    def similar(
        self, question: LinkedQuestion, limit: int, *, language: str, hidden: Hidden = NOTHING_HIDDEN
    ) -> tuple[SolvedExample, ...]:
        """The examples most like a question, the most like it first.

        Args:
            question: the question, linked.
            limit: how many at most.
            language: that their queries must be in.
            hidden: what must not be named in them.

        Returns:
            Examples that have something in common with the question, no two of which are near copies.
        """
        asked = normalize(question.question.text)
        examples = [
            item
            for item in self.all()
            if item.language == language
            and not (self._leaves_out_the_same and normalize(item.question) == asked)
            and not (hidden and _names(f"{item.question} {item.query}", hidden))
        ]
        if not examples or limit < 1:
            return ()
        code = question.language
        alike = self._likeness([question.masked], [item.masked for item in examples], code)[0]
        order = sorted(range(len(examples)), key=lambda place: (-round(float(alike[place]), 9), place))
        near = [place for place in order[: limit * _CONSIDERED] if alike[place] >= _LEAST_LIKENESS]
        masked = [examples[place].masked for place in near]
        among = self._likeness(masked, masked, code)
        shapes = [_shape(examples[place].query) for place in near]
        return tuple(examples[near[place]] for place in _diverse(alike[near], among, shapes, limit))

    def _likeness(self, some: Sequence[str], others: Sequence[str], code: str) -> NDArray[np.float64]:
        """How alike texts are, from 0 to 1; shape ``(some, others)``."""
        asked = [self._words(text, code) for text in some]
        words = [self._words(text, code) for text in others]
        by_words = np.array([[_shared(one, other) for other in words] for one in asked])
        embedder = self._embedder()
        if embedder is None or not by_words.size:
            return by_words.reshape(len(some), len(others))
        cosines = self._embedded(some, embedder) @ self._embedded(others, embedder).T
        by_meaning = np.clip((cosines - embedder.unrelated) / (1.0 - embedder.unrelated), 0.0, 1.0)
        return np.asarray(_MEANING * by_meaning + (1 - _MEANING) * by_words, dtype=np.float64)

    def _embedded(self, texts: Sequence[str], embedder: Embedder) -> NDArray[np.float64]:
        missing = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if missing:
            self._vectors.update(zip(missing, embedder.embed(missing), strict=True))
        return np.stack([self._vectors[text] for text in texts]).astype(np.float64)

    @staticmethod
    def _words(text: str, code: str) -> frozenset[str]:
        rules = rules_of(code)
        return frozenset(map(rules.stem, normalize(text).split()))

    # The file

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Hold the right to write, which one process has at a time.

        Raises:
            ExamplesError: another process holds it for long, or the folder cannot be written to.
        """
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with self.file.with_suffix(".lock").open("a", encoding="utf-8") as lock:
                deadline = time.monotonic() + _PATIENCE
                while not try_lock(lock.fileno()):
                    if time.monotonic() > deadline:
                        raise ExamplesError(
                            f"another process is writing {self.file}", advice="Try again when it has ended."
                        )
                    time.sleep(0.05)
                yield
        except OSError as error:
            raise ExamplesError(f"{self.file} cannot be written: {error.strerror or error}") from error

    def _write(self, examples: Iterable[SolvedExample]) -> None:
        lines = (json.dumps(asdict(item), ensure_ascii=False) for item in examples)
        replace_text(self.file, "".join(f"{line}\n" for line in lines))

    def _find(self, id: str, examples: Sequence[SolvedExample]) -> SolvedExample:
        found = [item for item in examples if id and item.id.startswith(id)]
        if len(found) == 1:
            return found[0]
        if found:
            raise ExamplesError(f"{len(found)} examples begin with {id!r}", advice="Give more characters.")
        raise ExamplesError(
            f"there is no example {id!r}", advice="`askgraph examples list GRAPH` lists them."
        )

    def _damaged(self, why: str) -> ExamplesError:
        return ExamplesError(
            f"{self.file} is damaged: {why}",
            advice="Put the file right, or delete it and add the examples anew.",
        )


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    """How much two sets of words have in common (Dice)."""
    return 2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0


def _shape(query: str) -> str:
    """A query without what it names and compares with: near copies have one shape."""
    return " ".join(_LITERAL.sub("…", query).split())


def _names(text: str, hidden: Hidden) -> bool:
    """Whether a text has the name of something hidden; rather too often than too seldom."""
    names = (
        *hidden.types,
        *(key for entry in hidden.properties for key in (entry, entry.rpartition(".")[2])),
    )
    found = {word for word in re.split(r"[^\w]+", text) if word}
    return any(name in text or local_name(name) in found for name in names if name)


def _diverse(
    asked: NDArray[np.float64], among: NDArray[np.float64], shapes: Sequence[str], limit: int
) -> list[int]:
    """Places of the examples to show: like the question, and not like each other (maximal marginal relevance).

    Args:
        asked: how like the question each is, shape ``(examples,)``.
        among: how like each other they are, shape ``(examples, examples)``.
        shapes: their queries without what they name.
        limit: how many.
    """
    chosen: list[int] = []
    while len(chosen) < limit:
        values: dict[int, float] = {}
        for place in range(len(asked)):
            copies = [
                other for other in chosen if shapes[place] == shapes[other] and among[place, other] >= _COPIES
            ]
            if place not in chosen and not copies:
                nearest = max((float(among[place, other]) for other in chosen), default=0.0)
                values[place] = round(float(asked[place]) - _SAMENESS * nearest, 9)
        if not values:
            break
        chosen.append(max(values, key=lambda place: (values[place], -place)))
    return chosen
