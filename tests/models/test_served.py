"""Embedders and rerankers on servers, what cosines mean for them, and secrets in what is shown."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.servers.fault_server import Exchange, FaultServer, fault_server

from askgraph.core.errors import (
    ModelAuthenticationError,
    ModelBusyError,
    ModelError,
    ModelForbiddenError,
    ModelReplyError,
    ModelRequestError,
    SettingsError,
)
from askgraph.core.settings import Settings
from askgraph.models.base import Embedder, Reranker
from askgraph.models.calibration import calibrate
from askgraph.models.connection import parse_url
from askgraph.models.minilm import MiniLM
from askgraph.models.registry import make_embedder, make_reranker
from askgraph.models.reranking import EmbeddingReranker
from askgraph.models.scrubbing import scrubbed
from askgraph.models.served_embedder import ServedEmbedder, openai_vectors
from askgraph.models.waiting import Patience

QUICK = Patience(first_wait=0.01, longest_wait=0.02)


def vectors(exchange: Exchange) -> None:
    """Two numbers a text, last text first, as the protocol allows."""
    texts = exchange.asked.body["input"]
    rows = [{"index": i, "embedding": [3.0 * len(text), 4.0]} for i, text in enumerate(texts)]
    exchange.answer({"data": rows[::-1], "model": exchange.asked.body["model"]})


def embedder(server: FaultServer) -> ServedEmbedder:
    return ServedEmbedder("m", openai_vectors(parse_url(server.url), "m"), patience=QUICK)


class TestEmbedder:
    def test_vectors_come_in_the_order_of_the_texts_and_of_length_one(self):
        with fault_server(vectors) as server:
            found = embedder(server).embed(["a", "bbb"])
        assert np.allclose(found, [[3 / 5, 4 / 5], [9 / math.hypot(9, 4), 4 / math.hypot(9, 4)]])
        assert found.dtype == np.float32

    def test_many_texts_go_in_parts_and_empty_ones_are_not_sent_empty(self):
        with fault_server(vectors) as server:
            found = embedder(server).embed(["", "x" * 100_000, *["text"] * 298])
        assert found.shape == (300, 2)
        assert len(server.asked) == 3
        first = server.asked[0].body["input"]
        assert first[0] == " "
        assert len(first[1]) == 6_000

    def test_no_texts_are_no_vectors(self):
        with fault_server(vectors) as server:
            assert embedder(server).embed([]).shape == (0, 2)

    def test_busy_is_waited_for(self):
        with fault_server(lambda x: x.fail(429) if x.number < 3 else vectors(x)) as server:
            assert len(embedder(server).embed(["a"])) == 1

    @pytest.mark.parametrize(
        ("body", "status", "expected"),
        [
            ({"data": [{"index": 0, "embedding": [1, 2]}]}, 200, ModelReplyError),
            (
                {"data": [{"index": 0, "embedding": [0, 0]}, {"index": 1, "embedding": [1, 0]}]},
                200,
                ModelReplyError,
            ),
            (
                {"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1, 0]}]},
                200,
                ModelReplyError,
            ),
            (
                {"data": [{"index": 0, "embedding": ["x"]}, {"index": 1, "embedding": [1]}]},
                200,
                ModelReplyError,
            ),
            ({"data": []}, 200, ModelReplyError),
            ({}, 200, ModelReplyError),
            (b"<html>", 200, ModelReplyError),
            ({"error": {"message": "no"}}, 401, ModelAuthenticationError),
            ({"error": "busy"}, 503, ModelBusyError),
            ({"error": "what"}, 400, ModelError),
        ],
    )
    def test_what_are_no_vectors_is_an_error_of_ours(self, body, status, expected):
        with fault_server(lambda x: x.answer(body, status)) as server, pytest.raises(expected):
            embedder(server).embed(["a", "b"])

    def test_the_settings_make_one_that_caches_and_calibrates(self, tmp_path):
        with fault_server(vectors) as server:
            settings = Settings.load(embedder=f"{server.url}|m", cache_dir=tmp_path, allow_model_calls=True)
            made = make_embedder(settings)
            assert isinstance(made, Embedder)
            assert made.name == f"{server.url}|m"
            assert made.dimensions == 2
            assert made.unrelated < made.same
            asked = len(server.asked)
            again = make_embedder(settings)
            assert again is not None
            assert (again.unrelated, again.same) == (made.unrelated, made.same)
            # One request tells the length of its vectors; the words are in the cache.
            assert len(server.asked) == asked + 1

    def test_openai_needs_a_key_and_has_a_name_of_its_own(self, tmp_path, monkeypatch):
        with pytest.raises(ModelAuthenticationError):
            make_embedder(Settings.load(embedder="openai:text-embedding-3-small"))
        with fault_server(vectors) as server:
            monkeypatch.setenv("OPENAI_BASE_URL", server.url)
            settings = Settings.load(
                embedder="openai:e", embedder_key="key-12345", cache_dir=tmp_path, allow_model_calls=True
            )
            made = make_embedder(settings)
            assert made is not None
            assert made.name == "openai:e"
        assert server.asked[0].headers["authorization"] == "Bearer key-12345"

    def test_what_a_model_finds_too_long_is_cut_shorter(self):
        def behave(exchange: Exchange) -> None:
            if max(len(text) for text in exchange.asked.body["input"]) > 1_000:
                exchange.fail(400, "input is too large to process")
            else:
                vectors(exchange)

        with fault_server(behave) as server:
            assert embedder(server).embed(["x" * 9_000, "short"]).shape == (2, 2)
        assert [len(asked.body["input"][0]) for asked in server.asked] == [6_000, 3_000, 1_500, 750]
        with (
            fault_server(lambda x: x.fail(400, "too many tokens")) as server,
            pytest.raises(ModelRequestError),
        ):
            embedder(server).embed(["x"])
        assert len(server.asked) < 10

    @pytest.mark.parametrize(
        "name", ["bedrock:amazon.titan-embed-text-v2:0", "google:gemini-embedding-001", "ollama:e"]
    )
    def test_vendors_embed_in_their_own_way(self, name, monkeypatch, tmp_path):
        def behave(exchange: Exchange) -> None:
            if name.startswith("bedrock"):
                exchange.answer({"embedding": [3.0, 4.0], "inputTextTokenCount": 1})
            elif name.startswith("google"):
                count = len(exchange.asked.body["requests"])
                exchange.answer({"embeddings": [{"values": [3.0, 4.0]}] * count})
            else:
                vectors(exchange)

        monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key-12345")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret-12345")
        monkeypatch.setenv("GOOGLE_API_KEY", "key-12345")
        with fault_server(behave) as server:
            monkeypatch.setenv("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", server.url.removesuffix("/v1"))
            monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.url.removesuffix("/v1"))
            monkeypatch.setenv("OLLAMA_BASE_URL", server.url)
            made = make_embedder(Settings.load(embedder=name, cache_dir=tmp_path, allow_model_calls=True))
            assert made is not None
            found = made.embed(["one", "two words"])
        assert found.shape == (2, 2)
        assert made.name == name
        if not name.startswith("ollama"):
            assert np.allclose(found, [[0.6, 0.8]] * 2)

    def test_calls_can_be_forbidden(self):
        with fault_server(vectors) as server, pytest.raises(ModelForbiddenError):
            make_embedder(Settings.load(embedder=f"{server.url}|m"))
        assert server.asked == []

    def test_an_unknown_one_is_refused_with_what_there_is(self):
        with pytest.raises(SettingsError, match=r"no embedder 'x'\n.*minilm, multilingual, none"):
            make_embedder(Settings.load(embedder="x"))


class TestCalibration:
    def test_it_finds_what_was_set_by_hand_for_the_offline_embedder(self):
        unrelated, same = calibrate(MiniLM())
        assert abs(unrelated - MiniLM.unrelated) < 0.1
        assert abs(same - MiniLM.same) < 0.1

    def test_a_model_that_tells_nothing_apart_divides_by_nothing_all_the_same(self):
        class Constant:
            name, dimensions = "constant", 2

            def embed(self, texts: Any) -> Any:
                return np.tile(np.array([[1.0, 0.0]], dtype=np.float32), (len(texts), 1))

        unrelated, same = calibrate(Constant())
        assert unrelated < same


class TestReranker:
    def test_the_offline_one_puts_first_what_answers(self):
        reranker = make_reranker(Settings.load(), MiniLM())
        assert isinstance(reranker, Reranker)
        texts = ["The moon is far away.", "Aspirin treats headaches.", "Rust never sleeps."]
        scores = reranker.scores("What helps against a headache?", texts)
        assert scores.shape == (3,)
        assert scores.argmax() == 1
        assert 0 <= scores.min() <= scores.max() <= 1

    def test_no_texts_have_no_scores(self):
        assert EmbeddingReranker(MiniLM()).scores("x", []).shape == (0,)

    def test_none_is_none(self):
        assert make_reranker(Settings.load(reranker="none"), MiniLM()) is None
        assert make_reranker(Settings.load(), None) is None

    @pytest.mark.parametrize(
        "answer",
        [
            {"results": [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.1}]},
            [{"index": 1, "score": 0.9}, {"index": 0, "score": 0.1}],
            {"data": [{"index": 0, "score": 0.1}, {"index": 1, "score": 0.9}]},
        ],
    )
    def test_one_on_a_server_is_understood_in_the_usual_forms(self, answer):
        with fault_server(lambda x: x.answer(answer)) as server:
            settings = Settings.load(
                reranker=f"{server.url}|r", reranker_key="key-12345", allow_model_calls=True
            )
            reranker = make_reranker(settings, None)
            assert reranker is not None
            assert np.allclose(reranker.scores("question", ["a", "b"]), [0.1, 0.9])
        (asked,) = server.asked
        assert asked.body["query"] == "question"
        assert asked.body["documents"] == ["a", "b"]
        assert asked.body["model"] == "r"
        assert asked.headers["authorization"] == "Bearer key-12345"

    @pytest.mark.parametrize(
        "answer", [{}, {"results": []}, {"results": [{"index": 7, "score": 1}]}, [1], {"results": 3}]
    )
    def test_what_are_no_scores_is_an_error_of_ours(self, answer):
        with fault_server(lambda x: x.answer(answer)) as server:
            reranker = make_reranker(Settings.load(reranker=server.url, allow_model_calls=True), None)
            assert reranker is not None
            with pytest.raises(ModelReplyError):
                reranker.scores("question", ["a", "b"])

    def test_an_unknown_one_is_refused(self):
        with pytest.raises(SettingsError, match="no reranker 'openai:x'"):
            make_reranker(Settings.load(reranker="openai:x"), None)


class TestScrubbing:
    @pytest.mark.parametrize(
        "text",
        [
            "Incorrect API key provided: sk-proj-SECRETabc123. You can find",
            "Authorization: Bearer SECRETSECRETSECRET1",
            "{'x-api-key': 'SECRET', 'host': 'a'}",
            "https://me:SECRET@host/path",
            "https://host/path?api_key=SECRET&x=1",
            "AIzaSySECRETSECRET",
            "AKIASECRETSECRET12",
            "given secret is given-SECRET and goes on",
        ],
    )
    def test_what_is_secret_is_not_shown(self, text):
        assert "SECRET" not in scrubbed(text, ["given-SECRET"])

    @pytest.mark.parametrize(
        "text",
        [
            "Bearer authorization requires HTTPS",
            "the key is missing",
            "model gpt-4o-mini",
            "a basic question",
        ],
    )
    def test_what_is_not_is(self, text):
        assert scrubbed(text) == text

    def test_it_is_one_line_and_not_long(self):
        assert scrubbed("a\nb\t c" + "x" * 2_000) == "a b c" + "x" * 495 + "…"
