"""Stands between a tool call and the world: asks the policy, then the person, and remembers the answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path
from typing import cast

from agent.events import Choice
from agent.permissions.display import display
from agent.permissions.grants import Answer as GrantAnswer
from agent.permissions.grants import NewGrant, grant, suggestions, to_rules
from agent.permissions.policy import Policy
from agent.questions import Questions
from agent.tools.tool import Target, Tool, ToolError
from store.records import Grant, SessionState

CHOICES = (
    Choice("once", "Yes, once", "y"),
    Choice("session", "Yes, for this session", "s"),
    Choice("always", "Yes, always here", "a"),
    Choice("no", "No, and say why", "n", text=True),
)

Rehearse = Callable[[Path | None], Awaitable[str]]
"""What a call would change, as a diff, if it may also reach that place outside."""

_VERBS = {"read": "read", "edit": "change", "shell": "run", "fetch": "fetch", "none": "use"}


class DeniedError(ToolError):
    """The call was refused by a rule, by the person, or because nobody is there to ask."""


class Gate:
    """`keep` stores a grant that outlives its question; `waiting` marks the session meanwhile."""

    def __init__(
        self,
        policy: Policy,
        questions: Questions,
        *,
        keep: Callable[[NewGrant], Awaitable[Grant]],
        waiting: Callable[[SessionState], AbstractAsyncContextManager[None]],
    ) -> None:
        self.policy = policy
        self.refusals = 0
        self.last_refused = False
        self._questions = questions
        self._keep = keep
        self._waiting = waiting

    async def permit(self, tool: Tool, target: Target, *, rehearse: Rehearse | None = None) -> Path | None:
        """Raises DeniedError when the call may not touch `target`; says which place outside it may reach."""
        self.last_refused = False
        decision = self.policy.decide(tool.name, target.access, target.subject)
        if decision.verdict == "deny":
            raise self._refusal(f"{tool.name} {target.subject} is not allowed: {decision.reason}")
        if decision.verdict == "allow" and not target.private:
            return decision.outside
        if not self._questions.attended:
            raise self._refusal(
                f"{tool.name} {target.subject} needs the user's consent and nobody is there to give it"
                f" ({decision.reason}); find another way or say what you would need"
            )
        diff = await rehearse(decision.outside) if rehearse else ""
        await self._ask(tool, target, decision.reason, diff)
        return decision.outside

    async def _ask(self, tool: Tool, target: Target, reason: str, diff: str) -> None:
        shown = display(target.subject)
        prompt = f"{_VERBS[target.access]} {shown}" if len(shown) < 200 else f"{_VERBS[target.access]} this"
        whole = "\n".join(part for part in (shown, f"({reason})") if part)
        exact, *wider = suggestions(target.access, target.subject)
        pattern = wider[-1] if wider else exact
        choices = _choices(f"{tool.name} {display(pattern)}" if wider else "")
        async with self._waiting("awaiting_approval"):
            answer = await self._questions.ask(
                "permission", prompt, choices, detail=whole, tool=tool.name, diff=diff
            )
        if answer.choice == "no":
            because = f": {answer.text}" if answer.text else ""
            raise self._refusal(f"the user refused {tool.name} {target.subject}{because}")
        wanted = grant(cast("GrantAnswer", answer.choice), tool.name, pattern)
        if wanted is not None:
            kept = await self._keep(wanted)
            self.policy = replace(self.policy, rules=(*self.policy.rules, *to_rules([kept])))

    def _refusal(self, text: str) -> DeniedError:
        self.refusals += 1
        self.last_refused = True
        return DeniedError(text)


def _choices(rule: str) -> tuple[Choice, ...]:
    """An answer that frees more than what is asked about says what."""
    if not rule:
        return CHOICES
    return tuple(
        replace(choice, label=f"{choice.label}: {rule}") if choice.name in ("session", "always") else choice
        for choice in CHOICES
    )
