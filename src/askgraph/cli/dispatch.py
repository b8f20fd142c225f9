"""Finds the command that was typed, runs it, and says what went wrong."""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from collections.abc import Callable

from .. import __version__
from ..core.errors import AskgraphError
from ..core.suggestions import nearest_names
from .command import PROGRAM, USAGE_ERROR, Command
from .main import INTERRUPTED
from .suggestions import did_you_mean
from .terminal import Terminal, close_broken_pipe, let_nothing_fail_to_print

OK, ERROR, BROKEN_PIPE = 0, 1, 141

# Name, module, summary. A command's module is imported when the command is typed.
COMMANDS: tuple[tuple[str, str, str], ...] = (
    ("load", "load", "make a graph from files, or add to one"),
    ("schema", "schema", "what a graph is made of"),
    ("index", "index", "make names and meanings findable (ask does it where needed)"),
    ("ask", "ask", "answer a question, with the facts the answer rests on"),
    ("link", "link", "what the words of a question name in a graph, and why not"),
    ("subgraph", "subgraph", "the part of a graph that a question is about, and why"),
    ("communities", "communities", "communities of a graph, and a report on each"),
    ("query", "query", "run a Cypher or SPARQL query that only reads"),
    ("export", "export", "write a graph to files of an open format"),
    ("doctor", "doctor", "what is there, what is stale, and what to do about it"),
    ("check", "check", "whether a Cypher query may run, and why not (nothing is run)"),
    ("eval", "eval", "measure how well questions with known answers are answered"),
    ("examples", "examples", "solved questions, for models that write queries: add, list, remove"),
    ("runs", "runs", "the questions asked so far: list, show, delete"),
    ("serve-text2sparql", "serve_text2sparql", "serve questions as SPARQL queries (TEXT2SPARQL protocol)"),
)

GUIDE = """\
askgraph answers questions from a knowledge graph, and shows the facts that
each answer rests on. No server, no key, no language model needed.

Try it on the graph in the folder examples of its repository:

  askgraph ask examples/ck25/graph/prod-inst.ttl \\
      "Who is the manager of Heinrich Hoch?"

With a graph of your own (CSV, Parquet, JSON Lines, Turtle, N-Triples, …):

  askgraph load nodes.csv edges.csv --into company.graph
  askgraph ask company.graph "Who manages Karen Brant?"

`askgraph --help` lists every command; `askgraph COMMAND --help` shows examples.
"""

HELP = """\
usage: askgraph COMMAND …

Answers from a knowledge graph, with the facts that each answer rests on.

commands:
{commands}

  -h, --help  show this and exit
  --version   show the version and exit

A GRAPH is a graph folder (made by `askgraph load`) or an RDF file (.ttl, .nt,
.nq, .trig, .rdf, .jsonld), which can be asked straight away.

examples:
  askgraph ask examples/ck25/graph/prod-inst.ttl "Who has expertise in Coils?"
  askgraph load examples/hetionet/*.csv --into hetionet.graph
  askgraph schema hetionet.graph
  askgraph ask hetionet.graph "In which pathways is NAT2?"
  askgraph doctor hetionet.graph

Results go to standard output, progress and notices to standard error.
Exit code 0: done (also where the graph supports no answer, which is then said);
1: an error; 2: the command cannot be read; 130: interrupted.
Settings: ASKGRAPH_… in the environment, or askgraph.toml (`askgraph doctor`).
"""


def dispatch(words: list[str], *, was_interrupted: Callable[[], bool]) -> int:
    """Run the command that the words call.

    Args:
        words: what was typed after the program's name.
        was_interrupted: whether Ctrl-C was pressed, for an error that may have come of it.

    Returns:
        The exit code.
    """
    let_nothing_fail_to_print()
    terminal = Terminal()
    try:
        code = _run_or_help(words, terminal)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        close_broken_pipe()
        return BROKEN_PIPE
    except Exception as error:  # noqa: BLE001 - the outermost door: whatever it was, the user gets a sentence
        if was_interrupted():
            return INTERRUPTED
        _say(error, terminal, debug="--debug" in words)
        return ERROR


def _run_or_help(words: list[str], terminal: Terminal) -> int:
    try:
        return _run(words, terminal)
    except SystemExit as ended:  # argparse, after help or a usage error
        return ended.code if isinstance(ended.code, int) else ERROR


def _run(words: list[str], terminal: Terminal) -> int:
    match words:
        case []:
            _write(GUIDE)
            return OK
        case ["-h" | "--help" | "help"]:
            summaries = "\n".join(f"  {name:<10}  {summary}" for name, _, summary in COMMANDS)
            _write(HELP.format(commands=summaries))
            return OK
        case ["--version" | "-V" | "version"]:
            _write(f"{PROGRAM} {__version__}\n")
            return OK
        case ["help", *rest]:
            return _run([*rest, "--help"], terminal)
    command, rest = _find(words, terminal)
    return USAGE_ERROR if command is None else command.run(command.parse(rest), terminal)


def _find(words: list[str], terminal: Terminal) -> tuple[Command | None, list[str]]:
    """The command that the first words call, and the words after them."""
    name, *rest = words
    modules = {known: module for known, module, _ in COMMANDS}
    if name not in modules:
        kind = "option" if name.startswith("-") else "command"
        known = ("--help", "--version") if kind == "option" else modules
        suggestion = did_you_mean(nearest_names(name, known, most=1))
        terminal.failure(f"there is no {kind} {name}. {suggestion}", "`askgraph --help` lists the commands.")
        return None, []
    found: Command | dict[str, Command] = importlib.import_module(
        f".commands.{modules[name]}", __package__
    ).COMMAND
    if isinstance(found, Command):
        return found, rest
    return _find_second(name, found, rest, terminal)


def _find_second(
    name: str, commands: dict[str, Command], rest: list[str], terminal: Terminal
) -> tuple[Command | None, list[str]]:
    if rest and rest[0] in commands:
        return commands[rest[0]], rest[1:]
    width = max(len(command.name) for command in commands.values())
    listing = "\n".join(
        f"  {PROGRAM} {command.name:<{width}}  {command.summary}" for command in commands.values()
    )
    if rest and rest[0] in ("-h", "--help"):
        _write(f"{listing}\n\n`{PROGRAM} {name} COMMAND --help` shows examples.\n")
        raise SystemExit(OK)
    said = f"there is no command {name} {rest[0]}." if rest else f"{name} what?"
    suggestion = (
        did_you_mean([f"{name} {word}" for word in nearest_names(rest[0], commands, most=1)]) if rest else ""
    )
    terminal.failure(f"{said} {suggestion}".rstrip(), f"There are: {', '.join(commands)}.")
    return None, []


def _write(text: str) -> None:
    encoding = sys.stdout.encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.replace("…", "...")
    sys.stdout.write(text)


def _say(error: Exception, terminal: Terminal, *, debug: bool) -> None:
    if debug:
        terminal.err.file.write(traceback.format_exc())
        return
    if isinstance(error, AskgraphError):
        message, advice = error.message, error.advice
        location = getattr(error, "location", None)
        terminal.failure(f"{location}: {message}" if location else message, advice)
    elif isinstance(error, OSError):
        name = os.fspath(error.filename) if isinstance(error.filename, str) else ""
        terminal.failure(f"{name + ': ' if name else ''}{error.strerror or error}")
    elif isinstance(error, MemoryError):
        terminal.failure("there is not enough memory for this")
    else:
        terminal.failure(
            f"askgraph itself failed ({type(error).__name__}: {error})",
            "This is a fault of askgraph. The same command with --debug shows where; please report it.",
        )
