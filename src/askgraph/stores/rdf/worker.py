"""The process that runs SPARQL: ``python -m askgraph.stores.rdf.worker``. It can be killed at any moment.

Oxigraph cannot be interrupted, so it lives here. The first frame says what to do before queries::

    {"open": "…/oxigraph"}                         open that index
    {"build": "…/oxigraph"} N-Quads … (empty)      make it from the frames that follow, up to an empty one
    {"memory": true}        N-Quads … (empty)      the same, without a file

Then each ``{"query": …, "rows": …, "bytes": …, "plan": …}`` is answered by ``{"columns": …, "rows": …, "truncated": …,
"shape": …}`` or ``{"error": …}``. See :mod:`askgraph.stores.workers.serving` for the rest.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from ..workers.serving import Answer, handed_over, made_in_place, serve
from .integer_casts import integer_casts
from .sparql_words import NODE_FUNCTION

if TYPE_CHECKING:
    import pyoxigraph

_BYTES_OF_A_TERM: Final = 80
_TRIPLE: Final = ("subject", "predicate", "object")


def main() -> None:
    """Serve until the input ends."""
    serve(_prepare, (OSError, RuntimeError, SyntaxError))


def _prepare(task: dict[str, Any], requests: IO[bytes]) -> Answer:
    store = _store(task, requests)
    return lambda request: _answer(store, request)


def _store(task: dict[str, Any], requests: IO[bytes]) -> pyoxigraph.Store:
    from pyoxigraph import Store

    if "open" in task:
        return Store.read_only(task["open"])
    if "memory" in task:
        store = Store()
        store.bulk_extend(_quads(requests))
        return store

    def make(making: Path) -> None:
        store = Store(making)
        store.bulk_extend(_quads(requests))
        store.flush()

    made_in_place(Path(task["build"]), make)
    return Store.read_only(task["build"])


def _quads(requests: IO[bytes]) -> Iterator[pyoxigraph.Quad]:
    from pyoxigraph import RdfFormat, parse

    for content in handed_over(requests):
        yield from parse(content, RdfFormat.N_QUADS)


def _answer(store: pyoxigraph.Store, request: dict[str, Any]) -> dict[str, Any]:
    from pyoxigraph import NamedNode, QueryBoolean, QueryTriples

    functions = integer_casts()
    if request["plan"]:
        # Only plans, whose text is ours, may name blank nodes.
        functions[NamedNode(NODE_FUNCTION)] = _node
    try:
        found = store.query(request["query"], use_default_graph_as_union=True, custom_functions=functions)
        if isinstance(found, QueryBoolean):
            return {"shape": "boolean", "columns": ["answer"], "rows": [[bool(found)]], "truncated": False}
        if isinstance(found, QueryTriples):
            triples = ([triple.subject, triple.predicate, triple.object] for triple in found)
            return {"shape": "triples", "columns": _TRIPLE, **_capped(_distinct(triples), request)}
        names = [variable.value for variable in found.variables]
        places = range(len(names))
        rows = ([solution[place] for place in places] for solution in found)
        return {"shape": "rows", "columns": names, **_capped(rows, request)}
    except (SyntaxError, ValueError, OSError, RuntimeError) as error:
        return {"error": str(error)}


def _distinct(triples: Iterable[list[Any]]) -> Iterator[list[Any]]:
    """A graph holds a triple once, however many solutions make it."""
    seen = set()
    for triple in triples:
        key = tuple(triple)
        if key not in seen:
            seen.add(key)
            yield triple


def _capped(found: Iterable[list[Any]], request: dict[str, Any]) -> dict[str, Any]:
    rows: list[list[Any]] = []
    size = 0
    found = iter(found)
    for terms in itertools.islice(found, request["rows"]):
        row = [_term(term) for term in terms]
        size += sum(_BYTES_OF_A_TERM + sum(map(len, filter(None, term or ()))) for term in row)
        if size > request["bytes"]:
            return {"rows": rows, "truncated": True}
        rows.append(row)
    return {"rows": rows, "truncated": next(found, None) is not None}


def _term(term: object) -> list[Any] | None:
    from pyoxigraph import BlankNode, Literal, NamedNode

    match term:
        case NamedNode():
            return ["node", term.value]
        case BlankNode():
            return ["node", f"_:{term.value}"]
        case Literal():
            return ["literal", term.value, term.datatype.value, term.language]
    return None if term is None else ["literal", str(term), "", None]


def _node(id: Any) -> Any:
    """The node with an id: what no SPARQL text can name is a blank node."""
    from pyoxigraph import BlankNode, NamedNode

    text: str = id.value
    return BlankNode(text[2:]) if text.startswith("_:") else NamedNode(text)


if __name__ == "__main__":
    main()
