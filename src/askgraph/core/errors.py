"""Every error that askgraph raises on purpose, under one root.

::

    AskgraphError
    ├── SettingsError               a setting, an option or a map that cannot be used
    ├── MissingPackageError         an optional package that is not installed
    ├── OpenError                   a graph that cannot be opened
    │   ├── GraphNotFoundError      nothing is there
    │   ├── UnsupportedGraphError   something is there, and it is not a graph that we read
    │   ├── CorruptGraphError       a graph folder that is damaged or half deleted
    │   ├── GraphLockedError        another process is writing
    │   ├── CorruptIndexError       an index that is damaged, or made for another version of its graph
    │   └── ServerError             a database or endpoint that does not do what was asked
    │       ├── UnreachableError    nothing answers there, or the connection was cut
    │       ├── AuthenticationError credentials that are missing, wrong or expired
    │       ├── ServerBusyError     it has no room now: too many requests, a full pool (retry_after)
    │       └── BadReplyError       what it sent is no whole answer: broken, cut off, a page for people
    ├── LoadError                   a file that cannot become a graph (file, line, column)
    │   ├── MissingFileError
    │   ├── MissingColumnError
    │   ├── MalformedFileError      not the syntax that its name promises
    │   ├── EncodingError           not UTF-8
    │   ├── BadValueError           a value that is not of its declared type
    │   ├── DuplicateIdError        one id, two nodes
    │   └── DanglingEdgeError       an edge whose end does not exist
    ├── ExportError                 a graph that cannot be written in the asked form
    ├── PlanError                   a plan that names what the schema does not have, or asks what a store cannot do
    ├── QueryError                  a query text that will not be run (code, line, column, offset)
    │   ├── QuerySyntaxError        not a query of its language
    │   ├── QueryRefusedError       a query that the gate does not let through
    │   └── QueryFailedError        a query that the engine could not run
    ├── BudgetError
    │   ├── DeadlineExceededError   the time is up
    │   └── CapExceededError        rows, bytes or calls are used up
    ├── ModelError
    │   ├── ModelIntegrityError     a model file that is not the one that we know
    │   ├── ModelForbiddenError     a call where the settings forbid them
    │   ├── ReplyNotRecordedError   a request to which a recording has no reply
    │   ├── ModelUnreachableError   nobody answers there, or the connection broke
    │   ├── ModelAuthenticationError a key that is missing, wrong, or not allowed to use the model
    │   ├── ModelBusyError          the provider takes no more calls now (retry_after)
    │   ├── ModelRequestError       a request that the model does not take
    │   └── ModelReplyError         a reply that is no reply (reply)
    │       └── NoQueryError        a model that was asked for a query and gave none
    ├── AlgorithmError              arrays, seeds or parameters that a graph algorithm cannot work on
    │   └── UnknownSeedError        seeds that are not in the network
    ├── RunNotFoundError            no stored run with that id
    ├── ExamplesError               solved examples that cannot be added, found or kept (location)
    └── EvaluationError             questions that cannot be put to a graph, or results that cannot be read
        ├── QuestionsError          a file of questions that is not one (file, line)
        └── ResultsNotFoundError    no stored results with that id
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a file. Lines and columns count from 1; ``column`` may also be the name of a table column."""

    file: str
    line: int | None = None
    column: int | str | None = None

    def __str__(self) -> str:
        text = self.file
        if self.line is not None:
            text += f", line {self.line}"
        if self.column is not None:
            text += f", column {self.column}"
        return text


