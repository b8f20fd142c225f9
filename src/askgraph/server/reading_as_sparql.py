"""What a reading found, as one SPARQL query that selects what was asked for and nothing beside it.

A plan also selects what shows that a row is right: the values that were compared, and by which it is ordered. Whoever
compares results wants the answer alone, so these are left inside a sub-query.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from ..answering.compose import asked_columns
from ..core.errors import NoSparqlError
from ..core.plan import Aggregate, Column, Constant, NodeReference, Plan, PropertyOf
from ..linking.language import language
from ..querying.sparql.parser import parse
from ..querying.sparql.query_tree import SelectQuery
from ..querying.sparql.term_tree import Variable
from ..retrievers.reading.questions import Found
from ..retrievers.reading.reading import Reading
from ..retrievers.reading.reading_plan import ANSWER

# By the embedded engine alone.
_OUR_FUNCTIONS: Final = "PREFIX askgraph:"
_FUNCTIONS: Final = {"average": "AVG", "sum": "SUM", "minimum": "MIN", "maximum": "MAX", "count": "COUNT"}


def sparql_of(found: Found, to_sparql: Callable[[Plan], str], name_key: str = "") -> str:
    """The query of what was found.

    Args:
        found: a reading, its plan and the rows of it.
        to_sparql: puts a plan as SPARQL in the words of the graph.
        name_key: the property by which the nodes found have their names: it is selected in their place where the
            question asks for names ("the name of the network expert").

    Raises:
        NoSparqlError: it is a share or a difference, which is worked out of the rows of more than one query; or it
            names a blank node, which SPARQL cannot.
        PlanError: as ``to_sparql``.
    """
    reading = found.reading
    if reading.share is not None or reading.difference is not None:
        raise NoSparqlError("a share or a difference is worked out of several results, not by one query")
    plan, asked = _as_asked(found), _asked(found)
    if name_key and asks_for_names(found) and asked[0] == 0:
        plan, asked = _with_name(plan, name_key), [len(plan.columns), *asked[1:]]
    text = to_sparql(plan)
    if _OUR_FUNCTIONS in text:
        raise NoSparqlError("the question names a blank node, which no SPARQL query can name")
    prologue, select = _parted(text)
    if reading.is_yes_no:
        return f"{prologue}ASK {{\n  {{\n{_indented(select)}\n  }}\n}}\n"
    variables = _variables(plan, text)
    if reading.is_worked_out_of_rows:
        return f"{prologue}SELECT {_figure_of_rows(reading, variables)} WHERE {{\n  {{\n{_indented(select)}\n  }}\n}}\n"
    shown = [variables[place] for place in asked if place in variables]
    if set(shown) == set(variables.values()) or not shown:
        return text
    # Inside, so that it keeps its order and its limit.
    return f"{prologue}SELECT DISTINCT {' '.join(dict.fromkeys(shown))} WHERE {{\n  {{\n{_indented(select)}\n  }}\n}}\n"


def asks_for_names(found: Found) -> bool:
    """Whether the question speaks of names, and nodes are what it asks for."""
    reading = found.reading
    words = reading.question.question.words
    named = language(reading.question.language).name_words
    lists_nodes = found.plan.columns[0] == Column(ANSWER, NodeReference(ANSWER)) and not reading.is_yes_no
    return lists_nodes and not reading.is_worked_out_of_rows and any(word.said in named for word in words)


def _with_name(plan: Plan, key: str) -> Plan:
    """The plan with the names of the nodes as its last column."""
    return replace(plan, columns=(*plan.columns, Column(_free("name", plan), PropertyOf(ANSWER, key))))


def _free(name: str, plan: Plan) -> str:
    taken = {column.name for column in plan.columns}
    while name in taken:
        name += "'"
    return name


def _as_asked(found: Found) -> Plan:
    """The plan with as many rows as were asked for: more were read, to see those that are as good as the last."""
    plan, reading = found.plan, found.reading
    if reading.is_yes_no:
        return replace(plan, limit=None)
    if reading.scale is None or not plan.order:
        return plan
    return replace(plan, limit=len(found.table.rows), offset=reading.scale.skip)


def _asked(found: Found) -> Sequence[int]:
    """The places of the columns that the question asks for: the answer, and what is to stand beside it."""
    reading = found.reading
    width = len(found.plan.columns)
    asked = asked_columns(found)
    if asked != (0,):
        return asked
    own = range(width - len(reading.columns), width)
    figure: Sequence[int] = ()
    if reading.figure is not None and reading.figure.is_each and reading.scale is None:
        figure = [
            place
            for place, column in enumerate(found.plan.columns)
            if isinstance(column.expression, Aggregate)
        ][-1:]
    return [*asked, *figure, *own]


def _variables(plan: Plan, text: str) -> dict[int, str]:
    """The variable of each column by its place. Constants are not selected; what stands twice is selected once."""
    form = parse(text).query.form
    assert isinstance(form, SelectQuery)
    selected = [
        item.name if isinstance(item, Variable) else item.variable.name for item in form.projection.items
    ]
    places: dict[object, int] = {}
    variables: dict[int, str] = {}
    for place, column in enumerate(plan.columns):
        if not isinstance(column.expression, Constant):
            found = places.setdefault(_key(column), len(places))
            variables[place] = f"?{selected[found]}"
    return variables


def _key(column: Column) -> object:
    return column.name if isinstance(column.expression, Aggregate) else column.expression


def _figure_of_rows(reading: Reading, variables: dict[int, str]) -> str:
    """The figure that is worked out of rows; without one their number is asked for."""
    if reading.figure is None:
        return "(COUNT(*) AS ?count)"
    function = reading.figure.function
    return f"({_FUNCTIONS[function]}({variables[max(variables)]}) AS ?{function})"


def _parted(text: str) -> tuple[str, str]:
    """The comments and prefixes of a query, and the rest of it."""
    lines = text.rstrip("\n").split("\n")
    first = next(place for place, line in enumerate(lines) if line.startswith("SELECT"))
    prologue = "\n".join(lines[:first])
    return f"{prologue}\n" if prologue else "", "\n".join(lines[first:])


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.split("\n"))
