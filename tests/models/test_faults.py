"""Providers fail in many ways; each ends in an error of ours, within the deadline, and without a secret in it."""

from __future__ import annotations

import logging
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from pydantic import BaseModel
from tests.servers.certificates import Authority
from tests.servers.fault_server import Exchange, FaultServer, fault_server

from askgraph.core.budget import Budget
from askgraph.core.errors import (
    AskgraphError,
    DeadlineExceededError,
    ModelAuthenticationError,
    ModelBusyError,
    ModelError,
    ModelReplyError,
    ModelRequestError,
    ModelUnreachableError,
    SettingsError,
)
from askgraph.core.run import Run
from askgraph.core.settings import Settings
from askgraph.models import connection
from askgraph.models.calls import ModelCalls
from askgraph.models.prompts.prompts import Prompts
from askgraph.models.registry import make_model
from askgraph.models.waiting import Patience

PURPOSE = "repair_structure"
CANARY = "canary-5d41402abc4b2a76"


class Shape(BaseModel):
    word: str


def calls(server: FaultServer, *, seconds: float = 120.0, **given: Any) -> tuple[ModelCalls, Run]:
    given.setdefault("model", f"{server.url}|m")
    given.setdefault("model_context", 8_000)
    model = make_model(Settings.load(allow_model_calls=True, **given))
    # Whatever a library takes to be imported the first time is not what is measured here.
    import askgraph.models.provider  # noqa: F401

    run = Run("question", graph="graph", graph_version="1")
    patience = Patience(first_wait=0.01, longest_wait=0.02)
    budget = Budget(seconds=seconds, model_calls=1_000, tokens=10**7)
    return ModelCalls(model, budget, run, Prompts(), patience=patience), run


def ask(made: ModelCalls, *, stream: bool = False, text: str = "hello") -> str:
    pieces: list[str] = []
    reply = made.text(PURPOSE, {"problems": text}, on_text=pieces.append if stream else None)
    assert not stream or "".join(pieces) == reply.text
    return reply.text


# What is answered, and what comes of it
FAULTS: dict[str, tuple[Callable[[Exchange], None], type[AskgraphError]]] = {
    "no key": (lambda x: x.fail(401), ModelAuthenticationError),
    "not allowed": (lambda x: x.fail(403), ModelAuthenticationError),
    "no such model": (lambda x: x.fail(404), ModelRequestError),
    "bad request": (lambda x: x.fail(400), ModelRequestError),
    "too long": (lambda x: x.fail(400, "This model's maximum context length is 10 tokens"), ModelRequestError),
    "no quota": (
        lambda x: x.answer({"error": {"message": "pay", "code": "insufficient_quota"}}, 429),
        ModelRequestError,
    ),
    "always busy": (lambda x: x.fail(429), ModelBusyError),
    "overloaded": (lambda x: x.fail(503), ModelBusyError),
    "its own fault": (lambda x: x.fail(500), ModelUnreachableError),
    "bad gateway page": (lambda x: x.answer(b"<html>502</html>", 502, content_type="text/html"), ModelUnreachableError),
    "cut at once": (lambda x: x.cut(), ModelUnreachableError),
    "garbage": (lambda x: x.answer(b"\x00\xff\xfe not json"), ModelReplyError),
    "a page": (lambda x: x.answer(b"<html>Welcome</html>", content_type="text/html"), ModelReplyError),
    "nothing": (lambda x: x.answer(b""), ModelReplyError),
    "other json": (lambda x: x.answer({"hello": 1}), ModelReplyError),
    "no choices": (lambda x: x.answer({"id": "1", "object": "chat.completion", "choices": []}), ModelReplyError),
    "empty reply": (lambda x: x.say(""), ModelReplyError),
    "filtered": (lambda x: x.say("", "content_filter"), ModelReplyError),
    "redirect": (lambda x: x.answer(b"", 302, Location="http://127.0.0.1:9/"), ModelError),
}  # fmt: skip


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_an_error_of_its_kind(fault, stream):
    behave, expected = FAULTS[fault]
    with fault_server(behave) as server:
        made, run = calls(server)
        began = time.monotonic()
        with pytest.raises(expected):
            ask(made, stream=stream)
        assert time.monotonic() - began < 60
    (call,) = run.calls
    assert call.error is not None
    assert run.usage.cost is None or run.usage.cost == 0


