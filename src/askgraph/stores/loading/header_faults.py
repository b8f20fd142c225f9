"""What is wrong with a header, what was seen in it, and which option would help."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import PurePath

from ...core.errors import LoadError, Location, MissingColumnError
from .mapping import Column, FileMap, Role
from .usual_names import DOUBTFUL_ENDS, ENDS, NODE_IDS, plain


@dataclass(frozen=True, slots=True)
class HeaderContext:
    """What an interpretation of a header may need.

    Attributes:
        file: the file's name.
        line: the line of the header.
        declares_types: whether ``born:int`` is a name with a type.
        file_map: what the user said of the columns.
        node_type: the type of nodes where no column has it.
        edge_type: the type of edges where no column has it.
    """

    file: str
    line: int = 1
    declares_types: bool = True
    file_map: FileMap = field(default_factory=FileMap)
    node_type: str | None = None
    edge_type: str | None = None

    def at(self, column: str | None = None) -> Location:
        """A place in the header."""
        return Location(self.file, self.line, column)


def map_option(file: str, header: str, role: str) -> str:
    """The option of `askgraph load` that gives a column of a file a role."""
    return f"--map {shlex.quote(f'{PurePath(file).name}:{header}={role}')}"


def map_example(context: HeaderContext, entries: Mapping[str, str]) -> str:
    """An option for each of these columns."""
    options = " ".join(map_option(context.file, header, role) for header, role in entries.items())
    return f"Say what they are: {options}"


def _seen(columns: Sequence[Column]) -> str:
    shown = [column.header for column in columns if column.header]
    more = f" … ({len(shown)} in all)" if len(shown) > 30 else ""
    return ", ".join(shown[:30]) + more


def doubtful_ends(source: str, target: str, context: HeaderContext) -> LoadError:
    """Two columns that may be ends of an edge or properties of a node."""
    return MissingColumnError(
        f"the columns {source!r} and {target!r} may be the ends of an edge, or properties of a node",
        location=context.at(source),
        advice=map_example(context, {source: "source", target: "target"})
        + " if they are the ends, with =property for each if they are not.",
    )


def ambiguous(headers: Sequence[str], what: str, context: HeaderContext) -> LoadError:
    """Several columns for one role."""
    unique = list(dict.fromkeys(headers))
    others = dict.fromkeys(unique[len(unique) // 2 :], "property")
    return MissingColumnError(
        f"several columns could be {what}: {', '.join(unique)}",
        location=context.at(unique[0]),
        advice=map_example(context, others) + ", for example, keeps these as properties.",
    )


def one_end(columns: Sequence[Column], found: Column, context: HeaderContext) -> LoadError:
    """An edge with one end."""
    missing = "target" if found.role is Role.SOURCE else "source"
    others = [column.header for column in columns if column.role is Role.PROPERTY]
    return MissingColumnError(
        f"{found.header!r} is the {found.role} of an edge, and no column is its {missing};"
        f" columns seen: {_seen(columns)}",
        location=context.at(),
        advice=map_example(context, {others[0] if others else "COLUMN": missing}) + ".",
    )


def no_roles(columns: Sequence[Column], context: HeaderContext) -> LoadError:
    """Neither a table of nodes nor one of edges: show what there is and what it may have been meant to be."""
    headers = [column.header for column in columns if column.role is Role.PROPERTY]
    names = {plain(header): header for header in headers}
    half = _half_of_a_pair(names)
    if half is not None:
        found, missing, role = half
        rest = [name for name, header in names.items() if header != found]
        guess = next(iter(get_close_matches(missing, rest, n=1) or rest), None)
        ends = {
            found: "source" if role is Role.TARGET else "target",
            names[guess] if guess else "COLUMN": role.value,
        }
        return MissingColumnError(
            f"{found!r} would be one end of an edge, but {missing!r} is missing; and no column has the ids of nodes;"
            f" columns seen: {_seen(columns)}",
            location=context.at(),
            advice=map_example(context, ends)
            + f" for edges, or {map_option(context.file, found, 'id')} for nodes.",
        )
    near = [(name, get_close_matches(name, ("id", *NODE_IDS), n=1, cutoff=0.5)) for name in names]
    guess = next((names[name] for name, matches in near if matches), headers[0] if headers else "COLUMN")
    return MissingColumnError(
        "no column has the ids of nodes (id, node_id, :ID, ~id, …) and no two the ends of an edge (source and target,"
        f" subject and object, :START_ID and :END_ID, …); columns seen: {_seen(columns) or 'none'}",
        location=context.at(),
        advice=map_example(context, {guess: "id"}) + ", for example.",
    )


def _half_of_a_pair(names: Mapping[str, str]) -> tuple[str, str, Role] | None:
    for source, target in (*ENDS, *DOUBTFUL_ENDS):
        if source in names and target not in names:
            return names[source], target, Role.TARGET
        if target in names and source not in names:
            return names[target], source, Role.SOURCE
    return None
