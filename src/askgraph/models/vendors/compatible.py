"""Any server that speaks OpenAI's protocol: llama.cpp, vLLM, LM Studio, a gateway. Written as its address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..connection import Access
from ..vendor import Vendor

if TYPE_CHECKING:
    from ..provider import Connection

# OpenAI's library insists on a key where most local servers want none.
_NO_KEY = "none"


def _connect(name: str, access: Access) -> Connection:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    from ..provider import STRICT, Connection

    assert access.url is not None
    client = access.client()
    key = access.key.get_secret_value() if access.key else _NO_KEY
    provider = OpenAICompatibleProvider("compatible", base_url=access.url, api_key=key, http_client=client)
    model = OpenAIChatModel(name, provider=provider, profile=STRICT)
    return Connection(model, name=f"{access.url}|{name}", secrets=access.secrets, close=client.aclose)


VENDOR = Vendor(
    title="a server of your own",
    packages=("pydantic_ai", "openai"),
    install="pydantic-ai-slim[openai]",
    connect=_connect,
    needs_key=False,
)