@pytest.mark.parametrize("status", [429, 500, 503])
def test_what_mends_itself_is_tried_again(status):
    with fault_server(lambda x: x.fail(status) if x.number < 3 else x.say("at last")) as server:
        made, run = calls(server)
        assert ask(made) == "at last"
    assert run.calls[0].attempts == len(server.asked) == 3


def test_retry_after_is_kept():
    with fault_server(lambda x: x.fail(429, Retry_After="1") if x.number < 2 else x.say("x")) as server:
        made, _ = calls(server)
        began = time.monotonic()
        ask(made)
        assert 1.0 <= time.monotonic() - began < 40


def test_retry_after_past_the_deadline_is_said_at_once():
    with fault_server(lambda x: x.fail(429, Retry_After="3600")) as server:
        made, _ = calls(server)
        began = time.monotonic()
        with pytest.raises(ModelBusyError, match=r"trying again takes 3\.6e\+03 s") as caught:
            ask(made)
        assert time.monotonic() - began < 60
        assert caught.value.retry_after == 3600


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_a_server_that_hangs_costs_no_more_than_the_deadline(stream):
    with fault_server(lambda x: x.hang()) as server:
        made, run = calls(server, seconds=1.0)
        began = time.monotonic()
        with pytest.raises((DeadlineExceededError, ModelUnreachableError)):
            ask(made, stream=stream)
        assert time.monotonic() - began < 20
        assert server.hung_up.wait(30)
    assert run.calls[0].error is not None


@pytest.mark.parametrize("address", ["{}", "{}|m"])
def test_also_one_that_does_not_even_say_what_models_it_has(address):
    with fault_server(lambda x: x.hang()) as server:
        made, _ = calls(server, seconds=1.0, model=address.format(server.url), model_context=None)
        began = time.monotonic()
        with pytest.raises((DeadlineExceededError, ModelUnreachableError)):
            ask(made)
        assert time.monotonic() - began < 20


def test_one_that_does_not_say_what_it_takes_is_asked_all_the_same():
    with fault_server(lambda x: x.fail(404) if x.asked.path == "/v1/models" else x.say("hello")) as server:
        made, _ = calls(server, model_context=None)
        assert ask(made) == "hello"
        assert made.model.context_window == 8_192


def test_the_first_model_of_a_server_is_taken_where_none_is_named():
    listed = {"data": [{"id": "first", "max_model_len": 4_000}, {"id": "second", "context_length": 9_000}]}
    with fault_server(
        lambda x: x.answer(listed) if x.asked.path == "/v1/models" else x.say("hello")
    ) as server:
        made, _ = calls(server, model=server.url, model_context=None)
        assert ask(made) == "hello"
        assert (made.model.name, made.model.context_window) == (f"{server.url}|first", 4_000)
        second, _ = calls(server, model=f"{server.url}|second", model_context=None)
        ask(second)
        assert second.model.context_window == 9_000
    with (
        fault_server(lambda x: x.answer({"data": []})) as server,
        pytest.raises(ModelUnreachableError, match="no models"),
    ):
        ask(calls(server, model=server.url, model_context=None)[0])


def test_a_stream_that_hangs_midway_costs_no_more_than_the_deadline_and_keeps_what_came():
    def behave(exchange: Exchange) -> None:
        exchange.begin_stream()
        exchange.piece("half ")
        exchange.hang()

    with fault_server(behave) as server:
        made, run = calls(server, seconds=2.0)
        began = time.monotonic()
        with pytest.raises((DeadlineExceededError, ModelUnreachableError)):
            ask(made, stream=True)
        assert time.monotonic() - began < 20
    assert run.calls[0].reply == "half "
    assert run.calls[0].usage.estimated


