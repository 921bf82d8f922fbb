"""Keeps a plan on the todo list while a job runs, whatever dialect the list is spoken to in."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from agent.models.planner.dialects import SPOKEN, Change, Dialect, Kind, Step
from agent.models.planner.listing import Listed, find_id, read_list
from agent.models.planner.work import Answer, Ask

Asking = Generator[tuple[Ask, ...], tuple[Answer, ...], tuple[Answer, ...]]


class Plan:
    """Changes wait until the next ask, so that closing one item and starting the next is one step."""

    def __init__(self, dialect: Dialect | None, before: str) -> None:
        """`before` is what was shown of the list when the request came."""
        self.ids: dict[str, int] = {}
        self.trouble = ""
        self._dialect = dialect
        self._before = before
        self._listed: tuple[Listed, ...] = read_list(before)
        self._waiting: list[Step] = []
        self._foreign: set[int] = set()

    def write(self, titles: Sequence[str]) -> Generator[tuple[Ask, ...], tuple[Answer, ...], None]:
        """Adds the items, or takes up those an interrupted run left open."""
        left = {title: number for title in titles if (number := find_id(self._before, title)) is not None}
        if left or self._dialect is None:
            self.ids = left
            return
        answers = yield self._dialect.add(titles, self._listed)
        failed = next((answer for answer in answers if answer.failed), None)
        if failed is not None:
            self.trouble = f"The todo list did not take the plan: {failed.reason}"
            return
        self._learn(titles, answers)
        look = self._dialect.look()
        if len(self.ids) < len(titles) and look:
            self._learn(titles, (yield look))

    def start(self, title: str) -> None:
        self._wait("start", self.ids.get(title))

    def close(self, title: str, problem: str) -> None:
        """`problem` is why it could not be done; nothing when it was."""
        self._wait("block" if problem else "finish", self.ids.get(title), problem)

    def adopt(self, item: Listed) -> None:
        """Takes responsibility for a todo somebody else put there."""
        self.ids[item.title] = item.id
        self._foreign.add(item.id)

    def along(self, asks: tuple[Ask, ...]) -> Asking:
        """Asks, with the waiting changes in front; gives the answers to `asks` alone."""
        steps, self._waiting = self._waiting, []
        changes = self._dialect.change(steps, self._listed) if self._dialect else ()
        front = tuple(change.ask for change in changes)
        # Lines of text are answered after the whole reply, so they go alone.
        if front and asks and front[0].tool == SPOKEN:
            self._check(changes, (yield front))
            return (yield asks)
        if not front and not asks:
            return ()
        answers = yield (*front, *asks)
        self._check(changes, answers[: len(front)])
        return answers[len(front) :]

    def settle(self) -> Generator[tuple[Ask, ...], tuple[Answer, ...], None]:
        """Sends what still waits; what may not be completed is blocked, so that nobody waits for it."""
        while self._waiting:
            yield from self.along(())

    def _wait(self, kind: Kind, number: int | None, reason: str = "") -> None:
        if number is not None and self._dialect is not None:
            self._waiting.append(Step(kind, number, reason))

    def _learn(self, titles: Sequence[str], answers: Sequence[Answer]) -> None:
        for answer in answers:
            self._listed = read_list(answer.text) or self._listed
            for title in titles:
                number = find_id(answer.text, title)
                if number is not None:
                    self.ids[title] = number

    def _check(self, changes: Sequence[Change], answers: Sequence[Answer]) -> None:
        for change, answer in zip(changes, answers, strict=True):
            if not answer.failed:
                self._listed = read_list(answer.text) or self._listed
                continue
            self.trouble = f"The todo list refused a change: {answer.reason}"
            for step in change.steps:
                if step.kind == "finish":
                    self._wait("block", step.id, f"done, but it could not be completed: {answer.reason}")
                # What others put on the list is theirs to drop.
                elif step.kind == "block" and step.id not in self._foreign:
                    self._wait("cancel", step.id, step.reason)
