"""Anthropic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..connection import Access
from ..vendor import Vendor

if TYPE_CHECKING:
    from ..provider import Connection


def _connect(name: str, access: Access) -> Connection:
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    from ..provider import Connection

    client = access.client()
    key = access.key.get_secret_value() if access.key else None
    provider = AnthropicProvider(base_url=access.url, api_key=key, http_client=client)
    model = AnthropicModel(name, provider=provider)
    return Connection(model, name=f"anthropic:{name}", secrets=access.secrets, close=client.aclose)


VENDOR = Vendor(
    title="Anthropic",
    packages=("pydantic_ai", "anthropic"),
    install="askgraph[anthropic]",
    connect=_connect,
    key_variables=("ANTHROPIC_API_KEY",),
    url_variables=("ANTHROPIC_BASE_URL",),
    prices="anthropic",
)
