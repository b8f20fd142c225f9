"""The TEXT2SPARQL protocol over real HTTP: what clients get for good and bad requests, alone and together."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
import urllib.parse
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.server.conftest import CK25_GRAPH, PATIENCE, HttpReply

from askgraph import Graph, Settings, open_graph
from askgraph.core.errors import ModelBusyError, ModelError, ModelUnreachableError
from askgraph.models.scripted import ScriptedModel
from askgraph.server.listening import listening_socket, serve
from askgraph.server.sparql_writing import SparqlWriter, WrittenSparql
from askgraph.server.text2sparql import ANY_DATASET, Served, text2sparql_app

DATASET = "urn:company"
MANAGER = "Who is the manager of Heinrich Hoch?"


class Client:
    """Asks a server at a port, and sees what it told its owner."""

    def __init__(self, port: int, served: list[Served]) -> None:
        self.port = port
        self.served = served

    def get(self, path: str, *, method: str = "GET", headers: dict[str, str] | None = None) -> HttpReply:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, headers=headers or {})
            response = connection.getresponse()
            body = json.loads(response.read())
            return HttpReply(response.status, response.getheader("Content-Type", ""), body)
        finally:
            connection.close()

    def ask(self, question: str, dataset: str = DATASET) -> HttpReply:
        return self.get("/?" + urllib.parse.urlencode({"dataset": dataset, "question": question}))


@contextmanager
def serving(writers: dict[str, SparqlWriter], **options: Any) -> Iterator[Client]:
    """The protocol on a free port, in a thread of this process."""
    served: list[Served] = []
    done = threading.Event()
    listener = listening_socket("127.0.0.1", 0)
    port = listener.getsockname()[1]
    app = text2sparql_app(writers, on_served=served.append, **options)
    thread = threading.Thread(target=serve, args=(app, listener), kwargs={"until": done.is_set})
    thread.start()
    try:
        yield Client(port, served)
    finally:
        done.set()
        thread.join(PATIENCE)
    assert not thread.is_alive()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def company(folder: Path, **options: Any) -> Graph:
    return open_graph(CK25_GRAPH, settings=Settings.load(save_runs=False, cache_dir=folder), **options)


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[Client]:
    with company(folder) as graph, serving({DATASET: SparqlWriter(graph)}) as client:
        yield client


# What the protocol has


def test_a_question_gives_what_the_protocol_has(client: Client) -> None:
    reply = client.ask(MANAGER)
    assert reply.status == 200
    assert reply.type == "application/json"
    assert reply.body["dataset"] == DATASET
    assert reply.body["question"] == MANAGER
    assert "hasManager" in reply.body["query"]
    assert reply.body["written_by"] == "reading"


def test_a_question_in_any_script_comes_back_as_it_was_asked(client: Client) -> None:
    question = "Wer leitet „Ärzte & Söhne“? 誰 + 100 % 🙂"
    reply = client.ask(question)
    assert reply.status == 422
    assert client.served[-1].question == question


def test_whoever_asks_whether_it_lives_hears_what_it_serves(client: Client) -> None:
    assert client.get("/health").body == {"status": "ok", "datasets": [DATASET]}


# What is at fault is told, as JSON, and never with a query


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/", 400, "dataset is missing"),
        ("/?dataset=urn:company", 400, "question is missing"),
        ("/?question=x", 400, "dataset is missing"),
        ("/?dataset=urn:company&question=", 400, "question is empty"),
        ("/?dataset=urn:company&question=%20%0A", 400, "question is empty"),
        ("/?dataset=&question=x", 400, "dataset is empty"),
        ("/?dataset=urn:company&question=a&question=b", 400, "2 times"),
        ("/?dataset=urn:company&question=%FF%FE", 400, "no UTF-8"),
        ("/?dataset=urn:company&question=a%00b", 400, "no UTF-8"),
        ("/?dataset=urn:company&question=%ED%A0%80", 400, "no UTF-8"),
        ("/?dataset=urn:other&question=x", 404, "no data set urn:other"),
        ("/ask?dataset=urn:company&question=x", 404, "Not Found"),
    ],
)
def test_a_request_at_fault_is_told_what_is_wrong(client: Client, path: str, status: int, said: str) -> None:
    reply = client.get(path)
    assert reply.status == status
    assert said in reply.body["detail"]
    assert reply.body["advice"]
    assert "query" not in reply.body


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_another_method_is_refused(client: Client, method: str) -> None:
    assert client.get("/?dataset=urn:company&question=x", method=method).status == 405


@pytest.mark.parametrize("length", [2_001, 20_000, 50_000])
def test_a_question_that_is_too_long_is_refused(client: Client, length: int) -> None:
    reply = client.ask("a" * length)
    assert reply.status == 400
    assert f"{length:,} characters" in reply.body["detail"]


def test_a_name_of_a_data_set_that_is_long_is_not_repeated_whole(client: Client) -> None:
    assert len(client.ask("x", dataset="urn:" + "a" * 20_000).body["detail"]) < 300


def test_a_question_that_cannot_be_put_as_sparql_is_told_why(client: Client) -> None:
    reply = client.ask("Which coil has the highest density?")
    assert reply.status == 422
    assert reply.body["type"] == "NoSparqlError"
    assert "density" in reply.body["detail"]
    assert "query" not in reply.body


@pytest.mark.parametrize("name", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example"])
def test_a_web_page_cannot_ask_by_a_name_of_its_own(client: Client, name: str) -> None:
    path = "/?dataset=urn:company&question=x"
    assert client.get(path, headers={"Host": name}).status == 403
    assert client.get("/health", headers={"Host": name}).status == 403


@pytest.mark.parametrize("name", ["localhost:8000", "127.0.0.1", "[::1]:8000"])
def test_this_machine_can_ask_by_each_of_its_names(client: Client, name: str) -> None:
    path = "/?" + urllib.parse.urlencode({"dataset": DATASET, "question": MANAGER})
    assert client.get(path, headers={"Host": name}).status == 200


def test_what_is_no_http_does_not_disturb_the_rest(client: Client) -> None:
    for garbage in (b"\x16\x03\x01\x02\x00\x01", b"GET\r\n\r\n", b"A" * 100_000):
        with socket.create_connection(("127.0.0.1", client.port), timeout=10) as connection:
            connection.sendall(garbage)
            connection.shutdown(socket.SHUT_WR)
            try:
                while connection.recv(65_536):
                    pass
            except ConnectionError:
                pass
    assert client.ask(MANAGER).status == 200


# Together


def test_parallel_questions_do_not_mix(client: Client) -> None:
    questions = [
        MANAGER,
        "How many departments are there?",
        "What is the phone number of Baldwin Dirksen?",
        "Do we have suppliers in Toulouse?",
        "Which coil has the highest density?",
    ]
    alone = {question: client.ask(question).body for question in questions}
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(client.ask, questions * 6))
    for question, reply in zip(questions * 6, together, strict=True):
        assert reply.body == alone[question]


def test_a_client_that_goes_away_leaves_its_place_to_others(folder: Path) -> None:
    with company(folder) as graph, serving({DATASET: SparqlWriter(graph)}, at_once=1, waiting=2) as client:
        path = "/?" + urllib.parse.urlencode({"dataset": DATASET, "question": MANAGER})
        for _ in range(10):
            with socket.create_connection(("127.0.0.1", client.port), timeout=10) as connection:
                connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        end = time.monotonic() + PATIENCE
        while client.ask(MANAGER).status != 200:
            assert time.monotonic() < end
            time.sleep(0.05)


class SlowWriter(SparqlWriter):
    """Takes its time, and says which one it is."""

    def __init__(self, name: str, stay: threading.Event) -> None:
        self.name = name
        self.stay = stay
        self.entered = threading.Semaphore(0)

    def write(self, question: str, seconds: float) -> WrittenSparql:
        self.entered.release()
        self.stay.wait(seconds)
        return WrittenSparql(f"SELECT * {{ }} # {self.name}", "reading")


def test_more_questions_than_are_taken_on_are_told_to_come_again() -> None:
    stay = threading.Event()
    writer = SlowWriter("slow", stay)
    with (
        serving({ANY_DATASET: writer}, at_once=1, waiting=1) as client,
        ThreadPoolExecutor(2) as pool,
    ):
        taken = [pool.submit(client.ask, "a"), pool.submit(client.ask, "b")]
        writer.entered.acquire()
        end = time.monotonic() + PATIENCE
        while (refused := client.ask("c")).status != 503:
            assert time.monotonic() < end
        assert refused.body["type"] == "TooMuchWorkError"
        stay.set()
        assert [reply.result().status for reply in taken] == [200, 200]


def test_each_data_set_is_asked_of_its_own_graph() -> None:
    stay = threading.Event()
    stay.set()
    writers: dict[str, SparqlWriter] = {name: SlowWriter(name, stay) for name in ("urn:a", "urn:b")}
    with serving(writers) as client:
        assert client.ask("x", "urn:a").body["query"].endswith("# urn:a")
        assert client.ask("x", "urn:b").body["query"].endswith("# urn:b")
        assert client.ask("x", "urn:c").status == 404


def test_a_server_that_is_told_to_end_ends_though_a_question_is_being_worked_on() -> None:
    writer = SlowWriter("slow", threading.Event())
    began = time.monotonic()
    with ThreadPoolExecutor(1) as pool, serving({ANY_DATASET: writer}, seconds=20) as client:
        asked = pool.submit(client.ask, "a")
        writer.entered.acquire()
    assert time.monotonic() - began < 15
    reply = asked.result()
    assert (reply.status, reply.body["detail"]) == (503, "the server is ending")


# What fails behind it


class FailingModel:
    """A model whose calls fail."""

    name = "failing"

    def __init__(self, error: Exception) -> None:
        self.error = error

    def generate(self, prompt: str, system_prompt: str = "") -> str:
        raise self.error


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (ModelUnreachableError("the model at http://user:geheim@127.0.0.1/v1 does not answer"), 502),
        (ModelBusyError("the model is busy"), 503),
        (ModelError("the model failed"), 502),
    ],
)
def test_a_model_that_fails_is_told_without_secrets(folder: Path, error: ModelError, status: int) -> None:
    with (
        company(folder, model=FailingModel(error)) as graph,
        serving({DATASET: SparqlWriter(graph, "query")}, seconds=5) as client,
    ):
        reply = client.ask("Which coil has the highest density?")
    assert reply.status == status
    assert "geheim" not in json.dumps(reply.body)
    assert all("geheim" not in served.said for served in client.served)


def test_a_query_of_a_model_that_would_write_is_not_given_out(folder: Path) -> None:
    model = ScriptedModel(["INSERT DATA { <urn:a> <urn:b> <urn:c> }"])
    with (
        company(folder, model=model) as graph,
        serving({DATASET: SparqlWriter(graph, "query")}) as client,
    ):
        reply = client.ask("Add a coil")
    assert reply.status == 502
    assert reply.body["type"] == "UnsafeSparqlError"
    assert "query" not in reply.body


class BrokenWriter(SlowWriter):
    """Has a fault."""

    def write(self, question: str, seconds: float) -> WrittenSparql:
        raise RuntimeError("password=geheim")


def test_a_fault_of_ours_is_told_and_nothing_of_what_it_says(folder: Path) -> None:
    with serving({ANY_DATASET: BrokenWriter("broken", threading.Event())}) as client:
        reply = client.ask("x")
    assert reply.status == 500
    assert "geheim" not in json.dumps(reply.body)
    assert "RuntimeError" in reply.body["detail"]


def test_a_question_that_takes_too_long_is_given_up(folder: Path) -> None:
    with company(folder) as graph, serving({DATASET: SparqlWriter(graph)}, seconds=0.001) as client:
        reply = client.ask(MANAGER)
    assert reply.status == 504
    assert reply.body["type"] == "DeadlineExceededError"