class AskgraphError(Exception):
    """The root. ``message`` says what was wrong, ``advice`` what to do about it."""

    def __init__(self, message: str, *, advice: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.advice = advice

    def __str__(self) -> str:
        return f"{self.message}\n{self.advice}" if self.advice else self.message


class SettingsError(AskgraphError):
    """A setting, an option or a map that cannot be used."""


class MissingPackageError(AskgraphError):
    """An optional package that is not installed."""


class ListenError(AskgraphError):
    """An address at which no server can listen: taken, not allowed, or not one of this machine."""


class OpenError(AskgraphError):
    """A graph that cannot be opened."""


class GraphNotFoundError(OpenError):
    """Nothing is at that path or address."""


class UnsupportedGraphError(OpenError):
    """Something is there, and it is not a graph that this version reads."""


class CorruptGraphError(OpenError):
    """A graph folder that is damaged or half deleted."""


class GraphLockedError(OpenError):
    """Another process is writing to this graph."""


class CorruptIndexError(OpenError):
    """An index that is damaged, or made for another version of its graph."""


class ServerError(OpenError):
    """A database or endpoint that does not do what was asked."""


class UnreachableError(ServerError):
    """Nothing answers at the address, or the connection was cut."""


class AuthenticationError(ServerError):
    """Credentials that are missing, wrong or expired. They are never part of the message."""


class ServerBusyError(ServerError):
    """The server, or the pool of connections to it, has no room now. ``retry_after``: seconds, where it is known."""

    def __init__(self, message: str, *, retry_after: float | None = None, advice: str | None = None) -> None:
        super().__init__(message, advice=advice)
        self.retry_after = retry_after


class BadReplyError(ServerError):
    """What the server sent is no whole answer: broken off, cut, or a page made for people."""


class LoadError(AskgraphError):
    """A file that cannot become a graph. ``location`` says where."""

    def __init__(self, message: str, *, location: Location | None = None, advice: str | None = None) -> None:
        super().__init__(message, advice=advice)
        self.location = location

    def __str__(self) -> str:
        text = super().__str__()
        return f"{self.location}: {text}" if self.location else text


class MissingFileError(LoadError):
    """A file that is not there or cannot be read."""


class MissingColumnError(LoadError):
    """A table without a column that a graph needs."""


class MalformedFileError(LoadError):
    """A file that is not in the syntax that its name promises."""


class EncodingError(LoadError):
    """A text file that is not UTF-8."""


class BadValueError(LoadError):
    """A value that is not of its declared type."""


class DuplicateIdError(LoadError):
    """One id, two nodes."""


class DanglingEdgeError(LoadError):
    """An edge whose end does not exist."""


class ExportError(AskgraphError):
    """A graph that cannot be written in the asked form."""


class PlanError(AskgraphError):
    """A plan that names what the schema does not have, or asks what a store cannot do."""


class QueryError(AskgraphError):
    """A query text that will not be run.

    Attributes:
        code: what kind of fault it is, in a word that programs can compare (``"write"``, ``"procedure"``, …).
        line: where in the text, from 1.
        column: the character in that line, from 1.
        offset: characters before the place, from 0.
        excerpt: the line of the text with a mark under the place, ready to be shown.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str,
        line: int = 1,
        column: int = 1,
        offset: int = 0,
        excerpt: str = "",
        advice: str | None = None,
    ) -> None:
        super().__init__(message, advice=advice)
        self.code = code
        self.line = line
        self.column = column
        self.offset = offset
        self.excerpt = excerpt

    def __str__(self) -> str:
        where = f"{self.message} (line {self.line}, column {self.column})"
        return "\n".join(part for part in (where, self.excerpt, self.advice) if part)


class NoSparqlError(AskgraphError):
    """A question that could not be put as one SPARQL query; the message says why."""


class QuerySyntaxError(QueryError):
    """A text that is not a query of its language."""


class QueryRefusedError(QueryError):
    """A query that the gate does not let through."""


class UnsafeCypherError(QueryRefusedError):
    """Cypher of a model that the gate does not let through. It is never repaired."""


class UnsafeSparqlError(QueryRefusedError):
    """SPARQL of a model that the gate does not let through. It is never repaired."""


class QueryFailedError(QueryError):
    """A query that passed the gate and that the engine could not run. Its message says where, if the engine does."""

    def __str__(self) -> str:
        return AskgraphError.__str__(self)


class BudgetError(AskgraphError):
    """A limit of the budget was reached."""


class DeadlineExceededError(BudgetError):
    """The time is up."""


class CapExceededError(BudgetError):
    """Rows, bytes, fan-out, calls or tokens are used up."""


class ModelError(AskgraphError):
    """A language or embedding model that failed."""


class ModelIntegrityError(ModelError):
    """A model file that is not the one that we know."""


class ModelForbiddenError(ModelError):
    """A call of a model where the settings forbid them. Nothing was sent."""


class ReplyNotRecordedError(ModelError):
    """A request to which a recording has no reply."""


class ModelUnreachableError(ModelError):
    """Nobody answers where the model should be, or the connection broke."""


class ModelAuthenticationError(ModelError):
    """A key that is missing, wrong, or not allowed to use the model. It is never part of the message."""


class ModelBusyError(ModelError):
    """The provider takes no more calls now. ``retry_after``: seconds, where it says so."""

    def __init__(self, message: str, *, retry_after: float | None = None, advice: str | None = None) -> None:
        super().__init__(message, advice=advice)
        self.retry_after = retry_after


class ModelRequestError(ModelError):
    """A request that the model does not take: too long, a model that does not exist, an option that it lacks."""


class ModelReplyError(ModelError):
    """A reply that is no reply: broken off, empty, or not of the shape that was asked for. ``reply``: what came."""

    def __init__(self, message: str, *, reply: str = "", advice: str | None = None) -> None:
        super().__init__(message, advice=advice)
        self.reply = reply


class NoQueryError(ModelReplyError):
    """A model that was asked for a query and gave none. ``reply``: what it said instead."""


class AlgorithmError(AskgraphError):
    """Arrays, seeds or parameters that a graph algorithm cannot work on."""


class UnknownSeedError(AlgorithmError):
    """Seeds that are not in the network."""


class RunNotFoundError(AskgraphError):
    """No stored run has that id."""


class ExamplesError(AskgraphError):
    """Solved examples that cannot be added, found or kept. ``location`` says where in a file of them."""

    def __init__(self, message: str, *, location: Location | None = None, advice: str | None = None) -> None:
        super().__init__(message, advice=advice)
        self.location = location

    def __str__(self) -> str:
        text = super().__str__()
        return f"{self.location}: {text}" if self.location else text


class EvaluationError(AskgraphError):
    """Questions that cannot be put to a graph, or results that cannot be read or compared."""


class QuestionsError(EvaluationError):
    """A file of questions that cannot be read as one. ``location`` says where."""

    def __init__(self, message: str, *, location: Location | None = None, advice: str | None = None) -> None:
        super().__init__(message, advice=advice)
        self.location = location

    def __str__(self) -> str:
        text = super().__str__()
        return f"{self.location}: {text}" if self.location else text


class ResultsNotFoundError(EvaluationError):
    """No stored results have that id, or more than one has."""
