"""OpenAI, and whoever stands in for it at ``OPENAI_BASE_URL``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..connection import Access
from ..vendor import Vendor

if TYPE_CHECKING:
    from ..provider import Connection


def _connect(name: str, access: Access) -> Connection:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    from ..provider import STRICT, Connection

    client = access.client()
    key = access.key.get_secret_value() if access.key else None
    provider = OpenAIProvider(base_url=access.url, api_key=key, http_client=client)
    model = OpenAIChatModel(name, provider=provider, profile=STRICT)
    return Connection(model, name=f"openai:{name}", secrets=access.secrets, close=client.aclose)


VENDOR = Vendor(
    title="OpenAI",
    packages=("pydantic_ai", "openai"),
    install="pydantic-ai-slim[openai]",
    connect=_connect,
    key_variables=("OPENAI_API_KEY",),
    url_variables=("OPENAI_BASE_URL",),
    prices="openai",
    default_url="https://api.openai.com/v1",
    has_openai_embeddings=True,
)
