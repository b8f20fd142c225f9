"""Ollama, on this machine or at ``OLLAMA_BASE_URL``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..connection import Access
from ..vendor import Vendor

if TYPE_CHECKING:
    from ..provider import Connection


def _connect(name: str, access: Access) -> Connection:
    from pydantic_ai.models.ollama import OllamaModel
    from pydantic_ai.providers.ollama import OllamaProvider

    from ..provider import STRICT, Connection

    client = access.client()
    key = access.key.get_secret_value() if access.key else None
    provider = OllamaProvider(base_url=access.url, api_key=key, http_client=client)
    model = OllamaModel(name, provider=provider, profile=STRICT)
    return Connection(model, name=f"ollama:{name}", secrets=access.secrets, close=client.aclose)


VENDOR = Vendor(
    title="Ollama",
    packages=("pydantic_ai", "openai"),
    install="pydantic-ai-slim[openai]",
    connect=_connect,
    key_variables=("OLLAMA_API_KEY",),
    needs_key=False,
    url_variables=("OLLAMA_BASE_URL",),
    default_url="http://localhost:11434/v1",
    is_free=True,
    has_openai_embeddings=True,
)
