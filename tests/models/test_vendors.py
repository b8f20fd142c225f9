"""Each vendor's own protocol, spoken to a server of ours: where the key goes, what comes back, what errors become."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from tests.servers.fault_server import Exchange, fault_server

from askgraph.core.budget import Budget
from askgraph.core.errors import (
    MissingPackageError,
    ModelAuthenticationError,
    ModelBusyError,
    ModelForbiddenError,
    SettingsError,
)
from askgraph.core.model_call import Message, Usage
from askgraph.core.settings import Settings
from askgraph.models import vendor as vendors
from askgraph.models.language_model import LanguageModel, Reply, Request
from askgraph.models.registry import make_model
from askgraph.models.vendor import vendor, vendor_names

REQUEST = Request((Message("system", "Be brief."), Message("user", "Name a colour.")), max_tokens=50)
KEY = "key-of-mine-12345"


def anthropic(exchange: Exchange) -> None:
    assert exchange.asked.path.partition("?")[0] == "/v1/messages"
    headers = exchange.asked.headers
    assert headers.get("x-api-key", headers.get("authorization")) in (KEY, f"Bearer {KEY}")
    exchange.answer(
        {
            "id": "1",
            "type": "message",
            "role": "assistant",
            "model": exchange.asked.body["model"],
            "content": [{"type": "text", "text": "blue"}],
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 11, "output_tokens": 7},
        }
    )


def google(exchange: Exchange) -> None:
    assert exchange.asked.path.endswith(":generateContent")
    assert KEY in (exchange.asked.headers.get("x-goog-api-key"), exchange.asked.path)
    exchange.answer(
        {
            "candidates": [
                {
                    "content": {"parts": [{"text": "blue"}], "role": "model"},
                    "finishReason": "STOP",
                    "index": 0,
                }
            ],
            "usageMetadata": {"promptTokenCount": 11, "candidatesTokenCount": 7, "totalTokenCount": 18},
            "modelVersion": "m",
        }
    )


def bedrock(exchange: Exchange) -> None:
    assert exchange.asked.path.endswith("/converse")
    assert f"Credential={KEY}/" in exchange.asked.headers["authorization"]
    exchange.answer(
        {
            "output": {"message": {"role": "assistant", "content": [{"text": "blue"}]}},
            "stopReason": "end_turn",
            "usage": {"inputTokens": 11, "outputTokens": 7, "totalTokens": 18},
            "metrics": {"latencyMs": 1},
        }
    )


def openai(exchange: Exchange) -> None:
    assert exchange.asked.path == "/v1/chat/completions"
    assert exchange.asked.headers["authorization"] == f"Bearer {KEY}"
    exchange.say("blue")


def anthropic_error(status: int, message: str) -> Any:
    kind = {401: "authentication_error", 429: "rate_limit_error"}[status]
    return {"type": "error", "error": {"type": kind, "message": message}}


def google_error(status: int, message: str) -> Any:
    kind = {401: "UNAUTHENTICATED", 429: "RESOURCE_EXHAUSTED"}[status]
    return {"error": {"code": status, "message": message, "status": kind}}


def bedrock_error(status: int, message: str) -> Any:
    kind = "UnrecognizedClientException" if status == 401 else "ThrottlingException"
    return {"message": message, "__type": kind}


def openai_error(status: int, message: str) -> Any:
    return {"error": {"message": message, "type": "x", "code": None}}


SPOKEN: dict[str, tuple[str, Callable[[Exchange], None], Callable[[int, str], Any]]] = {
    "openai": ("openai:gpt-4o-mini", openai, openai_error),
    "anthropic": ("anthropic:claude-haiku-4-5", anthropic, anthropic_error),
    "google": ("google:gemini-2.5-flash", google, google_error),
    "bedrock": ("bedrock:anthropic.claude-haiku-4-5-20251001-v1:0", bedrock, bedrock_error),
    "ollama": ("ollama:llama3.2", openai, openai_error),
}


def model_at(name: str, url: str, monkeypatch: pytest.MonkeyPatch, **given: Any) -> LanguageModel:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", f"{KEY}-secret")
    vendor_name = name.partition(":")[0]
    # Amazon's library sends a key of its own kind over HTTPS alone; what it signs with, it never sends.
    key = None if vendor_name == "bedrock" else KEY
    address = url if vendor_name in ("openai", "ollama") else url.removesuffix("/v1")
    return make_model(
        Settings.load(model=name, model_url=address, model_key=key, allow_model_calls=True, **given)
    )


@pytest.mark.parametrize("name", SPOKEN)
def test_a_reply_comes_with_usage_and_a_price(name, monkeypatch):
    model_name, behave, _ = SPOKEN[name]
    with fault_server(behave) as server:
        model = model_at(model_name, server.url, monkeypatch)
        reply = model.reply(REQUEST, Budget(seconds=150))
    assert reply.text == "blue"
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.estimated) == (11, 7, False)
    assert reply.finish == "stop"
    if name == "ollama":
        assert reply.usage.cost == 0.0
    else:
        assert reply.usage.cost is not None
        assert 0 < reply.usage.cost < 0.01
    assert model.name == model_name
    assert "Be brief." in json.dumps(server.asked[-1].body)


@pytest.mark.parametrize("name", SPOKEN)
@pytest.mark.parametrize(("status", "expected"), [(401, ModelAuthenticationError), (429, ModelBusyError)])
def test_errors_are_of_our_kinds_and_are_not_tried_again_below_us(name, status, expected, monkeypatch):
    model_name, _, error = SPOKEN[name]

    def behave(exchange: Exchange) -> None:
        headers = {"x_amzn_errortype": error(status, "")["__type"]} if name == "bedrock" else {}
        sent = " ".join(exchange.asked.headers.values())
        exchange.answer(error(status, f"no: {sent}"), status if name != "bedrock" else 400, **headers)

    with fault_server(behave) as server:
        model = model_at(model_name, server.url, monkeypatch)
        with pytest.raises(expected) as caught:
            model.reply(REQUEST, Budget(seconds=150))
    assert len(server.asked) == 1
    assert KEY not in str(caught.value)


def amazon_event(kind: str, data: dict[str, Any]) -> bytes:
    """An event in Amazon's binary form: lengths and checksums round headers and JSON."""
    headers = b""
    for key, value in (
        (":event-type", kind),
        (":content-type", "application/json"),
        (":message-type", "event"),
    ):
        headers += bytes([len(key)]) + key.encode() + b"\x07" + struct.pack(">H", len(value)) + value.encode()
    body = json.dumps(data).encode()
    prelude = struct.pack(">II", 16 + len(headers) + len(body), len(headers))
    message = prelude + struct.pack(">I", zlib.crc32(prelude)) + headers + body
    return message + struct.pack(">I", zlib.crc32(message))


