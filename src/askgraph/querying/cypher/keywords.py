"""The clauses and commands that do more than read, and what to say when one is met."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from ..source import Span
from ..tokens import words

if TYPE_CHECKING:
    from ..tokens import TokenStream

_READ_ONLY = "Only reading is allowed here."
_WRITES = "would change the graph"
_SCHEMA = "would change the schema"
_ADMIN = "is an administration command"
_OUTSIDE = "reads or writes what lies outside the graph"
_TRANSACTION = "would open or end a transaction"

REFUSED: dict[str, tuple[str, str]] = {
    **dict.fromkeys(
        ("CREATE", "INSERT", "MERGE", "SET", "REMOVE", "DELETE", "DETACH", "NODETACH", "FOREACH", "UPDATE"),
        ("write", _WRITES),
    ),
    **dict.fromkeys(("DROP", "COMMENT", "CONSTRAINT", "INDEX"), ("schema", _SCHEMA)),
    **dict.fromkeys(
        words(
            """ALTER RENAME GRANT DENY REVOKE START STOP ENABLE DISABLE DEALLOCATE REALLOCATE DRYRUN SHOW
        TERMINATE ANALYZE STORAGE FREE LOCK UNLOCK RECOVER REGISTER UNREGISTER REPLICATION KILL CHECK ADD
        EDGE RELOAD PROJECT"""
        ),
        ("administration", _ADMIN),
    ),
    **dict.fromkeys(
        words("LOAD COPY EXPORT IMPORT ATTACH INSTALL UNINSTALL DUMP BACKUP RESTORE PERIODIC"),
        ("outside-data", _OUTSIDE),
    ),
    **dict.fromkeys(
        words("BEGIN COMMIT ROLLBACK CHECKPOINT ISOLATION"),
        ("transaction", _TRANSACTION),
    ),
    "DEFINE": ("definition", "defines a procedure or a function"),
    "HAVING": ("unsupported", "is not a clause of Cypher that the gate knows"),
}
"""For each first word: the code of the refusal, and the end of the sentence that begins with the word."""

_SCHEMA_OBJECTS = frozenset(
    words("INDEX CONSTRAINT TEXT RANGE POINT LOOKUP FULLTEXT VECTOR BTREE NODE REL TYPE SEQUENCE MACRO")
)
_ADMIN_OBJECTS = frozenset(
    words(
        """USER ROLE DATABASE ALIAS COMPOSITE REPLICA SERVER AUTH TRIGGER SNAPSHOT STREAM KAFKA PULSAR ENUM
        IMMUTABLE"""
    )
)


def refuse_clause(stream: TokenStream) -> NoReturn:
    """Raise the refusal of the clause or command that comes next; its first word is in ``REFUSED``."""
    token = stream.token
    code, sentence = REFUSED[token.key]
    end = token
    named = [token.key]
    object_word = _object_word(stream)
    if token.key == "CREATE" and object_word in _SCHEMA_OBJECTS:
        code, sentence = "schema", _SCHEMA
    elif token.key in ("CREATE", "DROP") and object_word in _ADMIN_OBJECTS:
        code, sentence = "administration", _ADMIN
    elif token.key in ("DETACH", "NODETACH", "LOAD", "SHOW", "TERMINATE") and stream.peek().is_name:
        end = stream.peek()
        named.append(end.key)
    raise stream.source.refusal(
        Span(token.start, end.end), f"{' '.join(named)} {sentence}", code=code, advice=_READ_ONLY
    )


def _object_word(stream: TokenStream) -> str:
    """The word after ``CREATE``, ``CREATE OR REPLACE`` and the like."""
    distance = 1
    while stream.peek(distance).key in ("OR", "REPLACE", "UNIQUE"):
        distance += 1
    return stream.peek(distance).key
