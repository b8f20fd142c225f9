"""The row cap: a query rewritten so that it cannot give more rows than allowed."""

from __future__ import annotations

from typing import NamedTuple

from .query_tree import AskQuery, ConstructQuery, Query, SelectQuery
from .scopes import visible_variables
from .term_tree import Variable


class Capped(NamedTuple):
    """A query with its cap.

    Attributes:
        query: the rewritten query.
        in_text: whether the text itself holds the cap. Of CONSTRUCT and DESCRIBE the LIMIT counts solutions, each of
            which may make many triples: the store stops reading as well.
        notes: what was changed, in plain sentences.
    """

    query: Query
    in_text: bool
    notes: tuple[str, ...]


def column_names(query: Query) -> tuple[str, ...] | None:
    """The names of a query's columns; ``None`` for a query that gives triples or a truth value."""
    form = query.form
    if not isinstance(form, SelectQuery):
        return None
    if form.projection.everything:
        names = visible_variables(form.where)
        given = () if form.values is None else form.values.variables
        return tuple(dict.fromkeys((*names, *(variable.name for variable in given))))
    return tuple(
        item.name if isinstance(item, Variable) else item.variable.name for item in form.projection.items
    )


def cap_rows(query: Query, rows: int) -> Capped:
    """The query with at most ``rows + 1`` solutions: one more than allowed, which tells that there was more.

    A smaller LIMIT of the author stays. ASK gives one truth value and needs no cap.
    """
    form = query.form
    if isinstance(form, AskQuery):
        return Capped(query, True, ())
    if form.where is None:
        # DESCRIBE of what the text names.
        return Capped(query, False, ())
    given = form.modifiers.limit
    if given is not None and given <= rows:
        return Capped(query, isinstance(form, SelectQuery), ())
    capped = form.changed(modifiers=form.modifiers.changed(limit=rows + 1))
    return Capped(query.changed(form=capped), isinstance(form, SelectQuery), _notes(form, given, rows))


def _notes(form: object, given: int | None, rows: int) -> tuple[str, ...]:
    if isinstance(form, SelectQuery):
        return () if given is None else (f"LIMIT {given:,} was lowered to the cap of {rows:,} rows",)
    # Whether this cut anything cannot be seen from the triples.
    what = "triples were made of" if isinstance(form, ConstructQuery) else "descriptions were given of"
    return (f"{what} at most {rows + 1:,} solutions: there may be more",)
