"""A text is taken for the language that its first words belong to."""

from __future__ import annotations

import pytest
from tests.querying.cases import gate_cases

from askgraph.querying import check
from askgraph.querying.languages import guess_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("SELECT * { ?s ?p ?o }", "sparql"),
        ("\n # a comment\n  prefix a: <b> ask { }", "sparql"),
        ("ASK{}", "sparql"),
        ("DESCRIBE <x>", "sparql"),
        ("base <http://x/> describe *", "sparql"),
        ("INSERT DATA { }", "sparql"),
        ("DELETE\n{ ?s ?p ?o } WHERE { }", "sparql"),
        ("WITH <g> DELETE { } WHERE { }", "sparql"),
        ("LOAD <x>", "sparql"),
        ("DROP SILENT ALL", "sparql"),
        ("MATCH (n) RETURN n", "cypher"),
        ("WITH 1 AS x RETURN x", "cypher"),
        ("INSERT (n)", "cypher"),
        ("DELETE n", "cypher"),
        ("LOAD CSV FROM 'x' AS l RETURN l", "cypher"),
        ("CREATE (n)", "cypher"),
        ("DROP INDEX x", "cypher"),
        ("// SELECT\nRETURN 1", "cypher"),
        ("/* SELECT */ RETURN 1", "cypher"),
        ("", "cypher"),
        ("  (", "cypher"),
        ("selection", "cypher"),
        ("DELETE", "cypher"),
    ],
)
def test_the_first_words_tell(text: str, language: str) -> None:
    assert guess_language(text) == language


def test_every_labelled_case_that_may_run_is_known_by_its_first_words() -> None:
    for language in ("cypher", "sparql"):
        for case in gate_cases(language):
            if case["verdict"] == "allow":
                assert guess_language(case["query"]) == language, case["id"]


def test_the_gate_takes_a_text_for_what_it_looks_like_if_not_told() -> None:
    assert check("SELECT * { ?s ?p ?o }").language == "sparql"
    assert check("MATCH (n) RETURN n").language == "cypher"
