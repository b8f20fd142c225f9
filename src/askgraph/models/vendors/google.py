"""Google's Gemini."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..connection import Access
from ..vendor import Vendor

if TYPE_CHECKING:
    from ..provider import Connection
    from ..provider_embedder import EmbeddingConnection


def _connect(name: str, access: Access) -> Connection:
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    from ..provider import Connection

    client = access.client()
    key = access.key.get_secret_value() if access.key else None
    provider = GoogleProvider(api_key=key, http_client=client, base_url=access.url)
    model = GoogleModel(name, provider=provider)
    return Connection(model, name=f"google:{name}", secrets=access.secrets, close=client.aclose)


def _connect_embedder(name: str, access: Access) -> EmbeddingConnection:
    from pydantic_ai.embeddings.google import GoogleEmbeddingModel
    from pydantic_ai.providers.google import GoogleProvider

    from ..provider_embedder import EmbeddingConnection

    client = access.client()
    key = access.key.get_secret_value() if access.key else None
    provider = GoogleProvider(api_key=key, http_client=client, base_url=access.url)
    model = GoogleEmbeddingModel(name, provider=provider)
    return EmbeddingConnection(model, name=f"google:{name}", secrets=access.secrets, close=client.aclose)


VENDOR = Vendor(
    title="Google",
    packages=("pydantic_ai", "google.genai"),
    install="askgraph[google]",
    connect=_connect,
    connect_embedder=_connect_embedder,
    key_variables=("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    prices="google",
)
