"""Amazon Bedrock. Credentials, region and profile are found as AWS's own tools find them."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ...core.errors import SettingsError
from ..connection import Access
from ..vendor import Vendor

if TYPE_CHECKING:
    from ..provider import Connection
    from ..provider_embedder import EmbeddingConnection

# boto3 works in threads, which nobody can stop: they must end by themselves.
_READ_SECONDS = 120.0
_CONNECT_SECONDS = 10.0
_SECRET_VARIABLES = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")


def _connect(name: str, access: Access, *, region: str | None = None) -> Connection:
    from pydantic_ai.models.bedrock import BedrockConverseModel
    from pydantic_ai.providers.bedrock import BedrockProvider

    from ..provider import Connection

    model = BedrockConverseModel(name, provider=BedrockProvider(bedrock_client=_client(access, region)))
    return Connection(model, name=f"bedrock:{name}", secrets=_secrets(access))


def _connect_embedder(name: str, access: Access) -> EmbeddingConnection:
    from pydantic_ai.embeddings.bedrock import BedrockEmbeddingModel
    from pydantic_ai.providers.bedrock import BedrockProvider

    from ..provider_embedder import EmbeddingConnection

    model = BedrockEmbeddingModel(name, provider=BedrockProvider(bedrock_client=_client(access)))
    return EmbeddingConnection(model, name=f"bedrock:{name}", secrets=_secrets(access))


def _secrets(access: Access) -> list[str]:
    return [*access.secrets, *(os.environ[name] for name in _SECRET_VARIABLES if os.environ.get(name))]


def _client(access: Access, region: str | None = None) -> Any:
    """AWS's client, which tries nothing again: that is done above, where the budget is known."""
    import boto3
    from botocore.config import Config
    from botocore.exceptions import BotoCoreError
    from botocore.session import Session
    from botocore.tokens import FrozenAuthToken

    options: dict[str, Any] = {
        "read_timeout": _READ_SECONDS,
        "connect_timeout": _CONNECT_SECONDS,
        "retries": {"total_max_attempts": 1, "mode": "standard"},
    }
    session = Session()
    if access.key is not None:
        key = access.key.get_secret_value()
        options["signature_version"] = "bearer"

        def token(**_: Any) -> FrozenAuthToken:
            return FrozenAuthToken(key)

        session.get_auth_token = token
    try:
        return boto3.Session(botocore_session=session, region_name=region).client(
            "bedrock-runtime", config=Config(**options), endpoint_url=access.url
        )
    except BotoCoreError as error:
        problem = str(error)
    raise SettingsError(
        f"Amazon Bedrock cannot be used: {problem}", advice="Set AWS_DEFAULT_REGION, or AWS_PROFILE."
    )


VENDOR = Vendor(
    title="Amazon Bedrock",
    packages=("pydantic_ai", "boto3"),
    install="askgraph[bedrock]",
    connect=_connect,
    connect_embedder=_connect_embedder,
    key_variables=("AWS_BEARER_TOKEN_BEDROCK",),
    # A role, a profile or an instance may stand in for a key: only a call shows whether any does.
    needs_key=False,
    prices="aws",
)


def vendor_in(region: str | None) -> Vendor:
    """Bedrock in a region of AWS; as AWS's own tools find it where there is none."""
    return VENDOR if region is None else replace(VENDOR, connect=partial(_connect, region=region))
