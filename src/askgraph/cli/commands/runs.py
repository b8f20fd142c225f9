"""`askgraph runs`: the questions asked so far."""

from __future__ import annotations

import argparse
from itertools import islice
from typing import TYPE_CHECKING

from ...core.errors import SettingsError
from ...core.words import quantity
from ..command import Command
from ..terminal import Terminal
from ..views.runs import show_run, show_runs

if TYPE_CHECKING:
    from ...core.run_store import RunStore

_LISTED = 20


def _store() -> RunStore:
    from ...core.run_store import RunStore
    from ...core.settings import Settings

    return RunStore(Settings.load().runs_dir)


# --- list


def _add_list_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help=f"all of them, not only the latest {_LISTED}")
    parser.add_argument("--json", action="store_true", help="as strict JSON on standard output")


def _list(arguments: argparse.Namespace, terminal: Terminal) -> int:
    store = _store()
    runs = list(islice(store.all(), None if arguments.all else _LISTED))
    if arguments.json:
        terminal.json([_head(run) for run in runs])
        return 0
    if not runs:
        terminal.notice(f"No question has been recorded yet in {store.folder}.")
        return 0
    terminal.show(show_runs(runs, terminal.page))
    left_out = len(store.ids()) - len(runs)
    if left_out > 0:
        terminal.notice(f"{quantity(left_out, 'older run')} not shown: --all", style="dim")
    return 0


def _head(run: dict[str, object]) -> dict[str, object]:
    """A run without its steps and facts."""
    answer = run["answer"] if isinstance(run["answer"], dict) else {}
    return {
        **{key: run[key] for key in ("id", "question", "graph", "started", "seconds", "error")},
        "answer": answer.get("answer"),
        "abstained": answer.get("abstained"),
        "confidence": answer.get("confidence"),
    }


# --- show


def _add_show_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", metavar="RUN", help="its id, or the first characters of it; or `last`")
    parser.add_argument("--json", action="store_true", help="everything, as strict JSON on standard output")


def _show(arguments: argparse.Namespace, terminal: Terminal) -> int:
    store = _store()
    run = store.read(_latest(store) if arguments.run == "last" else arguments.run)
    if arguments.json:
        terminal.json(run)
    else:
        terminal.show(show_run(run, terminal.page))
    return 0


def _latest(store: RunStore) -> str:
    return next(iter(store.ids()), "last")


# --- delete


def _add_delete_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", metavar="RUN", nargs="*", help="ids, or the first characters of them")
    parser.add_argument("--all", action="store_true", help="every run there is")


def _delete(arguments: argparse.Namespace, terminal: Terminal) -> int:
    if bool(arguments.runs) == arguments.all:
        raise SettingsError(
            "which runs are to be deleted?" if not arguments.all else "some runs, or --all: not both",
            advice="askgraph runs delete RUN…, or askgraph runs delete --all; `askgraph runs list` lists them.",
        )
    store = _store()
    wanted = store.ids() if arguments.all else [store.resolve(word) for word in arguments.runs]
    deleted = [store.delete(id) for id in dict.fromkeys(wanted)]
    terminal.show(terminal.page.paragraph(f"{quantity(len(deleted), 'run')} deleted."))
    return 0


COMMAND = {
    "list": Command(
        name="runs list",
        usage="[options]",
        summary="the latest questions",
        description="List the questions asked so far, the latest first.",
        examples=("askgraph runs list", "askgraph runs list --all --json"),
        add_arguments=_add_list_arguments,
        run=_list,
    ),
    "show": Command(
        name="runs show",
        usage="RUN [options]",
        summary="one question with its steps, times and facts",
        description="Show one run: its steps with their times, its answer, its facts.",
        examples=(
            "askgraph runs show last",
            "askgraph runs show 20260131-101500",
            "askgraph runs show last --json",
        ),
        add_arguments=_add_show_arguments,
        run=_show,
    ),
    "delete": Command(
        name="runs delete",
        usage="RUN... | --all",
        summary="forget questions",
        description="Delete runs. What is deleted is gone.",
        examples=("askgraph runs delete 20260131-101500-123-a1b2c3", "askgraph runs delete --all"),
        add_arguments=_add_delete_arguments,
        run=_delete,
    ),
}
