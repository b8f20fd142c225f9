"""Plain JSON over HTTP: which models a server has, and what else has no library of its own."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..core.budget import Budget
from ..core.errors import (
    AskgraphError,
    ModelAuthenticationError,
    ModelBusyError,
    ModelError,
    ModelReplyError,
    ModelRequestError,
    ModelUnreachableError,
)
from . import background
from .connection import Access
from .scrubbing import scrubbed

if TYPE_CHECKING:
    import httpx2

_AUTHENTICATION = (401, 403, 407)
_BUSY = (429, 503, 529)


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A model of a server: its name there, and the tokens that it takes, where the server says so."""

    name: str
    context_window: int | None


def served_models(access: Access, budget: Budget) -> list[ServedModel]:
    """The models of a server that speaks OpenAI's protocol, in its order.

    Raises:
        ModelError: one of its kinds.
        DeadlineExceededError: the budget's time was up.
    """
    found = request_json(access, "/models", None, budget)
    listed = found.get("data") if isinstance(found, dict) else None
    if not isinstance(listed, list):
        raise ModelReplyError(
            f"{access.url}/models is no list of models", advice="Does the address end in /v1?"
        )
    return [
        ServedModel(str(each["id"]), _window(each))
        for each in listed
        if isinstance(each, dict) and each.get("id")
    ]


def _window(listed: dict[str, Any]) -> int | None:
    """Where servers put it: llama.cpp (what it was started with), vLLM, gateways."""
    meta = listed.get("meta")
    places = [meta if isinstance(meta, dict) else {}, listed]
    for place in places:
        for key in ("n_ctx", "max_model_len", "context_length", "context_window", "n_ctx_train"):
            value = place.get(key)
            if isinstance(value, int) and value > 0:
                return value
    return None


def request_json(access: Access, path: str, body: dict[str, Any] | None, budget: Budget) -> Any:
    """What a server answers, as JSON: to a POST with a ``body``, else to a GET.

    Raises:
        ModelError: one of its kinds: nobody answers, a status that is an error, what is no JSON.
        DeadlineExceededError: the budget's time was up.
    """
    return background.run(_request(access, path, body, budget), budget, f"waiting for {access.url}")


async def _request(access: Access, path: str, body: dict[str, Any] | None, budget: Budget) -> Any:
    import httpx2

    place = f"{access.url}{path}"
    headers = {"Authorization": f"Bearer {access.key.get_secret_value()}"} if access.key else {}
    failure: AskgraphError | None = None
    try:
        seconds = max(0.1, budget.remaining)
        timeout = httpx2.Timeout(seconds, connect=min(10.0, seconds))
        method = "GET" if body is None else "POST"
        client = _client(access, os.getpid())
        response = await client.request(method, place, json=body, headers=headers, timeout=timeout)
        if response.is_success:
            return response.json()
        failure = _status_error(response, place, access)
    except AskgraphError as error:
        failure = error
    except (json.JSONDecodeError, UnicodeDecodeError):
        failure = ModelReplyError(f"what {place} sent is no JSON")
    except httpx2.HTTPError as error:
        said = scrubbed(str(error) or type(error).__name__, access.secrets)
        certificate = "CERTIFICATE_VERIFY_FAILED" in said
        advice = "Name its authority in the setting ca_file." if certificate else "Is the server running?"
        failure = ModelUnreachableError(f"{place} cannot be reached: {said}", advice=advice)
    raise failure


@lru_cache(maxsize=16)
def _client(access: Access, process: int) -> httpx2.AsyncClient:
    """One client a server: making one takes as long as some requests. Its connections belong to the process's loop."""
    return access.client()


def _status_error(response: Any, place: str, access: Access) -> ModelError:
    status = response.status_code
    said = f"{place} answered {status}: {scrubbed(_words(response), access.secrets)}"
    if status in _AUTHENTICATION:
        return ModelAuthenticationError(said, advice="Check its key.")
    if status in _BUSY:
        return ModelBusyError(said, retry_after=_seconds(response.headers.get("retry-after")))
    if status >= 500:
        return ModelUnreachableError(said)
    return ModelRequestError(said)


def _words(response: Any) -> str:
    try:
        body = response.json()
    except (json.JSONDecodeError, UnicodeDecodeError):
        return str(response.text)[:300]
    error = body.get("error", body) if isinstance(body, dict) else body
    return str(error.get("message", error) if isinstance(error, dict) else error)


def _seconds(value: str | None) -> float | None:
    try:
        return max(0.0, float(value)) if value is not None else None
    except ValueError:
        return None