def test_bedrock_streams(monkeypatch):
    usage = {"inputTokens": 3, "outputTokens": 2, "totalTokens": 5}
    events: list[tuple[str, dict[str, Any]]] = [
        ("messageStart", {"role": "assistant"}),
        ("contentBlockDelta", {"delta": {"text": "light "}, "contentBlockIndex": 0}),
        ("contentBlockDelta", {"delta": {"text": "blue"}, "contentBlockIndex": 0}),
        ("contentBlockStop", {"contentBlockIndex": 0}),
        ("messageStop", {"stopReason": "end_turn"}),
        ("metadata", {"usage": usage, "metrics": {"latencyMs": 1}}),
    ]
    content = b"".join(amazon_event(kind, data) for kind, data in events)
    with fault_server(
        lambda x: x.answer(content, content_type="application/vnd.amazon.eventstream")
    ) as server:
        model = model_at(SPOKEN["bedrock"][0], server.url, monkeypatch)
        *pieces, whole = model.stream(REQUEST, Budget(seconds=150))
    assert "".join(str(piece) for piece in pieces) == "light blue"
    assert isinstance(whole, Reply)
    assert whole.usage.tokens == 5


class TestRegistry:
    def test_there_is_one_file_a_vendor(self):
        assert vendor_names() == ("anthropic", "bedrock", "compatible", "google", "ollama", "openai")
        assert all(vendor(name).title for name in vendor_names())

    def test_an_unknown_vendor_is_refused_with_the_nearest(self):
        with pytest.raises(SettingsError, match=r"no vendor 'opnai'.*\n.*openai"):
            make_model(Settings.load(model="opnai:gpt"))

    @pytest.mark.parametrize("name", ["gpt-4o", "openai:", "compatible:x", ""])
    def test_a_name_that_is_none_is_refused(self, name):
        with pytest.raises(SettingsError, match="not of the form"):
            make_model(Settings.load(model=name))

    @pytest.mark.parametrize(
        "address", ["http://", "http://host:port/v1", "https://host/v1?key=1", "http://host/#x"]
    )
    def test_an_address_that_is_none_is_refused(self, address):
        with pytest.raises(SettingsError, match="the address of a model server"):
            make_model(Settings.load(model=address))

    def test_no_model_is_said_with_what_to_do(self):
        with pytest.raises(SettingsError, match=r"no language model is set\n.*--model"):
            make_model(Settings.load())

    @pytest.mark.parametrize(
        ("name", "variable"),
        [("openai", "OPENAI_API_KEY"), ("anthropic", "ANTHROPIC_API_KEY"), ("google", "GOOGLE_API_KEY")],
    )
    def test_a_key_that_is_missing_is_said_before_anything_is_called(self, name, variable, monkeypatch):
        with pytest.raises(ModelAuthenticationError, match=variable):
            make_model(Settings.load(model=f"{name}:m"))
        monkeypatch.setenv(variable, KEY)
        assert make_model(Settings.load(model=f"{name}:m")).name == f"{name}:m"

    def test_a_package_that_is_missing_is_said_with_what_to_install(self, monkeypatch):
        monkeypatch.setattr(vendors, "_is_installed", lambda package: package != "anthropic")
        with pytest.raises(
            MissingPackageError, match=r'package anthropic.*\n.*pip install "askgraph\[anthropic\]"'
        ):
            make_model(Settings.load(model="anthropic:m", model_key=KEY))

    def test_calls_can_be_forbidden_and_say_what_they_would_have_cost(self):
        model = make_model(Settings.load(model="openai:gpt-4o-mini", model_key=KEY, allow_model_calls=False))
        with pytest.raises(
            ModelForbiddenError, match=r"about \d+ tokens, at most 0\.00\d+ dollars; calls are"
        ):
            model.reply(REQUEST, Budget(seconds=150))
        with pytest.raises(ModelForbiddenError):
            next(model.stream(REQUEST, Budget(seconds=150)))

    def test_forbidden_means_that_not_even_the_list_of_models_is_asked_for(self):
        with fault_server(openai) as server:
            model = make_model(Settings.load(model=server.url, allow_model_calls=False))
            assert model.context_window == 8_192
            with pytest.raises(ModelForbiddenError):
                model.reply(REQUEST, Budget(seconds=150))
        assert server.asked == []

    def test_the_tests_forbid_calls(self):
        assert not Settings.load().allow_model_calls

    def test_context_windows_are_known_given_or_usual(self):
        assert make_model(Settings.load(model="openai:gpt-4o-mini", model_key=KEY)).context_window == 128_000
        assert make_model(Settings.load(model="openai:nobody-knows", model_key=KEY)).context_window == 32_768
        given = Settings.load(model="openai:gpt-4o-mini", model_key=KEY, model_context=1_000)
        assert make_model(given).context_window == 1_000

    def test_own_prices_count_before_the_table(self, monkeypatch):
        prices = {"openai:gpt-*": (1.0, 2.0), "openai:gpt-4o-mini": (100.0, 200.0), "ollama:*": (5.0, 5.0)}
        with fault_server(openai) as server:
            cost = {}
            for name in ("openai:gpt-4o-mini", "openai:gpt-x", "ollama:llama", "openai:unheard-of"):
                usage = (
                    model_at(name, server.url, monkeypatch, model_prices=prices)
                    .reply(REQUEST, Budget(seconds=150))
                    .usage
                )
                cost[name] = usage.cost
        assert cost == {
            "openai:gpt-4o-mini": pytest.approx(0.0025),
            "openai:gpt-x": pytest.approx(0.000025),
            "ollama:llama": pytest.approx(0.00009),
            "openai:unheard-of": None,
        }
        assert Usage(cost=None) + Usage(cost=1.0) == Usage(cost=None)

    def test_nothing_heavy_is_imported_before_the_first_call(self):
        import subprocess
        import sys

        code = (
            "import sys\n"
            "from askgraph.core.settings import Settings\n"
            "from askgraph.models.registry import make_model\n"
            "make_model(Settings.load(model='openai:m', model_key='x'))\n"
            "heavy = {'pydantic_ai', 'openai', 'httpx2', 'genai_prices', 'boto3', 'anthropic'} & set(sys.modules)\n"
            "sys.exit(str(heavy) if heavy else 0)\n"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
