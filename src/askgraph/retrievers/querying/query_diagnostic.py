"""What a model is told of a query of its own that did not do, so that it can write a better one.

Problems that our own checks find are told whole: they are made of names that the model needs (what it wrote, what the
graph has instead). What an engine says is read for its kind and its names, and said again in words of ours; what is not
recognised is quoted, cut short. A name or a message is data: it is put in quotes that it cannot close, on one line, and
never told as an instruction.

A refusal of the gate never becomes a diagnostic: whoever is refused is not told how to come nearer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ...core.errors import (
    AskgraphError,
    CapExceededError,
    DeadlineExceededError,
    QueryError,
    QueryRefusedError,
)
from ...querying.schema_check import SchemaProblem
from .correction.changes import Correction

LONGEST_DIAGNOSTIC = 800
"""Characters of a whole diagnostic."""

_LONGEST_NAME = 60
_LONGEST_QUOTE = 200
_MOST_CANDIDATES = 4
_MOST_PROBLEMS = 6

RepairKind = Literal[
    "schema",
    "value",
    "syntax",
    "unknown-function",
    "unknown-procedure",
    "unknown-variable",
    "unknown-prefix",
    "arguments",
    "wrong-type",
    "bad-value",
    "aggregate",
    "time",
    "size",
    "parameters",
    "engine",
]


@dataclass(frozen=True, slots=True)
class RepairProblem:
    """One thing that is wrong with a query.

    Attributes:
        kind: what sort of thing.
        sentence: what is wrong, in words of ours, with the names that the query has in quotes.
        candidates: what may have been meant, as the graph or the language writes it.
    """

    kind: RepairKind
    sentence: str
    candidates: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The sentence, and what may have been meant."""
        if not self.candidates:
            return self.sentence
        shown = ", ".join(map(quoted, self.candidates[:_MOST_CANDIDATES]))
        return f"{self.sentence} There is: {shown}."

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {"kind": self.kind, "sentence": self.sentence, "candidates": list(self.candidates)}


def repair_problems(
    error: AskgraphError | None = None, correction: Correction | None = None
) -> tuple[RepairProblem, ...]:
    """What is wrong with a query: what correction could not put right, then why it did not run.

    Raises :class:`TypeError` for a refusal of the gate, which is never repaired.
    """
    if isinstance(error, QueryRefusedError):
        raise TypeError("a refusal of the gate is never repaired: raise it")
    found: list[RepairProblem] = []
    if correction is not None:
        worst_first = sorted(correction.problems, key=lambda item: item.severity != "error")
        found += [_of_schema(problem) for problem in worst_first]
    if error is not None and not (isinstance(error, QueryError) and error.code == "schema" and found):
        found.append(_of_error(error))
    return tuple(dict.fromkeys(found))


def repair_diagnostic(
    error: AskgraphError | None = None,
    correction: Correction | None = None,
    *,
    longest: int = LONGEST_DIAGNOSTIC,
) -> str:
    """The same as text for a prompt, one problem in a line, at most ``longest`` characters.

    Raises :class:`TypeError` for a refusal of the gate.
    """
    return bounded([problem.text for problem in repair_problems(error, correction)], longest)


def bounded(lines: Sequence[str], longest: int = LONGEST_DIAGNOSTIC) -> str:
    """Lines that fit into so many characters; what is left out is said."""
    kept: list[str] = []
    room = longest - len(_MORE)
    for line in lines[:_MOST_PROBLEMS]:
        cut = line if len(line) <= room or kept else line[: max(0, room - 1)] + "…"
        if len(cut) + 1 > room:
            break
        kept.append(cut)
        room -= len(cut) + 1
    text = "\n".join(kept)
    return text if len(kept) == len(lines) else f"{text}\n{_MORE}"


_MORE = "There is more."


