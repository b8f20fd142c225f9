"""What RDF 1.2 says of triples on a server: the properties of their reifiers, read for many edges at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ...core.budget import Budget
from ...core.errors import QueryError
from ...core.values import Value
from ..rdf.vocabulary import RDF_REIFIES
from .client import SparqlClient
from .counting import Scope
from .terms import Resource, value_of
from .wording import TYPE

_MOST_ROWS: Final = 20_000


class Annotations:
    """Reads annotations of edges. A server whose SPARQL has no triple terms has none."""

    def __init__(self, client: SparqlClient, scope: Scope) -> None:
        self._client = client
        self._hiding = scope.hiding

    def of(self, triples: Sequence[str], budget: Budget) -> Mapping[tuple[str, str, str], dict[str, Value]]:
        """What is said of some triples, each written as a query writes a row of values: for each of which something is
        said, its properties, several values as a list."""
        if not triples:
            return {}
        query = (
            f"SELECT DISTINCT ?x ?p ?y ?key ?value WHERE {{ VALUES (?x ?p ?y) {{ {' '.join(triples)} }} "
            f"?reifier <{RDF_REIFIES}> <<( ?x ?p ?y )>> ; ?key ?value . "
            f"FILTER(?key NOT IN (<{RDF_REIFIES}>, {TYPE})) {self._hiding.no_hidden_predicate('?key')} }}"
        )
        asked = Budget(seconds=budget.remaining, rows=_MOST_ROWS, bytes=budget.bytes)
        try:
            rows = self._client.select(query, asked).rows
        except QueryError:
            return {}
        found: dict[tuple[str, str, str], dict[str, list[Value]]] = {}
        for source, type, target, key, value in rows:
            if all(isinstance(term, Resource) for term in (source, type, target, key)):
                assert source is not None
                assert type is not None
                assert target is not None
                assert key is not None
                own = found.setdefault((source[0], type[0], target[0]), {}).setdefault(key[0], [])
                own.append(value_of(value))
        return {
            triple: {key: own[0] if len(own) == 1 else own for key, own in sorted(said.items())}
            for triple, said in found.items()
        }