@pytest.mark.parametrize("end", ["cut", "close", "no finish"])
def test_half_a_stream_is_no_reply_and_is_recorded(end):
    def behave(exchange: Exchange) -> None:
        exchange.begin_stream()
        exchange.piece("half ")
        if end == "cut":
            exchange.write(b'data: {"id": "1", "cho')
            exchange.cut()
        elif end == "no finish":
            exchange.write(b"data: [DONE]\n\n")

    with fault_server(behave) as server:
        made, run = calls(server)
        with pytest.raises((ModelReplyError, ModelUnreachableError)):
            ask(made, stream=True)
    assert run.calls[0].reply == "half "
    assert run.calls[0].attempts == 1
    assert run.calls[0].error is not None


def test_a_reply_without_end_is_ended(monkeypatch):
    monkeypatch.setattr(connection, "_MOST_BYTES", 2**20)

    def behave(exchange: Exchange) -> None:
        exchange.begin_stream()
        while True:
            exchange.piece("x" * 20_000)

    with fault_server(behave) as server:
        made, _ = calls(server)
        with pytest.raises(ModelReplyError, match="more than 1 MB"):
            ask(made, stream=True)
        assert server.hung_up.wait(30)


def test_usage_that_is_not_told_is_estimated():
    with fault_server(lambda x: x.say("some words here", usage=False)) as server:
        made, run = calls(server)
        ask(made)
    assert run.usage.estimated
    assert run.usage.cost == 0.0


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_reasoning_in_tags_is_not_part_of_the_reply(stream):
    with fault_server(lambda x: x.say("<think>well, 1 < 2, hm</think> Ada wins")) as server:
        made, run = calls(server)
        assert ask(made, stream=stream).strip() == "Ada wins"
    assert "hm" not in run.calls[0].reply
    with fault_server(lambda x: x.say("<think>hm hm never done")) as server, pytest.raises(ModelReplyError):
        ask(calls(server)[0], stream=stream)


def test_a_server_that_takes_no_schema_is_told_it_in_words():
    def behave(exchange: Exchange) -> None:
        if "response_format" in exchange.asked.body:
            exchange.fail(400, "response_format of type json_schema is not supported")
        else:
            exchange.say('Sure: {"word": "yes"}')

    with fault_server(behave) as server:
        made, _ = calls(server)
        for _ in range(2):
            assert made.structured(PURPOSE, {"problems": "x"}, Shape).word == "yes"
    assert len(server.asked) == 3
    assert "JSON Schema" in str(server.asked[-1].body["messages"])


def test_the_request_has_what_was_asked_for():
    with fault_server(lambda x: x.say('{"word": "x"}')) as server:
        made, _ = calls(server, model_key="a-key-of-mine")
        made.text(PURPOSE, {"problems": "x"}, max_tokens=33, stop=["END"])
        made.structured(PURPOSE, {"problems": "x"}, Shape)
    plain, structured = (asked.body for asked in server.asked)
    assert plain["model"] == "m"
    assert plain["temperature"] == 0
    assert plain["stop"] == ["END"]
    assert 33 in (plain.get("max_tokens"), plain.get("max_completion_tokens"))
    assert [message["role"] for message in plain["messages"]] == ["system", "user"]
    assert structured["response_format"]["json_schema"]["schema"]["properties"]["word"]["type"] == "string"
    assert server.asked[0].headers["authorization"] == "Bearer a-key-of-mine"


def test_fifty_callers_at_a_time_get_their_own_replies():
    def behave(exchange: Exchange) -> None:
        exchange.say(exchange.asked.body["messages"][-1]["content"].split("|")[1].split()[0])

    with fault_server(behave) as server:
        made, run = calls(server, seconds=170)

        def one(number: int) -> bool:
            return ask(made, stream=number % 2 == 1, text=f"caller{number}").strip() == f"caller{number}"

        with ThreadPoolExecutor(50) as pool:
            assert all(pool.map(one, range(50)))
    assert len(run.calls) == 50
    assert all(call.reply.strip() in call.messages[-1].text for call in run.calls)