def quoted(text: str, longest: int = _LONGEST_NAME) -> str:
    """A name or message as data: on one line, cut, in quotes that it cannot close, with nothing that marks up text."""
    plain = " ".join("".join(map(_harmless, text)).split())
    if len(plain) > longest:
        plain = plain[: longest - 1] + "…"
    return f"'{plain}'"


def _harmless(character: str) -> str:
    if not character.isprintable():
        return " "
    return _REPLACED.get(character, character)


_REPLACED = {"'": "’", '"': "”", "`": "’", "<": "‹", ">": "›", "{": "(", "}": ")", "#": "＃"}

# --- what our own checks say


def _of_schema(problem: SchemaProblem) -> RepairProblem:
    is_value = problem.code in (
        "unknown-value",
        "ambiguous-value",
        "unknown-node",
        "wrong-value",
        "wrong-language",
    )
    sentence = _sentence(problem.message)
    candidates = problem.suggestions
    if not candidates and problem.advice:
        sentence = f"{sentence} {_sentence(problem.advice)}"
    elif problem.code in ("wrong-direction", "wrong-ends") and problem.advice:
        sentence, candidates = f"{sentence} {_sentence(problem.advice)}", ()
    return RepairProblem("value" if is_value else "schema", sentence, candidates)


def _sentence(text: str) -> str:
    """A sentence of ours that holds names of others: without what could be taken for anything but words."""
    plain = " ".join("".join(map(_harmless, text)).split())
    plain = plain if len(plain) <= _LONGEST_QUOTE else f"{plain[: _LONGEST_QUOTE - 1]}…"
    plain = f"{plain[:1].upper()}{plain[1:]}"
    return plain if plain.endswith((".", "!", "?", "…")) else f"{plain}."


# --- what engines say


def _of_error(error: AskgraphError) -> RepairProblem:
    if isinstance(error, DeadlineExceededError):
        return RepairProblem(
            "time", "It took too long. Ask for less: fewer hops, a condition that finds a start, a LIMIT."
        )
    if isinstance(error, CapExceededError):
        return RepairProblem(
            "size", "Its result was too large. Ask for less: a condition, fewer columns, a LIMIT."
        )
    message = error.message
    if isinstance(error, QueryError) and error.code == "parameters":
        return RepairProblem(
            "parameters", f"It has a parameter without a value: {quoted(message)}. Write the value."
        )
    for kind, pattern, say in _SAYINGS:
        found = pattern.search(message)
        if found is not None:
            return RepairProblem(kind, say(found))
    place = (
        f" (line {error.line}, column {error.column})" if isinstance(error, QueryError) and error.line else ""
    )
    if isinstance(error, QueryError) and error.code in _SYNTAX_CODES:
        advice = f" {_sentence(error.advice)}" if error.advice else ""
        return RepairProblem(
            "syntax", f"It cannot be read{place}: {quoted(message, _LONGEST_QUOTE)}.{advice}"
        )
    return RepairProblem(
        "engine", f"The database could not run it: {quoted(_bare(message), _LONGEST_QUOTE)}."
    )


_SYNTAX_CODES = (
    "syntax",
    "SyntaxError",
    "prefix",
    "scope",
    "aggregate",
    "empty",
    "blank-node",
    "unsupported",
    "language",
)
_LEAD_IN = re.compile(
    r"^(?:the (?:embedded engine|server) (?:cannot|could not) run (?:this|the) query: )", re.I
)


def _bare(message: str) -> str:
    return _LEAD_IN.sub("", message)


_Say = Callable[[re.Match[str]], str]


def _first(found: re.Match[str]) -> str:
    """The name of whichever way to say it was found."""
    return quoted(next((name for name in found.groupdict().values() if name), ""))


def _with_name(sentence: str) -> _Say:
    return lambda found: sentence.format(quoted(found["name"]))


def _plain(sentence: str) -> _Say:
    return lambda found: sentence


def _types(found: re.Match[str]) -> str:
    return f"A value is of the wrong type: {quoted(found['wanted'])} is wanted where {quoted(found['given'])} stands."


