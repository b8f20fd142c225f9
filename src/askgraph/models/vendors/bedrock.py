"""Amazon Bedrock. Credentials, region and profile are found as AWS's own tools find them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from askgraph.core.errors import SettingsError
from askgraph.models.connection import Access
from askgraph.models.vendor import Vendor

if TYPE_CHECKING:
    from askgraph.models.provider import Connection

# boto3 works in threads, which nobody can stop: they must end by themselves.
_READ_SECONDS = 120.0
_CONNECT_SECONDS = 10.0


def _connect(name: str, access: Access) -> Connection:
    from botocore.exceptions import BotoCoreError
    from pydantic_ai.models.bedrock import BedrockConverseModel
    from pydantic_ai.providers.bedrock import BedrockProvider

    from askgraph.models.provider import Connection

    given: dict[str, Any] = {"aws_read_timeout": _READ_SECONDS, "aws_connect_timeout": _CONNECT_SECONDS}
    if access.key is not None:
        given["api_key"] = access.key.get_secret_value()
    if access.url is not None:
        given["base_url"] = access.url
    problem = None
    try:
        model = BedrockConverseModel(name, provider=BedrockProvider(**given))
    except BotoCoreError as error:
        problem = str(error)
    if problem is not None:
        raise SettingsError(f"Amazon Bedrock cannot be used: {problem}", advice="Set AWS_DEFAULT_REGION, or a profile.")
    return Connection(model, name=f"bedrock:{name}", secrets=access.secrets)


VENDOR = Vendor(
    title="Amazon Bedrock",
    packages=("pydantic_ai", "boto3"),
    install="askgraph[bedrock]",
    connect=_connect,
    key_variables=("AWS_BEARER_TOKEN_BEDROCK",),
    # A role, a profile or an instance may stand in for a key: only a call shows whether any does.
    needs_key=False,
    prices="aws",
)