def test_a_server_whose_authority_is_the_users_own_is_trusted_when_that_is_said(tmp_path):
    authority = Authority(tmp_path)
    with fault_server(lambda x: x.say("hello"), tls=authority.signed("127.0.0.1").context()) as server:
        with pytest.raises(ModelUnreachableError, match=r"(?i)certificate"):
            ask(calls(server)[0])
        assert ask(calls(server, ca_file=authority.file)[0]) == "hello"
    (tmp_path / "no.pem").write_text("nothing", encoding="utf-8")
    with (
        fault_server(lambda x: x.say("hello")) as server,
        pytest.raises(SettingsError, match="cannot be used"),
    ):
        ask(calls(server, ca_file=tmp_path / "no.pem")[0])


class TestInterruption:
    def test_an_error_of_the_listener_ends_the_call_at_the_server(self):
        def behave(exchange: Exchange) -> None:
            exchange.begin_stream()
            while True:
                exchange.piece("more ")
                time.sleep(0.01)

        with fault_server(behave) as server:
            made, run = calls(server)

            def stop(piece: str) -> None:
                raise KeyboardInterrupt

            with pytest.raises(KeyboardInterrupt):
                made.text(PURPOSE, {"problems": "x"}, on_text=stop)
            assert server.hung_up.wait(30)
        assert run.calls[0].error == "KeyboardInterrupt: "

    def test_no_thread_is_left_for_a_call_that_ended(self):
        with fault_server(lambda x: x.say("x")) as server:
            made, _ = calls(server)
            ask(made)
            before = threading.active_count()
            for _ in range(5):
                ask(made, stream=True)
            assert threading.active_count() <= before + 1


class TestSecrets:
    """A canary in the key, in the address, and in what the provider says."""

    @pytest.mark.parametrize("status", [200, 400, 401, 429, 500])
    def test_a_key_is_in_no_error_log_run_or_repr(self, status, caplog):
        def behave(exchange: Exchange) -> None:
            sent = exchange.asked.headers["authorization"]
            if status == 200:
                exchange.answer({"hello": sent})
            else:
                exchange.fail(status, f"Incorrect API key provided: {sent}; Authorization: {sent}")

        with caplog.at_level(logging.DEBUG), fault_server(behave) as server:
            made, run = calls(server, model_key=CANARY)
            with pytest.raises(ModelError) as caught:
                ask(made)
        assert CANARY in server.asked[0].headers["authorization"]
        self.nowhere(caught.value, run, made, caplog.text)

    def test_nor_is_a_password_of_the_address(self, caplog):
        def behave(exchange: Exchange) -> None:
            exchange.fail(401, f"who is {exchange.asked.headers['authorization']} of {CANARY}?")

        with caplog.at_level(logging.DEBUG), fault_server(behave) as server:
            address = server.url.replace("http://", f"http://ada:{CANARY}@")
            made, run = calls(server, model=f"{address}|m")
            with pytest.raises(ModelAuthenticationError) as caught:
                ask(made)
        assert server.asked[0].headers["authorization"].startswith("Basic ")
        self.nowhere(caught.value, run, made, caplog.text)

    def test_an_address_that_is_wrong_is_not_repeated_with_its_password(self):
        for address in (
            f"http://ada:{CANARY}@host:port/v1",
            f"http://h/v1?api_key={CANARY}",
            f"http://:{CANARY}@/v1",
        ):
            with pytest.raises(AskgraphError) as caught:
                make_model(Settings.load(model=address))
            assert CANARY not in str(caught.value)

    @staticmethod
    def nowhere(error: BaseException, run: Run, made: ModelCalls, log: str) -> None:
        shown = [str(error), repr(error), str(run.to_dict()), log, repr(made.model), made.model.name]
        chain: BaseException | None = error
        while chain is not None:
            shown += [str(chain), repr(chain), repr(vars(chain)), "".join(traceback.format_exception(chain))]
            chain = chain.__cause__ or chain.__context__
        assert not any(CANARY in text for text in shown)
