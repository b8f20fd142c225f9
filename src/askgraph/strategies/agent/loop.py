"""The loop: propose, try, see whether that answers the question, and propose again with what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeVar

from ...core.budget import Budget
from ...core.errors import BudgetError, DeadlineExceededError, ModelError
from ...core.evidence import Link
from ...core.run import Run
from ...core.words import quantity
from ...models.calls import ModelCalls
from ...retrievers.exploring.tagged_reply import Proposal
from .components import Components, Proposer, Situation
from .findings import Findings, Found

_AT_ONCE: Final = 4
_MOST_NAMES_TOLD: Final = 20
Result = TypeVar("Result")


@dataclass
class _Rounds:
    """How often each kind of proposal may still be asked for."""

    queries: int
    all_kinds: int

    def are_left(self) -> bool:
        return self.queries > 0 or self.all_kinds > 0


class StrategyLoop:
    """Combines strategies for one question at a time.

    Args:
        components: what it is made of.
        iterations: how often proposals of all kinds are asked for.
        query_iterations: how often proposals of queries alone are; they come first, the others only where these do
            not answer the question, and then both side by side.
        explorations: how often a model may be asked to choose among relations, for the whole question.
    """

    def __init__(
        self,
        components: Components,
        *,
        iterations: int = 2,
        query_iterations: int = 2,
        explorations: int = 1,
    ) -> None:
        self._components = components
        self._iterations = iterations
        self._query_iterations = query_iterations
        self._explorations = explorations

    def gather(
        self,
        question: str,
        links: Sequence[Link],
        calls: ModelCalls | None,
        budget: Budget,
        run: Run,
        *,
        user_input: str = "",
    ) -> Findings:
        """Everything found for a question.

        Args:
            question: in plain words.
            links: what its words were linked to without a model; none where that is not wanted.
            calls: of the model; ``None`` for proposers that bring their own.
            budget: what it may take. Where it is used up, or the model fails, what was found so far is given, with a
                note.
            run: the record.
            user_input: what the user says besides.

        Raises:
            DeadlineExceededError: the time was up before anything was found.
            ModelError: the model failed before anything was found.
        """
        return _Gathering(
            self._components, self._explorations, question, user_input, calls, budget, run
        ).gathered(links, self._rounds())

    def _rounds(self) -> _Rounds:
        parts = self._components
        return _Rounds(
            self._query_iterations if parts.query_proposer is not None else 0,
            self._iterations if parts.proposer is not None else 0,
        )


class _Gathering:
    """One question on its way through the loop."""

    def __init__(
        self,
        components: Components,
        explorations: int,
        question: str,
        user_input: str,
        calls: ModelCalls | None,
        budget: Budget,
        run: Run,
    ) -> None:
        self._components = components
        self._explorations = explorations
        self._question = question
        self._user_input = user_input
        self._calls = calls
        self._budget = budget
        self._run = run
        self._findings = Findings()
        self._proposed: dict[str, int] = {}
        # From where our own finder has looked around last, if no model took part: there it finds no more.
        self._looked_from: tuple[str, ...] = ()

    def gathered(self, links: Sequence[Link], rounds: _Rounds) -> Findings:
        findings = self._findings = Findings(links)
        try:
            self._rounds(rounds)
        except (ModelError, BudgetError) as error:
            if not findings.evidence().facts:
                raise
            findings.stopped_because = (
                "the time was up" if isinstance(error, DeadlineExceededError) else "a failure"
            )
            findings.note(f"The search ended early: {error.message}.")
        with self._run.step("stop") as step:
            step.note(
                because=findings.stopped_because,
                facts=len(findings.evidence().facts),
                answers_from=findings.footing,
            )
        return findings

    def _rounds(self, rounds: _Rounds) -> None:
        findings, number = self._findings, 0
        if findings.nodes and not rounds.are_left():
            self._look_around(())
        while rounds.are_left():
            number += 1
            active = self._active(rounds, is_first=number == 1)
            finished = [self._try(proposal) for proposal in self._proposals(active)]
            if findings.answers_it:
                findings.stopped_because = f"the facts answer the question after {quantity(number, 'round')}"
                return
            for proposer, is_finished in zip(active, finished, strict=True):
                if is_finished and proposer is self._components.query_proposer:
                    rounds.queries = 0
                elif is_finished:
                    rounds.all_kinds = 0
            if any(finished) and not rounds.are_left():
                findings.stopped_because = "the model says that what was found is enough"
                return
        findings.stopped_because = (
            f"no more rounds are allowed than {number}" if number else "there is no model"
        )

    def _active(self, rounds: _Rounds, *, is_first: bool) -> list[Proposer]:
        """Who is asked in this round: first who writes queries alone, and the other only where that was not enough."""
        active: list[Proposer] = []
        parts = self._components
        if rounds.queries > 0 and parts.query_proposer is not None:
            rounds.queries -= 1
            active.append(parts.query_proposer)
        if rounds.all_kinds > 0 and parts.proposer is not None and not (active and is_first):
            rounds.all_kinds -= 1
            active.append(parts.proposer)
        return active

    # --- proposals

    def _proposals(self, active: Sequence[Proposer]) -> list[Proposal]:
        """What each proposer says: they know nothing of each other, so they are asked side by side."""
        with self._run.step("propose") as step:
            situations = [self._situation(proposer) for proposer in active]
            proposals = self._side_by_side(
                [
                    partial(proposer.propose, situation, self._calls)
                    for proposer, situation in zip(active, situations, strict=True)
                ]
            )
            for proposer in active:
                self._proposed[proposer.name] = self._proposed.get(proposer.name, 0) + 1
            step.note(
                asked=[proposer.name for proposer in active],
                entities=_all(item.entities for item in proposals),
                paths=_all(item.paths for item in proposals),
                queries=_all((*item.linking_queries, *item.queries) for item in proposals),
                expected_answers=_all(item.answers for item in proposals),
                says_it_is_enough=[
                    proposer.name
                    for proposer, item in zip(active, proposals, strict=True)
                    if item.is_finished
                ],
            )
        return proposals

    def _situation(self, proposer: Proposer) -> Situation:
        findings = self._findings
        names = [
            f"{link.mention.text} = {link.name} ({link.id})" for link in findings.links[:_MOST_NAMES_TOLD]
        ]
        return Situation(
            self._question,
            self._user_input,
            findings.evidence().facts,
            findings.feedback,
            tuple(dict.fromkeys(names)),
            is_first=proposer.name not in self._proposed,
        )

    # --- tries

    def _try(self, proposal: Proposal) -> bool:
        """Try everything that was proposed. Gives whether the model says that it has enough."""
        findings = self._findings
        if proposal.is_empty and not proposal.is_finished:
            findings.tell("Your last reply had no section that could be read.")
        targets = self._linked(proposal)
        sources = tuple(id for id in findings.nodes if id not in targets) or findings.nodes
        with self._run.step("try") as step:
            new, told = 0, len(findings.feedback)
            for found in self._side_by_side(self._tries(proposal, sources, targets)):
                new += findings.add(found)
            step.note(
                new_facts=new,
                answered=findings.answers_it,
                what_came_of_it=list(findings.feedback[told:]),
            )
        self._look_around(targets)
        return proposal.is_finished

    def _tries(
        self, proposal: Proposal, sources: Sequence[str], targets: Sequence[str]
    ) -> list[Callable[[], Found]]:
        parts, budget = self._components, self._budget
        tries: list[Callable[[], Found]] = []
        if parts.queries is not None and proposal.queries:
            tries.append(partial(parts.queries.run, proposal.queries, budget))
        if parts.paths is not None:
            if proposal.paths:
                tries.append(partial(parts.paths.follow, sources, proposal.paths, budget))
            if targets and sources:
                tries.append(partial(parts.paths.connect, sources, targets, budget))
        return tries

    def _linked(self, proposal: Proposal) -> tuple[str, ...]:
        """Link what was named, and what queries for it give. Gives the nodes of the draft answers."""
        findings, parts = self._findings, self._components
        if not (proposal.entities or proposal.answers or proposal.linking_queries):
            return ()
        with self._run.step("link names") as step:
            named = parts.names.link(proposal.entities)
            findings.link(named.links)
            drafts = parts.names.link(proposal.answers)
            for name, nearest in named.unlinked.items():
                like = f"; like it: {', '.join(nearest)}" if nearest else ""
                findings.tell(f"The graph has nothing named {name!r}{like}.")
            if parts.queries is not None and proposal.linking_queries:
                found = parts.queries.run(proposal.linking_queries, self._budget)
                # What a query for names gives is where to begin, and no answer.
                findings.add(Found(nodes=found.nodes, feedback=found.feedback))
            step.note(
                links=[
                    f"{link.mention.text} -> {link.id} ({link.score:.2f})"
                    for link in (*named.links, *drafts.links)
                ],
                unlinked=[*named.unlinked, *drafts.unlinked],
            )
        return drafts.ids

    def _look_around(self, targets: Sequence[str]) -> None:
        """Triples about the question around what was linked, where it is still open or the user wants them anyway."""
        findings, finder = self._findings, self._components.triples
        nodes = tuple(dict.fromkeys((*findings.nodes, *targets)))
        if finder is None or not nodes or (findings.answers_it and not finder.is_own_choice):
            return
        with self._run.step("look around") as step:
            if nodes == self._looked_from and not finder.is_own_choice:
                step.note(new_facts=0, model_calls=0)
                return
            before = len(self._run.calls)
            calls = self._calls if self._explorations > 0 else None
            found = finder.find(nodes, findings.evidence().facts, self._budget, calls)
            is_asked = len(self._run.calls) > before
            self._explorations -= is_asked
            self._looked_from = () if is_asked else nodes
            step.note(new_facts=findings.add(found), model_calls=len(self._run.calls) - before)

    def _side_by_side(self, tasks: Sequence[Callable[[], Result]]) -> list[Result]:
        """What the tasks give, in their order, done at the same time. The record of calls is in a fixed order too."""
        if len(tasks) < 2:
            return [task() for task in tasks]
        begun = len(self._run.calls)
        try:
            with ThreadPoolExecutor(min(_AT_ONCE, len(tasks)), thread_name_prefix="askgraph-agent") as pool:
                return [future.result() for future in [pool.submit(task) for task in tasks]]
        finally:
            # Which reply came first is chance.
            self._run.calls[begun:] = sorted(self._run.calls[begun:], key=lambda call: call.purpose)


def _all(parts: Iterable[Sequence[str]]) -> list[str]:
    """What several proposals have of a kind, each once, in their order."""
    return list(dict.fromkeys(item for part in parts for item in part))
