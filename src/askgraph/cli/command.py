"""What a command is, and how its words are read.

On argparse, because it is there, starts in a few milliseconds, and prints the same help wherever it runs.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NoReturn

from ..core.printable import printable
from ..core.suggestions import nearest_names
from .suggestions import did_you_mean
from .terminal import Terminal

PROGRAM = "askgraph"
USAGE_ERROR = 2

Run = Callable[[argparse.Namespace, Terminal], int]


@dataclass(frozen=True, slots=True)
class Command:
    """One command of the program.

    Attributes:
        name: the words that call it: ``"load"``, ``"runs list"``.
        usage: what is typed after the name, in short.
        summary: one line for the list of commands.
        description: what it does, for its help.
        examples: lines to type, for its help.
        add_arguments: declares its arguments.
        run: does it, and gives the exit code.
    """

    name: str
    usage: str
    summary: str
    description: str
    examples: tuple[str, ...]
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Run

    def parse(self, words: Sequence[str]) -> argparse.Namespace:
        """Read what was typed after the command's name. Exits with 2 where it cannot be read, with 0 after help."""
        parser = _Parser(
            prog=f"{PROGRAM} {self.name}",
            usage=f"{PROGRAM} {self.name} {self.usage}",
            description=self.description,
            epilog="examples:\n" + "\n".join(f"  {line}" for line in self.examples),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
            add_help=False,
        )
        self.add_arguments(parser)
        parser.add_argument("-h", "--help", action="help", help="show this and exit")
        parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
        arguments, unknown = parser.parse_known_intermixed_args(words)
        if unknown:
            parser.refuse_unknown(unknown)
        return arguments


def positive_number(text: str) -> float:
    """An argument that is a number above zero."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above zero")
    return number


def whole_number(text: str) -> int:
    """An argument that is a whole number."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None


def count_from_one(text: str) -> int:
    """An argument that is a number of things, one at least."""
    number = whole_number(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 on")
    return number


class _Parser(argparse.ArgumentParser):
    """argparse, with the nearest option for one that does not exist, and no colours (Python 3.14 adds some)."""

    color = False

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(USAGE_ERROR, f"Error: {printable(message)}\n`{self.prog} --help` shows examples.\n")

    def refuse_unknown(self, words: Sequence[str]) -> NoReturn:
        options = [word.partition("=")[0] for word in words if word.startswith("-")]
        if not options:
            self.error(f"not expected here: {' '.join(words)}")
        known = [option for action in self._actions for option in action.option_strings]
        suggestion = did_you_mean(nearest_names(options[0], known, most=1))
        self.error(f"there is no option {options[0]}. {suggestion}".rstrip())