_SAYINGS: tuple[tuple[RepairKind, re.Pattern[str], _Say], ...] = (
    # Neo4j, Memgraph; kglite; Virtuoso
    (
        "unknown-variable",
        re.compile(
            r"(?:variable [`'\"]?(?P<one>[^\s`'\",;()]{1,120})[`'\"]? (?:is )?not defined"
            r"|(?:undefined|unbound) variable:? [`'\"]?(?P<two>[^\s`'\",;()]{1,120})"
            r"|variable [`'\"]?(?P<three>\??[^\s`'\",;()]{1,120})[`'\"]? (?:is used|can not be bound|cannot be bound))",
            re.I,
        ),
        lambda found: f"Nothing binds the variable {_first(found)}; after WITH only what it lists is known.",
    ),
    (
        "unknown-function",
        re.compile(
            r"(?:(?:unknown|undefined|unsupported) function:? [`'\"<]?(?P<one>[^\s`'\",;()<>]{1,120})"
            r"|function [`'\"<]?(?P<two>[^\s`'\",;()<>]{1,120})[`'\">]? (?:is )?(?:not|unknown|does not))",
            re.I,
        ),
        lambda found: f"The database has no function {_first(found)}.",
    ),
    (
        "unknown-procedure",
        re.compile(r"no procedure (?:with the name )?[`'\"]?(?P<name>[^\s`'\",;()]{1,120})", re.I),
        _with_name("The database has no procedure {}."),
    ),
    # Fuseki; Virtuoso; Oxigraph
    (
        "unknown-prefix",
        re.compile(
            r"(?:unresolved prefixed name:?|undefined namespace prefix(?: in prefix:localpart notation)? at|"
            r"prefix not found:?|the prefix) [`'\"]?(?P<name>[^\s`'\",;()]{1,120})",
            re.I,
        ),
        _with_name("The prefix of {} is not declared: put PREFIX before the query."),
    ),
    (
        "wrong-type",
        re.compile(
            r"type mismatch: expected (?:a )?(?P<wanted>.{1,80}?) but was (?P<given>.{1,60}?)(?:[(.\n]|$)",
            re.I,
        ),
        _types,
    ),
    (
        "arguments",
        re.compile(
            r"(?:too many|too few|insufficient|wrong number of) (?:parameters|arguments)(?: for)?(?: function)? "
            r"[`'\"]?(?P<name>[^\s`'\",;()]{1,120})",
            re.I,
        ),
        _with_name("{} is given a wrong number of arguments."),
    ),
    (
        "arguments",
        re.compile(r"(?P<name>\w{1,60})\(\) requires (?P<wanted>[^\n]{1,80})", re.I),
        lambda found: f"{quoted(found['name'])} takes {quoted(found['wanted'])}.",
    ),
    (
        "bad-value",
        re.compile(r"(?P<name>\w{1,60})\(\): cannot parse '(?P<given>[^'\n]{0,80})'", re.I),
        lambda found: f"{quoted(found['name'])} cannot read the text {quoted(found['given'])}.",
    ),
    (
        "bad-value",
        re.compile(r"division by zero|/ by zero", re.I),
        _plain("It divides by zero for some rows."),
    ),
    (
        "bad-value",
        re.compile(r"invalid regular expression|invalid regex|bad regular expression", re.I),
        _plain("A regular expression in it is not valid."),
    ),
    (
        "aggregate",
        re.compile(
            r"aggregat|implicit grouping|non-?group(?:ed)? (?:key )?variable|not (?:in|part of) group by",
            re.I,
        ),
        _plain(
            "Aggregates and other values are mixed as they cannot be: bring what is grouped by forward in WITH, "
            "or name it in GROUP BY."
        ),
    ),
)


def problems_as_data(problems: Iterable[RepairProblem]) -> list[dict[str, Any]]:
    """Strict JSON data, for a run."""
    return [problem.to_dict() for problem in problems]
