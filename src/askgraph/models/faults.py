"""What providers and their libraries call a failure, as one of our errors. No secret gets through."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic_ai import exceptions as theirs

from ..core.errors import (
    AskgraphError,
    ModelAuthenticationError,
    ModelBusyError,
    ModelError,
    ModelReplyError,
    ModelRequestError,
    ModelUnreachableError,
)
from .scrubbing import scrubbed

_KEY_ADVICE = "Check the key: the setting model_key (ASKGRAPH_MODEL_KEY), or the vendor's own variable."

_CERTIFICATE_ADVICE = "Name the certificate of its authority in the setting ca_file."


def as_ours(error: Exception, name: str, secrets: Iterable[str]) -> AskgraphError:
    """The error to raise in place of a provider's.

    To be raised outside the ``except``, so that it has no ``__context__``: the original holds the request's headers.
    """
    if isinstance(error, AskgraphError):
        return error
    said = scrubbed(_words(error), secrets)
    for kind, message, advice in _MEANINGS:
        if isinstance(error, kind):
            if "CERTIFICATE_VERIFY_FAILED" in said:
                advice = _CERTIFICATE_ADVICE
            return _made(error, f"{name} {message}: {said}", advice)
    if isinstance(error, theirs.UserError):
        return ModelRequestError(f"{name} cannot be asked this: {said}")
    return ModelError(f"{name} failed: {type(error).__name__}: {said}")


# The first that fits counts.
_MEANINGS: tuple[tuple[type[Exception], str, str | None], ...] = (
    (
        theirs.ModelQuotaExceededError,
        "takes no more calls from this account",
        "Look at its quota and its billing.",
    ),
    (theirs.ModelRateLimitError, "takes no more calls now", None),
    (theirs.ModelUnavailableError, "is overloaded or not available", None),
    (theirs.ModelServerError, "failed at its own end", None),
    (theirs.ModelAuthenticationError, "does not let us in", _KEY_ADVICE),
    (
        theirs.ModelContextWindowExceededError,
        "cannot read so long a prompt",
        "Give it less evidence (--max-facts), or use a model that reads more.",
    ),
    (theirs.ModelNotFoundError, "is not there", "Check the model's name and the server's address."),
    (theirs.ModelRequestRejectedError, "does not take the request", None),
    (theirs.ModelRequestTimeout, "did not answer in time", None),
    (
        theirs.ModelConnectionError,
        "cannot be reached, or the connection broke",
        "Is the server running, and the address right?",
    ),
    (theirs.ContentFilterError, "or its provider refused to reply", None),
    (theirs.UnexpectedModelBehavior, "sent what is no reply", None),
    (theirs.ModelHTTPError, "answered with an error", None),
    (theirs.ModelAPIError, "sent what is no reply", None),
)


def _made(error: Exception, message: str, advice: str | None) -> ModelError:
    if isinstance(error, theirs.ModelQuotaExceededError):
        # Waiting does not help: this is no reason to try again.
        return ModelRequestError(message, advice=advice)
    if isinstance(error, theirs.ModelRateLimitError | theirs.ModelUnavailableError):
        return ModelBusyError(message, retry_after=error.retry_after, advice=advice)
    if isinstance(error, theirs.ModelAuthenticationError):
        return ModelAuthenticationError(message, advice=advice)
    if isinstance(error, theirs.ModelServerError | theirs.ModelConnectionError | theirs.ModelRequestTimeout):
        return ModelUnreachableError(message, advice=advice)
    if isinstance(error, theirs.ModelRequestRejectedError):
        return ModelRequestError(message, advice=advice)
    if isinstance(error, theirs.ModelHTTPError):
        kind = ModelRequestError if 400 <= error.status_code < 500 else ModelUnreachableError
        return kind(message, advice=advice)
    return ModelReplyError(message, advice=advice)


def _words(error: Exception) -> str:
    """What the provider says, without the frame that libraries put round it."""
    body = getattr(error, "body", None)
    if isinstance(body, dict):
        inner = body.get("error", body)
        message = inner.get("message") if isinstance(inner, dict) else inner
        if message:
            status = getattr(error, "status_code", None)
            return f"{message} (HTTP {status})" if status else str(message)
    said = str(error) or type(error).__name__
    if isinstance(error, theirs.ModelConnectionError):
        # What libraries make of it is "Connection error."; why, the innermost one knows.
        return f"{said} {_innermost(error)}"
    return said


def _innermost(error: BaseException) -> str:
    while (cause := error.__cause__ or error.__context__) is not None:
        error = cause
    return str(error)
