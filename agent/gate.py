"""Stands between a tool call and the world: asks the policy, then the person, and remembers the answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path
from typing import cast

from agent.events import Choice
from agent.permissions.display import display
from agent.permissions.grants import Answer as GrantAnswer
from agent.permissions.grants import NewGrant, grant, suggestions, to_rules
from agent.permissions.policy import Policy
from agent.permissions.rules import Layer, Rule, escape
from agent.questions import Questions
from agent.tools.tool import Target, Tool, ToolError
from store.records import Grant, SessionState

CHOICES = (
    Choice("once", "Yes, once", "y"),
    Choice("session", "Yes, for this session", "s"),
    Choice("always", "Yes, always here", "a"),
    Choice("no", "No, and say why", "n", text=True),
)

_LAYERS: Mapping[str, Layer] = {"session": "session", "always": "global"}

Rehearse = Callable[[Path | None], Awaitable[str]]
"""What a call would change, as a diff, if it may also reach that place outside."""

_VERBS = {"read": "read", "edit": "change", "shell": "run", "fetch": "fetch", "none": "use"}


# A rule that cannot be taken in at a glance is not asked about.
_GLANCE = 80


class DeniedError(ToolError):
    """The call was refused by a rule, by the person, or because nobody is there to ask.

    `reason` is for a person, who sees the call beside it; there is none when they gave none.
    """

    def __init__(self, text: str, reason: str) -> None:
        super().__init__(text)
        self.reason = reason


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

    async def permit(
        self, tool: Tool, target: Target, *, rehearse: Rehearse | None = None, call_id: str = ""
    ) -> Path | None:
        """Raises DeniedError when the call may not touch `target`; says which place outside it may reach."""
        self.last_refused = False
        decision = self.policy.decide(tool.name, target.access, target.subject)
        if decision.verdict == "deny":
            text = f"{tool.name} {target.subject} is not allowed: {decision.reason}"
            raise self._refusal(text, decision.reason)
        if decision.verdict == "allow" and not target.private:
            return decision.outside
        if not self._questions.attended:
            raise self._refusal(
                f"{tool.name} {target.subject} needs the user's consent and nobody is there to give it"
                f" ({decision.reason}); find another way or say what you would need",
                "nobody is there to allow it",
            )
        diff = await rehearse(decision.outside) if rehearse else ""
        await self._ask(tool, target, decision.reason, diff, call_id)
        return decision.outside

    async def _ask(self, tool: Tool, target: Target, reason: str, diff: str, call_id: str) -> None:
        shown = display(target.subject)
        prompt = f"{_VERBS[target.access]} {shown}" if len(shown) < 200 else f"{_VERBS[target.access]} this"
        whole = "\n".join(part for part in (shown, f"({reason})") if part)
        offers = self._offers(tool, target)
        choices = tuple(
            _labelled(choice, tool, target, offers) for choice in CHOICES if choice.name in offers
        )
        async with self._waiting("awaiting_approval"):
            answer = await self._questions.ask(
                "permission", prompt, choices, detail=whole, tool=tool.name, diff=diff, call_id=call_id
            )
        if answer.choice == "no":
            because = f": {answer.text}" if answer.text else ""
            raise self._refusal(f"the user refused {tool.name} {target.subject}{because}", answer.text)
        wanted = grant(cast("GrantAnswer", answer.choice), tool.name, offers[answer.choice])
        if wanted is not None:
            kept = await self._keep(wanted)
            self.policy = replace(self.policy, rules=(*self.policy.rules, *to_rules([kept])))

    def _offers(self, tool: Tool, target: Target) -> dict[str, str]:
        """The pattern each answer leaves behind; an answer whose rule would not free this call is none."""
        offers = {"once": "", "no": ""}
        patterns = [
            pattern
            for pattern in reversed(suggestions(target.access, target.subject))
            if _at_a_glance(pattern) or pattern == escape(target.subject)
        ]
        for answer, layer in _LAYERS.items():
            for pattern in () if target.private else patterns:
                rules = (*self.policy.rules, Rule(tool.name, pattern, "allow", layer))
                policy = replace(self.policy, rules=rules)
                if policy.decide(tool.name, target.access, target.subject).verdict == "allow":
                    offers[answer] = pattern
                    break
        return offers

    def _refusal(self, text: str, reason: str) -> DeniedError:
        self.refusals += 1
        self.last_refused = True
        return DeniedError(text, reason)


def _labelled(choice: Choice, tool: Tool, target: Target, offers: Mapping[str, str]) -> Choice:
    """An answer that frees more than this one call says what."""
    pattern = offers[choice.name]
    if not pattern:
        return choice
    exact = pattern == escape(target.subject)
    freed = f"{tool.name} {display(pattern)}" if _at_a_glance(pattern) else "exactly this"
    return replace(choice, label=f"{choice.label}: {freed}{', nothing else' if exact else ''}")


def _at_a_glance(pattern: str) -> bool:
    shown = display(pattern)
    return len(shown) <= _GLANCE and "\n" not in shown
