"""Prompts are files: one a task, with sections and placeholders, that a user may put others in the place of.

A prompt is Markdown::

    # system
    You write Cypher that reads.

    # user
    The graph has:
    {{schema}}

    The question: {{question}}

``# system`` and ``# user`` are its sections; other headings have more than one ``#``. ``{{name}}`` alone on a line
becomes a quoted block, anywhere else a quoted value (:mod:`.quoting`): where data goes is up to the prompt, and that it
is quoted is not. A paragraph with a block of nothing (no examples, say) is left out.

A folder of the user's own (the setting ``prompts``) is looked into first: a file there replaces, section by section,
what the file of that name here says.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from ...core.errors import SettingsError
from ...core.model_call import Message
from ...core.suggestions import did_you_mean
from .quoting import EXPLANATION, quoted_block, quoted_value

SECTIONS: Final = ("system", "user")

_OWN_FOLDER = Path(__file__).resolve().parent
_HEADING = re.compile(r"^#[ \t]+(.*?)[ \t]*$", re.MULTILINE)
_NAME = r"[a-z][a-z0-9_]*"
# A placeholder alone on its line, its indentation included, or one within a line.
_PLACEHOLDER = re.compile(
    rf"^(?P<indent>[ \t]*)\{{\{{\s*(?P<block>{_NAME})\s*\}}\}}[ \t]*$|\{{\{{\s*(?P<value>{_NAME})\s*\}}\}}",
    re.MULTILINE,
)
_UNFINISHED = re.compile(r"\{\{|\}\}")
_PARAGRAPHS = re.compile(r"\n(?:[ \t]*\n)+")


@dataclass(frozen=True, slots=True)
class Prompt:
    """One task's prompt.

    Attributes:
        name: the task: the file's name without its ending.
        system: what the model is told about its task, as written in the file.
        user: what it is asked, as written in the file.
        source: the files it came from, for messages.
    """

    name: str
    system: str
    user: str
    source: str

    @property
    def placeholders(self) -> frozenset[str]:
        """The names of the data that it takes."""
        return frozenset(_placeholders(self.system)) | frozenset(_placeholders(self.user))

    def messages(self, data: Mapping[str, str], earlier: Sequence[Message] = ()) -> tuple[Message, ...]:
        """The conversation to send: the system message, what was said ``earlier``, and the user's message.

        Args:
            data: a text for each placeholder; more than there are placeholders does no harm.
            earlier: messages between the system message and the user's.

        Raises:
            SettingsError: a placeholder for which there is no data.
        """
        unknown = sorted(self.placeholders - data.keys())
        if unknown:
            known = ", ".join(sorted(data)) or "none"
            raise SettingsError(
                f"the prompt {self.name!r} ({self.source}) has the placeholder {{{{{unknown[0]}}}}}, "
                "for which there is nothing",
                advice=did_you_mean(unknown[0], sorted(data)) or f"There is data for: {known}.",
            )
        system = "\n\n".join(part for part in (_filled(self.system, data), EXPLANATION) if part)
        return (Message("system", system), *earlier, Message("user", _filled(self.user, data)))


class Prompts:
    """All prompts, those of the user's ``folder`` before ours. Read when first used; safe to use from any thread."""

    def __init__(self, folder: Path | None = None) -> None:
        """``folder``: files that replace ours, by name.

        Raises:
            SettingsError: it is no folder, or a file in it has the name of no prompt.
        """
        self._folder = folder
        if folder is None:
            return
        if not folder.is_dir():
            raise SettingsError(
                f"the setting prompts names {folder}, which is no folder",
                advice="Make it a folder of files such as answer.md.",
            )
        for file in sorted(folder.glob("*.md")):
            self._insist_on(file.stem, f"{file} replaces no prompt")

    @property
    def names(self) -> tuple[str, ...]:
        """The prompts that there are."""
        return prompt_names()

    def get(self, name: str) -> Prompt:
        """The prompt of a task.

        Raises:
            SettingsError: there is none of that name, or its file cannot be used: no text, an unknown section, a
                placeholder that is not finished.
        """
        self._insist_on(name, f"there is no prompt {name!r}")
        ours = _OWN_FOLDER / f"{name}.md"
        sections, source = _read(ours), ours.name
        if self._folder is not None and (theirs := self._folder / f"{name}.md").is_file():
            sections, source = {**sections, **_read(theirs)}, str(theirs)
        if "user" not in sections:
            raise SettingsError(f"the prompt {source} has no section `# user`")
        return Prompt(name, sections.get("system", ""), sections["user"], source)

    def _insist_on(self, name: str, fault: str) -> None:
        if name not in self.names:
            advice = did_you_mean(name, self.names) or f"There are: {', '.join(self.names)}."
            raise SettingsError(fault, advice=advice)


@cache
def prompt_names() -> tuple[str, ...]:
    """The names of our own prompts, sorted."""
    return tuple(sorted(file.stem for file in _OWN_FOLDER.glob("*.md")))


def _read(file: Path) -> dict[str, str]:
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"the prompt {file} cannot be read: {error}") from error
    return _sections(text, file)


def _sections(text: str, file: Path) -> dict[str, str]:
    pieces = _HEADING.split(text)
    if pieces[0].strip():
        raise SettingsError(f"the prompt {file} has text before its first section", advice=_SECTION_ADVICE)
    sections: dict[str, str] = {}
    for heading, body in zip(pieces[1::2], pieces[2::2], strict=True):
        name = heading.lower()
        if name not in SECTIONS:
            raise SettingsError(
                f"the prompt {file} has a section {heading!r}, which no prompt has", advice=_SECTION_ADVICE
            )
        if name in sections:
            raise SettingsError(f"the prompt {file} has the section {name!r} twice")
        left = _UNFINISHED.search(_PLACEHOLDER.sub("", body))
        if left is not None:
            raise SettingsError(
                f"the section {name!r} of the prompt {file} has {left[0]} that belongs to no placeholder",
                advice="A placeholder is a name of small letters, digits and _: {{question}}.",
            )
        sections[name] = body.strip()
    return sections


_SECTION_ADVICE = "Its sections are `# system` and `# user`; headings within them have two # or more."


def _placeholders(text: str) -> list[str]:
    return [match["block"] or match["value"] for match in _PLACEHOLDER.finditer(text)]


def _filled(text: str, data: Mapping[str, str]) -> str:
    """The text with its data. One pass: what looks like a placeholder in the data is data."""
    kept = [paragraph for paragraph in _PARAGRAPHS.split(text) if not _speaks_of_nothing(paragraph, data)]
    return "\n\n".join(_PLACEHOLDER.sub(lambda match: _quoted(match, data), part) for part in kept)


def _speaks_of_nothing(paragraph: str, data: Mapping[str, str]) -> bool:
    blocks = [match["block"] for match in _PLACEHOLDER.finditer(paragraph) if match["block"]]
    return bool(blocks) and not any(data[name].strip() for name in blocks)


def _quoted(match: re.Match[str], data: Mapping[str, str]) -> str:
    if match["block"]:
        block = quoted_block(data[match["block"]])
        return "\n".join(match["indent"] + line for line in block.split("\n"))
    return quoted_value(data[match["value"]])
