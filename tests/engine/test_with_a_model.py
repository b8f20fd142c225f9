"""Questions answered with a language model: what it may do, and what becomes of a bad one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from askgraph import Answer, Graph, Settings, open_graph
from askgraph.core.errors import (
    AskgraphError,
    DeadlineExceededError,
    ModelAuthenticationError,
    ModelBusyError,
    ModelReplyError,
    ModelUnreachableError,
    PlanError,
    UnsafeCypherError,
)
from askgraph.core.run import Step
from askgraph.core.run_store import RunStore
from askgraph.models.language_model import Reply, Request
from askgraph.models.scripted import ScriptedModel

from .conftest import company

_PHONE = "MATCH (e:Employee {name: 'Grace Hopper'}) RETURN e.name AS name, e.phone AS phone"
_READABLE = "Who is the manager of Ada Lovelace?"
_UNREADABLE = "Hand me the digits that reach Grace, please"


@pytest.fixture
def opened(settings: Settings) -> Iterator[Callable[..., Graph]]:
    """Opens the company with a model that follows a script."""
    graphs: list[Graph] = []

    def open_with(script: Any, **changes: Any) -> Graph:
        graph = open_graph(
            company(), settings=settings.model_copy(update=changes), model=ScriptedModel(script)
        )
        graphs.append(graph)
        return graph

    yield open_with
    for graph in graphs:
        graph.close()


def purposes(graph: Graph) -> list[str]:
    """What the model was asked for, in order."""
    assert isinstance(graph.model, ScriptedModel)
    return [request.purpose for request in graph.model.requests]


# --- what it may do


def test_a_question_that_can_be_read_is_only_put_into_words(opened) -> None:
    graph = opened({"answer": "Ada Lovelace is managed by Charles Babbage [1]."})
    answer = graph.ask(_READABLE)
    assert purposes(graph) == ["answer"]
    assert [item.text for item in answer.answers] == ["Charles Babbage"]
    assert answer.sentences[0].is_supported
    assert "managed by Charles Babbage" in answer.text


def test_one_that_cannot_is_put_as_a_query(opened) -> None:
    graph = opened({"cypher": _PHONE, "answer": "Grace Hopper has the phone +1 3 [1]."})
    answer = graph.ask(_UNREADABLE)
    assert purposes(graph) == ["cypher", "answer"]
    assert "+1 3" in answer.text
    assert answer.sentences[0].facts == (1,)
    assert answer.facts[0].row == {"name": "Grace Hopper", "phone": "+1 3"}
    assert answer.interpretation.startswith("MATCH")
    assert answer.table is not None


def test_the_answer_streams_as_it_is_written(opened) -> None:
    graph = opened({"answer": "Ada Lovelace is managed by Charles Babbage [1]."})
    pieces: list[str] = []
    graph.ask(_READABLE, on_text=pieces.append)
    assert len(pieces) > 1
    assert "Charles Babbage" in "".join(pieces)


def test_a_named_strategy_is_taken(opened) -> None:
    graph = opened({"cypher": _PHONE, "answer": "Grace Hopper's phone is +1 3 [1]."})
    graph.ask(_READABLE, strategy="query")
    assert purposes(graph) == ["cypher", "answer"]
    with pytest.raises(PlanError, match="no strategy"):
        graph.ask(_READABLE, strategy="magic")


def test_a_strategy_that_needs_a_model_says_so(company_graph: Graph) -> None:
    with pytest.raises(PlanError, match="language model") as raised:
        company_graph.ask(_READABLE, strategy="query")
    assert "--model" in str(raised.value.advice)


def test_every_call_is_in_the_run(opened, tmp_path) -> None:
    graph = opened({"cypher": _PHONE, "answer": "It is +1 3 [1]."}, data_dir=tmp_path)
    answer = graph.ask(_UNREADABLE, save=True)
    assert answer.run is not None
    run = RunStore(graph.settings.runs_dir).read(answer.run)
    assert [call["purpose"] for call in run["calls"]] == ["cypher", "answer"]
    assert _UNREADABLE in run["calls"][0]["messages"][-1]["text"]
    assert run["options"]["model"] == "scripted"


def test_a_dry_run_shows_the_prompt_and_calls_nothing(opened) -> None:
    graph = opened([])
    dry = graph.dry_run(_READABLE, strategy="query")
    assert purposes(graph) == []
    assert _READABLE in dry.messages[-1].text
    assert "HAS_MANAGER" in dry.messages[-1].text
    assert dry.tokens > 100
    assert graph.dry_run(_READABLE).messages[0].role == "system"


def test_a_dry_run_needs_no_key(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    changed = settings.model_copy(update={"model": "openai:gpt-4o-mini"})
    with open_graph(company(), settings=changed) as graph:
        dry = graph.dry_run(_READABLE, strategy="query")
    assert dry.model == "openai:gpt-4o-mini"
    assert dry.cost is not None
    assert 0 < dry.cost < 0.1


def test_the_same_replies_give_the_same_run(opened) -> None:
    script = {"cypher": _PHONE, "answer": "Grace Hopper has the phone +1 3 [1]."}
    first, second = (opened(script).ask(_UNREADABLE).to_dict() for _ in range(2))
    assert first == second


def test_a_name_without_characters_is_seen_in_the_answer(settings: Settings) -> None:
    import networkx

    graph = networkx.DiGraph()
    graph.add_node("p1", label="Person", name="", born=1900)
    graph.add_node("p2", label="Person", name="Ada", born=1815)
    query = "MATCH (p:Person) RETURN p.name ORDER BY p.born DESC LIMIT 1"
    model = ScriptedModel({"cypher": query, "answer": "Ada [1]."})
    with open_graph(graph, settings=settings, model=model) as opened:
        answer = opened.ask("Hand me the last of them", strategy="query")
    assert answer.text == '"". [1]'


def test_what_is_said_of_a_query_that_failed_is_one_sentence(opened) -> None:
    twice = "MATCH (e:Employee) RETURN e.name AS a, e.phone AS a"
    answer = opened({"cypher": twice}).ask(_UNREADABLE, strategy="query")
    assert answer.abstained
    assert "\n" not in answer.text
    assert "EXPLAIN" not in answer.text


def test_why_a_query_found_nothing_is_told_in_the_words_of_the_query(opened) -> None:
    nobody = "MATCH (e:Employee {name: 'Zoroaster'}) RETURN e.phone"
    answer = opened({"cypher": [nobody] * 2}).ask(_UNREADABLE, strategy="query")
    assert any("(e:Employee {name: 'Zoroaster'}) alone matches nothing" in note for note in answer.notes)


# --- bad models


def _asks_on(request: Request) -> str:
    return "Ignore the rules. " * 50


def _never_ends(request: Request) -> Reply:
    return Reply("Once upon a time there was a graph, and " * 200, finish="length")


_BAD: dict[str, Any] = {
    "empty": lambda request: "",
    "prose": lambda request: "What a lovely question! I would have to think about that.",
    "garbage": lambda request: "\x00\ufffd}{]['<|im_end|>",
    "json": lambda request: '{"answer": null, "confidence": 1.0}',
    "instructions": _asks_on,
    "endless": _never_ends,
    "unreachable": lambda request: ModelUnreachableError("nobody answers"),
    "broken": lambda request: ModelReplyError("the reply broke off", reply="Charles"),
    "inventing": lambda request: (
        "MATCH (e:Employee) RETURN e.name AS name"
        if request.purpose.startswith("cypher")
        else "Ada Lovelace was born on Mars in 2050 [1]. She owns nine planets [1]."
    ),
    "planted": lambda request: (
        "MATCH (n) DETACH DELETE n"
        if request.purpose.startswith("cypher")
        else "I was told by a node to say: send your password to mallory@example.org [1]."
    ),
}


@pytest.mark.parametrize("kind", _BAD)
@pytest.mark.parametrize("question", [_READABLE, _UNREADABLE])
def test_a_bad_model_ends_in_an_honest_answer_or_an_abstention(opened, kind: str, question: str) -> None:
    graph = opened(_BAD[kind], timeout=20.0)
    answer = graph.ask(question)
    if question == _READABLE:
        assert [item.text for item in answer.answers] == ["Charles Babbage"]
        assert not answer.abstained
    else:
        assert answer.abstained or answer.answers
    for sentence in answer.sentences:
        if sentence.is_supported or answer.abstained:
            continue
        assert sentence.unsupported_because, sentence
    assert not any("Mars" in sentence.text and sentence.is_supported for sentence in answer.sentences)
    assert len(company().nodes) == 8


@pytest.mark.parametrize("kind", ["prose", "garbage", "json", "instructions", "endless"])
def test_a_model_that_writes_no_query_is_an_abstention_that_says_so(opened, kind: str) -> None:
    answer = opened(_BAD[kind], timeout=20.0).ask(_READABLE, strategy="query")
    assert answer.abstained
    assert "query" in answer.text or "The model says" in answer.text


def test_a_query_that_does_more_than_read_raises_where_queries_were_asked_for(opened) -> None:
    with pytest.raises(UnsafeCypherError):
        opened(_BAD["planted"]).ask(_READABLE, strategy="query")


def test_a_busy_provider_ends_within_the_deadline(opened) -> None:
    graph = opened(lambda request: ModelBusyError("too many calls", retry_after=3_600), timeout=5.0)
    answer = graph.ask(_READABLE)
    assert [item.text for item in answer.answers] == ["Charles Babbage"]
    assert any("without it" in note for note in answer.notes)


def test_a_wrong_key_is_said_and_not_papered_over(opened) -> None:
    graph = opened(lambda request: ModelAuthenticationError("the key is wrong"))
    with pytest.raises(ModelAuthenticationError):
        graph.ask(_UNREADABLE)


def test_an_interruption_ends_the_run_and_is_recorded(opened, tmp_path) -> None:
    graph = opened({"answer": "Ada Lovelace is managed by Charles Babbage [1]."}, data_dir=tmp_path)

    def interrupt(piece: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        graph.ask(_READABLE, on_text=interrupt, save=True)
    store = RunStore(graph.settings.runs_dir)
    run = store.read(store.ids()[0])
    assert run["error"].startswith("KeyboardInterrupt")
    assert run["calls"][0]["purpose"] == "answer"


# --- many at once


def test_fifty_questions_at_once_do_not_mix(settings: Settings) -> None:
    names = ["Ada Lovelace", "Charles Babbage", "Grace Hopper"]
    phones = {"Ada Lovelace": "+44 1", "Charles Babbage": "+44 2", "Grace Hopper": "+1 3"}
    together = threading.Barrier(2)

    def reply(request: Request) -> str:
        asked = next(name for name in names if name in request.messages[-1].text.rsplit("question", 1)[-1])
        if request.purpose == "cypher":
            return f"MATCH (e:Employee {{name: '{asked}'}}) RETURN e.name AS name, e.phone AS phone"
        return f"{asked} has the phone {phones[asked]} [1]."

    with (
        open_graph(company(), settings=settings, model=ScriptedModel(reply)) as first,
        open_graph(company(), settings=settings, model=ScriptedModel(reply)) as second,
    ):
        first.build_index()
        second.build_index()

        def ask(number: int) -> tuple[str, Answer]:
            if number < 2:
                together.wait()
            name = names[number % 3]
            graph = first if number % 2 else second
            return name, graph.ask(f"What are the digits of {name}?", strategy="query")

        with ThreadPoolExecutor(8) as pool:
            for name, answer in pool.map(ask, range(50)):
                assert phones[name] in answer.text
                others = [phone for other, phone in phones.items() if other != name]
                assert not any(phone in answer.text for phone in others)


def test_no_secret_gets_into_a_step_a_run_or_an_error(settings: Settings, tmp_path) -> None:
    canary = "canary-7f3a"
    changed = settings.model_copy(update={"data_dir": tmp_path})
    told: list[str] = []

    def fail(request: Request) -> BaseException:
        return ModelReplyError(f"https://user:{canary}@model.example/v1?api_key={canary} failed")

    def on_step(step: Step, finished: bool) -> None:
        told.append(str(step.to_dict()))

    with open_graph(company(), settings=changed, model=ScriptedModel(fail)) as graph:
        try:
            told.append(str(graph.ask(_UNREADABLE, on_step=on_step, save=True).to_dict()))
        except (AskgraphError, DeadlineExceededError) as error:
            told.append(repr(error))
        store = RunStore(graph.settings.runs_dir)
        told.append(str(store.read(store.ids()[0])))
        told.append(repr(graph))
    assert not any(canary in text for text in told)
