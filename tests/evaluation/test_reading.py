"""Questions are read from every layout that people keep them in; what is wrong with a file is said with its line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askgraph.core.errors import QuestionsError
from askgraph.evaluation.gold import GoldItem, GoldQuestion, QuestionSet
from askgraph.evaluation.reading import read_questions

PLAN = {"nodes": [{"variable": "a", "types": ["A"]}], "columns": [{"name": "a", "expression": {"node": "a"}}]}


@pytest.fixture
def read(tmp_path: Path) -> Any:
    def read(content: str | bytes, *, language: str = "en") -> QuestionSet:
        path = tmp_path / "questions"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_questions(path, language=language)

    return read


def lines(*objects: Any) -> str:
    return "\n".join(json.dumps(item) for item in objects)


def forms(question: GoldQuestion) -> list[Any]:
    assert question.answers is not None
    return [item.forms for item in question.answers]


# --- JSON Lines


def test_a_line_has_a_question_its_answers_and_perhaps_a_form(read: Any) -> None:
    questions = read(
        lines(
            {"question": "Who leads?", "answers": ["Ada", 3, 2.5, True], "form": "one hop"},
            {"question": "Who else?", "answers": []},
            {"id": "x7", "question": "Who?", "answer": "Bob"},
        )
    )
    first, second, third = questions.questions
    assert questions.format == "JSON Lines"
    assert forms(first) == [("Ada",), (3,), (2.5,), (True,)]
    assert (first.id, first.form, second.id, third.id) == ("1", "one hop", "2", "x7")
    assert second.answers == ()
    assert forms(third) == [("Bob",)]


def test_an_answer_may_have_an_id_and_several_names(read: Any) -> None:
    line = {
        "question": "Who?",
        "answers": [{"id": "p1", "names": ["Ada", "A. L."]}, {"kb_id": "m.1", "text": "Bob"}],
    }
    (question,) = read(lines(line)).questions
    assert question.answers == (GoldItem(("Ada", "A. L."), "p1"), GoldItem(("Bob",), "m.1"))


def test_a_date_may_be_tagged(read: Any) -> None:
    line = {"question": "When?", "answers": [{"$type": "date", "value": "2020-01-31"}]}
    (question,) = read(lines(line)).questions
    assert str(forms(question)[0][0]) == "2020-01-31"


@pytest.mark.parametrize(
    ("query", "language"),
    [
        ("# all\nPREFIX a: <b:> SELECT * { ?s ?p ?o }", "sparql"),
        ("ask { ?s ?p ?o }", "sparql"),
        ("MATCH (n) RETURN n", "cypher"),
        ("// all\n OPTIONAL MATCH (n) RETURN n", "cypher"),
        ({"sparql": "SELECT * {}"}, "sparql"),
        ({"cypher": "MATCH (n) RETURN n"}, "cypher"),
        ({"plan": PLAN}, "plan"),
    ],
)
def test_a_gold_query_may_stand_in_place_of_answers(read: Any, query: Any, language: str) -> None:
    (question,) = read(lines({"question": "Who?", "query": query})).questions
    assert question.answers is None
    assert question.query.language == language


def test_what_is_written_is_read_again(read: Any) -> None:
    written = read(
        lines(
            {"question": "A?", "query": {"plan": PLAN, "asks": True}, "form": "yes/no"},
            {"question": "B?", "answers": [{"id": "x", "names": ["X", 3]}, "y"], "query": "SELECT * {}"},
        )
    ).questions
    assert read(lines(*(question.to_dict() for question in written))).questions == written


def test_the_text2cypher_layout(read: Any) -> None:
    line = {
        "question": "Which movies?",
        "schema": "Node properties: …",
        "cypher": "MATCH (m:Movie) RETURN m.title",
        "data_source": "neo4jLabs",
        "instance_id": "instance_id_7",
        "database_reference_alias": None,
    }
    questions = read(lines(line))
    assert questions.format == "text2cypher JSON Lines"
    assert questions.questions[0].id == "instance_id_7"
    assert questions.questions[0].query.text.startswith("MATCH")


# --- JSON of published sets


def sparql_json(*rows: dict[str, Any]) -> dict[str, Any]:
    return {"head": {"vars": ["uri"]}, "results": {"bindings": list(rows)}}


def test_qald(read: Any) -> None:
    document = {
        "dataset": {"id": "qald-9-test-multilingual"},
        "questions": [
            {
                "id": "99",
                "question": [
                    {"language": "de", "string": "In welcher Zeitzone ist Salt Lake City?"},
                    {"language": "en", "string": "What is the time zone of Salt Lake City?"},
                ],
                "query": {"sparql": "SELECT ?uri { ?x ?y ?uri }"},
                "answers": [
                    sparql_json({"uri": {"type": "uri", "value": "http://dbpedia.org/resource/MTZ"}})
                ],
            },
            {
                "id": "100",
                "question": [{"language": "en", "string": "Is it?"}],
                "query": {"sparql": "ASK { ?x ?y ?z }"},
                "answers": [{"head": {}, "boolean": True}],
            },
            {
                "id": "101",
                "question": [{"language": "en", "string": "How many?"}],
                "query": {"sparql": "SELECT (COUNT(*) AS ?c) { ?x ?y ?z }"},
                "answers": [{"head": {"vars": ["c"]}, "results": {"bindings": []}}],
            },
        ],
    }
    questions = read(json.dumps(document, indent=1))
    place, truth, count = questions.questions
    assert questions.format == "QALD JSON"
    assert place.text == "What is the time zone of Salt Lake City?"
    assert place.answers == (
        GoldItem(("http://dbpedia.org/resource/MTZ",), "http://dbpedia.org/resource/MTZ"),
    )
    assert forms(truth) == [(True,)]
    assert count.answers is None, "results that the endpoint did not give are what the query gives"
    assert read(json.dumps(document), language="de").questions[0].text.startswith("In welcher")


def test_dblp_quad(read: Any) -> None:
    document = {
        "questions": [
            {
                "id": "Q0007",
                "query_type": "SINGLE_FACT",
                "question": {"string": "Who wrote 'Graphs'?"},
                "paraphrased_question": {"string": "Whose is 'Graphs'?"},
                "query": {"sparql": "SELECT DISTINCT ?answer WHERE { <urn:p> <urn:authoredBy> ?answer }"},
                "entities": ["<urn:p>"],
                "answer": sparql_json({"uri": {"type": "literal", "value": "2003"}}),
            }
        ]
    }
    questions = read(json.dumps(document))
    (question,) = questions.questions
    assert questions.format == "DBLP-QuAD JSON"
    assert (question.id, question.form, question.text) == ("Q0007", "SINGLE_FACT", "Who wrote 'Graphs'?")
    assert forms(question) == [("2003",)]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r"J\u00F6rg", "Jörg"),
        (r"\u00c5sa \u0141uk", "Åsa Łuk"),
        (r"\ud83d\ude42", "🙂"),
        (r"half \ud83d", "half \N{REPLACEMENT CHARACTER}"),
        (r"C:\users", r"C:\users"),
    ],
)
def test_names_that_dblp_quad_escapes_twice_are_read(read: Any, written: str, meant: str) -> None:
    document = {
        "questions": [{"question": {"string": f"Who is {written}?"}, "query": {"sparql": "ASK { ?s ?p ?o }"}}]
    }
    assert read(json.dumps(document)).questions[0].text == f"Who is {meant}?"


def test_ck25(ck25_questions: Path) -> None:
    questions = read_questions(ck25_questions)
    assert questions.format == "CK25 YAML"
    assert len(questions) == 50
    assert questions.questions[0].id == "1"
    assert questions.questions[0].text == "In which department is Ms. Brant?"
    assert all(question.query is not None for question in questions.questions)


# --- CSV


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_table_of_questions_and_answers(read: Any, delimiter: str) -> None:
    table = "question,answer,form\nWho leads?,Ada,one hop\nWho not?,,\n".replace(",", delimiter)
    first, second = read(table).questions
    assert forms(first) == [("Ada",)]
    assert first.form == "one hop"
    assert second.answers == ()


def test_several_answers_stand_in_one_cell_or_in_several_lines(read: Any) -> None:
    table = 'question,answers\n"Who, then?","Ada | Bob"\nWho?,Ada\nWho?,Bob\n\nWho else?,Cy\n'
    assert [forms(question) for question in read(table).questions] == [
        [("Ada",), ("Bob",)],
        [("Ada",), ("Bob",)],
        [("Cy",)],
    ]


def test_a_table_without_headings(read: Any) -> None:
    assert [question.text for question in read("Who leads?,Ada\nWho else?,Bob\n").questions] == [
        "Who leads?",
        "Who else?",
    ]


def test_a_table_with_queries(read: Any) -> None:
    (question,) = read('question,query\nWho?,"MATCH (n)\nRETURN n"\n').questions
    assert question.query.text == "MATCH (n)\nRETURN n"
    assert question.answers is None


# --- what is wrong, and where


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("", None, "empty"),
        ("[]", None, "no questions"),
        ("Dear diary, today", 1, "no known layout"),
        ('{"question": "A?", "answers": []}\n{"question": "B?"\n', 2, "not JSON"),
        ('{"question": "A?", "answers": []}\n\n{"question": "B?"}\n', 3, "question 2: it has neither"),
        ('{"question": "  ", "answers": []}', 1, "empty"),
        ('{"answers": []}', 1, "'question' is missing"),
        ('{"question": 3, "answers": []}', 1, "'question' is 3"),
        ('{"question": "A?", "answers": [null]}', 1, "an answer is None"),
        ('{"question": "A?", "answers": [["a"]]}', 1, "an answer is \\['a'\\]"),
        ('{"question": "A?", "answers": [{}]}', 1, "neither an id nor a name"),
        (
            '{"question": "A?", "answers": [{"$type": "date", "value": "soon"}]}',
            1,
            "not a value of type 'date'",
        ),
        ('{"question": "A?", "query": "DROP TABLE"}', 1, "neither SPARQL nor Cypher"),
        ('{"question": "A?", "query": {"sql": "SELECT"}}', 1, "'query' is"),
        ('{"question": "A?", "query": {"plan": {}}}', 1, "a plan needs at least one node"),
        ('{"question": "A?", "query": {"plan": {}, "asks": 1}}', 1, "'asks' is 1"),
        ("3\n4\n", 1, "no known layout"),
        (
            '{\n "questions": [\n  {"question": "A?", "answers": []},\n  {"question": "B?"}\n ]\n}',
            4,
            "question 2",
        ),
        ('{\n "questions": [\n  {"question": "A?",,}\n ]\n}', 3, "not JSON"),
        ('{"questions": {"question": "A?"}}', None, "not a list"),
        ('[\n{"question": "A?"}]', 2, "question 1"),
        ('{\n "question": "A?",\n "answers": []\n}', 1, "no list 'questions'"),
        ("questions:\n - question: A?\n   query: ]", 3, "not YAML"),
        (
            "questions:\n - {question: {en: A?}, query: {sparql: x}}\n - {question: {en: B?}}\n",
            3,
            "question 2",
        ),
        ("questions: 3\n", None, "not a list"),
        ("question,answer\n,Ada\n", 2, "empty"),
        ('question,answer\nA?,"Ada\n', 2, "not a table"),
        ("question,form,answer\nA?\n", 2, "of at least 3 cells"),
        ("question,query\nA?,DROP\n", 2, "neither SPARQL nor Cypher"),
        (b'{"question": "A?", "answers": []}\n{"question": "\xe4?", "answers": []}', 2, "not UTF-8"),
        ("[" * 100_000, 1, "not JSON"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(
    read: Any, content: str | bytes, line: int | None, message: str
) -> None:
    with pytest.raises(QuestionsError, match=message) as caught:
        read(content)
    assert caught.value.location is not None
    assert caught.value.location.line == line


def test_questions_alone_are_refused_with_the_option_that_takes_them(read: Any) -> None:
    with pytest.raises(QuestionsError) as caught:
        read("Who plays for Łódź United?\nWho plays for Warta?\n")
    assert "--compare" in (caught.value.advice or "")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(QuestionsError, match="No such file"):
        read_questions(tmp_path / "none.jsonl")


@given(st.text(max_size=200))
def test_whatever_the_text_it_is_questions_or_a_typed_error(tmp_path_factory: Any, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "any-text"
    path.write_text(text, encoding="utf-8", errors="ignore")
    found: object
    try:
        found = read_questions(path)
    except QuestionsError as error:
        found = error.location
    assert found
