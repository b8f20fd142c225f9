"""What a server says when it cannot answer, as errors with a type.

Each engine has its own words and its own status codes; some say it with status 200, in the middle of a result.
"""

from __future__ import annotations

import html
import re
from typing import Final

from ...core.errors import (
    AskgraphError,
    AuthenticationError,
    BadReplyError,
    DeadlineExceededError,
    GraphNotFoundError,
    QueryFailedError,
    ServerBusyError,
    UnreachableError,
)
from ...core.printable import printable, shortened

MOST_WORDS: Final = 65_536
"""Bytes of an error that are read."""

_SHOWN: Final = 300
_TITLE: Final = re.compile(r"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)
_PAGE: Final = re.compile(
    r"\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL
)
_TIME_OUT: Final = re.compile(
    r"S1T00|S1TAT"  # Virtuoso
    r"|quer(?:y|ies) (?:was |has been )?(?:cancell?ed|timed out|interrupted|aborted)"  # Fuseki
    r"|operation (?:was |has been )?cancell?ed"  # Oxigraph, QLever
    r"|QueryTimeoutException|QueryInterruptedException|QueryEvaluation\w* took too long"  # Blazegraph, RDF4J, GraphDB
    r"|TimeLimitExceeded|time.?out|timed out|deadline exceeded",
    re.IGNORECASE,
)
_ESTIMATE: Final = re.compile(r"S1T00|estimated execution time", re.IGNORECASE)
_MEMORY: Final = re.compile(
    r"out of memory|OutOfMemory|tried to allocate|memory (?:limit|pool)|too much memory|heap space|MemoryManager"
    r"|insufficient memory",
    re.IGNORECASE,
)
_BUSY: Final = re.compile(r"too many|overload|busy|throttl|rate limit|try again later", re.IGNORECASE)
_SERVICE: Final = re.compile(r"httpServiceAllowed|SQ070")
_SYNTAX: Final = re.compile(
    r"parse error|syntax error|lexical error|MalformedQuery|SP030|SP031|expected|Invalid SPARQL|not a valid SPARQL",
    re.IGNORECASE,
)
_MARKS: Final = re.compile(
    r"##+\s*Query cancelled.*|The SPARQL operation has been cancelled|An error has occurred while exporting.*",
    re.DOTALL,
)
_SORTING: Final = re.compile(r"SR353|TOP clause")
_PLACE: Final = (
    re.compile(r"error at (\d+):(\d+)"),
    re.compile(r"line (\d+),? column (\d+)", re.IGNORECASE),
    re.compile(r"line (\d+)()", re.IGNORECASE),
)
_MORE_TIME: Final = "Ask something narrower, or give the server a longer time-out."


def page_title(text: str) -> str | None:
    """The title of a page made for people; ``None`` if the text is none."""
    if _PAGE.match(text) is None:
        return None
    title = _TITLE.search(text)
    return _words(html.unescape(title[1])) if title else "without a title"


def fault_of_status(
    status: int, text: str, *, retry_after: float | None = None, sent_credentials: bool = False
) -> AskgraphError:
    """The error that a reply with a status other than 2xx is.

    Args:
        status: the status code.
        text: the beginning of the body.
        retry_after: seconds that the server asks to wait.
        sent_credentials: whether the request showed any.
    """
    title = page_title(text)
    words = f"a page {title!r}" if title is not None else _words(text)
    if status in (401, 407):
        return AuthenticationError(
            "the server did not accept the user and password, or token"
            if sent_credentials
            else "the server wants a user and a password, or a token",
            advice="Set ASKGRAPH_USER and ASKGRAPH_PASSWORD, or ASKGRAPH_TOKEN.",
        )
    if status == 403:
        return AuthenticationError(
            f"the server refuses access (status 403): {words}",
            advice="Ask its owner for the right to read; a public one may want a User-Agent that says who asks.",
        )
    if status in (404, 410):
        return GraphNotFoundError(
            f"there is no SPARQL endpoint at this address (status {status})",
            advice="Is the path right? Usual ones are /sparql, /query, /repositories/NAME.",
        )
    if title is None and (fault := _fault_in_words(text, status)) is not None:
        return fault
    if status in (408, 504):
        return DeadlineExceededError(
            f"the server, or what stands before it, gave up waiting (status {status})", advice=_MORE_TIME
        )
    if status in (429, 503):
        return ServerBusyError(
            f"the server has no room now (status {status}): {words}",
            retry_after=retry_after,
            advice="Try again later, or ask fewer questions at once.",
        )
    if status == 502:
        return UnreachableError("what stands before the server does not reach it (status 502)")
    if status in (413, 414):
        return QueryFailedError("the query is too long for the server", code="too-long")
    if 400 <= status < 500 and title is None:
        return _failed(text, "syntax" if _SYNTAX.search(text) else "failed")
    if status < 500 or title is not None:
        return BadReplyError(f"the server answered with status {status}: {words}", advice=_NOT_AN_ENDPOINT)
    return _failed(text, "failed")


_NOT_AN_ENDPOINT: Final = "Is this the address of a SPARQL endpoint, and not of a page about one?"


def fault_of_page(text: str) -> BadReplyError:
    """The error that a reply with status 200 is which is no result: as a rule a page for people."""
    title = page_title(text)
    if title is not None:
        return BadReplyError(
            f"the server answered with a page for people, {title!r}, and not with a result",
            advice=_NOT_AN_ENDPOINT,
        )
    return BadReplyError(
        f"the server answered with something that is no result: {_words(text) or 'nothing'}",
        advice=_NOT_AN_ENDPOINT,
    )


def fault_of_break(tail: str, rows: int) -> AskgraphError:
    """The error that a result is which begins well and breaks off.

    Args:
        tail: what stands where it breaks: often what the server has to say.
        rows: rows that came before.
    """
    # Where the text of a row is cut, its words are the graph's and not the server's.
    is_row = tail.lstrip()[:1] in ("{", "[", '"')
    said = _MARKS.search(tail) if is_row else None
    fault = _fault_in_words(said[0] if said else "" if is_row else tail, 200)
    if fault is not None:
        return fault
    came = f"after {rows:,} rows" if rows else "before the first row"
    words = _words(tail)
    return BadReplyError(
        f"the result breaks off {came}" + (f": {words}" if words else ""),
        advice="A time-out or a fault of the server, as a rule: ask something narrower, or look at its log.",
    )


def partial_answer(message: str) -> DeadlineExceededError:
    """The error that an answer is which the server itself calls incomplete."""
    return DeadlineExceededError(
        f"the server stopped before it was done and gave a part for the whole: {_words(message)}",
        advice=f"{_MORE_TIME} If the address says timeout=…, leave it out.",
    )


def _fault_in_words(text: str, status: int) -> AskgraphError | None:
    """What the words of a server mean, where they mean something whatever the status."""
    text = _said(text)
    if _MEMORY.search(text):
        return _failed(text, "memory", "Ask something narrower.")
    if _TIME_OUT.search(text) and not (400 <= status < 500 and _SYNTAX.search(text)):
        reason = "by its own time-out"
        if _ESTIMATE.search(text) and "estimated" in text:
            reason = "because it expects it to take too long"
        return DeadlineExceededError(
            f"the server ended the query {reason}: {_words(text)}", advice=_MORE_TIME
        )
    if _SERVICE.search(text):
        return _failed(text, "service", "This server does not call others.")
    if _SORTING.search(text):
        return _failed(
            text, "too-many-rows", "Ask for fewer rows: a smaller LIMIT and OFFSET, or no ORDER BY."
        )
    if status == 500 and _BUSY.search(text):
        return ServerBusyError(f"the server has no room now: {_words(text)}")
    return None


def _failed(text: str, code: str, advice: str | None = None) -> QueryFailedError:
    line, column = 1, 1
    for pattern in _PLACE:
        if found := pattern.search(text):
            line, column = int(found[1]), int(found[2] or 1)
            break
    return QueryFailedError(
        f"the server cannot run the query: {_words(text) or 'it does not say why'}",
        code=code,
        line=line,
        column=column,
        advice=advice,
    )


def _said(text: str) -> str:
    """What a server says, without what follows: Virtuoso repeats the query, Java tells its stack."""
    return re.split(r"\n\s*SPARQL query:|\n\s+at |\nPREFIX", text, maxsplit=1)[0]


def _words(text: str) -> str:
    return shortened(printable(_said(text)).strip("# *"), _SHOWN)
