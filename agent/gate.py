"""Stands between a tool call and the world: asks the policy, then the person, and remembers the answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import field, replace
from pathlib import Path
from typing import Any, cast

from agent.events import Choice
from agent.permissions.display import display
from agent.permissions.grants import Answer as GrantAnswer
from agent.permissions.grants import NewGrant, grant, suggestions, to_rules
from agent.permissions.policy import Decision, Policy
from agent.permissions.rules import Layer, Rule, escape
from agent.questions import Questions
from agent.tools.local import Print
from agent.tools.rehearsing import Rehearsal, as_written
from agent.tools.tool import Target, Tool, ToolError
from store.frozen import frozen
from store.records import Grant, SessionState

CHOICES = (
    Choice("once", "Yes, once", "y"),
    Choice("session", "Yes, for this session", "s"),
    Choice("always", "Yes, always here", "a"),
    Choice("no", "No, and say why", "n", text=True),
)

_LAYERS: Mapping[str, Layer] = {"session": "session", "always": "global"}

Rehearse = Callable[["Permit"], Awaitable[Rehearsal]]
"""What a call would change if that were permitted; raises ToolError when it could not be done at all."""

_VERBS = {"read": "read", "edit": "edit", "fetch": "fetch", "none": "use"}
# What an answer for one call frees when it frees no other.
_EXACT = {
    "shell": "this exact command",
    "fetch": "this exact address",
    "read": "this path",
    "edit": "this file",
}
# Rules that one answer may leave behind, each of which is read before it is given.
_RULES = 3

# A rule that cannot be taken in at a glance is not asked about.
_GLANCE = 80


class DeniedError(ToolError):
    """The call was refused by a rule, by the person, or because nobody is there to ask.

    `reason` is for a person, who sees the call beside it; there is none when they gave none.
    """

    def __init__(self, text: str, reason: str) -> None:
        super().__init__(text)
        self.reason = reason


@frozen
class Permit:
    """`places` is where each path led when it was permitted, `outside` those beyond the workspace.

    `approved` names the changes that a person was shown; None where nobody had to be asked.
    `by_mode` is True if auto mode alone allowed part of it: neither the user nor a rule of theirs did.
    """

    places: Mapping[str, Path] = field(default_factory=dict[str, Path])
    outside: tuple[Path, ...] = ()
    approved: frozenset[Print] | None = None
    by_mode: bool = False


@frozen
class _Matter:
    """One of the things that a call wants to touch, and what the policy says to it."""

    target: Target
    decision: Decision

    @property
    def allowed(self) -> bool:
        return self.decision.verdict == "allow" and not self.target.private


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
        self.refused = ""
        self.last_refused = False
        self._questions = questions
        self._keep = keep
        self._waiting = waiting

    async def permit(
        self,
        tool: Tool,
        targets: Sequence[Target],
        *,
        arguments: Mapping[str, Any] | None = None,
        rehearse: Rehearse | None = None,
        call_id: str = "",
    ) -> Permit:
        """Raises DeniedError when the call may not touch one of `targets`; asks once about all of them.

        Raises ToolError, before anybody is asked, when `rehearse` finds that the call could not be done.
        """
        self.last_refused = False
        matters = [
            _Matter(target, self.policy.decide(tool.name, target.access, target.subject))
            for target in targets
        ]
        for matter in matters:
            if matter.decision.verdict == "deny":
                text = f"{tool.name} {matter.target.subject} is not allowed: {matter.decision.reason}"
                raise self._refusal(tool, matter.target, text, matter.decision.reason)
        permit = Permit(
            {each.target.subject: each.decision.place for each in matters if each.decision.place},
            tuple(each.decision.outside for each in matters if each.decision.outside),
            by_mode=any(each.allowed and each.decision.by_mode for each in matters),
        )
        asked = [matter for matter in matters if not matter.allowed]
        if not asked:
            return permit
        if not self._questions.attended:
            first = asked[0]
            raise self._refusal(
                tool,
                first.target,
                f"{tool.name} {first.target.subject} needs the user's consent and nobody is there to give it"
                f" ({first.decision.reason}); find another way or say what you would need",
                "nobody is there to allow it",
            )
        rehearsal = await self._rehearsed(matters, permit, rehearse, arguments or {})
        await self._ask(tool, matters, asked, rehearsal.diff if rehearsal else "", call_id)
        return replace(permit, approved=rehearsal.prints) if rehearsal else permit

    async def _rehearsed(
        self,
        matters: Sequence[_Matter],
        permit: Permit,
        rehearse: Rehearse | None,
        arguments: Mapping[str, Any],
    ) -> Rehearsal | None:
        """Why a change cannot be made tells of the content, so only who may read that is told unasked."""
        if rehearse is None:
            return None
        try:
            return await rehearse(permit)
        except ToolError:
            subjects = [matter.target.subject for matter in matters]
            if all(self.policy.decide("read", "read", each).verdict == "allow" for each in subjects):
                raise
            return as_written(arguments)

    async def _ask(
        self, tool: Tool, matters: Sequence[_Matter], asked: Sequence[_Matter], diff: str, call_id: str
    ) -> None:
        targets = [matter.target for matter in matters]
        prompt, detail = _wording(targets)
        if len(targets) > 1 and all(f"+++ b/{target.subject}\n" in diff for target in targets):
            # The headings of the diff name them all.
            detail = ""
        reasons = dict.fromkeys(matter.decision.reason for matter in asked if _worth_saying(matter.decision))
        offers = self._offers(tool, [matter.target for matter in asked])
        choices = tuple(_labelled(choice, tool, asked, offers) for choice in CHOICES if choice.name in offers)
        async with self._waiting("awaiting_approval"):
            answer = await self._questions.ask(
                "permission",
                prompt,
                choices,
                detail=detail,
                tool=tool.name,
                diff=diff,
                call_id=call_id,
                reason="; ".join(reasons),
            )
        if answer.choice == "no":
            because = f": {answer.text}" if answer.text else ""
            text = f"the user refused {tool.name} {_names(targets)}{because}"
            raise self._refusal(tool, targets[0], text, answer.text)
        for pattern in offers[answer.choice]:
            wanted = grant(cast("GrantAnswer", answer.choice), tool.name, pattern)
            if wanted is not None:
                kept = await self._keep(wanted)
                self.policy = replace(self.policy, rules=(*self.policy.rules, *to_rules([kept])))

    def _offers(self, tool: Tool, targets: Sequence[Target]) -> dict[str, tuple[str, ...]]:
        """The patterns each answer leaves behind; an answer whose rules would not free this call is none."""
        offers: dict[str, tuple[str, ...]] = {"once": (), "no": ()}
        for answer, layer in _LAYERS.items():
            found = [self._freeing(tool, target, layer) for target in targets]
            patterns = tuple(dict.fromkeys(found))
            if "" not in patterns and len(patterns) <= _RULES:
                offers[answer] = patterns
        return offers

    def _freeing(self, tool: Tool, target: Target, layer: Layer) -> str:
        """The widest pattern that is offered and would free this; empty where none would."""
        for pattern in () if target.private else reversed(suggestions(target.access, target.subject)):
            if not (_at_a_glance(pattern) or pattern == escape(target.subject)):
                continue
            rules = (*self.policy.rules, Rule(tool.name, pattern, "allow", layer))
            policy = replace(self.policy, rules=rules)
            if policy.decide(tool.name, target.access, target.subject).verdict == "allow":
                return pattern
        return ""

    def _refusal(self, tool: Tool, target: Target, text: str, reason: str) -> DeniedError:
        self.refusals += 1
        self.refused = f"{tool.name} {target.subject}"
        self.last_refused = True
        return DeniedError(text, reason)


def _wording(targets: Sequence[Target]) -> tuple[str, str]:
    """What is asked, and what of it the question leaves out, line by line."""
    shown = [display(target.subject) for target in targets]
    whole = "\n".join(shown)
    access = targets[0].access
    if access == "shell":
        return " ".join(part for part in ("run this command", targets[0].manner) if part), whole
    verb = _VERBS[access]
    if len(targets) > 1:
        return f"{verb} {len(targets)} files", whole
    return (f"{verb} {whole}", "") if len(whole) < 200 else (f"{verb} this", whole)


def _names(targets: Sequence[Target]) -> str:
    return ", ".join(target.subject for target in targets)


def _worth_saying(decision: Decision) -> bool:
    """That nothing was decided about it is what a question says by itself."""
    return decision.rule is not None or not decision.reason.startswith("no rule allows")


def _labelled(
    choice: Choice, tool: Tool, asked: Sequence[_Matter], offers: Mapping[str, tuple[str, ...]]
) -> Choice:
    """An answer that frees more than this one call says what."""
    patterns = offers[choice.name]
    if not patterns:
        return choice
    subjects = [matter.target.subject for matter in asked]
    if set(patterns) == {escape(subject) for subject in subjects}:
        access = asked[0].target.access
        what = _EXACT.get(access, "exactly this") if len(patterns) == 1 else f"these {len(patterns)} files"
        verb = f"{tool.name} " if access in ("read", "edit") else ""
        lasting = " for this session" if choice.name == "session" else ", always here"
        return replace(choice, label=f"Yes, {verb}{what}{lasting}")
    freed = ", ".join(display(pattern) for pattern in patterns)
    return replace(choice, label=f"{choice.label}: {tool.name} {freed}")


def _at_a_glance(pattern: str) -> bool:
    shown = display(pattern)
    return len(shown) <= _GLANCE and "\n" not in shown
