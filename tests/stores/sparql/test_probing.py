"""What an endpoint tells of itself when it is only read."""

from __future__ import annotations

from contextlib import closing

import pytest
from tests.stores.sparql.scripted_server import YES, Asked, Line, ScriptedServer
from tests.stores.sparql.support import ENGINES, address_of, client_of
from tests.stores.sparql.test_introspection import ONTOLOGY

from askgraph.core.budget import Budget
from askgraph.core.errors import UnreachableError
from askgraph.stores.rdf.names import DEFAULT_LABELS
from askgraph.stores.sparql.probing import probe


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.server(name)) for name in ENGINES])
def test_facts_of_real_servers(name: str, request: pytest.FixtureRequest) -> None:
    server = request.getfixturevalue(name)
    server.load(ONTOLOGY)
    with closing(client_of(address_of(server))) as client:
        facts = probe(client, DEFAULT_LABELS, Budget(seconds=20))
    assert name in facts.engine.shown.lower()
    assert facts.statements is not None
    assert 30 < facts.statements < 70
    assert not facts.is_larger
    assert not facts.is_empty
    assert facts.describes_itself == ("SHACL", "ontology")
    assert facts.finds_text is (name == "virtuoso")
    assert facts.named_graphs == () or name == "virtuoso"


def test_what_a_server_cannot_tell_is_none() -> None:
    def failing(asked: Asked, line: Line) -> None:
        if asked.query.startswith("ASK"):
            line.reply(YES, headers={"Server": "Virtuoso/07.20"})
        else:
            line.reply(
                "Virtuoso S1T00 Error SR171: Transaction timed out", status="500 Error", type="text/plain"
            )

    with ScriptedServer(failing) as server, closing(client_of(server.url)) as client:
        facts = probe(client, DEFAULT_LABELS, Budget(seconds=5))
    assert (facts.statements, facts.named_graphs, facts.finds_text) == (None, None, False)
    assert facts.describes_itself == ()
    assert not facts.is_empty


def test_where_nothing_answers_there_are_no_facts() -> None:
    with closing(client_of("http://127.0.0.1:1/sparql")) as client, pytest.raises(UnreachableError):
        probe(client, DEFAULT_LABELS, Budget(seconds=2))
