"""What paths are compared with: the question itself, or a path in the words of the schema."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Template:
    """What a path should be like.

    Attributes:
        text: in words; the question itself where nobody thought of anything better.
        relations: ids of edge types and properties of the graph that the path should follow, if they are known.
        origin: ``"question"``, or the name of the model that made it.
    """

    text: str
    relations: tuple[str, ...] = ()
    origin: str = "question"


def template_of_question(question: str) -> Template:
    """The question itself as the template."""
    return Template(question)
