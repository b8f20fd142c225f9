"""The model of the document: Amazon Bedrock, spoken to in the region that was named."""

from __future__ import annotations

import pytest
from tests.servers.fault_server import Exchange, fault_server

from askgraph.byokg import BedrockGenerator
from askgraph.core.errors import ModelBusyError

pytest.importorskip("boto3")
KEY = "AKIAEXAMPLEKEY"


def generator(url: str, monkeypatch: pytest.MonkeyPatch) -> BedrockGenerator:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", f"{KEY}-secret")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    monkeypatch.setenv("ASKGRAPH_MODEL_URL", url.removesuffix("/v1"))
    return BedrockGenerator(model_name="us.anthropic.claude-sonnet-4-6", region_name="us-east-1")


def test_a_prompt_goes_to_the_named_model_in_the_named_region(monkeypatch: pytest.MonkeyPatch) -> None:
    def behave(exchange: Exchange) -> None:
        assert "claude-sonnet-4-6" in exchange.asked.path
        assert "/us-east-1/bedrock/" in exchange.asked.headers["authorization"]
        exchange.answer(
            {
                "output": {"message": {"role": "assistant", "content": [{"text": "blue"}]}},
                "stopReason": "end_turn",
                "usage": {"inputTokens": 11, "outputTokens": 7, "totalTokens": 18},
                "metrics": {"latencyMs": 1},
            }
        )

    with fault_server(behave) as server:
        assert generator(server.url, monkeypatch).generate("What colour?", "Be brief.") == "blue"


def test_a_model_that_is_too_busy_is_an_error_and_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def behave(exchange: Exchange) -> None:
        body = {"message": "slow down", "__type": "ThrottlingException"}
        exchange.answer(body, 400, x_amzn_errortype="ThrottlingException")

    with fault_server(behave) as server, pytest.raises(ModelBusyError):
        generator(server.url, monkeypatch).generate("What colour?")
