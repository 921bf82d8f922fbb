"""What happens between the requests of a turn: limits, what the user said meanwhile, news of the list."""

from __future__ import annotations

from agent import limits as budget
from agent.agenda import Agenda, last_step_note
from agent.events import Choice
from agent.session import Session
from store import sessions
from store.clock import now
from store.database import Store
from store.frozen import frozen


@frozen
class Interlude:
    """One for each turn's equipment: an agent, its model and so many steps."""

    store: Store
    session: Session
    agenda: Agenda
    max_steps: int

    async def prepare(self, step: int) -> None:
        """Before each request: what the user said meanwhile, what changed on the list, and the limits."""
        await self.check_limits(turn=True)
        steering = self.session.steered
        while steering:
            await self.session.hear(steering.take())
        if news := await self.agenda.news():
            await self.session.say(news, "todos")
        if step == self.max_steps and step > 1:
            await self.session.say(last_step_note(), "limit")

    async def check_limits(self, *, turn: bool) -> None:
        """Raises LimitReachedError; what is not part of a turn is bound by the cap on money alone."""
        await self.agenda.account()
        record = await self.store.read(sessions.get, self.session.id)
        if turn:
            budget.check(self.session.limits, record, now())
        else:
            budget.check_money(self.session.limits, record)

    async def spoken(self, text: str) -> bool:
        """Commands that the reply wrote as lines of text; their results are the next thing it reads."""
        results = await self.agenda.spoken(text)
        if results:
            await self.session.say(results, "command")
        return bool(results)

    async def may_repeat(self, tool: str) -> bool:
        """The model calls the same thing again and again; only a person can know whether that is right."""
        questions = self.session.questions
        if not questions.attended:
            return False
        choices = (Choice("continue", "Let it go on", "y"), Choice("stop", "Stop here", "n"))
        prompt = f"{tool} was called repeatedly with the same arguments; go on?"
        async with self.session.waiting("awaiting_human"):
            answer = await questions.ask("loop", prompt, choices, tool=tool)
        return answer.choice == "continue"
